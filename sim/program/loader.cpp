// SPDX-License-Identifier: Apache-2.0
#include "program/loader.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <new>
#include <vector>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fmt/format.h>
#include <gelf.h>
#include <sys/stat.h>

#include "heddle/error.h"
#include "program/cfg.h"
#include "program/parameters.h"
#include "program/shared_layout.h"

namespace heddle {
namespace {

constexpr const char* kExitSymbol = "__heddle_exit";
const std::string kMarks = "__heddle_marks_";  // and a form: what heddle-cc puts into each object
// What is read of a file is bounded, whatever its headers say: docs/kernels.md.
constexpr std::uint64_t kMaxFileBytes = 256u << 20;
constexpr std::uint64_t kMaxTextBytes = 16u << 20;
constexpr std::uint64_t kMaxGlobalBytes = 256u << 20;  // in memory, all segments together
constexpr std::uint64_t kMaxWindowBytes = 16u << 20;   // of the shared window, and of thread-local data
constexpr std::size_t kMaxSegments = 4096;
constexpr std::size_t kMaxSections = 65536;
constexpr std::size_t kMaxSymbols = 1u << 20;
constexpr std::size_t kMaxNameBytes = 64u << 20;  // of all symbols
constexpr std::size_t kMaxName = 4096;
constexpr std::size_t kMaxOverlap = 8;             // functions that share code: so many times the code is analysed
constexpr std::size_t kMaxLineBytes = 256u << 20;  // of file names, one for each instruction
constexpr std::uint32_t kFlagCompressed = 0x1;     // EF_RISCV_RVC
constexpr std::uint32_t kFlagFloat = 0x6;          // EF_RISCV_FLOAT_ABI: what is passed in floating-point registers
constexpr std::uint32_t kFlagDouble = 0x4;
constexpr std::uint32_t kFlagE = 0x8;  // EF_RISCV_RVE: 16 registers

// The memory map, docs/isa.md.
constexpr std::uint64_t kPage = 0x1000;
constexpr std::uint64_t kHeap = 0x20000000;
constexpr std::uint64_t kShared = 0x60000000;
constexpr std::uint64_t kLocal = 0x70000000;
constexpr std::uint64_t kTop = 0x80000000;

struct Symbol {
  std::string name;
  std::uint32_t value = 0;
  std::uint32_t size = 0;
  unsigned type = 0, binding = 0, visibility = 0, section = 0;
};

class Loader {
 public:
  explicit Loader(const std::string& path) { program_.path = path; }

  Program run_file() {
    read_file();
    return run();
  }

  Program run_bytes(std::vector<char> bytes) {
    file_ = std::move(bytes);
    return run();
  }

 private:
  Program run() {
    open_elf();
    check_header();
    read_segments();
    read_text();
    read_symbols();
    find_padding();
    find_special_symbols();
    find_functions();
    find_kernels();
    read_references();
    lay_out_shared(program_, shared_window(), references_);
    read_debug_information();
    analyse(program_);
    find_relocations();
    return std::move(program_);
  }

  struct CloseElf {
    void operator()(Elf* e) const { elf_end(e); }
  };
  struct CloseDwarf {
    void operator()(Dwarf* d) const { dwarf_end(d); }
  };

  [[nodiscard]] Error error(const std::string& message) const {
    return bad_input("elf", program_.path + ": " + message);
  }

  void read_file() {
    struct stat status {};
    if (stat(program_.path.c_str(), &status) != 0) throw error(fmt::format("cannot read: {}", std::strerror(errno)));
    if (S_ISDIR(status.st_mode)) throw error("cannot read: a directory; give a program made by heddle-cc");
    if (!S_ISREG(status.st_mode)) throw error("cannot read: not a regular file; give a program made by heddle-cc");
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > kMaxFileBytes) {
      throw error(fmt::format("{} bytes long; at most {} are supported: give a program made by heddle-cc, or strip it",
                              size, kMaxFileBytes));
    }
    std::ifstream in(program_.path, std::ios::binary);
    if (!in) throw error(fmt::format("cannot read: {}", std::strerror(errno)));
    file_.resize(size);
    in.read(file_.data(), static_cast<std::streamsize>(size));
    if (in.bad()) throw error("cannot read: input/output error");
    file_.resize(static_cast<std::size_t>(in.gcount()));  // it may have become shorter
  }

