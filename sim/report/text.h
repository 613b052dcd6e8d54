// SPDX-License-Identifier: Apache-2.0
// Text of reports: numbers in groups, characters of XML and HTML, tables for terminals with columns as wide as their
// widest cell.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace heddle {

// 1234567 -> "1,234,567"
[[nodiscard]] inline std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

// 0.125 -> "12.5 %"
[[nodiscard]] inline std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// As text of XML and HTML, attributes included.
[[nodiscard]] inline std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

class TextTable {
 public:
  // `align`: 'l' (left) or 'r' (right) for each column; columns beyond it are right aligned.
  explicit TextTable(std::string align) : align_(std::move(align)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  [[nodiscard]] std::string text(const std::string& indent = "") const {
    std::vector<std::size_t> widths;
    for (const auto& cells : rows_) {
      widths.resize(std::max(widths.size(), cells.size()));
      for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
    }
    std::string out;
    for (const auto& cells : rows_) {
      std::string line = indent;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string pad(widths[i] - cells[i].size(), ' ');
        line += i == 0 ? "" : "  ";
        line += i < align_.size() && align_[i] == 'l' ? cells[i] + pad : pad + cells[i];
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out;
  }

 private:
  std::string align_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace heddle
