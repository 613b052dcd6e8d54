// SPDX-License-Identifier: Apache-2.0
// Stack entries of a dual-path stack that forwards, as they are without it.
#pragma once

#include "core/frontend_state.h"

namespace heddle {

// Entry `index` of `depth`: a path that is forwarded is shown in the entry that it comes from, as it stands now.
// entry(i) is what entry i holds, guest(i) says whose path is in its slot `slot`: {here, gone, slot}, of the path of
// the entry below that it has or had.
template <class EntryOf, class GuestOf>
[[nodiscard]] StackEntry entry_at_home(unsigned depth, unsigned index, EntryOf entry, GuestOf guest) {
  StackEntry shown = entry(index);
  const auto own = guest(index);
  const unsigned own_slot = own.slot ? 1 : 0;
  if (own.here) shown.mask[own_slot] = 0;
  if (index + 1 == depth) return shown;
  const auto above = guest(index + 1);
  const unsigned slot = above.slot ? 1 : 0;
  if (!(above.here || above.gone) || (own.here && own_slot == slot)) return shown;
  unsigned at = index + 1;
  bool here = above.here;
  while (here && at + 1 < depth) {  // it may be a guest's guest
    const auto next = guest(at + 1);
    if (!(next.here || next.gone) || next.slot != above.slot) break;
    here = next.here;
    ++at;
  }
  const StackEntry host = entry(at);
  shown.pc[slot] = host.pc[slot];
  shown.mask[slot] = here ? host.mask[slot] : 0;
  shown.level[slot] = host.level[slot];
  return shown;
}

}  // namespace heddle
