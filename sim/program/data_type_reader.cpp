// SPDX-License-Identifier: Apache-2.0
#include "program/data_type_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/dwarf_entry.h"

namespace heddle {
namespace {

std::optional<Dwarf_Word> number(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(&die, name, &attribute), &value) != 0) return std::nullopt;
  return value;
}

// Types of C that have eight bytes on a 64-bit host and four in a kernel.
bool is_word_of_host(const std::string& name) {
  static const std::set<std::string> kNames = {"size_t",    "ssize_t",       "ptrdiff_t",       "intptr_t",
                                               "uintptr_t", "__SIZE_TYPE__", "__PTRDIFF_TYPE__"};
  return kNames.count(name) != 0;
}

}  // namespace

std::shared_ptr<const DataType> DataTypeReader::type_of(Dwarf_Die& die) {
  std::optional<Dwarf_Die> type = target_of(die);
  return type ? read(*type, 0) : nullptr;
}

std::shared_ptr<const DataType> DataTypeReader::read(Dwarf_Die& die, unsigned depth) {
  const Dwarf_Off offset = dwarf_dieoffset(&die);
  if (const auto known = read_.find(offset); known != read_.end()) return known->second;
  const auto type = std::make_shared<DataType>();
  type->name = name_of(die);
  if (depth == kMaxTypeDepth || open_.count(offset) != 0) {
    type->problem = "its description is circular";
    return type;
  }
  open_.insert(offset);
  switch (dwarf_tag(&die)) {
    case DW_TAG_typedef:
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type: {
      std::optional<Dwarf_Die> inner = target_of(die);
      if (!inner) {
        type->problem = "of no type";
        break;
      }
      const std::string name = type->name;
      *type = *read(*inner, depth + 1);
      if (!name.empty()) type->name = name;
      if (type->kind == DataType::Kind::kInteger && type->device.bytes == 4 && pointer_bytes_ == 4 &&
          is_word_of_host(name)) {
        type->host = {8, 8};
        type->same = false;
      }
      break;
    }
    case DW_TAG_base_type: read_base(die, *type); break;
    case DW_TAG_enumeration_type: {
      std::optional<Dwarf_Die> underlying = target_of(die);
      if (underlying) *type = *read(*underlying, depth + 1);
      else type->kind = DataType::Kind::kInteger, type->device = type->host = {4, 4}, type->same = true;
      type->name = name_of(die);
      break;
    }
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
      // Known before what it points to is looked at: that may hold such a pointer.
      read_[offset] = type;
      open_.erase(offset);
      read_pointer(die, *type, depth);
      break;
    case DW_TAG_array_type: read_array(die, *type, depth); break;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: read_aggregate(die, *type, depth); break;
    case DW_TAG_ptr_to_member_type: type->problem = "a pointer to a member"; break;
    default: type->problem = "a kind of type that the debug information does not explain";
  }
  open_.erase(offset);
  read_[offset] = type;
  return type;
}

void DataTypeReader::read_base(Dwarf_Die& die, DataType& type) const {
  const auto bytes = static_cast<std::uint32_t>(std::max(0, dwarf_bytesize(&die)));
  const Dwarf_Word encoding = number(die, DW_AT_encoding).value_or(0);
  type.device = type.host = {bytes, std::max(1u, bytes)};
  type.same = true;
  type.kind = encoding == DW_ATE_float ? DataType::Kind::kFloat : DataType::Kind::kInteger;
  type.is_truth = encoding == DW_ATE_boolean;
  type.is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
  if (bytes > 8 || bytes == 0) type.problem = fmt::format("a value of {} bytes", bytes);
  if (type.kind == DataType::Kind::kInteger && bytes == 4 && pointer_bytes_ == 4 &&
      type.name.find("long") != std::string::npos) {
    type.host = {8, 8};
    type.same = false;
  }
}

void DataTypeReader::read_pointer(Dwarf_Die& die, DataType& type, unsigned depth) {
  type.kind = DataType::Kind::kPointer;
  type.device = {pointer_bytes_, pointer_bytes_};
  type.host = {8, 8};
  type.same = pointer_bytes_ == 8;
  std::optional<Dwarf_Die> pointee = target_of(die);
  const bool reference = dwarf_tag(&die) != DW_TAG_pointer_type;
  std::string name = "void";
  if (pointee) {
    Dwarf_Die inner = *pointee;
    std::string qualifier;
    while (name_of(inner).empty() && dwarf_tag(&inner) == DW_TAG_const_type) {
      qualifier = "const ";
      std::optional<Dwarf_Die> next = target_of(inner);
      if (!next) break;
      inner = *next;
    }
    name = qualifier +
           (name_of(inner).empty() ? (dwarf_tag(&inner) == DW_TAG_const_type ? "void" : "...") : name_of(inner));
    type.pointee_problem = layout_problem(*pointee, depth + 1);
  }
  type.name = name + (reference ? "&" : "*");
}

