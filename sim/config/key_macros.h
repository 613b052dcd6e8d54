// SPDX-License-Identifier: Apache-2.0
// A line of a table of keys (ConfigKey) for a field of Config.
#pragma once

#include "config/config.h"

// Accessors of a field; an enum or bool is handled as its number.
#define HEDDLE_FIELD(field)                                                             \
  [](const Config& c) -> std::uint64_t { return static_cast<std::uint64_t>(c.field); }, \
      [](Config& c, std::uint64_t v) { c.field = static_cast<decltype(c.field)>(v); }
#define HEDDLE_NUMBER(name, field, min, max, unit, help, source) \
  { name, KeyType::kNumber, min, max, false, {}, unit, help, source, HEDDLE_FIELD(field) }
#define HEDDLE_POWER(name, field, min, max, unit, help, source) \
  { name, KeyType::kNumber, min, max, true, {}, unit, help, source, HEDDLE_FIELD(field) }
#define HEDDLE_BOOL(name, field, help, source) \
  { name, KeyType::kBool, 0, 1, false, {}, "", help, source, HEDDLE_FIELD(field) }
#define HEDDLE_CHOICE(name, field, help, source, ...) \
  { name, KeyType::kChoice, 0, 0, false, {__VA_ARGS__}, "", help, source, HEDDLE_FIELD(field) }
