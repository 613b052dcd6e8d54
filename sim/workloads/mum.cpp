// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr char kBases[] = "ACGT";

// A node as kernels/mum.cu has it.
struct Node {
  std::int32_t begin, end, link, depth;
  std::array<std::int32_t, 4> children;
};

// Ukkonen's suffix tree of a text of the four bases. An edge's label is the text behind an occurrence of its parent's
// string.
std::vector<Node> suffix_tree(const std::string& text) {
  const auto size = static_cast<std::int32_t>(text.size());
  const auto base = [&](std::int32_t at) { return std::string_view(kBases).find(text[at]); };
  std::vector<Node> tree(1, Node{0, 0, 0, 0, {}});
  std::int32_t node = 0, edge = 0, below = 0,
               remaining = 0;          // the active point: `below` characters from `edge` under the node
  std::vector<std::int32_t> suffixes;  // their nodes, longest first
  // The round behind the text adds an end that differs from all bases: no node is made for it, but edges are split, so
  // that every suffix has a node.
  for (std::int32_t i = 0; i <= size; ++i) {
    std::int32_t unlinked = 0;
    const auto link_to = [&](std::int32_t target) {
      if (unlinked != 0) tree[unlinked].link = target;
      unlinked = target;
    };
    ++remaining;
    while (remaining > 0) {
      if (below == 0) edge = i;
      if (edge == size) {  // the end, from a node
        suffixes.push_back(node);
        link_to(node);
      } else if (const std::int32_t child = tree[node].children[base(edge)]; child == 0) {
        suffixes.push_back(static_cast<std::int32_t>(tree.size()));
        tree[node].children[base(edge)] = suffixes.back();
        tree.push_back({i, size, 0, tree[node].depth + size - i, {}});
        link_to(node);
      } else {
        const std::int32_t length = tree[child].end - tree[child].begin;
        if (below >= length) {
          node = child, edge += length, below -= length;
          continue;
        }
        const std::int32_t at = tree[child].begin + below;
        if (i < size && text[at] == text[i]) {
          ++below;
          link_to(node);
          break;
        }
        const auto middle = static_cast<std::int32_t>(tree.size());
        tree.push_back({tree[child].begin, at, 0, tree[node].depth + below, {}});
        tree[node].children[base(edge)] = middle;
        tree[middle].children[base(at)] = child;
        tree[child].begin = at;
        suffixes.push_back(i < size ? middle + 1 : middle);
        if (i < size) {
          tree[middle].children[base(i)] = middle + 1;
          tree.push_back({i, size, 0, tree[middle].depth + size - i, {}});
        }
        link_to(middle);
      }
      --remaining;
      if (node == 0 && below > 0) {
        --below;
        edge = i - remaining + 1;
      } else {
        node = tree[node].link;
      }
    }
  }
  for (std::size_t i = 0; i + 1 < suffixes.size(); ++i) tree[suffixes[i]].link = suffixes[i + 1];
  return tree;
}

class Mum final : public Workload {
 public:
  explicit Mum(const Settings& settings)
      : Workload(settings),
        count_(settings["queries"]),
        shortest_(settings["shortest"]),
        block_(settings["block"]) {
    Random random(settings.seed());
    make_reference(random, settings["reference"]);
    make_queries(random, settings["length"], settings["vary"] != 0);
  }

  void run(DeviceInterface& device) override {
    std::vector<Node> nodes = suffix_tree(reference_);
    const Address tree = upload(device, nodes);
    const Address reference = upload(device, std::vector<char>(reference_.begin(), reference_.end()));
    const Address queries = upload(device, queries_);
    const Address offsets = upload(device, offsets_);
    const Address matches = upload(device, std::vector<Match>(queries_.size()));
    launch(device, "mum", {blocks_for(count_, block_)}, {block_}, tree, reference, queries, offsets, matches, count_,
           shortest_);
    matches_ = download<Match>(device, matches, queries_.size());
  }

