// SPDX-License-Identifier: Apache-2.0
// Files beside a waveform that make it readable in GTKWave: a save file that groups the signals, and translation
// filters that show program counters as disassembly and stall codes as words.
#pragma once

#include <string>
#include <vector>

#include "wave/wave.h"

namespace heddle {

class Program;

struct GtkwFiles {
  std::string save, pc_filter, stall_filter;
};

// Their names, for the wave `wave`.
[[nodiscard]] GtkwFiles gtkw_files(const std::string& wave);

// Writes, for the wave `path` ("run.fst"): "run.gtkw", "run.pc.flt" (only with a program) and "run.stall.flt".
// Each scope that holds probes becomes a group, nested like the hierarchy; the groups of `open_scope`, above it
// and inside of it stand open. What belongs to one path of a warp has the path's colour. The view begins at `start`
// and reaches to `end`. Returns the path of the save file. Throws Error(output) when all
// three have been tried.
std::string write_gtkw(const std::string& path, const std::vector<WaveProbe>& probes, const Program* program,
                       const std::string& open_scope, Cycle start, Cycle end);

}  // namespace heddle
