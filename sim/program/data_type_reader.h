// SPDX-License-Identifier: Apache-2.0
// Data types from the debug information.
#pragma once

#include <elfutils/libdw.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "heddle/data_type.h"

namespace heddle {

// Reads each type once. Of a 32-bit program the layout on the host is computed by the rule of natural alignment; the
// same rule applied to the device must give what the debug information says, else the type has a problem.
class DataTypeReader {
 public:
  // pointer_bytes: of the program, 4 or 8.
  explicit DataTypeReader(unsigned pointer_bytes) : pointer_bytes_(pointer_bytes) {}
  // The type of a parameter, variable or member; null if it has none.
  [[nodiscard]] std::shared_ptr<const DataType> type_of(Dwarf_Die& die);

 private:
  using Pointer = std::shared_ptr<DataType>;
  [[nodiscard]] std::shared_ptr<const DataType> read(Dwarf_Die& type, unsigned depth);
  void read_base(Dwarf_Die& die, DataType& type) const;
  void read_aggregate(Dwarf_Die& die, DataType& type, unsigned depth);
  void read_array(Dwarf_Die& die, DataType& type, unsigned depth);
  void read_pointer(Dwarf_Die& die, DataType& type, unsigned depth);
  [[nodiscard]] std::string layout_problem(Dwarf_Die& type, unsigned depth);

  const unsigned pointer_bytes_;
  std::map<Dwarf_Off, std::shared_ptr<const DataType>> read_;
  std::map<Dwarf_Off, std::string> problems_;
  std::set<Dwarf_Off> open_;  // being read: types that point to themselves
};

}  // namespace heddle
