// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/text.h"
#include "timeline/spans.h"

namespace heddle {
namespace {

constexpr double kLeft = 70, kTop = 64, kRow = 22, kBar = 18, kWarpGap = 8, kRight = 20, kLegendRow = 18;
constexpr double kMinWidth = 720, kWidth = 2400, kMaxWidth = 16000;  // of the picture; of the cycles: wanted, at most
constexpr double kMaxScale = 14;                                     // pixels of a cycle
constexpr Cycle kFoldFrom = 24;                                      // idle cycles that are folded into kFoldWidth
constexpr double kFoldWidth = 30;
constexpr double kLetter = 6.7;  // width of a character of the labels

// Neighbouring numbers get colours far apart (golden angle).
std::string colour(std::size_t block, int lightness) {
  return fmt::format("hsl({:.0f},{}%,{}%)", std::fmod(210.0 + 137.508 * static_cast<double>(block), 360.0), 62,
                     lightness);
}

Cycle axis_step(double cycles, double scale) {
  Cycle step = 1;
  for (unsigned digit = 0; static_cast<double>(step) * scale < 60 && static_cast<double>(step) < cycles; ++digit)
    step *= digit % 3 == 1 ? 5 : 2;
  return step;
}

// What every picture has: cycles from left to right with idle stretches folded, an axis, and a legend of the basic
// blocks.
class Picture {
 public:
  virtual ~Picture() = default;

  std::string draw() {
    legend_columns();
    const double bottom = rows_bottom() + 10;
    const double legend_rows = std::ceil(static_cast<double>(blocks_.size()) / static_cast<double>(columns_));
    const double height = bottom + 40 + legend_rows * kLegendRow + 12;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" "
        "font-family=\"DejaVu Sans Mono, monospace\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"white\"/>\n",
        width(), height);
    out_ +=
        fmt::format("<text x=\"10\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{}</text>\n", escaped(view_.title));
    out_ += fmt::format("<text x=\"10\" y=\"36\" fill=\"#555\">{}</text>\n", escaped(subtitle()));
    axis(bottom);
    draw_rows();
    for (const Fold& fold : folds_) draw_fold(fold, bottom);
    draw_marks();
    legend(bottom + 30);
    return out_ + "</svg>\n";
  }

 protected:
  Picture(const Timeline& timeline, const TimelineView& view, std::vector<CodeBlock> blocks)
      : timeline_(timeline),
        view_(view),
        blocks_(std::move(blocks)) {}

  virtual double rows_bottom() const = 0;
  virtual std::string subtitle() const = 0;
  virtual void draw_rows() = 0;  // and what stands in them
  virtual void draw_marks() = 0;
  virtual std::string mark_legend() const = 0;  // tspans

  // From the cycles in which something issued, in order.
  void place(const std::vector<Cycle>& issues) {
    first_ = issues.empty() ? 0 : issues.front();
    last_ = issues.empty() ? first_ + 1 : issues.back() + 1;
    for (const Timeline::Mark& mark : timeline_.marks()) last_ = std::max(last_, mark.cycle + 1);
    find_folds(issues);
    const double folds = kFoldWidth * static_cast<double>(folds_.size());
    const double cycles = static_cast<double>(last_ - first_ - folded_cycles(last_));
    scale_ = std::min(std::clamp((kWidth - folds) / cycles, 1.0, kMaxScale), kMaxWidth / cycles);
  }

  [[nodiscard]] double width() const { return std::max(x(last_) + kRight, kMinWidth); }
  [[nodiscard]] double x(Cycle cycle) const {
    double at = kLeft + static_cast<double>(cycle - first_ - folded_cycles(cycle)) * scale_;
    for (const Fold& fold : folds_) {
      if (cycle <= fold.begin) break;
      at += kFoldWidth * static_cast<double>(std::min(cycle, fold.end) - fold.begin) /
            static_cast<double>(fold.end - fold.begin);
    }
    return at;
  }
  // What was recorded, for the subtitle.
  [[nodiscard]] std::string left_out() const {
    return timeline_.left_out() == 0
               ? ""
               : fmt::format("; {} more left out: choose a window with --wave-start and --wave-end",
                             timeline_.left_out());
  }

