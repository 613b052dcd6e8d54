// SPDX-License-Identifier: Apache-2.0
// What both readers of debug information ask an entry.
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <optional>
#include <string>

namespace heddle {

constexpr unsigned kMaxTypeDepth = 64;  // a damaged description may be circular

// DW_AT_type, also of what this entry is an instance of.
[[nodiscard]] inline std::optional<Dwarf_Die> target_of(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_attr_integrate(&die, DW_AT_type, &attribute) == nullptr || dwarf_formref_die(&attribute, &type) == nullptr)
    return std::nullopt;
  return type;
}

// DW_AT_name; empty without one.
[[nodiscard]] inline std::string name_of(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  const char* name = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_name, &attribute));
  return name == nullptr ? "" : name;
}

}  // namespace heddle