  void open_elf() {
    if (file_.size() < SELFMAG || std::memcmp(file_.data(), ELFMAG, SELFMAG) != 0) {
      throw error("not an ELF file; give a program made by heddle-cc");
    }
    elf_version(EV_CURRENT);
    elf_.reset(elf_memory(file_.data(), file_.size()));
    if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF || gelf_getehdr(elf_.get(), &header_) == nullptr) {
      throw error("truncated: the ELF header is incomplete");
    }
  }

  void check_header() {
    program_.xlen = gelf_getclass(elf_.get()) == ELFCLASS64 ? Xlen::k64 : Xlen::k32;
    if (header_.e_machine != EM_RISCV || header_.e_ident[EI_DATA] != ELFDATA2LSB) {
      throw error(
          fmt::format("for another machine (ELF machine {}); kernels are little-endian RISC-V (243): compile "
                      "with heddle-cc",
                      header_.e_machine));
    }
    if (header_.e_type != ET_EXEC) {
      throw error(header_.e_type == ET_REL ? "an object file; link it with heddle-cc"
                                           : "not a static executable; link it with heddle-cc");
    }
    const char* const march = wide() ? "rv64imafd" : "rv32imaf";
    const char* const abi = wide() ? "lp64d" : "ilp32f";
    if ((header_.e_flags & kFlagCompressed) != 0)
      throw error(fmt::format("uses compressed instructions; compile with -march={}", march));
    if ((header_.e_flags & kFlagE) != 0)
      throw error(fmt::format("for the 16-register ABI; compile with -mabi={}", abi));
    if (wide() && (header_.e_flags & kFlagFloat) != kFlagDouble)
      throw error(fmt::format("passes doubles in integer registers; compile with -mabi={}", abi));
    const std::uint64_t headers =
        std::max(end_of(header_.e_phoff, std::uint64_t{header_.e_phnum} * header_.e_phentsize),
                 end_of(header_.e_shoff, std::uint64_t{header_.e_shnum} * header_.e_shentsize));
    if (headers > file_.size())
      throw error(fmt::format("truncated: the headers end at byte {}, the file has {}", headers, file_.size()));
  }

  [[nodiscard]] bool wide() const { return program_.xlen == Xlen::k64; }

  // Numbers of a damaged file may have any value: the end is at most the greatest number.
  [[nodiscard]] static std::uint64_t end_of(std::uint64_t begin, std::uint64_t size) {
    return begin + std::min(size, ~begin);
  }

  [[nodiscard]] Segment segment_of(const GElf_Phdr& header) const {
    if (const std::uint64_t end = end_of(header.p_offset, header.p_filesz); end > file_.size()) {
      throw error(fmt::format("truncated: the segment at {:#x} ends at byte {}, the file has {}", header.p_vaddr, end,
                              file_.size()));
    }
    if (header.p_filesz > header.p_memsz) {
      throw error(fmt::format("damaged: the segment at {:#x} has {} bytes in the file and {} in memory", header.p_vaddr,
                              header.p_filesz, header.p_memsz));
    }
    Segment segment;
    segment.address = static_cast<Address>(header.p_vaddr);
    segment.memory_size = static_cast<std::uint32_t>(header.p_memsz);
    const auto begin = file_.begin() + static_cast<std::ptrdiff_t>(header.p_offset);
    segment.data.assign(begin, begin + static_cast<std::ptrdiff_t>(header.p_filesz));
    segment.writable = (header.p_flags & PF_W) != 0;
    segment.executable = (header.p_flags & PF_X) != 0;
    return segment;
  }

  // Nothing is copied before it is known to fit.
  void add_segment(std::vector<Segment>& to, const GElf_Phdr& header, const char* what, std::uint64_t limit) const {
    std::uint64_t total = header.p_memsz;
    for (const Segment& s : to) total += s.memory_size;
    if (total > limit) {
      throw error(fmt::format(
          "{} {} bytes with the segment at {:#x}; at most {} are supported: allocate large buffers at run time", what,
          total, header.p_vaddr, limit));
    }
    to.push_back(segment_of(header));
  }