  // Lengths by a search among the sorted suffixes of the reference: the longest match is with a neighbour. Places must
  // show the match.
  void check() const override {
    const std::string_view reference = reference_;
    std::vector<std::uint32_t> suffixes(reference.size());
    std::iota(suffixes.begin(), suffixes.end(), 0u);
    std::sort(suffixes.begin(), suffixes.end(),
              [&](std::uint32_t a, std::uint32_t b) { return reference.substr(a) < reference.substr(b); });
    const auto common = [](std::string_view a, std::string_view b) {
      return static_cast<std::int32_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    };
    std::vector<std::int32_t> got, wanted;
    for (std::uint32_t q = 0; q < count_; ++q) {
      const std::string_view query(queries_.data() + offsets_[q]);
      for (std::size_t start = 0; start < query.size(); ++start) {
        const std::string_view rest = query.substr(start);
        const auto above = std::lower_bound(
            suffixes.begin(), suffixes.end(), rest,
            [&](std::uint32_t suffix, std::string_view text) { return reference.substr(suffix) < text; });
        std::int32_t longest = 0;
        if (above != suffixes.end()) longest = common(rest, reference.substr(*above));
        if (above != suffixes.begin()) longest = std::max(longest, common(rest, reference.substr(*(above - 1))));
        wanted.push_back(longest >= static_cast<std::int32_t>(shortest_) ? longest : 0);
      }
      wanted.push_back(0);  // of the 0 behind it
    }
    for (const Match& match : matches_) got.push_back(match.length);
    expect_equal("mum: length of the match (query by query)", got, wanted);
    for (std::size_t i = 0; i < matches_.size(); ++i) {
      const std::string text(queries_.data() + i, static_cast<std::size_t>(wanted[i]));
      const auto place = static_cast<std::uint32_t>(matches_[i].place);
      const std::string there = place <= reference.size() ? std::string(reference.substr(place, text.size()))
                                                          : fmt::format("beyond its end ({})", place);
      if (there != text) throw wrong_result(fmt::format("mum: reference at match[{}]", i), there, text);
      if (text.empty() && place != 0)
        throw wrong_result(fmt::format("mum: place of no match[{}]", i), std::to_string(place), "0");
    }
  }

 private:
  struct Match {
    std::int32_t place, length;
  };

  // Random bases with repeats: of each four stretches one is a copy of what came before.
  void make_reference(Random& random, std::uint32_t length) {
    while (reference_.size() < length) {
      const std::uint32_t stretch =
          std::min<std::uint32_t>(8 + random.below(56), length - static_cast<std::uint32_t>(reference_.size()));
      const bool copied = !reference_.empty() && random.below(4) == 0;
      std::uint32_t from = copied ? random.below(static_cast<std::uint32_t>(reference_.size())) : 0;
      for (std::uint32_t i = 0; i < stretch; ++i) reference_ += copied ? reference_[from++] : kBases[random.below(4)];
    }
  }

  // Reads, of length/2 .. length if they vary: stretches of the reference with 4 % substitutions, of which an eighth is
  // unknown (N); one in eight from elsewhere.
  void make_queries(Random& random, std::uint32_t length, bool vary) {
    for (std::uint32_t q = 0; q < count_; ++q) {
      offsets_.push_back(static_cast<std::uint32_t>(queries_.size()));
      const std::uint32_t size = vary ? (length + 1) / 2 + random.below(length / 2 + 1) : length;
      const bool related = random.below(8) != 0;
      std::uint32_t at = random.below(static_cast<std::uint32_t>(reference_.size()));
      for (std::uint32_t i = 0; i < size; ++i, ++at) {
        const char base = kBases[random.below(4)];
        const std::uint32_t event = random.below(200);
        queries_.push_back(event == 0 ? 'N' : event < 8 || !related ? base : reference_[at % reference_.size()]);
      }
      queries_.push_back(0);
    }
    offsets_.push_back(static_cast<std::uint32_t>(queries_.size()));
  }

  std::uint32_t count_;
  std::uint32_t shortest_;
  std::uint32_t block_;
  std::string reference_;
  std::vector<char> queries_;
  std::vector<std::uint32_t> offsets_;
  std::vector<Match> matches_;
};

}  // namespace

WorkloadInfo mum_workload() {
  return {"mum",
          "exact matches of DNA queries in a reference by its suffix tree, a query a thread",
          "MUMmerGPU; ISPASS MUM; linearization paper",
          {{"reference", "characters of the reference", 400, 8192, 32768, 1, 1u << 21},
           {"queries", "queries, one a thread", 64, 1024, 6144, 1, 1u << 20},
           {"length", "characters of the longest query", 20, 50, 64, 1, 1000},
           {"vary", "1: the shortest query has half of them, 0: all have as many", 1, 1, 1, 0, 1},
           {"shortest", "characters of the shortest match that counts", 6, 12, 12, 1, 1000},
           {"block", "threads a block", 32, 256, 256, 1, 1024}},
          false,
          make<Mum>,
          // The public program's: 1.4 million bases, reads of 25, matches of 20; its 50,000 reads.
          {{"reference", 1400000}, {"queries", 50000}, {"length", 25}, {"vary", 0}, {"shortest", 20}}};
}

}  // namespace heddle
