// SPDX-License-Identifier: Apache-2.0
#include "cuda/runtime.h"

#include <cxxabi.h>
#include <elf.h>
#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <regex>

#include <fmt/format.h>

#include "isa/launch.h"
#include "mechanisms/mechanism.h"
#include "program/loader.h"
#include "timeline/draw.h"
#include "toolchain/cuda/heap.h"

namespace heddle {
namespace {

constexpr std::uint64_t kDeviceBegin = 0x10000000;  // programs, and behind them the heap: docs/isa.md
constexpr std::uint32_t kPoison = 0xF0000000;  // what an RV32 kernel gets for a pointer of the host: mapped nowhere
constexpr std::uint64_t kHeapSpread = 4;       // the heap's addresses are so many times its bytes
constexpr std::uint32_t kStatusTrap = 133, kStatusAssert = 134;  // sim/toolchain/cuda/device.c

// What constructors of the program registered, before main().
struct Registry {
  std::vector<std::unique_ptr<Runtime::Module>> modules;
  std::map<const void*, Runtime::Registration> kernels, variables;
  std::map<const textureReference*, Runtime::Registration> textures;
};
Registry& registry() {
  static auto* const all = new Registry;
  return *all;
}

void tell(const std::string& text) {
  std::fflush(stdout);
  std::fprintf(stderr, "heddle: %s\n", one_line(text).c_str());
}

Address device_address(const void* pointer) { return static_cast<Address>(reinterpret_cast<std::uintptr_t>(pointer)); }

// A part of so many bytes.
bool within(std::size_t offset, std::size_t bytes, std::size_t all) { return offset <= all && bytes <= all - offset; }

// From the first byte to the last of all rows; the largest number if there are more.
std::size_t bytes_of_rows(std::size_t pitch, std::size_t width, std::size_t height) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(pitch, height - 1, &bytes) || __builtin_add_overflow(bytes, width, &bytes))
    return ~std::size_t{0};
  return bytes;
}

template <class Header>
std::size_t end_of_sections(const void* image) {
  Header header;
  std::memcpy(&header, image, sizeof header);
  return header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
}
// Of a complete ELF file: its section headers stand at its end.
std::size_t elf_bytes(const void* image) {
  const auto* const magic = static_cast<const unsigned char*>(image);
  if (std::memcmp(magic, ELFMAG, SELFMAG) != 0) return 0;
  return magic[EI_CLASS] == ELFCLASS64 ? end_of_sections<Elf64_Ehdr>(image) : end_of_sections<Elf32_Ehdr>(image);
}

// Of all programs of the process.
Xlen width_of_modules() {
  bool narrow = false, wide = false;
  for (const auto& module : registry().modules) {
    const auto* const magic = static_cast<const unsigned char*>(module->image);
    if (elf_bytes(magic) != 0) (magic[EI_CLASS] == ELFCLASS64 ? wide : narrow) = true;
  }
  if (narrow && wide)
    throw bad_input("elf", "kernels of 32 and of 64 bits in one process: compile all files with --rv32, or none");
  return wide ? Xlen::k64 : Xlen::k32;
}

// Without what tells it from others of this name in other modules.
std::string own_name(const std::string& symbol) { return symbol.substr(0, symbol.find('@')); }

// A name in which the integers that differ between the halves look alike.
std::string comparable(const std::string& symbol) {
  const std::string plain = own_name(symbol);
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(plain.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  std::string name = text ? text.get() : plain;
  static const std::regex kIntegers(R"(\b(unsigned )?(long long|long|int)\b)");
  name = std::regex_replace(name, kIntegers, "$1int");
  static const std::regex kSuffix(R"((\d)(u|l|ul|ll|ull)\b)");  // of template arguments
  return std::regex_replace(name, kSuffix, "$1");
}

// The one of the same module with the name that the host's half has for it.
template <class T>
const T* find(const Device& device, std::vector<T> Program::*list, const Runtime::Registration& wanted) {
  if (!wanted.module->number) return nullptr;
  const std::vector<T>& all = device.program().*list;
  const auto named = [&](const T& item) {
    return item.module == *wanted.module->number && own_name(item.name) == wanted.name;
  };
  if (const auto found = std::find_if(all.begin(), all.end(), named); found != all.end()) return &*found;
  const std::string name = comparable(wanted.name);
  const T* found = nullptr;
  for (const T& item : all) {
    if (item.module != *wanted.module->number || comparable(item.name) != name) continue;
    if (found != nullptr) return nullptr;
    found = &item;
  }
  return found;
}

// Whether it calls the library's atomic operation of 64 bits.
bool locks_a_word(const Program& program, const Kernel& kernel) {
  std::set<Pc> entries;
  for (const Program::Function& f : program.functions) {
    if (own_name(f.name) == "heddle_atomic64") entries.insert(f.begin);
  }
  return reaches(program, kernel.entry, [&](Pc pc, const Instruction&) { return entries.count(pc) != 0; });
}

bool begun = false;  // the runtime: at the first call of it

// At the end of a program that calls nothing: what it was asked for is written all the same. Not by a child of it.
void write_what_is_asked_for() {
  static const pid_t process = getpid();
  on_exit(
      [](int, void*) {
        const auto asked = [](const char* name) {
          const char* const file = std::getenv(name);
          return file != nullptr && *file != '\0';
        };
        if (begun || getpid() != process) return;
        if (asked("HEDDLE_JSON") || asked("HEDDLE_TIMELINE") || asked("HEDDLE_WAVE")) static_cast<void>(Runtime::get());
      },
      nullptr);
}

}  // namespace