  void read_segments() {
    std::size_t count = 0;
    elf_getphdrnum(elf_.get(), &count);
    if (count > kMaxSegments) {
      throw error(fmt::format("damaged: {} program headers; at most {} are supported: link it with heddle-cc", count,
                              kMaxSegments));
    }
    for (std::size_t n = 0; n < count; ++n) {
      GElf_Phdr header;
      if (gelf_getphdr(elf_.get(), static_cast<int>(n), &header) == nullptr || header.p_memsz == 0) continue;
      const auto within = [&](std::uint64_t low, std::uint64_t high) {
        return header.p_vaddr >= low && end_of(header.p_vaddr, header.p_memsz) <= high;
      };
      if (header.p_type == PT_LOAD) {
        if (within(kPage, kHeap)) {
          add_segment(program_.segments, header, "code and data take", kMaxGlobalBytes);
        } else if (within(kShared, kLocal)) {
          add_segment(program_.shared, header, "shared variables take", kMaxWindowBytes);
        } else if (!within(kLocal, kTop)) {  // thread-local data: taken from PT_TLS
          throw error(
              fmt::format("the segment at {:#x} with {} bytes is outside the memory map; code and data belong "
                          "between {:#x} and {:#x}",
                          header.p_vaddr, header.p_memsz, kPage, kHeap));
        }
      } else if (header.p_type == PT_TLS) {
        if (!within(kLocal, kTop)) {
          throw error(
              fmt::format("thread-local data at {:#x}; link it at {:#x} (heddle-cc does)", header.p_vaddr, kLocal));
        }
        add_segment(program_.local, header, "thread-local data takes", kMaxWindowBytes);
        program_.thread_pointer = static_cast<Address>(header.p_vaddr);
      }
    }
    for (std::vector<Segment>* list : {&program_.segments, &program_.shared, &program_.local}) sort_segments(*list);
  }

  void sort_segments(std::vector<Segment>& list) const {
    const auto by_address = [](const Segment& a, const Segment& b) { return a.address < b.address; };
    std::sort(list.begin(), list.end(), by_address);
    for (std::size_t n = 1; n < list.size(); ++n) {
      if (list[n - 1].address + list[n - 1].memory_size > list[n].address) {
        throw error(
            fmt::format("damaged: the segments at {:#x} and {:#x} overlap", list[n - 1].address, list[n].address));
      }
    }
  }

  struct Range {
    std::uint64_t begin, end;
  };

