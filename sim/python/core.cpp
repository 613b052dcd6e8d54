// SPDX-License-Identifier: Apache-2.0
// The part of the Python module that needs C++: a device whose arguments are numbers, addresses and bytes.
// heddle/device.py makes of it what a user sees.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "config/config.h"
#include "heddle/data_type.h"
#include "heddle/device.h"
#include "isa/launch.h"
#include "isa/program.h"
#include "mechanisms/mechanism.h"
#include "mechanisms/plugins.h"
#include "output/output_file.h"
#include "program/loader.h"
#include "report/html_report.h"
#include "report/report.h"
#include "report/text.h"
#include "timeline/draw.h"
#include "wave/wave.h"

namespace py = pybind11;

namespace heddle {
namespace {

// While a launch runs, SIGINT stops it; before and after that it is Python's.
std::atomic<bool> interrupted{false};
class Interruptible {
 public:
  Interruptible() : before_(PyOS_setsig(SIGINT, [](int) { interrupted = true; })) { interrupted = false; }
  ~Interruptible() { PyOS_setsig(SIGINT, before_); }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  PyOS_sighandler_t before_;
};

using Settings = std::vector<std::pair<std::string, std::string>>;

Config configuration(const std::string& mechanism, const Settings& settings, const std::string& preset,
                     const std::string& file) {
  const auto values = [&](ConfigBuilder& builder) {
    if (!file.empty()) builder.load_file(file);
    for (const auto& [key, value] : settings) builder.set(key, value, "settings");
    if (!mechanism.empty()) builder.set("mechanism", mechanism, "mechanism");
  };
  return configure(preset, values, {{"memory.heap_bytes", "1G"}}).build();
}

Engine engine_of(const std::string& name) {
  if (const std::optional<Engine> engine = find_engine(name)) return *engine;
  throw bad_input("option", "engine " + name + ": there is no such engine; choose systemc, rtl or cosim");
}

struct Pictures {
  std::string wave, timeline, report;
  Cycle first = 0, last = ~Cycle{0};
};

class PythonDevice {
 public:
  PythonDevice(const std::string& mechanism, const Settings& settings, const std::string& preset,
               const std::string& file, const std::string& engine, const std::string& wave, const std::string& timeline,
               const std::string& report, Cycle first, std::optional<Cycle> last)
      : pictures_{wave, timeline, report, first, last.value_or(~Cycle{0})},
        device_(configuration(mechanism, settings, preset, file), engine_of(engine)) {
    report_.config = device_.config();
    report_.engine = engine;
    report_.checked = false;
    device_.keep_last_launch_only();
    device_.set_text_output(text_);
    device_.set_stop_flag(&interrupted);
    if (pictures_.last < pictures_.first) throw bad_input("option", "window: its end lies before its start");
    if (!wave.empty()) {
      check_wave_path(wave);
      device_.set_trace({wave, pictures_.first, pictures_.last});
    }
    if (!timeline.empty()) {
      check_timeline_path(timeline);
      timeline_.emplace(pictures_.first, pictures_.last, timeline_issues(timeline));
      device_.add_observer(*timeline_);
    }
    if (!report.empty()) {
      check_html_path(report);
      check_writable(report);
      device_.add_observer(lanes_);
    }
  }

  void load(const std::string& path) {
    device_.load(path);
    report_.workload = path;
    loaded_ = true;
  }

  // A program of RV64.
  bool wide() const { return loaded_ && device_.program().xlen == Xlen::k64; }

  std::vector<std::string> kernels() const {
    std::vector<std::string> names;
    for (const Kernel& kernel : program().kernels) names.push_back(readable_name(kernel.name));
    return names;
  }

  // (name, type as C writes it) of each; None if the program does not say.
  std::optional<std::vector<std::pair<std::string, std::string>>> parameters(const std::string& kernel) const {
    const auto& known = find_kernel(program(), kernel).parameters;
    if (!known) return std::nullopt;
    std::vector<std::pair<std::string, std::string>> list;
    for (const Parameter& parameter : *known) list.emplace_back(parameter.name, parameter.type);
    return list;
  }

  // (address, bytes, type as C writes it or "")
  std::tuple<Address, std::uint32_t, std::string> variable(const std::string& name) const {
    const Variable* v = program().variable(name);
    if (v == nullptr)
      throw bad_input("symbol",
                      fmt::format("{} has no variable {} in global memory, or several", program().path, name));
    return {v->address, v->bytes, v->type == nullptr ? "" : v->type->name};
  }

