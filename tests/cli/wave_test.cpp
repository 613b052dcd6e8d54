// SPDX-License-Identifier: Apache-2.0
// Waveforms are read back by a reader of our own (VCD) or by fst2vcd (FST) and compared with what was sampled.
#include "wave/wave.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "heddle/error.h"
#include "wave/gtkw.h"

namespace heddle::wave_test {
namespace {

namespace fs = std::filesystem;

class WaveTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("heddle_wave_" + std::to_string(std::random_device()()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string file(const std::string& name) const { return (folder_ / name).string(); }
  // Path of a VCD with the content of an FST.
  [[nodiscard]] std::string converted(const std::string& fst) const {
    const std::string vcd = fst + ".vcd";
    const std::string command = std::string(HEDDLE_FST2VCD) + " -f " + fst + " -o " + vcd;
    EXPECT_EQ(std::system(command.c_str()), 0);
    return vcd;
  }

 private:
  fs::path folder_;
};

// Full name -> (time -> value) of the changes.
using Changes = std::map<std::string, std::map<Cycle, std::uint64_t>>;

struct Vcd {
  Changes changes;
  Cycle last = 0;  // greatest time mark

  [[nodiscard]] std::uint64_t at(const std::string& name, Cycle cycle) const {
    const auto& signal = changes.at(name);
    return std::prev(signal.upper_bound(cycle))->second;
  }
};

Vcd read_vcd(const std::string& path) {
  std::ifstream in(path);
  std::map<std::string, std::vector<std::string>> names;  // fst2vcd gives one id to signals it knows to be equal
  std::string scope;
  std::string word;
  Vcd vcd;
  while (in >> word) {
    if (word == "$scope") {
      in >> word >> word;
      scope += word + ".";
    } else if (word == "$upscope") {
      scope.resize(scope.size() - 1);
      scope.resize(scope.rfind('.') == std::string::npos ? 0 : scope.rfind('.') + 1);
    } else if (word == "$var") {
      std::string kind, width, id, name;
      in >> kind >> width >> id >> name;
      names[id].push_back(scope + name);
    } else if (word[0] == '#') {
      vcd.last = std::stoull(word.substr(1));
    } else if (word[0] == 'b') {
      std::string id;
      in >> id;
      for (const std::string& name : names.at(id))
        vcd.changes[name][vcd.last] = std::stoull(word.substr(1), nullptr, 2);
    } else if ((word[0] == '0' || word[0] == '1') && names.count(word.substr(1)) != 0) {
      for (const std::string& name : names.at(word.substr(1)))
        vcd.changes[name][vcd.last] = static_cast<std::uint64_t>(word[0] - '0');
    }
  }
  return vcd;
}

// Variables of all sizes under several scopes, with more signals than one-letter identifiers.
struct Machine {
  std::uint8_t flag = 0;
  std::uint32_t word = 0;
  std::uint64_t wide = 0;
  std::array<std::uint32_t, 150> many{};

  [[nodiscard]] std::vector<WaveProbe> probes() const {
    std::vector<WaveProbe> list = {wave_probe("top.a", "flag", 1, flag), wave_probe("top.a", "word", 20, word),
                                   wave_probe("top.b.c", "wide", 64, wide)};
    for (std::size_t i = 0; i < many.size(); ++i)
      list.push_back(wave_probe("top.d", "many" + std::to_string(i), 32, many[i]));
    return list;
  }
  template <class Random>
  void step(Random& random) {
    if (random() % 2 == 0) flag ^= 1;
    if (random() % 3 == 0) word = static_cast<std::uint32_t>(random());
    if (random() % 5 == 0) wide = (std::uint64_t{random()} << 32) | random();
    many[random() % many.size()] = static_cast<std::uint32_t>(random());
  }
};

struct Sample {
  std::uint64_t flag, word, wide, last_of_many;
};

TEST_F(WaveTest, BothFormatsHoldWhatWasSampled) {
  for (const char* name : {"w.vcd", "w.fst"}) {
    Machine machine;
    std::mt19937 random(7);
    std::map<Cycle, Sample> expected;
    {
      WaveRecorder recorder(file(name), machine.probes(), 100, 400);
      for (Cycle cycle = 0; cycle < 500; ++cycle) {
        machine.step(random);
        recorder.sample(cycle);
        expected[cycle] = {machine.flag, machine.word & 0xfffff, machine.wide, machine.many[149]};
      }
    }
    const Vcd vcd = read_vcd(std::string(name) == "w.vcd" ? file(name) : converted(file(name)));
    EXPECT_EQ(vcd.last, 400u);
    EXPECT_EQ(vcd.changes.size(), 153u);
    for (Cycle cycle = 100; cycle <= 400; ++cycle) {
      EXPECT_EQ(vcd.at("top.a.flag", cycle), expected[cycle].flag) << cycle;
      EXPECT_EQ(vcd.at("top.a.word", cycle), expected[cycle].word) << cycle;
      EXPECT_EQ(vcd.at("top.b.c.wide", cycle), expected[cycle].wide) << cycle;
      EXPECT_EQ(vcd.at("top.d.many149", cycle), expected[cycle].last_of_many) << cycle;
    }
  }
}

TEST_F(WaveTest, OnlyChangesAreWritten) {
  Machine machine;
  WaveRecorder recorder(file("w.vcd"), machine.probes());
  for (Cycle cycle = 0; cycle < 1000; ++cycle) recorder.sample(cycle);
  recorder.finish();
  const Vcd vcd = read_vcd(file("w.vcd"));
  for (const auto& [name, changes] : vcd.changes) EXPECT_EQ(changes.size(), 1u) << name;
  EXPECT_EQ(vcd.last, 999u);
}

TEST_F(WaveTest, TheFileHasItsNameOnlyWhenItIsComplete) {
  for (const char* name : {"w.vcd", "w.fst"}) {
    Machine machine;
    WaveRecorder recorder(file(name), machine.probes());
    recorder.sample(0);
    EXPECT_FALSE(fs::exists(file(name)));
    recorder.finish();
    EXPECT_TRUE(fs::exists(file(name)));
    EXPECT_FALSE(fs::exists(file(name) + ".part"));
  }
}

TEST_F(WaveTest, TheRingHoldsTheLastCyclesAndNoMore) {
  Machine machine;
  std::mt19937 random(3);
  WaveRing ring(machine.probes(), 200);
  std::map<Cycle, std::uint64_t> words;
  for (Cycle cycle = 0; cycle < 1234; ++cycle) {
    machine.step(random);
    ring.sample(cycle);
    words[cycle] = machine.word & 0xfffff;
  }
  ring.write(file("ring.vcd"));
  const Vcd vcd = read_vcd(file("ring.vcd"));
  EXPECT_EQ(vcd.last, 1233u);
  EXPECT_EQ(vcd.changes.at("top.a.flag").begin()->first, 1034u);
  for (Cycle cycle = 1034; cycle < 1234; ++cycle) EXPECT_EQ(vcd.at("top.a.word", cycle), words[cycle]) << cycle;
}

// Cycles in which nothing changes take no room and count all the same.
TEST_F(WaveTest, TheRingPassesOverCyclesInWhichNothingChanges) {
  Machine machine;
  std::mt19937 random(4);
  WaveRing ring(machine.probes(), 200);
  std::map<Cycle, std::uint64_t> words;
  for (Cycle cycle = 0; cycle < 1234; ++cycle) {
    if (cycle % 7 == 0) {
      machine.step(random);
      ring.sample(cycle);
    } else {
      ring.pass(cycle);
    }
    words[cycle] = machine.word & 0xfffff;
  }
  ring.write(file("ring.vcd"));
  const Vcd vcd = read_vcd(file("ring.vcd"));
  EXPECT_EQ(vcd.last, 1232u);
  EXPECT_EQ(vcd.changes.at("top.a.flag").begin()->first, 1034u);
  for (Cycle cycle = 1034; cycle < 1234; ++cycle) EXPECT_EQ(vcd.at("top.a.word", cycle), words[cycle]) << cycle;
}

// Of arrays with an element a warp only those are taken that change; the others are in every row all the same.
TEST_F(WaveTest, TheRingShowsWarpsThatDoNotChange) {
  std::array<std::uint32_t, 4> warps{};
  std::vector<WaveProbe> probes;
  for (unsigned w = 0; w < warps.size(); ++w) {
    probes.push_back(
        wave_probe("top", fmt::format("warp{}", w), 32, warps[w], WaveFormat::kHex, warps.data(), sizeof warps[w]));
  }
  WaveRing ring(probes, 8);
  std::map<Cycle, std::array<std::uint32_t, 4>> shown;
  for (Cycle cycle = 0; cycle < 61; ++cycle) {
    if (cycle == 21) ring.begin(2);
    const unsigned changing = cycle < 20 ? 4 : 2;
    for (unsigned w = 0; w < changing; ++w) warps[w] = static_cast<std::uint32_t>(100 * w + cycle);
    ring.sample(cycle);
    shown[cycle] = warps;
  }
  ring.write(file("ring.vcd"));
  const Vcd vcd = read_vcd(file("ring.vcd"));
  for (Cycle cycle = 53; cycle < 61; ++cycle) {
    for (unsigned w = 0; w < warps.size(); ++w)
      EXPECT_EQ(vcd.at(fmt::format("top.warp{}", w), cycle), shown[cycle][w]) << w << ", cycle " << cycle;
  }
}

TEST_F(WaveTest, AShortRunFillsThePartOfTheRingThatItReached) {
  Machine machine;
  WaveRing ring(machine.probes(), 200);
  for (Cycle cycle = 0; cycle < 5; ++cycle) {
    machine.word = static_cast<std::uint32_t>(cycle);
    ring.sample(cycle);
  }
  ring.write(file("ring.vcd"));
  EXPECT_EQ(read_vcd(file("ring.vcd")).changes.at("top.a.word").size(), 5u);
}

TEST_F(WaveTest, AFullDiskEndsTheRecordingAndIsTold) {
  for (const char* name : {"full.vcd", "full.fst"}) {
    fs::create_symlink("/dev/full", file(name));
    Machine machine;
    std::mt19937 random(5);
    WaveRecorder recorder(file(name), machine.probes());
    Cycle cycle = 0;
    while (recorder.wants(cycle) && cycle < 2'000'000) {
      machine.step(random);
      recorder.sample(cycle++);
    }
    if (std::string(name) == "full.vcd") {
      EXPECT_LT(cycle, 100'000u) << "what cannot be written any more is not collected";
    }
    EXPECT_THROW(recorder.finish(), Error);
    EXPECT_NO_THROW(recorder.finish()) << "it says so once";
  }
}

TEST_F(WaveTest, UnwritableAndUnknownFilesAreRefused) {
  for (const char* path : {"/absent/folder/w.vcd", "/absent/folder/w.fst"}) {
    EXPECT_THROW(check_wave_path(path), Error);
    EXPECT_THROW(static_cast<void>(open_wave(path)), Error);
  }
  EXPECT_THROW(check_wave_path(file("w.txt")), Error);
  EXPECT_NO_THROW(check_wave_path(file("w.vcd")));
  EXPECT_FALSE(fs::exists(file("w.vcd")));
}

TEST_F(WaveTest, TheSaveFileOpensTheChosenGroupAndClosesTheOthers) {
  Machine machine;
  const std::string save = write_gtkw(file("w.fst"), machine.probes(), nullptr, "top.b", 0, 100);
  EXPECT_EQ(save, file("w.gtkw"));
  std::ifstream in(save);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_NE(text.str().find("@800200\n-top\n"), std::string::npos);
  EXPECT_NE(text.str().find("@c00200\n-top a\n"), std::string::npos);
  EXPECT_NE(text.str().find("@800200\n-top b\n@800200\n-b c\n"), std::string::npos);
  EXPECT_NE(text.str().find("top.a.word[19:0]\n"), std::string::npos);
  EXPECT_NE(text.str().find("\n*-4.321928 0\n"), std::string::npos);  // 100 cycles: -log2(200 * 100 / 1000)
  // Groups open and close in pairs.
  std::size_t begins = 0, ends = 0;
  for (std::string line; std::getline(text, line);) {
    begins += line == "@800200" || line == "@c00200" ? 1 : 0;
    ends += line == "@1000200" || line == "@1401200" ? 1 : 0;
  }
  EXPECT_EQ(begins, 5u);
  EXPECT_EQ(ends, 5u);
}

}  // namespace
}  // namespace heddle::wave_test