  // The executable sections, or the executable segments where there are no section headers.
  void read_text() {
    std::size_t count = 0;
    if (elf_getshdrnum(elf_.get(), &count) != 0)
      throw error("damaged: the section headers cannot be read; link it with heddle-cc");
    if (count > kMaxSections) {
      throw error(fmt::format("damaged: {} section headers; at most {} are supported: link it with heddle-cc", count,
                              kMaxSections));
    }
    std::vector<Range> ranges;
    for (Elf_Scn* section = elf_nextscn(elf_.get(), nullptr); section; section = elf_nextscn(elf_.get(), section)) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_size == 0) continue;
      if ((header.sh_flags & SHF_EXECINSTR) != 0) {
        ranges.push_back({header.sh_addr, end_of(header.sh_addr, header.sh_size)});
      } else if ((header.sh_flags & SHF_ALLOC) != 0 && end_of(header.sh_addr, header.sh_size) <= kTop) {
        const bool shared = header.sh_addr >= kShared && header.sh_addr < kLocal;
        if (shared && header.sh_addralign <= kPage)
          shared_alignment_ = std::max(shared_alignment_, static_cast<unsigned>(header.sh_addralign));
        program_.sections.push_back({static_cast<Address>(header.sh_addr), static_cast<std::uint32_t>(header.sh_size)});
      }
    }
    sort_extents(program_.sections);
    if (ranges.empty()) {
      for (const Segment& s : program_.segments) {
        if (s.executable) ranges.push_back({s.address, std::uint64_t{s.address} + s.data.size()});
      }
    }
    if (ranges.empty()) throw error("contains no code");
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    const std::uint64_t begin = ranges[0].begin;
    std::uint64_t end = 0;
    for (const Range& r : ranges) end = std::max(end, r.end);
    if (begin % 4 != 0) throw error(fmt::format("the code begins at {:#x}, which is no multiple of 4", begin));
    if (end > kTop) throw error(fmt::format("damaged: the code ends at {:#x}, beyond {:#x}", end, kTop));
    if (end - begin > kMaxTextBytes) {
      throw error(fmt::format("the code spreads over {} bytes; at most {} are supported: link code together",
                              end - begin, kMaxTextBytes));
    }
    program_.text_begin = static_cast<Pc>(begin);
    program_.text.resize((end - begin) / 4);
    program_.text_end = program_.text_begin + static_cast<Pc>(4 * program_.text.size());
    std::uint64_t next = begin;  // everything in front of it is decoded
    for (const Range& r : ranges) {
      next = std::max(next, (r.begin + 3) & ~std::uint64_t{3});
      for (; next + 4 <= r.end; next += 4)
        program_.text[(next - begin) / 4] = decode(word_at(static_cast<Address>(next)), program_.xlen);
    }
  }

  [[nodiscard]] std::uint32_t word_at(Address address) const {
    const auto& all = program_.segments;
    const auto after =
        std::upper_bound(all.begin(), all.end(), address, [](Address a, const Segment& s) { return a < s.address; });
    if (after != all.begin()) {
      const Segment& s = *std::prev(after);
      if (s.executable && address - s.address + std::uint64_t{4} <= s.data.size()) {
        std::uint32_t word = 0;
        std::memcpy(&word, &s.data[address - s.address], 4);
        return word;
      }
    }
    throw error(fmt::format("damaged: the code at {:#x} lies in no executable segment", address));
  }

  static void sort_extents(std::vector<Program::Extent>& list) {
    std::sort(list.begin(), list.end(),
              [](const Program::Extent& a, const Program::Extent& b) { return a.begin < b.begin; });
  }

  void read_symbols() {
    std::size_t name_bytes = 0;
    for (Elf_Scn* section = elf_nextscn(elf_.get(), nullptr); section; section = elf_nextscn(elf_.get(), section)) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0) continue;
      const std::size_t size = wide() ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
      if (header.sh_entsize != size) throw error(fmt::format("damaged: symbols of {} bytes", header.sh_entsize));
      Elf_Data* data = elf_getdata(section, nullptr);
      if (data == nullptr) throw error("truncated: the symbol table is incomplete");
      for (int n = 0; n < static_cast<int>(data->d_size / size); ++n) {
        GElf_Sym sym;
        if (gelf_getsym(data, n, &sym) == nullptr || sym.st_shndx == SHN_UNDEF) continue;
        if (wide() && end_of(sym.st_value, sym.st_size) > kTop) continue;  // a number, no place
        const char* name = elf_strptr(elf_.get(), header.sh_link, sym.st_name);
        if (name == nullptr || *name == '\0') continue;
        const std::size_t length = strnlen(name, kMaxName + 1);
        if (length > kMaxName)
          throw error(fmt::format("damaged: a symbol's name has more than {} characters", kMaxName));
        name_bytes += length;
        if (symbols_.size() == kMaxSymbols || name_bytes > kMaxNameBytes) {
          throw error(fmt::format("more than {} symbols, or {} bytes of names; strip it", kMaxSymbols, kMaxNameBytes));
        }
        Symbol s;
        s.name.assign(name, length);
        s.value = static_cast<std::uint32_t>(sym.st_value);
        s.size = static_cast<std::uint32_t>(sym.st_size);
        s.type = GELF_ST_TYPE(sym.st_info);
        s.binding = GELF_ST_BIND(sym.st_info);
        s.visibility = GELF_ST_VISIBILITY(sym.st_other);
        if (s.type == STT_OBJECT && s.size != 0) {
          program_.objects.push_back({s.value, s.size});
          if (s.value >= kPage && s.value < kHeap)
            program_.variables.push_back({s.name, s.value, s.size, s.binding == STB_LOCAL});
        }
        symbols_.push_back(std::move(s));
      }
    }
    sort_extents(program_.objects);
    std::sort(program_.variables.begin(), program_.variables.end(),
              [](const Variable& a, const Variable& b) { return a.name < b.name; });
  }

  // From the end of an object to whatever is named next: what has no name of its own is not taken for padding where a
  // label stands before it.
  void find_padding() {
    std::vector<Address> named;
    for (const Symbol& s : symbols_) named.push_back(s.value);
    for (const Program::Extent& section : program_.sections) named.push_back(section.begin);
    std::sort(named.begin(), named.end());
    for (const Segment& segment : program_.segments) {
      if (!segment.writable) continue;
      const Address end = segment.address + segment.memory_size;
      Address covered = segment.address;
      for (const Program::Extent& object : program_.objects) {
        if (object.begin < segment.address || object.begin >= end) continue;
        covered = std::max(covered, object.begin + object.size);
        const auto next = std::lower_bound(named.begin(), named.end(), object.begin + object.size);
        const Address until = next == named.end() ? end : std::min(end, *next);
        if (until > covered) program_.padding.push_back({covered, static_cast<std::uint32_t>(until - covered)});
      }
    }
  }

  [[nodiscard]] const Symbol* symbol(const char* name) const {
    const auto found = std::find_if(symbols_.begin(), symbols_.end(), [&](const Symbol& s) { return s.name == name; });
    return found == symbols_.end() ? nullptr : &*found;
  }

  [[nodiscard]] bool is_code(const Symbol& s) const { return program_.at(s.value) != nullptr; }

  void find_special_symbols() {
    const Symbol* exit = symbol(kExitSymbol);
    if (exit == nullptr || !is_code(*exit)) {
      throw error(fmt::format("no symbol {}, where kernels return to; link with heddle-cc", kExitSymbol));
    }
    program_.exit_stub = exit->value;
    for (const Symbol& s : symbols_) {
      if (s.name.compare(0, kMarks.size(), kMarks) == 0) program_.forms.insert(s.name.substr(kMarks.size()));
    }
  }

  // Function symbols; code labels of hand-written assembly count where no function symbol covers them.
  void find_functions() {
    std::map<Pc, Program::Function> found;
    for (const Symbol& s : symbols_) {
      if (s.type != STT_FUNC || !is_code(s)) continue;
      Program::Function& f = found[s.value];
      // Of several names for one place: the larger function, then the name that is not internal.
      const bool nicer = s.name[0] != '_' && f.name[0] == '_';
      if (!f.name.empty() && (f.end - f.begin > s.size || (f.end - f.begin == s.size && !nicer))) continue;
      f = {readable_name(s.name), s.value, s.value + s.size};
    }
    std::map<Pc, Program::Function> labels;
    for (const Symbol& s : symbols_) {
      if (s.type != STT_NOTYPE || s.binding == STB_LOCAL || !is_code(s)) continue;
      const auto after = found.upper_bound(s.value);
      const bool covered =
          after != found.begin() && (std::prev(after)->first == s.value || std::prev(after)->second.end > s.value);
      if (!covered) labels[s.value] = {s.name, s.value, s.value};
    }
    found.insert(labels.begin(), labels.end());
    for (auto f = found.begin(); f != found.end(); ++f) {
      const Pc next = std::next(f) == found.end() ? program_.text_end : std::next(f)->first;
      if (f->second.end <= f->second.begin) f->second.end = next;  // no size given
      f->second.end = std::min(f->second.end & ~3u, program_.text_end);
      program_.functions.push_back(f->second);
    }
    // Functions may hold others' entries; if far too many do, each ends where the next one begins.
    std::uint64_t total = 0;
    for (const Program::Function& f : program_.functions) total += (f.end - f.begin) / 4;
    if (total <= kMaxOverlap * program_.text.size()) return;
    for (std::size_t n = 0; n + 1 < program_.functions.size(); ++n) {
      program_.functions[n].end = std::min(program_.functions[n].end, program_.functions[n + 1].begin);
    }
  }

  void find_kernels() {
    const Symbol* gp = symbol("__global_pointer$");
    const auto take = [&](auto wanted) {
      for (const Symbol& s : symbols_) {
        if (s.type == STT_FUNC && is_code(s) && s.value != program_.exit_stub && wanted(s)) {
          program_.kernels.push_back({s.name, s.value, gp != nullptr ? gp->value : 0});
        }
      }
    };
    take([](const Symbol& s) { return s.visibility == STV_PROTECTED; });
    if (program_.kernels.empty()) take([](const Symbol& s) { return s.binding != STB_LOCAL && s.name != "_start"; });
    if (program_.kernels.empty()) throw error("contains no kernel; mark one with __global__");
    std::sort(program_.kernels.begin(), program_.kernels.end(), [](const Kernel& a, const Kernel& b) {
      return a.entry != b.entry ? a.entry < b.entry : a.name < b.name;
    });
  }

  // Of a program linked with --emit-relocs.
  void read_references() {
    for (Elf_Scn* section = elf_nextscn(elf_.get(), nullptr); section; section = elf_nextscn(elf_.get(), section)) {
      GElf_Shdr header, target;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_RELA || header.sh_entsize == 0) continue;
      Elf_Scn* of = elf_getscn(elf_.get(), header.sh_info);
      if (of == nullptr || gelf_getshdr(of, &target) == nullptr || (target.sh_flags & SHF_ALLOC) == 0) continue;
      Elf_Data* data = elf_getdata(section, nullptr);
      Elf_Data* symbols = elf_getdata(elf_getscn(elf_.get(), header.sh_link), nullptr);
      if (data == nullptr || symbols == nullptr) throw error("damaged: relocations cannot be read; link it again");
      program_.movable = true;
      for (int n = 0; n < static_cast<int>(data->d_size / header.sh_entsize); ++n) {
        GElf_Rela relocation;
        GElf_Sym symbol;
        if (gelf_getrela(data, n, &relocation) == nullptr ||
            gelf_getsym(symbols, static_cast<int>(GELF_R_SYM(relocation.r_info)), &symbol) == nullptr)
          continue;
        references_.push_back({static_cast<Address>(relocation.r_offset),
                               static_cast<unsigned>(GELF_R_TYPE(relocation.r_info)),
                               static_cast<Address>(symbol.st_value), static_cast<std::int32_t>(relocation.r_addend)});
      }
    }
  }

  // What is relative to the code or to the global pointer moves by itself. Of an address of 64 bits the lower word
  // moves: the program stays below 2 GB.
  void find_relocations() {
    for (const Reference& r : references_) {
      const bool word = r.type == R_RISCV_32 || r.type == R_RISCV_64;
      if ((!word && r.type != R_RISCV_HI20) || r.target() < kPage || r.target() >= kHeap) continue;
      program_.relocations.push_back({r.site, r.type == R_RISCV_HI20});
    }
  }

  [[nodiscard]] SharedWindow shared_window() const {
    SharedWindow window;
    std::uint64_t end = kShared;
    for (const Segment& s : program_.shared) {
      end = std::max(end, std::uint64_t{s.address} + s.memory_size);
      window.known = window.known && s.data.empty();
    }
    if (const Symbol* dynamic = symbol("__heddle_dynamic_shared"); dynamic != nullptr && dynamic->value < kLocal) {
      end = std::max<std::uint64_t>(end, dynamic->value);
    }
    window.dynamic = static_cast<Address>(end);
    window.alignment = shared_alignment_;
    // A label of something that has no size.
    const auto is_variable = [&](const Symbol& s) {
      return s.value < kShared || s.value >= end || s.type == STT_SECTION || s.name.compare(0, 9, "__heddle_") == 0 ||
             in_object(s.value);
    };
    window.known = window.known && program_.movable && std::all_of(symbols_.begin(), symbols_.end(), is_variable);
    return window;
  }

  [[nodiscard]] bool in_object(Address address) const {
    const auto after = std::upper_bound(program_.objects.begin(), program_.objects.end(), address,
                                        [](Address a, const Program::Extent& e) { return a < e.begin; });
    return after != program_.objects.begin() && address - std::prev(after)->begin < std::prev(after)->size;
  }

  // Source lines and parameter lists are a convenience: damaged or missing debug information leaves them empty.
  void read_debug_information() {
    program_.lines.resize(program_.text.size());
    const std::unique_ptr<Dwarf, CloseDwarf> dwarf(dwarf_begin_elf(elf_.get(), DWARF_C_READ, nullptr));
    if (!dwarf) return;
    dwarf_new_oom_handler(dwarf.get(), [] { throw std::bad_alloc(); });  // its own one ends the process
    read_parameters(*dwarf, program_);
    Dwarf_Off offset = 0, next = 0;
    std::size_t header_size = 0;
    while (dwarf_nextcu(dwarf.get(), offset, &next, &header_size, nullptr, nullptr, nullptr) == 0) {
      Dwarf_Die unit;
      if (dwarf_offdie(dwarf.get(), offset + header_size, &unit) != nullptr) read_lines_of(unit);
      if (next <= offset) return;
      offset = next;
    }
  }

  void read_lines_of(Dwarf_Die& unit) {
    Dwarf_Lines* rows = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(&unit, &rows, &count) != 0) return;
    for (std::size_t n = 0; n + 1 < count; ++n) {
      Dwarf_Line* row = dwarf_onesrcline(rows, n);
      Dwarf_Addr begin = 0, end = 0;
      bool last = false;
      int number = 0;
      if (dwarf_lineaddr(row, &begin) != 0 || dwarf_lineaddr(dwarf_onesrcline(rows, n + 1), &end) != 0 ||
          dwarf_lineendsequence(row, &last) != 0 || dwarf_lineno(row, &number) != 0) {
        continue;
      }
      const char* file = dwarf_linesrc(row, nullptr, nullptr);
      if (last || file == nullptr || number <= 0) continue;
      const std::size_t length = strnlen(file, kMaxName + 1);
      if (length > kMaxName) continue;
      begin = std::max<Dwarf_Addr>(begin, program_.text_begin);
      end = std::min<Dwarf_Addr>(end, program_.text_end);
      for (Dwarf_Addr pc = (begin + 3) & ~Dwarf_Addr{3}; pc < end; pc += 4) {
        // Rows may overlap in a damaged table.
        line_bytes_ += length + sizeof(SourceLine);
        if (line_bytes_ > kMaxLineBytes) return;
        SourceLine& line = program_.lines[(pc - program_.text_begin) / 4];
        line = {file, static_cast<unsigned>(number)};
        if (is_kernel_header(line.file)) line = caller_of_header(unit, pc, line);
      }
    }
  }

  static bool is_kernel_header(const std::string& file) {
    static const std::string kHeader = "heddle/kernel.h";
    return file.size() >= kHeader.size() && file.compare(file.size() - kHeader.size(), kHeader.size(), kHeader) == 0;
  }

  // Code inlined from the kernel header counts as the line that called it: that is what the user wrote.
  static SourceLine caller_of_header(Dwarf_Die& unit, Dwarf_Addr pc, const SourceLine& otherwise) {
    // The innermost scope first; its own parents are the calls it was inlined through.
    Dwarf_Die* innermost = nullptr;
    if (dwarf_getscopes(&unit, pc, &innermost) <= 0) return otherwise;
    const std::unique_ptr<Dwarf_Die, void (*)(void*)> hold_innermost(innermost, std::free);
    Dwarf_Die* found = nullptr;
    const int count = dwarf_getscopes_die(innermost, &found);
    if (count <= 0) return otherwise;
    const std::unique_ptr<Dwarf_Die, void (*)(void*)> hold_found(found, std::free);
    Dwarf_Files* files = nullptr;
    if (dwarf_getsrcfiles(&unit, &files, nullptr) != 0) return otherwise;
    for (int n = 0; n < count; ++n) {
      if (dwarf_tag(&found[n]) != DW_TAG_inlined_subroutine) continue;
      Dwarf_Attribute attribute;
      Dwarf_Word file_index = 0, number = 0;
      if (dwarf_formudata(dwarf_attr(&found[n], DW_AT_call_file, &attribute), &file_index) != 0 ||
          dwarf_formudata(dwarf_attr(&found[n], DW_AT_call_line, &attribute), &number) != 0) {
        continue;
      }
      const char* file = dwarf_filesrc(files, file_index, nullptr, nullptr);
      if (file != nullptr && !is_kernel_header(file)) return {file, static_cast<unsigned>(number)};
    }
    return otherwise;
  }

  Program program_;
  std::vector<char> file_;
  std::unique_ptr<Elf, CloseElf> elf_;
  GElf_Ehdr header_{};
  std::vector<Symbol> symbols_;
  std::vector<Reference> references_;
  unsigned shared_alignment_ = 16;
  std::size_t line_bytes_ = 0;  // written so far
};

}  // namespace

Program load_program(const std::string& path) { return Loader(path).run_file(); }
Program load_program(const std::string& name, std::vector<char> bytes) {
  return Loader(name).run_bytes(std::move(bytes));
}

}  // namespace heddle