  const Timeline& timeline_;
  const TimelineView& view_;
  const std::vector<CodeBlock> blocks_;
  Cycle first_ = 0, last_ = 1;
  double scale_ = 1;
  std::string out_;

 private:
  // A stretch in which no warp issued, drawn narrow.
  struct Fold {
    Cycle begin, end;
  };

  void find_folds(const std::vector<Cycle>& issues) {
    for (std::size_t i = 1; i < issues.size(); ++i) {
      const Cycle begin = issues[i - 1] + 3;
      const Cycle end = issues[i] - std::min<Cycle>(issues[i], 2);
      if (end > begin && end - begin >= kFoldFrom) folds_.push_back({begin, end});
    }
  }

  // Cycles before `cycle` that lie in folds.
  [[nodiscard]] Cycle folded_cycles(Cycle cycle) const {
    Cycle sum = 0;
    for (const Fold& fold : folds_) sum += std::min(std::max(cycle, fold.begin), fold.end) - fold.begin;
    return sum;
  }

  void axis(double bottom) {
    const Cycle step = axis_step(static_cast<double>(last_ - first_), scale_);
    for (Cycle cycle = (first_ + step - 1) / step * step; cycle <= last_; cycle += step) {
      const auto covers = [&](const Fold& fold) { return cycle > fold.begin && cycle < fold.end; };
      if (std::any_of(folds_.begin(), folds_.end(), covers)) continue;
      out_ += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2:.0f}\" stroke=\"#e4e4e4\"/>",
                          x(cycle), kTop - 6, bottom);
      out_ += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{}</text>\n", x(cycle),
                          kTop - 10, cycle);
    }
    for (const Timeline::LaunchMark& launch : timeline_.launches()) {
      if (launch.cycle < first_ || launch.cycle > last_ || timeline_.launches().size() == 1) continue;
      out_ += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2:.0f}\" stroke=\"#888\" stroke-dasharray=\"4 3\"/>",
          x(launch.cycle), kTop - 6, bottom + 8);
      out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" fill=\"#555\">{}</text>\n", x(launch.cycle) + 3, bottom + 8,
                          escaped(launch.kernel));
    }
  }

  void draw_fold(const Fold& fold, double bottom) {
    out_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{:.0f}\" fill=\"white\" fill-opacity=\"0.8\"/>",
        x(fold.begin), kTop - 6, kFoldWidth, bottom - kTop + 6);
    for (const double edge : {x(fold.begin), x(fold.end)}) {
      out_ += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2:.0f}\" stroke=\"#aaa\" stroke-dasharray=\"2 2\"/>",
          edge, kTop - 6, bottom);
    }
    out_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"middle\" font-size=\"9\" fill=\"#777\">+{}</text>\n",
                    x(fold.begin) + kFoldWidth / 2, bottom - 1, fold.end - fold.begin);
  }

  [[nodiscard]] std::string legend_text(const CodeBlock& block) const {
    return fmt::format("{:<2} {:#x}..{:#x} {}", block.name, block.begin, block.end - 4, block.source);
  }

  void legend_columns() {
    std::size_t longest = 10;
    for (const CodeBlock& block : blocks_) longest = std::max(longest, legend_text(block).size());
    column_width_ = static_cast<double>(longest) * kLetter + 36;
    columns_ = std::max<std::size_t>(1, static_cast<std::size_t>((width() - 20) / column_width_));
  }

  void legend(double top) {
    out_ += fmt::format("<text x=\"10\" y=\"{:.0f}\" fill=\"#555\">{}</text>\n", top, mark_legend());
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const double left = 10 + static_cast<double>(i % columns_) * column_width_;
      const double base = top + 22 + static_cast<double>(i / columns_) * kLegendRow;
      out_ += fmt::format("<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"12\" height=\"12\" fill=\"{}\" stroke=\"{}\"/>",
                          left, base - 10, colour(i, 84), colour(i, 45));
      out_ += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" xml:space=\"preserve\">{}</text>\n", left + 18, base,
                          escaped(legend_text(blocks_[i])));
    }
  }

  std::vector<Fold> folds_;
  double column_width_ = 0;
  std::size_t columns_ = 1;
};

