// SPDX-License-Identifier: Apache-2.0
// Exceptions that name their place, as programs in the style of NVIDIA's samples throw them.
#pragma once

#include <stdexcept>
#include <string>

#define RUNTIME_EXCEPTION(text) throw std::runtime_error(std::string(__FILE__) + ":" + std::to_string(__LINE__) + ": " + (text))
#define LOGIC_EXCEPTION(text) throw std::logic_error(std::string(__FILE__) + ":" + std::to_string(__LINE__) + ": " + (text))
#define RANGE_EXCEPTION(text) throw std::range_error(std::string(__FILE__) + ":" + std::to_string(__LINE__) + ": " + (text))
