// SPDX-License-Identifier: Apache-2.0
#include "report/linearize_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "program/cfg.h"
#include "report/report.h"
#include "report/text.h"
#include "report/version.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

// The paper's numbers. Table 1: assembly instructions (SASS), basic blocks and registers before and after; Table 2:
// time, global loads and stores before and after; Table 4: executed instructions before, without optimizations, and
// with O1 to O3.
struct PaperKernel {
  const char* name;
  double code[2], blocks[2], registers[2];
  double time[2], loads[2], stores[2];
  double executed[5];
};
constexpr PaperKernel kPaper[] = {
    {"hotspot",
     {383, 390},
     {19, 20},
     {30, 30},
     {342, 360},
     {2.92e4, 2.92e4},
     {1.1e4, 1.1e4},
     {4.32e6, 4.90e6, 4.98e6, 4.88e6, 4.76e6}},
    {"heartwall",
     {2667, 2681},
     {192, 196},
     {32, 32},
     {4.22e4, 4.23e4},
     {3.21e7, 3.21e7},
     {7.82e6, 7.62e6},
     {4.68e8, 4.69e8, 4.69e8, 4.69e8, 4.68e8}},
    {"mcx",
     {1139, 1252},
     {138, 148},
     {57, 63},
     {3.15e6, 3.97e6},
     {2.48e8, 2.37e8},
     {8.06e7, 6.99e7},
     {2.64e10, 3.7e10, 3.36e10, 3.26e10, 3.18e10}},
    {"mum",
     {202, 226},
     {37, 47},
     {22, 32},
     {2242, 2224},
     {1.69e5, 8.76e4},
     {5.99e4, 1.87e4},
     {7.80e6, 6.90e6, 6.66e6, 6.66e6, 6.60e6}},
    {"nqueen",
     {145, 148},
     {30, 31},
     {16, 18},
     {112, 110},
     {3, 3},
     {256, 256},
     {5.94e4, 6.01e4, 6.05e4, 6.05e4, 6.03e4}},
    {"particlefilter",
     {52, 51},
     {10, 10},
     {13, 13},
     {187, 205},
     {1.85e4, 1.85e4},
     {64, 64},
     {1.02e5, 1.77e5, 2.14e5, 1.86e5, 1.68e5}},
    {"ray",
     {933, 966},
     {84, 90},
     {43, 50},
     {163, 173},
     {2048, 2048},
     {4096, 4096},
     {1.82e6, 2.50e6, 2.16e6, 2.13e6, 2.09e6}},
};

const PaperKernel* paper_of(const std::string& workload) {
  for (const PaperKernel& kernel : kPaper) {
    if (workload == kernel.name) return &kernel;
  }
  return nullptr;
}

double change(double before, double after) { return before == 0 ? (after == 0 ? 0 : INFINITY) : after / before - 1; }
std::string signed_percent(double share) { return std::isinf(share) ? "new" : fmt::format("{:+.1f} %", 100 * share); }
std::string form_name(const std::string& form) { return form.empty() ? "plain" : form; }

// One over the other, run by run.
Spread gain(const LinearizeRun& plain, const LinearizeRun& run) {
  std::vector<double> gains;
  for (std::size_t i = 0; i < std::min(plain.cycles.size(), run.cycles.size()); ++i)
    gains.push_back(plain.cycles[i] / run.cycles[i]);
  return gains.empty() ? Spread() : spread_of(gains);
}

const LinearizeRun& run_of(const LinearizeStudy& study, const LinearizeResult& result, std::size_t mechanism,
                           std::size_t form) {
  return result.runs[mechanism * study.forms.size() + form];
}

struct Verdict {
  std::string claim, verdict, figures;
};

// More, less, or as much: differences within `within` are none.
int direction(double value, double within) { return value > within ? 1 : value < -within ? -1 : 0; }

std::string judge(std::size_t same, std::size_t of, bool size) {
  return of == 0     ? "not asked"
         : same < of ? fmt::format("not ({} of {})", same, of)
         : size      ? "reproduced"
                     : "direction only";
}

