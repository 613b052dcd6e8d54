// SPDX-License-Identifier: Apache-2.0
#include "program/parameters.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "program/data_type_reader.h"
#include "program/dwarf_entry.h"

namespace heddle {
namespace {

// As C writes it.
std::string text_of(std::optional<Dwarf_Die> type, unsigned depth = 0) {
  if (!type) return "void";
  if (depth == kMaxTypeDepth) return "...";
  const auto inner = [&] { return text_of(target_of(*type), depth + 1); };
  const auto qualified = [&](const std::string& word) {
    const std::string text = inner();
    const bool of_pointer = !text.empty() && (text.back() == '*' || text.back() == '&');
    return of_pointer ? text + " " + word : word + " " + text;
  };
  const auto named = [&](const char* otherwise) {
    const std::string name = name_of(*type);
    return name.empty() ? std::string("unnamed ") + otherwise : name;
  };
  switch (dwarf_tag(&*type)) {
    case DW_TAG_pointer_type: {
      std::string text = inner();
      const std::size_t function = text.rfind("()");
      return function != std::string::npos && function + 2 == text.size() ? text.insert(function, " (*)") : text + "*";
    }
    case DW_TAG_reference_type: return inner() + "&";
    case DW_TAG_rvalue_reference_type: return inner() + "&&";
    case DW_TAG_const_type: return qualified("const");
    case DW_TAG_volatile_type: return qualified("volatile");
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type: return inner();
    case DW_TAG_array_type: return inner() + "[]";
    case DW_TAG_subroutine_type: return inner() + "()";
    case DW_TAG_structure_type:
    case DW_TAG_class_type: return named("struct");
    case DW_TAG_union_type: return named("union");
    case DW_TAG_enumeration_type: return named("enum");
    default: return named("type");
  }
}

Parameter::Kind kind_of_base(Dwarf_Die& type, Parameter& parameter, unsigned register_bytes) {
  Dwarf_Attribute attribute;
  Dwarf_Word encoding = 0;
  if (dwarf_formudata(dwarf_attr_integrate(&type, DW_AT_encoding, &attribute), &encoding) != 0)
    return Parameter::Kind::kOther;
  if (parameter.bytes > register_bytes) return Parameter::Kind::kOther;
  switch (encoding) {
    case DW_ATE_float: return parameter.bytes >= 4 ? Parameter::Kind::kFloat : Parameter::Kind::kOther;
    case DW_ATE_boolean: return Parameter::Kind::kBool;
    case DW_ATE_signed:
    case DW_ATE_signed_char: parameter.is_signed = true; return Parameter::Kind::kInteger;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF: return Parameter::Kind::kInteger;
    default: return Parameter::Kind::kOther;
  }
}

Parameter describe(Dwarf_Die& die, unsigned register_bytes) {
  Parameter parameter;
  parameter.name = name_of(die);
  std::optional<Dwarf_Die> type = target_of(die);
  parameter.type = text_of(type);
  bool address_name = false;
  for (unsigned depth = 0; type && depth < kMaxTypeDepth; ++depth, type = target_of(*type)) {
    const int tag = dwarf_tag(&*type);
    if (tag == DW_TAG_typedef) {
      const std::string name = name_of(*type);
      address_name = address_name || name == "uintptr_t" || name == "intptr_t";
      continue;
    }
    if (tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
        tag == DW_TAG_atomic_type)
      continue;
    const int bytes = dwarf_bytesize(&*type);
    parameter.bytes = bytes > 0 ? static_cast<std::uint32_t>(bytes) : 0;
    switch (tag) {
      case DW_TAG_pointer_type:
      case DW_TAG_reference_type:
      case DW_TAG_rvalue_reference_type:
      case DW_TAG_array_type:
        parameter.kind = Parameter::Kind::kPointer;
        parameter.bytes = register_bytes;
        break;
      case DW_TAG_base_type: parameter.kind = kind_of_base(*type, parameter, register_bytes); break;
      case DW_TAG_enumeration_type:
        if (target_of(*type)) continue;  // its underlying type decides
        parameter.kind = parameter.bytes <= register_bytes ? Parameter::Kind::kInteger : Parameter::Kind::kOther;
        break;
      default: break;
    }
    break;
  }
  parameter.may_be_address =
      address_name && parameter.kind == Parameter::Kind::kInteger && parameter.bytes == register_bytes;
  return parameter;
}

// The parameters below a function's entry, with their types; none if it takes more than it names.
std::optional<std::vector<Parameter>> parameters_of(Dwarf_Die function, unsigned register_bytes, DataTypeReader& reader,
                                                    std::vector<std::shared_ptr<const DataType>>& types) {
  // An instance of a function that was expanded elsewhere too may name only what it uses: its origin names all.
  Dwarf_Attribute attribute;
  Dwarf_Die origin;
  while (dwarf_formref_die(dwarf_attr(&function, DW_AT_abstract_origin, &attribute), &origin) != nullptr &&
         dwarf_dieoffset(&origin) != dwarf_dieoffset(&function)) {
    function = origin;
  }
  std::vector<Parameter> parameters;
  Dwarf_Die child;
  if (dwarf_child(&function, &child) != 0) return parameters;
  do {
    if (dwarf_tag(&child) == DW_TAG_unspecified_parameters) return std::nullopt;
    if (dwarf_tag(&child) != DW_TAG_formal_parameter) continue;
    parameters.push_back(describe(child, register_bytes));
    types.push_back(reader.type_of(child));
  } while (dwarf_siblingof(&child, &child) == 0);
  return parameters;
}

struct Found {
  Dwarf_Die die;
  Pc entry;
  std::string symbol;
};

std::string symbol_of(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  const char* name = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_linkage_name, &attribute));
  return name != nullptr ? name : name_of(die);
}

