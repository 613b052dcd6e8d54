// SPDX-License-Identifier: Apache-2.0
// What this build is: the version of the project, and the git revision its sources had.
#pragma once

namespace heddle {

[[nodiscard]] const char* version();
[[nodiscard]] const char* git_revision();  // short hash, "-dirty" appended for changed files; "unknown" outside of git

}  // namespace heddle
