# SPDX-License-Identifier: Apache-2.0
"""Several files of one program together: what calls mean.

A function that none of the files has is taken for one without a barrier, and one whose branches may diverge (a library's).
"""

from .cfg import NOT_RETURNING, Cfg
from .text import Instruction


class Program:
    """used: names of functions that something calls which is in none of the files."""

    def __init__(self, files, sibling_calls=False, used=()):
        self.files = files
        self.sibling_calls = sibling_calls
        self.used = used
        self._global = {f.name: f for file in files for f in file.functions if f.name in file.globals}
        self._own = {file: {f.name: f for f in file.functions} for file in files}
        addressed = [self.function(file, symbol) for file in files for symbol in file.addressed()]
        self.addressed = {f for f in addressed if f is not None}
        self.called = {self.callee(f, i) for file in files for f in file.functions for i in f.instructions} | self.addressed
        self.called |= {self.function(file, name) for file in files for name in {*used, *file.aliased()}}
        self._not_returning = self._find_not_returning()
        self._barriers = self.executing(lambda i: i.is_barrier() or i.is_warp_wide())
        self._block_barriers = self.executing(Instruction.is_barrier)

    def function(self, file, name):
        """The function that a name means in a file; None if no file has it."""
        return self._own[file].get(name) or self._global.get(name)

    def callee(self, function, instruction):
        name = instruction.callee()
        return self.function(function.file, name) if name is not None else None

    def has_no_caller(self, function):
        """A kernel, unless something calls it as a function: what it leaves in registers nobody reads."""
        return function.kernel and function not in self.called

    def returns(self, function):
        """For Cfg: whether a callee comes back."""
        def comes_back(name):
            callee = self.function(function.file, name)
            return callee not in self._not_returning if callee is not None else name not in NOT_RETURNING
        return comes_back

    def cfg(self, function, kind=Cfg, alone=lambda i: False):
        return kind(function, alone, self.returns(function), self.sibling_calls)

    def may_execute_barrier(self, function, instruction):
        """A barrier or warp-wide operation, or a call of a function that may execute one."""
        return instruction.is_barrier() or instruction.is_warp_wide() or self.calls_one_of(self._barriers, function, instruction)

    def may_wait_for_block(self, function, instruction):
        """A barrier of the block, or a call of a function that may execute one."""
        return instruction.is_barrier() or self.calls_one_of(self._block_barriers, function, instruction)

    def calls_one_of(self, functions, function, instruction):
        """Whether it may: through a pointer it may call each function whose address is taken."""
        if instruction.callee() is not None:
            return self.callee(function, instruction) in functions
        through_pointer = instruction.is_call() or (instruction.op == "jr" and not instruction.is_return())
        return through_pointer and not functions.isdisjoint(self.addressed)

    def _find_not_returning(self):
        self._not_returning = set()
        candidates = {f for file in self.files for f in file.functions}
        while True:
            found = set()
            for f in candidates - self._not_returning:
                cfg = self.cfg(f)
                if f.readable and not any(cfg.blocks[n].leaves for n in cfg.reach([0], None)):
                    found.add(f)
            if not found:
                return self._not_returning
            self._not_returning |= found

    def executing(self, is_one):
        """Functions that may execute such an instruction, themselves or by a call."""
        result = set()
        while True:
            found = {f for file in self.files for f in file.functions
                     if f not in result and any(is_one(i) or self.calls_one_of(result, f, i) for i in f.instructions)}
            if not found:
                return result
            result |= found