// A row for each path of each warp.
class PathPicture final : public Picture {
 public:
  PathPicture(const Timeline& timeline, const TimelineView& view, SpanList list)
      : Picture(timeline, view, list.blocks),
        list_(std::move(list)) {
    std::vector<Cycle> cycles;
    for (const Timeline::Issue& issue : timeline_.issues()) {
      cycles.push_back(issue.cycle);
      rows_.emplace(issue.warp, 0);
    }
    unsigned row = 0;
    for (auto& [warp, number] : rows_) number = row++;
    place(cycles);
  }

 private:
  [[nodiscard]] double warp_height() const { return view_.slots * kRow + kWarpGap; }
  [[nodiscard]] double y(WarpId warp, unsigned slot) const {
    return kTop + rows_.at(warp) * warp_height() + slot * kRow;
  }
  double rows_bottom() const override { return kTop + static_cast<double>(rows_.size()) * warp_height(); }

  std::string subtitle() const override {
    if (timeline_.issues().empty()) return "nothing was issued in these cycles";
    return fmt::format(
               "cycles {} to {}, {} warp instructions; a bar is a path in a basic block, a tick an issued instruction; "
               "+N: N idle cycles folded",
               first_, last_ - 1, timeline_.issues().size()) +
           left_out();
  }
  void draw_rows() override {
    for (const auto& [warp, row] : rows_) warp_rows(warp, row);
    for (const Span& span : list_.spans) draw_span(span);
  }
  void draw_marks() override {
    for (const Timeline::Mark& mark : timeline_.marks()) draw_mark(mark);
  }
  std::string mark_legend() const override {
    return "<tspan fill=\"#c00\">&#9660;</tspan> divergence  <tspan fill=\"#06c\">&#9650;</tspan> reconvergence  "
           "<tspan fill=\"#080\">|</tspan> barrier passed  <tspan fill=\"#333\">&#9632;</tspan> end of warp";
  }

  void warp_rows(WarpId warp, unsigned row) {
    if (row % 2 == 1) {
      out_ += fmt::format(
          "<rect x=\"0\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#000\" fill-opacity=\"0.03\"/>\n",
          y(warp, 0) - kWarpGap / 2, width(), warp_height());
    }
    for (unsigned slot = 0; slot < view_.slots; ++slot) {
      const std::string side = view_.splits       ? fmt::format(".{}", slot)
                               : view_.slots == 1 ? ""
                               : slot == 0        ? " L"
                                                  : " R";
      out_ += fmt::format("<text x=\"10\" y=\"{:.0f}\">warp {}{}</text>\n", y(warp, slot) + 13, warp, side);
    }
  }