  Address allocate(std::uint64_t bytes) {
    if (bytes > device_.heap_bytes()) {
      throw bad_input(
          "memory",
          fmt::format("{} bytes of device memory are asked for, there are {} (memory.heap_bytes, at most {}G)", bytes,
                      device_.heap_bytes(), (wide() ? kMaxWideHeapBytes : kMaxHeapBytes) >> 30),
          ErrorKind::kOutOfMemory);
    }
    return device_.allocate(bytes);
  }
  void release(Address address) { device_.release(address); }

  void write(Address address, const py::buffer& from) {
    const py::buffer_info info = from.request();
    device_.write(address, info.ptr, static_cast<std::uint64_t>(info.size * info.itemsize));
  }
  void read(Address address, const py::buffer& to) {
    const py::buffer_info info = to.request(true);
    device_.read(address, info.ptr, static_cast<std::uint64_t>(info.size * info.itemsize));
  }

  // Returns the thread instructions. arguments: int, float, None, or bytes of a structure as the host lays it out.
  std::uint64_t launch(const std::string& name, const std::array<std::uint32_t, 3>& grid,
                       const std::array<std::uint32_t, 3>& block, const std::vector<py::object>& arguments,
                       std::uint32_t shared, bool functional) {
    const Kernel& kernel = find_kernel(program(), name);
    const KernelArguments packed = pack(kernel, arguments);
    const Dim3 blocks{grid[0], grid[1], grid[2]}, threads{block[0], block[1], block[2]};
    ExitStats exits;
    std::uint64_t instructions = 0;
    const auto begin = std::chrono::steady_clock::now();
    try {
      const Interruptible here;
      const py::gil_scoped_release others;
      if (functional) {
        const Stats stats = device_.launch_functional(kernel.name, blocks, threads, packed, shared);
        exits = stats.exits;
        instructions = stats.thread_instructions;
      } else {
        const std::uint64_t before = device_.launch_count();
        try {
          device_.launch_with(kernel.name, blocks, threads, packed, shared);
        } catch (const Error&) {
          if (device_.launch_count() != before) note_launch(kernel, grid, block);
          throw;
        }
        note_launch(kernel, grid, block);
        exits = device_.launches().back().exits;
        instructions = device_.launches().back().thread_instructions;
      }
    } catch (const Error& error) {
      show_text();
      if (interrupted) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw py::error_already_set();
      }
      report_.set_error(error);
      throw;
    }
    report_.host.wall_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    show_text();
    try {
      check_exits(exits, device_.program(), "kernel " + readable_name(kernel.name) + ": ");
    } catch (const Error& error) {
      report_.set_error(error);
      throw;
    }
    return instructions;
  }

  // "dpe: saxpy, 2 launches, 1,234 cycles"
  std::string summary() const {
    const std::uint64_t launches = device_.launch_count();
    return fmt::format("{}: {}, {} launch{}, {} cycles", device_.config().mechanism,
                       loaded_ ? source_name(report_.workload) : "no program", launches, launches == 1 ? "" : "es",
                       grouped(device_.stats().cycles));
  }

  // The JSON document of all launches.
  std::string document() {
    if (loaded_) report_.fill(device_.stats(), device_.launch_count(), device_.program());
    return run_json(report_);
  }
  // The same of the last launch on the machine alone.
  std::string last_document() const {
    RunReport last;
    last.config = device_.config();
    last.stats = device_.launches().back();
    return run_json(last);
  }

  void finish() {
    OutputFailures failures;
    if (timeline_ && loaded_) {
      failures.attempt([&] {
        write_file(pictures_.timeline, draw_timeline(pictures_.timeline, source_name(report_.workload), *timeline_,
                                                     device_.program(), device_.config()));
      });
    }
    if (!pictures_.report.empty() && loaded_) {
      report_.fill(device_.stats(), device_.launch_count(), device_.program());
      failures.attempt([&] { write_file(pictures_.report, run_html(report_, lanes_, device_.program())); });
    }
    failures.attempt([&] { device_.finish_trace(); });
    failures.raise();
  }