// Why a buffer of the type is not the same on both sides. Not through pointers: one in the type is reason enough.
std::string DataTypeReader::layout_problem(Dwarf_Die& die, unsigned depth) {
  const Dwarf_Off offset = dwarf_dieoffset(&die);
  if (const auto known = problems_.find(offset); known != problems_.end()) return known->second;
  std::string& problem = problems_[offset];
  const int tag = dwarf_tag(&die);
  if (tag == DW_TAG_subroutine_type) return problem = "code has other addresses in a kernel";
  if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) {
    if (pointer_bytes_ == 8) return problem;
    return problem = "pointers have 4 bytes in a kernel and 8 on the host";
  }
  if ((tag == DW_TAG_const_type || tag == DW_TAG_volatile_type) && !target_of(die)) return problem;  // void
  // A type that stands in the middle of its own description has a pointer to itself, and is found out by that.
  if (open_.count(offset) != 0) return problem;
  const std::shared_ptr<const DataType> type = read(die, depth);
  if (type->same || type->kind == DataType::Kind::kUnknown) return problem;
  if (type->kind == DataType::Kind::kPointer) return problem = "pointers have 4 bytes in a kernel and 8 on the host";
  return problem = fmt::format("{} has {} bytes in a kernel and {} on the host", type->name.empty() ? "it" : type->name,
                               type->device.bytes, type->host.bytes);
}

void DataTypeReader::read_array(Dwarf_Die& die, DataType& type, unsigned depth) {
  type.kind = DataType::Kind::kArray;
  std::optional<Dwarf_Die> element = target_of(die);
  if (!element) {
    type.problem = "an array of no type";
    return;
  }
  type.element = read(*element, depth + 1);
  std::uint64_t count = 1;
  Dwarf_Die child;
  if (dwarf_child(&die, &child) == 0) {
    do {
      if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
      const std::optional<Dwarf_Word> bound = number(child, DW_AT_upper_bound), elements = number(child, DW_AT_count);
      count *= elements ? *elements : bound ? *bound + 1 : 0;
      if (count > (1u << 28)) count = 0;
    } while (dwarf_siblingof(&child, &child) == 0);
  }
  type.count = static_cast<std::uint32_t>(count);
  type.name = type.element->name + "[" + std::to_string(type.count) + "]";
  type.problem = type.element->problem;
  type.same = type.element->same;
  type.device = {type.count * type.element->device.bytes, type.element->device.alignment};
  type.host = {type.count * type.element->host.bytes, type.element->host.alignment};
}

void DataTypeReader::read_aggregate(Dwarf_Die& die, DataType& type, unsigned depth) {
  type.kind = DataType::Kind::kAggregate;
  const bool is_union = dwarf_tag(&die) == DW_TAG_union_type;
  const auto bytes = static_cast<std::uint32_t>(std::max(0, dwarf_bytesize(&die)));
  type.by_reference = number(die, DW_AT_calling_convention).value_or(0) == DW_CC_pass_by_reference;
  if (type.name.empty()) type.name = is_union ? "union" : "struct";
  bool bit_fields = false, natural = true;
  std::uint32_t device_end = 0, host_end = 0;
  type.same = true;
  Dwarf_Die child;
  if (dwarf_child(&die, &child) == 0) {
    do {
      const int tag = dwarf_tag(&child);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
      Dwarf_Attribute attribute;
      if (dwarf_hasattr(&child, DW_AT_external) || dwarf_hasattr(&child, DW_AT_declaration) ||
          dwarf_hasattr(&child, DW_AT_const_value))
        continue;  // static
      std::optional<Dwarf_Die> target = target_of(child);
      if (!target) continue;
      bit_fields = bit_fields || dwarf_attr(&child, DW_AT_bit_size, &attribute) != nullptr;
      DataType::Member member;
      member.name = tag == DW_TAG_inheritance ? name_of(*target) : name_of(child);
      member.type = read(*target, depth + 1);
      if (member.name.rfind("_vptr", 0) == 0) type.problem = "a class with virtual functions";
      if (type.problem.empty() && !member.type->problem.empty())
        type.problem = member.name + ": " + member.type->problem;
      const auto offset = static_cast<std::uint32_t>(number(child, DW_AT_data_member_location).value_or(0));
      const bool empty = tag == DW_TAG_inheritance && member.type->members.empty();
      std::uint32_t expected = 0;
      if (!is_union && !empty) {
        expected = round_up(device_end, member.type->device.alignment);
        member.host_offset = round_up(host_end, member.type->host.alignment);
      }
      natural = natural && (bit_fields || expected == offset);
      member.device_offset = offset;
      device_end = std::max(device_end, offset + (empty ? 0 : member.type->device.bytes));
      host_end = std::max(host_end, member.host_offset + (empty ? 0 : member.type->host.bytes));
      type.device.alignment = std::max(type.device.alignment, member.type->device.alignment);
      type.host.alignment = std::max(type.host.alignment, member.type->host.alignment);
      type.same = type.same && member.type->same;
      if (!empty) type.members.push_back(std::move(member));
    } while (dwarf_siblingof(&child, &child) == 0);
  }
  const auto alignment = static_cast<std::uint32_t>(number(die, DW_AT_alignment).value_or(1));
  type.device.alignment = std::max(type.device.alignment, alignment);
  type.host.alignment = std::max(type.host.alignment, alignment);
  type.device.bytes = bytes;
  if (type.same) {
    for (DataType::Member& m : type.members) m.host_offset = m.device_offset;
    type.host = type.device;
    return;
  }
  // An alignment that the type asks for and the debug information does not tell shows in its size.
  type.host.bytes = std::max(1u, round_up(host_end, type.host.alignment));
  if (!type.problem.empty()) return;
  if (is_union) type.problem = "a union with a pointer or a long";
  else if (bit_fields) type.problem = "bit fields beside a pointer or a long";
  else if (!natural || round_up(device_end, type.device.alignment) != bytes)
    type.problem = "its layout is not the natural one";
}

}  // namespace heddle