std::vector<Verdict> verdicts(const LinearizeStudy& study) {
  std::vector<Verdict> all;
  const std::size_t last = study.forms.size() - 1;
  std::size_t structured = 0, forms = 0, bounded = 0, passed = 0, runs = 0;
  for (const LinearizeResult& result : study.results) {
    for (std::size_t f = 1; f <= last; ++f) {
      ++forms;
      structured += result.code[f].unstructured == 0 ? 1 : 0;
      bounded += result.code[f].blocks <= 3 * result.code[0].blocks ? 1 : 0;
    }
    for (const LinearizeRun& run : result.runs) {
      ++runs;
      passed += run.passed ? 1 : 0;
    }
  }
  all.push_back(
      {"claim 1: structured", judge(structured, forms, true), fmt::format("{} of {} programs", structured, forms)});
  all.push_back(
      {"claim 2: same results", judge(passed, runs, true), fmt::format("{} of {} runs are right", passed, runs)});
  all.push_back({"claim 3: at most 2 guard blocks a block", judge(bounded, forms, true),
                 fmt::format("{} of {} programs", bounded, forms)});
  if (last == 0) return all;

  std::size_t asked = 0, small = 0, as_there = 0, faster_as_there = 0;
  std::string growth, executed, time;
  for (const LinearizeResult& result : study.results) {
    const PaperKernel* paper = paper_of(result.workload);
    if (paper == nullptr) continue;
    ++asked;
    const double code =
        change(static_cast<double>(result.code[0].instructions), static_cast<double>(result.code[last].instructions));
    small += code <= 0.12 ? 1 : 0;
    growth += fmt::format(" {} {}", result.workload, signed_percent(code));
    const LinearizeRun& plain = run_of(study, result, 0, 0);
    const LinearizeRun& linear = run_of(study, result, 0, last);
    const double more = change(static_cast<double>(plain.instructions), static_cast<double>(linear.instructions));
    const double theirs = change(paper->executed[0], paper->executed[4]);
    as_there += direction(more, 0.005) == direction(theirs, 0.005) ? 1 : 0;
    executed += fmt::format(" {} {} ({})", result.workload, signed_percent(more), signed_percent(theirs));
    const Spread speed_up = gain(plain, linear);
    const int ours = speed_up.min > 1 ? 1 : speed_up.max < 1 ? -1 : 0;  // faster or slower in every run
    faster_as_there += ours == direction(change(paper->time[1], paper->time[0]), 0.005) ? 1 : 0;
    time += fmt::format(" {} {:.3f} [{:.3f}, {:.3f}] ({:.3f})", result.workload, speed_up.mean, speed_up.min,
                        speed_up.max, paper->time[0] / paper->time[1]);
  }
  all.push_back({"code grows by at most 12 % (Table 1, SASS)", judge(small, asked, true), growth});
  all.push_back(
      {"executed instructions, more or less as there (Table 4, O3)", judge(as_there, asked, false), executed});
  all.push_back(
      {"time, faster or slower as there (Table 2; mean [min, max])", judge(faster_as_there, asked, false), time});
  for (const LinearizeResult& result : study.results) {
    if (result.workload != "mum" && result.workload != "mcx") continue;
    const PaperKernel& paper = *paper_of(result.workload);
    const LinearizeRun& plain = run_of(study, result, 0, 0);
    const LinearizeRun& linear = run_of(study, result, 0, last);
    const double loads = change(static_cast<double>(plain.loads), static_cast<double>(linear.loads));
    const double stores = change(static_cast<double>(plain.stores), static_cast<double>(linear.stores));
    const double their_loads = change(paper.loads[0], paper.loads[1]),
                 their_stores = change(paper.stores[0], paper.stores[1]);
    const bool size = loads <= their_loads / 2 && stores <= their_stores / 2;
    all.push_back({result.workload + ": global loads and stores fall (Table 2)",
                   judge((loads < 0 ? 1 : 0) + (stores < 0 ? 1 : 0), 2, size),
                   fmt::format(" {} and {} ({} and {})", signed_percent(loads), signed_percent(stores),
                               signed_percent(their_loads), signed_percent(their_stores))});
  }
  return all;
}

}  // namespace

CodeFigures code_figures(const Program& program) {
  CodeFigures figures;
  std::set<unsigned> registers;
  for (const FunctionCfg& function : control_flow(program)) {
    if (function.begin <= program.exit_stub && program.exit_stub < function.end) continue;
    figures.instructions += (function.end - function.begin) / 4;
    figures.blocks += function.blocks.size();
    const Unstructured unstructured = find_unstructured(function);
    figures.unstructured += unstructured.edges.size() + unstructured.missed.size();
    for (Pc pc = function.begin; pc < function.end; pc += 4) {
      if (const Instruction* instruction = program.at(pc)) {
        registers.insert({instruction->rd, instruction->rs1, instruction->rs2, instruction->rs3});
      }
    }
  }
  registers.erase(0);
  figures.registers = registers.size();
  return figures;
}

