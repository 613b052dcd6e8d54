// SPDX-License-Identifier: Apache-2.0
// Constants only, for the test of scripts/hardware/check_ports.
constexpr unsigned kAgrees = 1;
constexpr unsigned kDiffers = 3;
