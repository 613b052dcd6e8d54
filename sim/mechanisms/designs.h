// SPDX-License-Identifier: Apache-2.0
// Front ends that are an option of a mechanism with a file of its own: compact_frontend of spe; the others of dpe.
#pragma once

#include "mechanisms/mechanism.h"

namespace heddle {

[[nodiscard]] const FrontendDesign& compact_design();
[[nodiscard]] const FrontendDesign& dpe_forward_design();
[[nodiscard]] const FrontendDesign& dpe_split_design();
[[nodiscard]] const FrontendDesign& software_design();

// Of a front end with one slot, and with two.
[[nodiscard]] FrontendShape one_slot_shape(const Config& config);
[[nodiscard]] FrontendShape two_slot_shape(const Config& config);

}  // namespace heddle