  void draw_span(const Span& span) {
    const CodeBlock& block = blocks_[span.block];
    const double top = y(span.warp, span.slot);
    const double wide = x(span.end) - x(span.begin);
    out_ += fmt::format("<g><title>warp {} block {} mask {} cycles {} to {}: {} instructions at {:#x} ({})</title>",
                        span.warp, block.name, mask_text(span.mask, view_.lanes), span.begin, span.end - 1,
                        span.issues.size(), timeline_.issues()[span.issues.front()].pc, escaped(block.source));
    out_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{}\" rx=\"2\" fill=\"{}\" stroke=\"{}\" "
        "stroke-width=\"0.6\"/>",
        x(span.begin), top, wide, kBar, colour(span.block, 84), colour(span.block, 45));
    std::string ticks;
    for (const std::size_t i : span.issues)
      ticks += fmt::format("M{:.1f} {:.0f}h{:.1f}", x(timeline_.issues()[i].cycle) + scale_ * 0.08, top + kBar - 2.5,
                           scale_ * 0.84);
    out_ += fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"4\"/>", ticks, colour(span.block, 38));
    std::string label = block.name + " " + mask_text(span.mask, view_.lanes);
    if (static_cast<double>(label.size()) * kLetter > wide) label = block.name;
    if (static_cast<double>(label.size()) * kLetter <= wide) {
      out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\">{}</text>", x(span.begin) + 2, top + 11, label);
    }
    out_ += "</g>\n";
  }

  // A divergence points down, a reconvergence up; a barrier is a line, the end of a warp a square.
  void draw_mark(const Timeline::Mark& mark) {
    if (rows_.count(mark.warp) == 0 || mark.cycle < first_) return;
    const double at = x(mark.cycle);
    const double top = y(mark.warp, 0);
    const double low = top + view_.slots * kRow - (kRow - kBar);
    switch (mark.kind) {
      case Timeline::MarkKind::kPush:
        out_ += fmt::format(
            "<path d=\"M{:.1f} {:.1f}l-4 -6h8z\" fill=\"#c00\"><title>divergence in cycle {}</title></path>\n", at, top,
            mark.cycle);
        break;
      case Timeline::MarkKind::kPop:
        out_ += fmt::format(
            "<path d=\"M{:.1f} {:.1f}l-4 6h8z\" fill=\"#06c\"><title>reconvergence in cycle {}</title></path>\n", at,
            low, mark.cycle);
        break;
      case Timeline::MarkKind::kBarrier:
        out_ += fmt::format(
            "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"#080\" stroke-width=\"2\"/>\n",
            at, top, low);
        break;
      case Timeline::MarkKind::kEnd:
        out_ += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"5\" height=\"{:.1f}\" fill=\"#333\"><title>end of the warp in "
            "cycle {}</title></rect>\n",
            at, top, low - top, mark.cycle);
        break;
    }
  }

  const SpanList list_;
  std::map<WarpId, unsigned> rows_;
};

// A row for each lane; a column is a formed warp. Above them a bar for the lanes it fills.
class LanePicture final : public Picture {
 public:
  LanePicture(const Timeline& timeline, const TimelineView& view, FormedList list)
      : Picture(timeline, view, list.blocks),
        list_(std::move(list)) {
    std::vector<Cycle> cycles;
    for (const Timeline::FormedWarp& warp : timeline_.formed()) cycles.push_back(warp.cycle);
    place(cycles);
  }

 private:
  static constexpr double kOccupancy = 48, kLane = 14;  // heights
  static constexpr double kNumberScale = 11;            // from here on static warps have room for their numbers

  [[nodiscard]] double lanes_top() const { return kTop + kOccupancy + 8; }
  [[nodiscard]] double y(unsigned lane) const { return lanes_top() + lane * kLane; }
  double rows_bottom() const override { return y(view_.lanes); }

  std::string subtitle() const override {
    const double warps = static_cast<double>(timeline_.formed().size());
    return fmt::format(
               "cycles {} to {}, {} warps issued with {:.1f} of {} threads on average; a column is a warp, coloured by "
               "basic block{}; "
               "+N: N idle cycles folded",
               first_, last_ - 1, timeline_.formed().size(),
               static_cast<double>(timeline_.formed_tids().size()) / warps, view_.lanes,
               scale_ >= kNumberScale ? ", a number the static warp of the thread in that lane" : "") +
           left_out();
  }