 private:
  // What report and launches say of the launch that has just ended.
  void note_launch(const Kernel& kernel, const std::array<std::uint32_t, 3>& grid,
                   const std::array<std::uint32_t, 3>& block) {
    const Stats& stats = device_.launches().back();
    report_.launches.push_back({readable_name(kernel.name), grid, block, stats});
    report_.kernels[readable_name(kernel.name)].add(stats);
    report_.launches.back().stats.branches = {};  // the document has those of all launches together
  }

  const Program& program() const {
    if (!loaded_) throw bad_input("kernel", "no program is loaded; call load() first");
    return device_.program();
  }

  // What kernels print goes where Python prints.
  void show_text() {
    if (const std::string text = text_.str(); !text.empty()) py::print(text, py::arg("end") = "");
    text_.str("");
  }

  void add_untyped(ArgumentBuilder& builder, const py::object& value, const std::string& what) const {
    if (py::isinstance<py::float_>(value)) {
      const auto wide = value.cast<double>();
      const auto number = static_cast<float>(wide);
      if (std::isfinite(wide) && !std::isfinite(number))
        throw bad_input("argument", fmt::format("{}: {} does not fit into a float", what, wide));
      std::uint32_t bits = 0;
      std::memcpy(&bits, &number, sizeof bits);
      builder.add_float(bits);
    } else if (value.is_none()) {
      builder.add_word(0);
    } else if (PyLong_Check(value.ptr()) && wide()) {
      const py::int_ number = py::reinterpret_borrow<py::int_>(value), bits(64);
      if (number >= py::int_(1) << bits || number < -(py::int_(1) << py::int_(63)))
        throw bad_input("argument", what + ": does not fit into 64 bits");
      builder.add_doubleword(PyLong_AsUnsignedLongLongMask(value.ptr()));
    } else if (PyLong_Check(value.ptr())) {
      int overflow = 0;
      const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
      if (overflow != 0 || number < -(1LL << 31) || number >= 1LL << 32)
        throw bad_input("argument", what + ": does not fit into 32 bits");
      builder.add_word(static_cast<std::uint32_t>(number));
    } else {
      throw bad_input("argument", what +
                                      ": the program does not say what it takes (no debug information), so only "
                                      "numbers and arrays can be passed");
    }
  }

  static std::vector<std::uint8_t> host_bytes(const DataType& type, const py::object& value, const std::string& what) {
    std::vector<std::uint8_t> bytes(type.host.bytes);
    const auto refuse = [&](const std::string& why) { return bad_input("argument", what + ": " + why); };
    if (PyBytes_Check(value.ptr())) {
      const auto given = value.cast<std::string>();
      if (type.kind != DataType::Kind::kAggregate) throw refuse("a structure is given");
      if (given.size() != bytes.size())
        throw refuse(fmt::format("the structure given has {} bytes, {} are expected", given.size(), bytes.size()));
      std::memcpy(bytes.data(), given.data(), bytes.size());
      return bytes;
    }
    const bool whole = PyLong_Check(value.ptr());
    switch (type.kind) {
      case DataType::Kind::kFloat: {
        if (!whole && !py::isinstance<py::float_>(value)) throw refuse("give a number");
        const double number = PyFloat_AsDouble(value.ptr());
        if (PyErr_Occurred() != nullptr) {  // a whole number beyond all doubles
          PyErr_Clear();
          throw refuse("the number given does not fit into a double");
        }
        const auto single = static_cast<float>(number);
        if (bytes.size() == 4 && std::isfinite(number) && !std::isfinite(single))
          throw refuse(fmt::format("{} does not fit into a float", number));
        if (bytes.size() == 4) std::memcpy(bytes.data(), &single, 4);
        else std::memcpy(bytes.data(), &number, bytes.size());
        return bytes;
      }
      case DataType::Kind::kPointer:
      case DataType::Kind::kInteger: {
        const bool pointer = type.kind == DataType::Kind::kPointer;
        if (pointer && value.is_none()) return bytes;
        if (!whole) throw refuse(pointer ? "give an array, an address or None" : "give a whole number");
        const unsigned bits = pointer ? 8 * type.device.bytes : type.is_truth ? 1 : 8 * type.host.bytes;
        const py::int_ one(1), number = py::reinterpret_borrow<py::int_>(value);
        const bool is_signed = type.is_signed && !pointer;
        const py::object limit = one << py::int_(is_signed ? bits - 1 : bits);
        if (!(number < limit) || number < (is_signed ? py::object(-limit) : py::object(py::int_(0)))) {
          const bool short_text = value.attr("bit_length")().cast<std::size_t>() <= 128;
          const std::string given =
              short_text ? py::str(value).cast<std::string>()
                         : "a number of " + py::str(value.attr("bit_length")()).cast<std::string>() + " bits";
          throw refuse(type.is_truth
                           ? given + " is neither True nor False"
                           : fmt::format("{} does not fit into {}{} bits", given, is_signed ? "" : "unsigned ", bits));
        }
        const std::uint64_t word = PyLong_AsUnsignedLongLongMask(value.ptr());
        std::memcpy(bytes.data(), &word, bytes.size());
        return bytes;
      }
      default: throw refuse("give a structure: a NumPy scalar of a structured dtype, or its bytes");
    }
  }