// ---------------------------------------------------------------- registration

Runtime::Module* Runtime::add_module(const void* image) {
  auto& modules = registry().modules;
  if (modules.empty()) write_what_is_asked_for();
  modules.push_back(std::make_unique<Module>(
      Module{image, fmt::format("{}#{}", program_invocation_short_name, modules.size() + 1), {}}));
  return modules.back().get();
}
void Runtime::add_kernel(const void* stub, const Registration& registration) {
  registry().kernels[stub] = registration;
}
void Runtime::add_variable(const void* shadow, const Registration& registration) {
  registry().variables[shadow] = registration;
}
void Runtime::add_texture(const textureReference* shadow, const Registration& registration) {
  registry().textures[shadow] = registration;
}

// ---------------------------------------------------------------- life

Runtime& Runtime::get() {
  static Runtime* const runtime = [] {
    begun = true;
    try {
      return new Runtime;
    } catch (const Error& error) {
      tell(error.what());
    } catch (const std::bad_alloc&) {
      tell("out of memory; choose a smaller machine");
    }
    std::exit(static_cast<int>(ExitStatus::kBadInput));
  }();
  return *runtime;
}

Runtime::Runtime() : xlen_(width_of_modules()), settings_(read_settings(xlen_)) {
  for (const std::string& file : {settings_.json, settings_.timeline, settings_.wave}) {
    if (!file.empty() && file != "-") check_writable(file);
  }
  make_device();
  report_.workload = program_invocation_short_name;
  report_.engine = settings_.engine_name;
  report_.checked = false;
  on_exit(
      [](int status, void*) {
        const bool complete = get().write_report();
        // The C library goes on with the other handlers, and the last status given counts.
        if (!complete && status == 0) std::exit(static_cast<int>(ExitStatus::kBadInput));
      },
      nullptr);
}

void Runtime::make_device() {
  device_ = std::make_unique<Device>(settings_.config, settings_.engine, true);
  device_->keep_last_launch_only();
  if (!settings_.timeline.empty()) {
    timeline_.emplace(settings_.window_start, settings_.window_end, timeline_issues(settings_.timeline));
    device_->add_observer(*timeline_);
  }
  if (!settings_.wave.empty()) device_->set_trace({settings_.wave, settings_.window_start, settings_.window_end});
  device_->set_host_threads(settings_.host_threads);
  if (!settings_.mismatch_wave.empty()) device_->set_mismatch_wave(settings_.mismatch_wave);
  load_modules();
}

void Runtime::load_modules() {
  unsigned loaded = 0;
  for (const auto& module : registry().modules) {
    const auto* bytes = static_cast<const char*>(module->image);
    const std::size_t size = elf_bytes(bytes);
    if (size == 0) continue;
    device_->load_module(module->name, {bytes, bytes + size});
    module->number = loaded++;
  }
  if (loaded != 0) check_form();
}

// A mechanism that follows marks in the code would run code without them, and never join its threads again. Marks by
// hand are in code that was not compiled for it.
void Runtime::check_form() const {
  const std::string form = kernel_form(settings_.config);
  const Program& program = device_->program();
  if (form.empty() || program.forms.count(form) != 0) return;
  const Op mark = form == "software" ? Op::kPush : form == "barriers" ? Op::kBssy : Op::kFork;
  if (std::any_of(program.text.begin(), program.text.end(), [mark](const Instruction& i) { return i.op == mark; }))
    return;
  throw bad_input(
      "config",
      fmt::format("mechanism {} runs kernels with marks, and this program has none: compile it with heddle-nvcc {}",
                  settings_.config.mechanism, option_of_form(form)));
}