// Functions that have code, wherever they stand: below namespaces and classes as well.
void collect(Dwarf_Die parent, std::vector<Found>& found, unsigned depth = 0) {
  Dwarf_Die child;
  if (depth == kMaxTypeDepth || dwarf_child(&parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    Dwarf_Addr entry = 0;
    if (tag == DW_TAG_subprogram && dwarf_entrypc(&child, &entry) == 0) {
      found.push_back({child, static_cast<Pc>(entry), symbol_of(child)});
    } else if (tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type) {
      collect(child, found, depth + 1);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

// Types of the variables at fixed addresses: below functions as well, where static ones stand.
void read_variables(Dwarf_Die parent, DataTypeReader& reader, Program& program, unsigned depth = 0) {
  Dwarf_Die child;
  if (depth == kMaxTypeDepth || dwarf_child(&parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)
      read_variables(child, reader, program, depth + 1);
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (tag != DW_TAG_variable || dwarf_attr(&child, DW_AT_location, &attribute) == nullptr ||
        dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1 || operations[0].atom != DW_OP_addr) {
      continue;
    }
    const auto found = std::find_if(program.variables.begin(), program.variables.end(), [&](const Variable& v) {
      return v.address == static_cast<Address>(operations[0].number);
    });
    if (found != program.variables.end() && found->type == nullptr) found->type = reader.type_of(child);
  } while (dwarf_siblingof(&child, &child) == 0);
}

}  // namespace

void read_parameters(Dwarf& dwarf, Program& program) {
  std::vector<Found> functions;
  DataTypeReader reader(program.register_bytes());
  Dwarf_Off offset = 0, next = 0;
  std::size_t header_size = 0;
  while (dwarf_nextcu(&dwarf, offset, &next, &header_size, nullptr, nullptr, nullptr) == 0) {
    Dwarf_Die unit;
    // The assembler describes functions, but not what they take.
    if (dwarf_offdie(&dwarf, offset + header_size, &unit) != nullptr &&
        dwarf_srclang(&unit) != DW_LANG_Mips_Assembler) {
      collect(unit, functions);
      read_variables(unit, reader, program);
    }
    offset = next;
  }
  for (Kernel& kernel : program.kernels) {
    // Of several functions folded into one, each kernel has a name but perhaps no entry of its own.
    const bool folded = std::count_if(program.kernels.begin(), program.kernels.end(),
                                      [&](const Kernel& other) { return other.entry == kernel.entry; }) > 1;
    const auto match = std::find_if(functions.begin(), functions.end(), [&](const Found& f) {
      return f.entry == kernel.entry && (!folded || f.symbol == kernel.name);
    });
    if (match != functions.end())
      kernel.parameters = parameters_of(match->die, program.register_bytes(), reader, kernel.types);
  }
}

}  // namespace heddle