  void draw_rows() override {
    for (const unsigned part : {0u, 1u}) {  // none and all of the lanes
      const double level = kTop + kOccupancy * (1 - part);
      out_ += fmt::format("<line x1=\"{0}\" x2=\"{1:.1f}\" y1=\"{2:.0f}\" y2=\"{2:.0f}\" stroke=\"#ccc\"/>", kLeft,
                          x(last_), level);
      out_ += fmt::format("<text x=\"{}\" y=\"{:.0f}\" text-anchor=\"end\" fill=\"#555\">{}</text>\n", kLeft - 6,
                          level + 4, part * view_.lanes);
    }
    out_ += fmt::format("<text x=\"10\" y=\"{:.0f}\">threads</text>\n", kTop + kOccupancy / 2 + 4);
    for (unsigned lane = 0; lane < view_.lanes; ++lane) {
      out_ +=
          fmt::format("<rect x=\"{}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{}\" fill=\"#000\" fill-opacity=\"{}\"/>",
                      kLeft, y(lane), x(last_) - kLeft, kLane, lane % 2 == 0 ? 0.03 : 0.06);
      out_ += fmt::format("<text x=\"10\" y=\"{:.0f}\">lane {}</text>\n", y(lane) + 11, lane);
    }
    for (std::size_t i = 0; i < timeline_.formed().size(); ++i) draw_warp(i);
  }

  // Several warps of one cycle (mimd) share the column; their bars stand on each other.
  void draw_warp(std::size_t index) {
    const Timeline::FormedWarp& warp = timeline_.formed()[index];
    const std::size_t block = list_.block[index];
    const std::uint16_t* tid = &timeline_.formed_tids()[warp.tids];
    const double left = x(warp.cycle), wide = std::max(scale_ * 0.92, 0.8);
    unsigned count = 0;
    std::string cells, numbers;
    for (unsigned lane = 0; lane < view_.lanes; ++lane) {
      if (((warp.mask >> lane) & 1) == 0) continue;
      const bool continues = lane != 0 && ((warp.mask >> (lane - 1)) & 1) != 0;
      if (!continues) {
        unsigned end = lane;
        while (end < view_.lanes && ((warp.mask >> end) & 1) != 0) ++end;
        cells += fmt::format("M{:.1f} {:.0f}h{:.1f}v{:.0f}h{:.1f}z", left, y(lane) + 1, wide, (end - lane) * kLane - 2,
                             -wide);
      }
      if (scale_ >= kNumberScale) {
        numbers += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\">{}</text>", left + wide / 2, y(lane) + 10.5,
                               tid[count] / view_.lanes);
      }
      ++count;
    }
    if (warp.cycle != stacked_cycle_) stacked_ = 0;
    const double unit = kOccupancy / view_.lanes;
    out_ += fmt::format("<g><title>cycle {}: {} threads at {:#x}, block {} ({})</title>", warp.cycle, count, warp.pc,
                        blocks_[block].name, escaped(blocks_[block].source));
    out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>", left,
                        kTop + kOccupancy - (stacked_ + count) * unit, wide, count * unit, colour(block, 55));
    out_ += fmt::format("<path d=\"{}\" fill=\"{}\"/>", cells, colour(block, 76));
    if (!numbers.empty()) out_ += fmt::format("<g font-size=\"8.5\" text-anchor=\"middle\">{}</g>", numbers);
    out_ += "</g>\n";
    stacked_cycle_ = warp.cycle;
    stacked_ += count;
  }

  void draw_marks() override {
    for (const Timeline::Mark& mark : timeline_.marks()) {
      if (mark.kind != Timeline::MarkKind::kBarrier || mark.cycle < first_) continue;
      out_ += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.0f}\" y2=\"{2:.0f}\" stroke=\"#080\" stroke-width=\"1.5\"/>\n",
          x(mark.cycle), lanes_top() - 4, rows_bottom());
    }
  }
  std::string mark_legend() const override { return "<tspan fill=\"#080\">|</tspan> barrier passed"; }

  const FormedList list_;
  Cycle stacked_cycle_ = 0;
  unsigned stacked_ = 0;
};

}  // namespace

std::string timeline_svg(const Timeline& timeline, const Program& program, const TimelineView& view) {
  if (!timeline.formed().empty()) return LanePicture(timeline, view, find_formed_blocks(timeline, program)).draw();
  return PathPicture(timeline, view, find_spans(timeline, program)).draw();
}

}  // namespace heddle