bool Runtime::set_local_bytes(std::size_t bytes) {
  if (bytes <= settings_.config.memory.local_bytes) return true;
  if (launched_ || device_->allocated() != 0 || !registered.empty() || bytes > kMostLocalBytes) return false;
  settings_.config.memory.local_bytes = static_cast<unsigned>((bytes + 15) / 16 * 16);
  kernels_.clear();
  variables_.clear();
  timeline_.reset();
  device_.reset();
  make_device();
  return true;
}

unsigned Runtime::max_threads_per_block() const {
  constexpr unsigned kRegistersPerThread = 64, kMost = 1024;
  const Config::Core& core = config().core;
  return std::min({kMost, core.warps * core.lanes, core.registers / kRegistersPerThread});
}

void Runtime::write_pictures(OutputFailures& failures) {
  const auto nothing = [&](const std::string& file) {
    failures.add(bad_input(
        "output",
        file + ": is not written, because no kernel was launched on the machine (HEDDLE_DETAIL, HEDDLE_ENGINE)"));
  };
  const bool ran = device_->launch_count() != 0;
  if (timeline_ && ran) {
    failures.attempt([&] {
      write_file(settings_.timeline,
                 draw_timeline(settings_.timeline, report_.workload, *timeline_, device_->program(), settings_.config));
    });
  }
  failures.attempt([&] { device_->finish_trace(); });
  for (const std::string& file : {settings_.timeline, settings_.wave}) {
    if (!ran && !file.empty()) nothing(file);
  }
}

// To standard error. False if it is lost.
bool Runtime::write_summary() {
  std::string text = launch_lines_;
  if (settings_.report != Settings::Report::kNone) {
    for (const std::string& note : report_.notes) tell("note: " + note);
    if (report_.stats.cycles != 0) text += run_summary(report_);
    if (!report_.functional_launches.empty()) {
      std::uint64_t launches = 0;
      for (const auto& [name, count] : report_.functional_launches) launches += count;
      text += fmt::format("{}: {} launches on the functional device, {} thread instructions\n", report_.workload,
                          launches, functional_.thread_instructions);
    }
  }
  return std::fputs(text.c_str(), stderr) >= 0 && std::fflush(stderr) == 0;
}

bool Runtime::write_report() {
  report_.config = settings_.config;
  if (launched_) {
    const bool on_the_machine = device_->launch_count() != 0;
    report_.fill(on_the_machine ? device_->stats() : functional_, device_->launch_count(), device_->program());
  }
  OutputFailures failures;
  write_pictures(failures);
  report_.add_output_errors(failures.lines());
  const bool told = write_summary() || settings_.report_is_default;
  failures = {};
  if (!settings_.json.empty()) {
    failures.attempt([&] {
      if (settings_.json == "-") std::cout << run_json(report_) << std::flush;
      else write_file(settings_.json, run_json(report_));
    });
  }
  // What kernels printed is an output, too.
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout) {
    failures.add(bad_input("output", fmt::format("standard output: cannot be written ({}); give it a place with room",
                                                 errno == 0 ? "some of it was lost" : std::strerror(errno))));
  }
  report_.add_output_errors(failures.lines());
  for (const std::string& line : report_.output_errors) tell(line);
  return report_.output_errors.empty() && told;
}

// ---------------------------------------------------------------- errors

cudaError_t Runtime::fail(cudaError_t error) {
  if (error != cudaSuccess) last_error_ = error;
  return error;
}

cudaError_t Runtime::take_last_error() {
  const cudaError_t error = last_error_;
  last_error_ = sticky_;
  return error;
}

cudaError_t Runtime::refuse(cudaError_t error, const std::string& text) {
  if (told_.insert(text).second) tell(text);
  return fail(error);
}

namespace {

cudaError_t name_in_cuda(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::kOther: break;
    case ErrorKind::kOutOfMemory: return cudaErrorMemoryAllocation;
    case ErrorKind::kOutsideBuffers: return cudaErrorInvalidValue;
    case ErrorKind::kResources: return cudaErrorLaunchOutOfResources;
    case ErrorKind::kTooManyBlocks: return cudaErrorCooperativeLaunchTooLarge;
    case ErrorKind::kUnsupported: return cudaErrorNotSupported;
    case ErrorKind::kIllegalAddress: return cudaErrorIllegalAddress;
    case ErrorKind::kMisalignedAddress: return cudaErrorMisalignedAddress;
    case ErrorKind::kIllegalInstruction: return cudaErrorIllegalInstruction;
    case ErrorKind::kInvalidPc: return cudaErrorInvalidPc;
  }
  if (error.code() == "launch") return cudaErrorInvalidConfiguration;
  if (error.code() == "kernel") return cudaErrorNotSupported;
  if (error.status() == ExitStatus::kBadInput) return cudaErrorInvalidKernelImage;
  return error.code() == "watchdog" || error.code() == "max_cycles" ? cudaErrorLaunchTimeout : cudaErrorLaunchFailure;
}

}  // namespace

cudaError_t Runtime::error_of(const Error& error) {
  const std::string message = error.what();
  if (told_.insert(message).second) tell(message);
  const cudaError_t name = name_in_cuda(error);
  if (error.status() == ExitStatus::kBadInput) return name;
  report_.set_error(error);
  return sticky_ = name;
}

// ---------------------------------------------------------------- memory

cudaError_t Runtime::allocate(void** pointer, std::size_t bytes, Memory kind) {
  if (pointer == nullptr) return fail(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (bytes > device_->heap_bytes()) {
    return refuse(cudaErrorMemoryAllocation,
                  fmt::format("{} bytes of device memory are asked for, there are {} (memory.heap_bytes)", bytes,
                              device_->heap_bytes()));
  }
  try {
    const Address begin = device_->allocate(bytes);
    memory_[begin] = kind;
    *pointer = reinterpret_cast<void*>(std::uintptr_t{begin});
  } catch (const Error& error) {
    return refuse(cudaErrorMemoryAllocation, error.what());
  }
  return cudaSuccess;
}

bool Runtime::release(const void* pointer, std::initializer_list<Memory> kinds) {
  if (!is_device(pointer)) return false;
  const auto found = memory_.find(device_address(pointer));
  if (found == memory_.end() || std::find(kinds.begin(), kinds.end(), found->second) == kinds.end()) return false;
  memory_.erase(found);
  device_->release(device_address(pointer));
  return true;
}

std::optional<Runtime::Memory> Runtime::memory_at(const void* pointer) const {
  const auto buffer = is_device(pointer) ? device_->buffer(device_address(pointer)) : std::nullopt;
  if (!buffer) return std::nullopt;
  return memory_.at(buffer->begin);
}

bool Runtime::is_registered(const void* pointer) const {
  const auto behind = registered.upper_bound(pointer);
  if (behind == registered.begin()) return false;
  const auto [begin, bytes] = *std::prev(behind);
  return reinterpret_cast<std::uintptr_t>(pointer) - reinterpret_cast<std::uintptr_t>(begin) < bytes;
}

bool Runtime::register_memory(void* host, std::size_t bytes) {
  if (registered.count(host) != 0 || (maps_registered() && !device_->map_host(host, bytes))) return false;
  registered[host] = bytes;
  return true;
}

bool Runtime::unregister_memory(const void* host) {
  if (registered.erase(host) == 0) return false;
  if (maps_registered()) static_cast<void>(device_->unmap_host(host));
  return true;
}

void Runtime::reset() {
  while (!registered.empty()) static_cast<void>(unregister_memory(registered.begin()->first));
  for (auto block = memory_.begin(); block != memory_.end();) {
    const bool stays = block->second == Memory::kManagedVariable || block->second == Memory::kMallocHeap;
    if (!stays) device_->release(block->first);
    block = stays ? std::next(block) : memory_.erase(block);
  }
  bound_.clear();
  streams.clear();
  events.clear();
  arrays.clear();
}

bool Runtime::is_device(const void* pointer) const {
  const auto value = reinterpret_cast<std::uintptr_t>(pointer);
  if (xlen_ == Xlen::k64)
    return (value >= kDeviceBegin && value < kHeapBase) ||
           (value >= kWideHeapBase && value - kWideHeapBase < kHeapSpread * config().memory.heap_bytes);
  return (value >= kDeviceBegin && value < kHeapLimit) || (value >= kUpperHeapBase && value < kUpperHeapLimit);
}

bool Runtime::is_range(const void* pointer, bool device, std::size_t bytes) const {
  if (!device) return pointer != nullptr && bytes <= ~std::uintptr_t{0} - reinterpret_cast<std::uintptr_t>(pointer);
  if (!is_device(pointer)) return false;
  return device_address(pointer) < kHeapBase || device_->buffer(device_address(pointer), bytes);
}

bool Runtime::copy(void* to, bool to_device, const void* from, bool from_device, std::size_t bytes) {
  return copy_rows(to, bytes, to_device, from, bytes, from_device, bytes, 1);
}

bool Runtime::copy_rows(void* to, std::size_t to_pitch, bool to_device, const void* from, std::size_t from_pitch,
                        bool from_device, std::size_t width, std::size_t height) {
  if (width == 0 || height == 0) return true;
  if (width > to_pitch || width > from_pitch) return false;
  if (!is_range(to, to_device, bytes_of_rows(to_pitch, width, height)) ||
      !is_range(from, from_device, bytes_of_rows(from_pitch, width, height)))
    return false;
  std::vector<std::uint8_t> between(to_device && from_device ? width : 0);
  for (std::size_t row = 0; row < height; ++row) {
    char* target = static_cast<char*>(to) + row * to_pitch;
    const char* source = static_cast<const char*>(from) + row * from_pitch;
    if (to_device && from_device) {
      device_->read(device_address(source), between.data(), width);
      device_->write(device_address(target), between.data(), width);
    } else if (to_device) {
      device_->write(device_address(target), source, width);
    } else if (from_device) {
      device_->read(device_address(source), target, width);
    } else {
      std::memmove(target, source, width);
    }
  }
  return true;
}

bool Runtime::fill_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  if (width == 0 || height == 0) return true;
  const bool device = is_device(to);
  if (width > pitch || !is_range(to, device, bytes_of_rows(pitch, width, height))) return false;
  if (!device && pinned.count(to) == 0 && !is_registered(to)) return false;
  const std::vector<std::uint8_t> pattern(width, static_cast<std::uint8_t>(value));
  for (std::size_t row = 0; row < height; ++row) {
    if (!copy(static_cast<char*>(to) + row * pitch, device, pattern.data(), false, width)) return false;
  }
  return true;
}

std::optional<std::pair<bool, bool>> Runtime::sides(const void* to, const void* from, cudaMemcpyKind kind) const {
  // Host memory that the device sees has device addresses; what is registered has the host's.
  const auto named_device = [&](const void* pointer) { return !is_registered(pointer); };
  switch (kind) {
    case cudaMemcpyHostToDevice: return std::pair(named_device(to), is_device(from));
    case cudaMemcpyDeviceToHost: return std::pair(is_device(to), named_device(from));
    case cudaMemcpyDeviceToDevice: return std::pair(named_device(to), named_device(from));
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault: return std::pair(is_device(to), is_device(from));
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- symbols

const Variable* Runtime::variable(const void* shadow, std::size_t* host_bytes) {
  const auto registered = registry().variables.find(shadow);
  if (registered == registry().variables.end()) return nullptr;
  if (host_bytes != nullptr) *host_bytes = registered->second.bytes;
  place_managed_variables();
  if (const auto managed = managed_.find(shadow); managed != managed_.end()) return &managed->second;
  const auto [known, fresh] = variables_.try_emplace(shadow, nullptr);
  if (fresh) known->second = find(*device_, &Program::variables, registered->second);
  return known->second;
}

const void* Runtime::named_variable(const char* symbol, std::size_t bytes) {
  const auto& variables = registry().variables;
  if (variables.count(symbol) != 0) return symbol;
  const std::string name(symbol, strnlen(symbol, bytes));
  const auto named = std::find_if(variables.begin(), variables.end(), [&](const auto& variable) {
    return variable.second.name == name || readable_name(variable.second.name) == name;
  });
  return named == variables.end() ? symbol : named->first;
}

cudaError_t Runtime::no_variable(const void* shadow, cudaError_t unused) {
  const auto registered = registry().variables.find(shadow);
  if (registered == registry().variables.end()) return fail(cudaErrorInvalidSymbol);
  const std::string what = "variable " + readable_name(registered->second.name);
  if (registered->second.module->number)
    return refuse(cudaErrorInvalidSymbol,
                  what + ": not in the program of its kernels; a const one has its value in their code");
  return refuse(unused,
                what + ": its source file has no kernel: nothing reads what is copied to it, and it has no value");
}

namespace {

// The part of a variable that a copy is about: whole elements of an array, or all of it.
struct Part {
  const DataType* type;
  std::uint32_t count, device_offset;
};
std::optional<Part> part_of(const DataType& type, std::size_t bytes, std::size_t offset) {
  const DataType* element = &type;
  while (element->kind == DataType::Kind::kArray &&
         (bytes % element->host.bytes != 0 || offset % element->host.bytes != 0))
    element = element->element.get();
  if (element->host.bytes == 0 || bytes % element->host.bytes != 0 || offset % element->host.bytes != 0 ||
      !within(offset, bytes, type.host.bytes))
    return std::nullopt;
  return Part{element, static_cast<std::uint32_t>(bytes / element->host.bytes),
              static_cast<std::uint32_t>(offset / element->host.bytes * element->device.bytes)};
}

}  // namespace

cudaError_t Runtime::copy_to_variable(const void* shadow, const void* from, std::size_t bytes, std::size_t offset,
                                      bool from_device) {
  const Variable* v = variable(shadow);
  if (v == nullptr) return no_variable(shadow, cudaSuccess);
  if (v->internal) {
    return refuse(cudaErrorInvalidSymbol, fmt::format("variable {}: it is const, and kernels may have its first value "
                                                      "in their code: declare it without const to copy to it",
                                                      readable_name(v->name)));
  }
  if (v->type == nullptr || v->type->same) {
    if (!within(offset, bytes, v->bytes)) return fail(cudaErrorInvalidValue);
    return copy(reinterpret_cast<void*>(std::uintptr_t{v->address} + offset), true, from, from_device, bytes)
               ? cudaSuccess
               : fail(cudaErrorInvalidValue);
  }
  const std::string what = "variable " + readable_name(v->name);
  const std::optional<Part> part = part_of(*v->type, bytes, offset);
  if (!part)
    return refuse(
        cudaErrorNotSupported,
        fmt::format("{} ({}): a copy of {} bytes at {} cuts through an element that has another size in kernels", what,
                    v->type->name, bytes, offset));
  std::vector<std::uint8_t> host(bytes), converted(std::size_t{part->count} * part->type->device.bytes);
  if (!copy(host.data(), false, from, from_device, bytes)) return fail(cudaErrorInvalidValue);
  for (std::uint32_t i = 0; i < part->count; ++i) {
    to_device(*part->type, host.data() + std::size_t{i} * part->type->host.bytes,
              converted.data() + std::size_t{i} * part->type->device.bytes, what,
              [&](const DataType& type, std::uint64_t value) { return device_pointer(type, value, what); });
  }
  device_->write(v->address + part->device_offset, converted.data(), static_cast<std::uint32_t>(converted.size()));
  return cudaSuccess;
}

cudaError_t Runtime::copy_from_variable(const void* shadow, void* to, std::size_t bytes, std::size_t offset,
                                        bool to_device) {
  const Variable* v = variable(shadow);
  if (v == nullptr) return no_variable(shadow, cudaErrorInvalidSymbol);
  if (v->type == nullptr || v->type->same) {
    if (!within(offset, bytes, v->bytes)) return fail(cudaErrorInvalidValue);
    return copy(to, to_device, reinterpret_cast<void*>(std::uintptr_t{v->address} + offset), true, bytes)
               ? cudaSuccess
               : fail(cudaErrorInvalidValue);
  }
  const std::string what = "variable " + readable_name(v->name);
  const std::optional<Part> part = part_of(*v->type, bytes, offset);
  if (!part)
    return refuse(
        cudaErrorNotSupported,
        fmt::format("{} ({}): a copy of {} bytes at {} cuts through an element that has another size in kernels", what,
                    v->type->name, bytes, offset));
  std::vector<std::uint8_t> device(std::size_t{part->count} * part->type->device.bytes), host(bytes);
  device_->read(v->address + part->device_offset, device.data(), static_cast<std::uint32_t>(device.size()));
  for (std::uint32_t i = 0; i < part->count; ++i) {
    to_host(*part->type, device.data() + std::size_t{i} * part->type->device.bytes,
            host.data() + std::size_t{i} * part->type->host.bytes, what);
  }
  return copy(to, to_device, host.data(), false, bytes) ? cudaSuccess : fail(cudaErrorInvalidValue);
}

// ---------------------------------------------------------------- managed variables, malloc in kernels

// Each moves to a buffer, which host and kernels see at one address; the program's pointer to it says where.
void Runtime::place_managed_variables() {
  if (managed_placed_) return;
  managed_placed_ = true;
  const auto registered = registry().variables;
  for (const auto& [shadow, registration] : registered) {
    Registration of_pointer = registration;
    of_pointer.name = "heddle_managed." + registration.name;
    const Variable* pointer = find(*device_, &Program::variables, of_pointer);
    const Variable* value = find(*device_, &Program::variables, registration);
    if (pointer == nullptr || value == nullptr) continue;
    if (!heap_is_visible())
      throw bad_input("memory",
                      "managed variables: something else of the program lies at the addresses of device "
                      "memory: link it as a position-independent executable");
    std::vector<std::uint8_t> bytes(value->bytes);
    device_->read(value->address, bytes.data(), value->bytes);
    Variable& placed = managed_[shadow] = *value;
    placed.address = device_->allocate(value->bytes);
    memory_[placed.address] = Memory::kManagedVariable;
    device_->write(placed.address, bytes.data(), value->bytes);
    device_->write(pointer->address, &placed.address, sizeof placed.address);
    const void* const there = reinterpret_cast<void*>(std::uintptr_t{placed.address});
    registry().variables[there] = registration;
    variables_[there] = &placed;
  }
}

void* Runtime::managed_variable(const void* shadow) {
  const std::lock_guard lock(mutex_);
  place_managed_variables();
  const auto found = managed_.find(shadow);
  return found == managed_.end() ? nullptr : reinterpret_cast<void*>(std::uintptr_t{found->second.address});
}

bool Runtime::set_malloc_heap_bytes(std::size_t bytes) {
  if (malloc_heap_placed_) return false;
  malloc_heap_bytes_ = std::max<std::size_t>(bytes, 65536);
  return true;
}

cudaError_t Runtime::place_malloc_heap() {
  const auto& variables = device_->program().variables;
  const auto is_heap = [](const Variable& v) { return own_name(v.name) == "heddle_heap"; };
  if (malloc_heap_placed_ || std::none_of(variables.begin(), variables.end(), is_heap)) return cudaSuccess;
  void* begin = nullptr;
  if (const cudaError_t error = allocate(&begin, malloc_heap_bytes_, Memory::kMallocHeap); error != cudaSuccess)
    return error;
  Heap heap{};
  heap.next = (sizeof heap + kHeapUnit - 1) / kHeapUnit;
  heap.end = malloc_heap_bytes_ / kHeapUnit;
  device_->write(device_address(begin), &heap, sizeof heap);
  for (const Variable& v : variables) {
    if (is_heap(v)) device_->write(v.address, &begin, sizeof begin);
  }
  malloc_heap_placed_ = true;
  return cudaSuccess;
}

// ---------------------------------------------------------------- launches

// Whether the blocks of the next launch may wait for each other: cooperative_groups.h.
void Runtime::tell_kernels(bool cooperative) {
  if (cooperative == cooperative_) return;
  cooperative_ = cooperative;
  const std::uint32_t word = cooperative ? 1 : 0;
  for (const Variable& v : device_->program().variables) {
    if (own_name(v.name) == "heddle_cooperative") device_->write(v.address, &word, sizeof word);
  }
}

const Kernel* Runtime::kernel(const void* stub) {
  const auto [known, fresh] = kernels_.try_emplace(stub, nullptr);
  if (!fresh) return known->second;
  const auto registered = registry().kernels.find(stub);
  if (registered != registry().kernels.end()) known->second = find(*device_, &Program::kernels, registered->second);
  return known->second;
}

std::uint64_t Runtime::device_pointer(const DataType& type, std::uint64_t host, const std::string& what) {
  if (host == 0) return 0;
  const void* const pointer = reinterpret_cast<const void*>(host);
  if (maps_registered() && is_registered(pointer)) return host;
  if (!is_device(pointer)) {
    const std::string text = fmt::format(
        "{} ({}): {:#x} is memory of the host; a kernel that uses it faults: copy it with cudaMemcpy, register it with "
        "cudaHostRegister, or allocate it with cudaMalloc, cudaMallocManaged or cudaMallocHost",
        what, type.name, host);
    if (told_.insert(what).second) tell(text);
    return xlen_ == Xlen::k64 ? host : kPoison;
  }
  if (!type.pointee_problem.empty()) {
    throw bad_input(
        "kernel",
        fmt::format("{} ({}): the buffer has another layout in kernels: {}; use indices, or types of a fixed size",
                    what, type.name, type.pointee_problem));
  }
  return host;
}

KernelArguments Runtime::pack(const Kernel& kernel, void** arguments) {
  if (!kernel.parameters)
    throw bad_input("kernel",
                    fmt::format("kernel {}: the program does not say what it takes", readable_name(kernel.name)));
  ArgumentBuilder builder(stack_top(config()), device_->program().register_bytes());
  for (std::size_t i = 0; i < kernel.types.size(); ++i) {
    const std::string& name = (*kernel.parameters)[i].name;
    const std::string what = fmt::format("argument {}{} of kernel {}", i + 1, name.empty() ? "" : " '" + name + "'",
                                         readable_name(kernel.name));
    if (kernel.types[i] == nullptr) throw bad_input("kernel", what + ": the program does not say its type");
    add_argument(builder, *kernel.types[i], static_cast<const std::uint8_t*>(arguments[i]), what,
                 [&](const DataType& type, std::uint64_t value) { return device_pointer(type, value, what); });
  }
  return builder.finish();
}

cudaError_t Runtime::launch(const void* stub, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                            bool cooperative) {
  const Kernel* k = kernel(stub);
  if (k == nullptr) {
    const auto registered = registry().kernels.find(stub);
    if (registered == registry().kernels.end()) return fail(cudaErrorInvalidDeviceFunction);
    return refuse(cudaErrorInvalidDeviceFunction,
                  "kernel " + registered->second.name + ": not found in the device half of the program");
  }
  const auto none = [](const dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; };
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (none(grid) || none(block) || block.x > 1024 || block.y > 1024 || block.z > 64 ||
      threads > max_threads_per_block() || grid.x > 0x7FFFFFFFu || grid.y > 65535 || grid.z > 65535) {
    return refuse(cudaErrorInvalidConfiguration,
                  fmt::format("kernel {}: grid ({},{},{}) of blocks ({},{},{}) cannot be launched: at least one of "
                              "each, at most {} threads a block (core.warps, "
                              "core.registers)",
                              readable_name(k->name), grid.x, grid.y, grid.z, block.x, block.y, block.z,
                              max_threads_per_block()));
  }
  if (shared > 0xFFFFFFFFu) return fail(cudaErrorInvalidValue);
  if (k->parameters &&
      (arguments == nullptr ? !k->types.empty() : std::count(arguments, arguments + k->types.size(), nullptr) != 0))
    return fail(cudaErrorInvalidValue);
  update_textures();
  place_managed_variables();
  if (const cudaError_t error = place_malloc_heap(); error != cudaSuccess) return error;
  tell_kernels(cooperative);
  return run(*k, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, pack(*k, arguments),
             static_cast<std::uint32_t>(shared), cooperative);
}

// What the reports say of the launch that has just ended, and no more: there may be any number of them.
void Runtime::note_launch(const std::string& name, const Dim3& grid, const Dim3& block, const Stats& stats,
                          bool functional) {
  if (settings_.report == Settings::Report::kLaunches) {
    const std::string machine =
        functional ? "functional"
                   : fmt::format("{} cycles, {} warp instructions", stats.cycles, stats.warp_instructions);
    launch_lines_ += fmt::format("{} ({},{},{}) x ({},{},{}): {}, {} thread instructions\n", name, grid.x, grid.y,
                                 grid.z, block.x, block.y, block.z, machine, stats.thread_instructions);
  }
  if (!functional) report_.kernels[name].add(stats);
  if (settings_.json.empty()) return;
  report_.launches.push_back({name, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, stats, functional});
  report_.launches.back().stats.branches = {};  // the document has those of all launches together
}

cudaError_t Runtime::run(const Kernel& kernel, const Dim3& grid, const Dim3& block, const KernelArguments& arguments,
                         std::uint32_t shared, bool cooperative) {
  launched_ = true;
  const std::string name = readable_name(kernel.name);
  const auto begin = std::chrono::steady_clock::now();
  ExitStats exits;
  if (settings_.detail.next(name)) {
    if (!find_mechanism(settings_.config.mechanism)->passes_locks() && locks_a_word(device_->program(), kernel)) {
      return refuse(
          cudaErrorNotSupported,
          fmt::format(
              "kernel {}: 64-bit atomic operations take a lock, which threads of one warp never get from each other "
              "with mechanism {}: use another one, or 32 bits",
              name, settings_.config.mechanism));
    }
    const std::uint64_t before = device_->launch_count();
    try {
      device_->launch_with(kernel.name, grid, block, arguments, shared, cooperative);
    } catch (const Error&) {
      if (device_->launch_count() != before) note_launch(name, grid, block, device_->launches().back(), false);
      throw;
    }
    note_launch(name, grid, block, device_->launches().back(), false);
    exits = device_->launches().back().exits;
  } else {
    const Stats stats = device_->launch_functional(kernel.name, grid, block, arguments, shared, cooperative);
    ++report_.functional_launches[name];
    functional_.add(stats);
    note_launch(name, grid, block, stats, true);
    exits = stats.exits;
  }
  report_.host.wall_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (exits.failed == 0) return cudaSuccess;
  const std::uint32_t status = exits.first.status;
  sticky_ = status == kStatusAssert ? cudaErrorAssert
            : status == kStatusTrap ? cudaErrorIllegalInstruction
                                    : cudaErrorLaunchFailure;
  if (status != kStatusAssert) {
    tell(fmt::format("kernel {}: {} thread{} ended by a trap: first {}, at {}", name, exits.failed,
                     exits.failed == 1 ? "" : "s", thread_text(exits.first), device_->program().where(exits.first.pc)));
  }
  return fail(sticky_);
}

// ---------------------------------------------------------------- textures

bool Runtime::is_texture(const textureReference* texture) { return registry().textures.count(texture) != 0; }

// The program may change a reference's fields at any time: kernels see what they are at the launch.
void Runtime::update_textures() {
  for (const auto& [texture, descriptor] : bound_) {
    const Variable* v = nullptr;
    const auto [known, fresh] = variables_.try_emplace(texture, nullptr);
    if (fresh) known->second = find(*device_, &Program::variables, registry().textures[texture]);
    v = known->second;
    if (v == nullptr || v->bytes < sizeof(textureReference)) continue;  // one that no kernel uses
    textureReference now = *texture;
    now.heddle = descriptor;
    now.heddle.normalized = texture->normalized;
    now.heddle.linear = texture->filterMode == cudaFilterModeLinear;
    now.heddle.address_mode[0] = texture->addressMode[0];
    now.heddle.address_mode[1] = texture->addressMode[1];
    device_->write(v->address, &now, sizeof now);
  }
}

}  // namespace heddle
