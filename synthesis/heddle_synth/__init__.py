# SPDX-License-Identifier: Apache-2.0
"""Synthesis of Heddle's modules: gates, area, storage and timing (scripts/synth)."""