std::string linearize_text(const LinearizeStudy& study) {
  const std::size_t forms = study.forms.size();
  std::string text =
      fmt::format("{} size; in brackets the paper's change ({} runs each, memory.latency {} to {})\n\nTable 1: code\n",
                  study.size, study.latencies.size(), study.latencies.front(), study.latencies.back());
  TextTable code("ll");
  code.row({"workload", "form", "instructions", "change", "(SASS)", "blocks", "change", "(BB)", "registers", "(Reg)",
            "unstructured", "frame accesses"});
  for (const LinearizeResult& result : study.results) {
    const PaperKernel* paper = paper_of(result.workload);
    for (std::size_t f = 0; f < forms; ++f) {
      const CodeFigures &plain = result.code[0], &c = result.code[f];
      const bool theirs = paper != nullptr && f + 1 == forms && f != 0;
      const auto changed = [](std::uint64_t before, std::uint64_t after) {
        return signed_percent(change(static_cast<double>(before), static_cast<double>(after)));
      };
      code.row({f == 0 ? result.workload : "", form_name(study.forms[f]), grouped(c.instructions),
                f == 0 ? "" : changed(plain.instructions, c.instructions),
                theirs ? signed_percent(change(paper->code[0], paper->code[1])) : "", grouped(c.blocks),
                f == 0 ? "" : changed(plain.blocks, c.blocks),
                theirs ? signed_percent(change(paper->blocks[0], paper->blocks[1])) : "", grouped(c.registers),
                theirs ? fmt::format("{:+.0f}", paper->registers[1] - paper->registers[0]) : "",
                grouped(c.unstructured), c.frame_accesses ? fmt::format("{:+}", *c.frame_accesses) : ""});
    }
  }
  text += code.text();
  for (std::size_t m = 0; m < study.mechanisms.size(); ++m) {
    text += "\nTables 2 and 4: executed by warps on " + study.mechanisms[m] + "\n";
    TextTable table("ll");
    table.row({"workload", "form", "instructions", "change", "(there)", "loads", "stores", "cycles", "speed-up", "min",
               "max", "(there)"});
    for (const LinearizeResult& result : study.results) {
      const PaperKernel* paper = m == 0 ? paper_of(result.workload) : nullptr;  // the paper's machine has one path
      const LinearizeRun& plain = run_of(study, result, m, 0);
      for (std::size_t f = 0; f < forms; ++f) {
        const LinearizeRun& run = run_of(study, result, m, f);
        const Spread speed_up = gain(plain, run);
        const bool numbered = run.form.size() == 1 && run.form[0] >= '0' && run.form[0] <= '3';
        table.row(
            {f == 0 ? result.workload : "", form_name(run.form), grouped(run.instructions),
             f == 0 ? ""
                    : signed_percent(
                          change(static_cast<double>(plain.instructions), static_cast<double>(run.instructions))),
             paper != nullptr && numbered
                 ? signed_percent(change(paper->executed[0], paper->executed[run.form[0] - '0' + 1]))
                 : "",
             grouped(run.loads), grouped(run.stores),
             run.cycles.empty() ? "-" : grouped(static_cast<std::uint64_t>(std::llround(spread_of(run.cycles).mean))),
             f == 0 ? "" : fmt::format("{:.3f}", speed_up.mean), f == 0 ? "" : fmt::format("{:.3f}", speed_up.min),
             f == 0 ? "" : fmt::format("{:.3f}", speed_up.max),
             paper != nullptr && f + 1 == forms && f != 0 ? fmt::format("{:.3f}", paper->time[0] / paper->time[1])
                                                          : ""});
      }
    }
    text += table.text();
  }
  text += "\nClaims (ours, the paper's in brackets)\n";
  for (const Verdict& verdict : verdicts(study))
    text += fmt::format("  {}: {}\n    {}\n", verdict.claim, verdict.verdict, verdict.figures);
  return text;
}

std::string linearize_json(const LinearizeStudy& study, const Error* failure) {
  Json results = Json::array();
  for (const LinearizeResult& result : study.results) {
    Json code = Json::array(), runs = Json::array();
    for (std::size_t f = 0; f < result.code.size(); ++f) {
      const CodeFigures& c = result.code[f];
      code.push_back({{"form", study.forms[f]},
                      {"instructions", c.instructions},
                      {"blocks", c.blocks},
                      {"registers", c.registers},
                      {"unstructured", c.unstructured},
                      {"frame_accesses", c.frame_accesses ? Json(*c.frame_accesses) : Json(nullptr)}});
    }
    for (const LinearizeRun& run : result.runs) {
      runs.push_back({{"mechanism", run.mechanism},
                      {"form", run.form},
                      {"passed", run.passed},
                      {"warp_instructions", run.instructions},
                      {"global_loads", run.loads},
                      {"global_stores", run.stores},
                      {"cycles", run.cycles}});
    }
    const PaperKernel* paper = paper_of(result.workload);
    const Json theirs =
        paper == nullptr ? Json(nullptr) : Json{{"code", paper->code},           {"blocks", paper->blocks},
                                                {"registers", paper->registers}, {"time", paper->time},
                                                {"loads", paper->loads},         {"stores", paper->stores},
                                                {"executed", paper->executed}};
    results.push_back({{"workload", result.workload}, {"code", code}, {"runs", runs}, {"paper", theirs}});
  }
  Json claims = Json::array();
  if (failure == nullptr) {
    for (const Verdict& verdict : verdicts(study))
      claims.push_back({{"claim", verdict.claim}, {"verdict", verdict.verdict}, {"figures", verdict.figures}});
  }
  const Json document = {
      {"heddle", {{"version", version()}, {"git", git_revision()}}},
      {"result", result_name(failure == nullptr ? ExitStatus::kPass : failure->status())},
      {"error", failure == nullptr ? Json(nullptr) : Json{{"code", failure->code()}, {"message", failure->what()}}},
      {"size", study.size},
      {"memory_latencies", study.latencies},
      {"workloads", results},
      {"claims", claims}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle
