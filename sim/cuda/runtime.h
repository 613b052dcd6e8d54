// SPDX-License-Identifier: Apache-2.0
// The device of a CUDA program: what the compiled program registered, memory, launches, errors as CUDA keeps them, and
// the report at the end of the process. The functions of the runtime API (api_*.cpp) are thin over it.
//
// Everything is done at once, in the calling thread, in the order of the calls; calls of several host threads take
// turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/handles.h"
#include "cuda/settings.h"
#include "cuda_runtime_api.h"
#include "heddle/error.h"
#include "isa/program.h"
#include "output/output_file.h"
#include "report/report.h"
#include "timeline/timeline.h"

namespace heddle {

class Runtime {
 public:
  // Made by the first call; ends the process with one line and status 2 if the environment asks for what cannot be.
  static Runtime& get();

  // ---- registration, by constructors of the program: no device yet
  struct Module {
    const void* image = nullptr;
    std::string name;                // of its program, for messages
    std::optional<unsigned> number;  // of its program on the device; none: it has no kernel, so there is none
  };
  struct Registration {  // of a kernel, variable or texture
    const Module* module = nullptr;
    std::string name;       // symbol in the device half, as the host's compiler has it
    std::size_t bytes = 0;  // of a variable, on the host
  };
  static Module* add_module(const void* image);
  static void add_kernel(const void* stub, const Registration& registration);
  static void add_variable(const void* shadow, const Registration& registration);
  [[nodiscard]] static const void* named_variable(const char* symbol, std::size_t bytes);
  static void add_texture(const textureReference* shadow, const Registration& registration);

  // ---- errors: the last one, and the one that nothing but the end of the process clears
  cudaError_t fail(cudaError_t error);
  [[nodiscard]] cudaError_t take_last_error();
  [[nodiscard]] cudaError_t last_error() const { return last_error_; }
  // Fails, and says so on standard error, once for each text.
  cudaError_t refuse(cudaError_t error, const std::string& text);

  // Runs `action` under the lock and makes errors of what it throws. After a fault every call but a few fails with it.
  template <class Action>
  cudaError_t call(Action action) {
    const std::lock_guard lock(mutex_);
    if (sticky_ != cudaSuccess) return fail(sticky_);
    return guarded(action);
  }
  // The same for those few.
  template <class Action>
  cudaError_t query(Action action) {
    const std::lock_guard lock(mutex_);
    return guarded(action);
  }

  // ---- memory. Device pointers of the host program are device addresses.
  enum class Memory { kDevice, kHost, kManaged, kArray, kTextureObject, kSurfaceObject, kManagedVariable, kMallocHeap };
  [[nodiscard]] cudaError_t allocate(void** pointer, std::size_t bytes, Memory kind = Memory::kDevice);
  // False if no allocation of one of the kinds begins there.
  [[nodiscard]] bool release(const void* pointer, std::initializer_list<Memory> kinds);
  // Of the allocation that holds the address; nothing if none does.
  [[nodiscard]] std::optional<Memory> memory_at(const void* pointer) const;
  // Frees all memory and destroys all objects of the program.
  void reset();
  [[nodiscard]] bool is_device(const void* pointer) const;
  // Bytes that lie on the given sides; false if a range is not one.
  [[nodiscard]] bool copy(void* to, bool to_device, const void* from, bool from_device, std::size_t bytes);
  [[nodiscard]] bool copy_rows(void* to, std::size_t to_pitch, bool to_device, const void* from, std::size_t from_pitch,
                               bool from_device, std::size_t width, std::size_t height);
  [[nodiscard]] bool fill_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height);
  // The sides of a copy; nothing if the kind and the pointers do not fit.
  [[nodiscard]] std::optional<std::pair<bool, bool>> sides(const void* to, const void* from, cudaMemcpyKind kind) const;
  [[nodiscard]] const Device& device() const { return *device_; }
  // The host sees the heap at the device's addresses.
  [[nodiscard]] bool heap_is_visible() const { return device_->heap_at_its_addresses(); }

  // Memory of the host, allocated where the program cannot see the heap.
  std::set<const void*> pinned;
  // Registered, with its bytes: RV64 kernels see it where it is.
  std::map<const void*, std::size_t> registered;
  [[nodiscard]] bool is_registered(const void* pointer) const;
  [[nodiscard]] bool maps_registered() const { return xlen_ == Xlen::k64; }
  [[nodiscard]] bool register_memory(void* host, std::size_t bytes);
  [[nodiscard]] bool unregister_memory(const void* host);

  // ---- objects
  HandleTable<cudaStream_t, Stream> streams;
  HandleTable<cudaEvent_t, Event> events;
  HandleTable<cudaArray_t, Array> arrays;
  // Whether it is one, the default streams included.
  [[nodiscard]] bool is_stream(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           streams.find(stream) != nullptr;
  }

  // ---- symbols
  // Null if no program has the variable.
  [[nodiscard]] const Variable* variable(const void* shadow, std::size_t* host_bytes = nullptr);
  // What a call with such a one results in, told on standard error: `unused` where no kernel can use it.
  [[nodiscard]] cudaError_t no_variable(const void* shadow, cudaError_t unused);
  [[nodiscard]] cudaError_t copy_to_variable(const void* shadow, const void* from, std::size_t bytes,
                                             std::size_t offset, bool from_device);
  [[nodiscard]] cudaError_t copy_from_variable(const void* shadow, void* to, std::size_t bytes, std::size_t offset,
                                               bool to_device);

  // ---- what the program has in the heap without a call of its own
  // Where the host and kernels find a managed variable; null if it is none.
  [[nodiscard]] void* managed_variable(const void* shadow);
  // Of malloc in kernels: before the first launch of a program that calls it; false afterwards.
  [[nodiscard]] bool set_malloc_heap_bytes(std::size_t bytes);
  [[nodiscard]] std::size_t malloc_heap_bytes() const { return malloc_heap_bytes_; }

  // ---- launches
  [[nodiscard]] const Kernel* kernel(const void* stub);
  [[nodiscard]] cudaError_t launch(const void* stub, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                   bool cooperative = false);
  // Simulated time. Launches of the functional device take what a machine without any loss would.
  [[nodiscard]] Cycle cycles() const {
    return device_->cycles() + functional_.thread_instructions / config().core.lanes;
  }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const Config& config() const { return settings_.config; }
  static constexpr std::size_t kMostLocalBytes = 1u << 20;
  // Before the first launch; false afterwards.
  [[nodiscard]] bool set_local_bytes(std::size_t bytes);
  [[nodiscard]] unsigned max_threads_per_block() const;

  // ---- textures
  [[nodiscard]] static bool is_texture(const textureReference* texture);
  void bind(const textureReference* texture, const heddle_texture& descriptor) { bound_[texture] = descriptor; }
  void unbind(const textureReference* texture) { bound_.erase(texture); }

 private:
  Runtime();
  template <class Action>
  cudaError_t guarded(Action action) {
    try {
      return action();
    } catch (const Error& error) {
      return fail(error_of(error));
    } catch (const std::bad_alloc&) {
      return fail(cudaErrorMemoryAllocation);
    } catch (const std::length_error&) {  // a size that no memory has
      return fail(cudaErrorMemoryAllocation);
    }
  }
  // CUDA's name for an error, told on standard error.
  cudaError_t error_of(const Error& error);
  void make_device();
  [[nodiscard]] bool is_range(const void* pointer, bool device, std::size_t bytes) const;
  void load_modules();
  void check_form() const;
  void update_textures();
  void place_managed_variables();
  [[nodiscard]] cudaError_t place_malloc_heap();
  void tell_kernels(bool cooperative);
  [[nodiscard]] std::uint64_t device_pointer(const DataType& type, std::uint64_t host, const std::string& what);
  [[nodiscard]] KernelArguments pack(const Kernel& kernel, void** arguments);
  [[nodiscard]] cudaError_t run(const Kernel& kernel, const Dim3& grid, const Dim3& block,
                                const KernelArguments& arguments, std::uint32_t shared, bool cooperative);
  void note_launch(const std::string& name, const Dim3& grid, const Dim3& block, const Stats& stats, bool functional);
  // At the end of the process. False if something that was asked for is lost.
  bool write_report();
  void write_pictures(OutputFailures& failures);
  bool write_summary();

  const Xlen xlen_;  // of all programs of the process
  Settings settings_;
  std::recursive_mutex mutex_;  // a call may be made of others
  std::unique_ptr<Device> device_;
  std::optional<Timeline> timeline_;
  std::map<const void*, const Kernel*> kernels_;  // found so far
  std::map<const void*, const Variable*> variables_;
  std::map<Address, Memory> memory_;  // by its begin
  std::map<const textureReference*, heddle_texture> bound_;
  std::map<const void*, Variable> managed_;  // where they are now, by their shadows
  std::size_t malloc_heap_bytes_ = std::size_t{8} << 20;
  bool managed_placed_ = false, malloc_heap_placed_ = false;
  bool cooperative_ = false;  // as kernels have been told
  std::set<std::string> told_;
  cudaError_t last_error_ = cudaSuccess, sticky_ = cudaSuccess;
  RunReport report_;
  std::string launch_lines_;  // of HEDDLE_REPORT=launches
  Stats functional_;          // sum of the launches on the functional device
  bool launched_ = false;
};

}  // namespace heddle
