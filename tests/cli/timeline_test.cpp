// SPDX-License-Identifier: Apache-2.0
// Timelines: which instructions become one span, windows, limits.
#include "timeline/timeline.h"

#include <gtest/gtest.h>

#include <array>

#include "isa/launch.h"
#include "isa/program.h"
#include "timeline/spans.h"

namespace heddle::timeline_test {
namespace {

constexpr Pc kBase = 0x10000000;

// Six instructions: an addi, a branch to the last one, three addi, an addi. Blocks A (2), B (3), C (1).
Program small_program() {
  Program program;
  const std::uint32_t words[] = {0x00150513, 0x00050863, 0x00150513, 0x00150513, 0x00150513, 0x00150513};
  program.text_begin = kBase;
  program.text_end = kBase + sizeof words;
  for (const std::uint32_t word : words) program.text.push_back(decode(word));
  program.lines.resize(program.text.size());
  program.functions.push_back({"f", kBase, program.text_end});
  return program;
}

struct Recorder {
  Timeline timeline{0, ~Cycle{0}, 1000};

  void issue(Cycle cycle, WarpId warp, unsigned slot, unsigned instruction, LaneMask mask) {
    CommitEvent event;
    event.cycle = cycle;
    event.warp = warp;
    event.slot = slot;
    event.pc = kBase + 4 * instruction;
    event.mask = mask;
    timeline.commit(event);
  }
};

TEST(Spans, InstructionsOfOneBlockAndMaskAreOneSpan) {
  Recorder r;
  r.issue(5, 0, 0, 2, 0xf);
  r.issue(9, 0, 0, 3, 0xf);
  r.issue(10, 0, 0, 4, 0xf);
  const SpanList list = find_spans(r.timeline, small_program());
  ASSERT_EQ(list.spans.size(), 1u);
  EXPECT_EQ(list.spans[0].begin, 5u);
  EXPECT_EQ(list.spans[0].end, 11u);
  EXPECT_EQ(list.spans[0].issues.size(), 3u);
}

TEST(Spans, PathsAreKeptApart) {
  Recorder r;
  r.issue(5, 0, 0, 2, 0x3);
  r.issue(6, 0, 1, 5, 0xc);
  r.issue(7, 0, 0, 3, 0x3);
  r.issue(8, 1, 0, 2, 0xf);
  const SpanList list = find_spans(r.timeline, small_program());
  ASSERT_EQ(list.spans.size(), 3u);
  EXPECT_EQ(list.spans[0].issues.size(), 2u);
}

TEST(Spans, AnotherBlockMaskOrTurnOfALoopBeginsASpan) {
  Recorder r;
  r.issue(1, 0, 0, 0, 0xf);
  r.issue(2, 0, 0, 2, 0xf);  // block
  r.issue(3, 0, 0, 3, 0x7);  // mask
  r.issue(4, 0, 0, 2, 0x7);  // turn
  EXPECT_EQ(find_spans(r.timeline, small_program()).spans.size(), 4u);
}

TEST(Spans, ADivergenceEndsTheSpansOfItsWarpOnly) {
  Recorder r;
  r.issue(1, 0, 0, 2, 0xf);
  r.issue(1, 1, 0, 2, 0xf);
  r.timeline.push(2, 0);
  r.issue(3, 0, 0, 3, 0xf);
  r.issue(3, 1, 0, 3, 0xf);
  EXPECT_EQ(find_spans(r.timeline, small_program()).spans.size(), 3u);
}

TEST(Spans, BlocksThatIssueAreNamedInAddressOrder) {
  Recorder r;
  r.issue(1, 0, 0, 5, 0xf);
  r.issue(2, 0, 0, 0, 0xf);
  const SpanList list = find_spans(r.timeline, small_program());
  ASSERT_EQ(list.blocks.size(), 2u);
  EXPECT_EQ(list.blocks[0].begin, kBase);
  EXPECT_EQ(list.blocks[0].name, "A");
  EXPECT_EQ(list.blocks[1].begin, kBase + 20);
  EXPECT_EQ(list.spans[0].block, 1u);
}

TEST(MaskText, IsBinaryForFewLanesAndHexadecimalForMany) {
  EXPECT_EQ(mask_text(0b0110, 4), "0110");
  EXPECT_EQ(mask_text(0xff, 32), "000000ff");
}

TEST(Timeline, RecordsItsWindowOnlyAndCountsWhatDoesNotFit) {
  Timeline timeline(10, 20, 3);
  CommitEvent event;
  for (event.cycle = 0; event.cycle < 30; ++event.cycle) timeline.commit(event);
  EXPECT_EQ(timeline.issues().size(), 3u);
  EXPECT_EQ(timeline.issues().front().cycle, 10u);
  EXPECT_EQ(timeline.left_out(), 8u);
}

TEST(Timeline, AnEmptyWindowStillGivesAPicture) {
  const Timeline timeline(0, 0, 10);
  const Program program = small_program();
  EXPECT_NE(timeline_svg(timeline, program, {"nothing", 32, 2}).find("nothing was issued"), std::string::npos);
  EXPECT_NE(timeline_trace(timeline, program, {"nothing", 32, 2}).find("\"traceEvents\""), std::string::npos);
}

TEST(TimelineSvg, LongIdleStretchesAreFolded) {
  Recorder r;
  r.issue(0, 0, 0, 0, 0xf);
  r.issue(1000000, 0, 0, 1, 0xf);
  const std::string svg = timeline_svg(r.timeline, small_program(), {"gap", 32, 1});
  EXPECT_NE(svg.find("+999995"), std::string::npos);
  EXPECT_NE(svg.find("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\""), std::string::npos)
      << svg.substr(0, 200);
}

TEST(TimelineSvg, TitlesAreEscaped) {
  const Timeline timeline(0, 0, 10);
  const std::string svg = timeline_svg(timeline, small_program(), {"a<b>&\"c\"", 32, 1});
  EXPECT_NE(svg.find("a&lt;b&gt;&amp;&quot;c&quot;"), std::string::npos);
}

// Two warps of four lanes: threads 0 to 3 and 4 to 7.
struct FormedRecorder : Recorder {
  void form(Cycle cycle, unsigned instruction, LaneMask mask, std::array<std::uint16_t, 4> tids) {
    timeline.formed_warp(cycle, kBase + 4 * instruction, mask, tids.data());
  }
};

TEST(FormedWarps, TakeThePlaceOfTheStaticWarpsShares) {
  FormedRecorder r;
  r.form(3, 2, 0b1011, {4, 1, 0, 3});
  r.issue(3, 0, 0, 2, 0b1010);
  r.issue(3, 1, 0, 2, 0b0001);
  EXPECT_TRUE(r.timeline.issues().empty());
  ASSERT_EQ(r.timeline.formed().size(), 1u);
  EXPECT_EQ(r.timeline.formed()[0].cycle, 3u);
  EXPECT_EQ(r.timeline.formed_tids(), (std::vector<std::uint16_t>{4, 1, 3}));
}

TEST(FormedWarps, ThosePastTheLimitAreCounted) {
  FormedRecorder r;
  for (Cycle cycle = 0; cycle < 1005; ++cycle) r.form(cycle, 2, 0b0001, {0, 0, 0, 0});
  EXPECT_EQ(r.timeline.formed().size(), 1000u);
  EXPECT_EQ(r.timeline.left_out(), 5u);
}

TEST(FormedWarps, APictureShowsLanesAndHowManyAreFilled) {
  FormedRecorder r;
  r.form(3, 2, 0b1011, {4, 1, 0, 3});
  r.form(4, 5, 0b0100, {0, 0, 6, 0});
  const std::string svg = timeline_svg(r.timeline, small_program(), {"x on dwf", 4, 1});
  EXPECT_NE(svg.find("2 warps issued with 2.0 of 4 threads on average"), std::string::npos) << svg;
  EXPECT_NE(svg.find("cycle 3: 3 threads at 0x10000008, block A"), std::string::npos) << svg;
  EXPECT_NE(svg.find("cycle 4: 1 threads at 0x10000014, block B"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">lane 3<"), std::string::npos);
  EXPECT_EQ(svg.find(">warp 0<"), std::string::npos);
}

TEST(FormedWarps, ATraceHasThreadsInLanesAndACounter) {
  FormedRecorder r;
  r.form(3, 2, 0b1000, {0, 0, 0, 7});
  r.form(3, 5, 0b0001, {4, 0, 0, 0});
  const std::string trace = timeline_trace(r.timeline, small_program(), {"x on mimd", 4, 1});
  EXPECT_NE(trace.find("\"tid\":3,\"ts\":3,\"dur\":1,\"args\":{\"pc\":\"0x10000008\",\"warp\":1,\"lane\":3}"),
            std::string::npos)
      << trace;
  EXPECT_NE(trace.find("\"name\":\"threads\",\"pid\":0,\"ts\":3,\"args\":{\"threads\":2}"), std::string::npos) << trace;
  EXPECT_NE(trace.find("\"name\":\"threads\",\"pid\":0,\"ts\":4,\"args\":{\"threads\":0}"), std::string::npos) << trace;
}

}  // namespace
}  // namespace heddle::timeline_test