  KernelArguments pack(const Kernel& kernel, const std::vector<py::object>& arguments) const {
    const std::string name = readable_name(kernel.name);
    ArgumentBuilder builder(stack_top(device_.config()), device_.program().register_bytes());
    if (kernel.parameters && kernel.parameters->size() != arguments.size()) {
      throw bad_input("argument",
                      fmt::format("kernel {} takes {} argument{}, {} are given", name, kernel.parameters->size(),
                                  kernel.parameters->size() == 1 ? "" : "s", arguments.size()));
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string place = fmt::format("argument {} of kernel {}", i + 1, name);
      const DataType* type = kernel.parameters && i < kernel.types.size() ? kernel.types[i].get() : nullptr;
      if (type == nullptr) {
        add_untyped(builder, arguments[i], place);
        continue;
      }
      const std::string what =
          fmt::format("{}, {} {}", place, (*kernel.parameters)[i].type, (*kernel.parameters)[i].name);
      const std::vector<std::uint8_t> bytes = host_bytes(*type, arguments[i], what);
      add_argument(builder, *type, bytes.data(), what, [](const DataType&, std::uint64_t address) { return address; });
    }
    return builder.finish();
  }

  Pictures pictures_;
  std::ostringstream text_;
  std::optional<Timeline> timeline_;  // outlives the device, as the next
  LaneLoss lanes_;
  Device device_;
  RunReport report_;
  bool loaded_ = false;
};

std::vector<std::tuple<std::string, std::string, std::string>> all_mechanisms() {
  std::vector<std::tuple<std::string, std::string, std::string>> list;
  for (const Mechanism* mechanism : mechanisms())
    list.emplace_back(mechanism->name, mechanism->summary, mechanism->source);
  return list;
}

}  // namespace
}  // namespace heddle

PYBIND11_MODULE(_core, module) {
  using heddle::PythonDevice;
  static py::exception<heddle::Error> error_type(module, "Error", PyExc_RuntimeError);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const heddle::Error& error) {
      const py::object raised = static_cast<const py::object&>(error_type)(error.what());
      raised.attr("code") = error.code();
      raised.attr("kind") = heddle::name_of(error.kind());
      raised.attr("status") = static_cast<int>(error.status());
      raised.attr("details") = error.details();
      PyErr_SetObject(error_type.ptr(), raised.ptr());
    }
  });
  module.def("mechanisms", heddle::all_mechanisms);
  module.def("load_plugins", heddle::load_plugins);
  module.def("load_plugin", [](const std::string& path) { heddle::load_plugin(path, "plugin"); });
  py::class_<PythonDevice>(module, "Device")
      .def(py::init<const std::string&, const heddle::Settings&, const std::string&, const std::string&,
                    const std::string&, const std::string&, const std::string&, const std::string&, heddle::Cycle,
                    std::optional<heddle::Cycle>>())
      .def("load", &PythonDevice::load)
      .def("wide", &PythonDevice::wide)
      .def("kernels", &PythonDevice::kernels)
      .def("parameters", &PythonDevice::parameters)
      .def("variable", &PythonDevice::variable)
      .def("allocate", &PythonDevice::allocate)
      .def("release", &PythonDevice::release)
      .def("write", &PythonDevice::write)
      .def("read", &PythonDevice::read)
      .def("launch", &PythonDevice::launch)
      .def("summary", &PythonDevice::summary)
      .def("document", &PythonDevice::document)
      .def("last_document", &PythonDevice::last_document)
      .def("finish", &PythonDevice::finish);
}
