#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a C program from a seed whose control flow is unstructured, for passes of the compiler: tests/goto_programs/generate.py SEED prints it.

Contract
  Ends        Loops count to 7 at most, with a counter that nothing else writes. A jump, a turn of another loop and a call cost a unit
              of fuel and are not made without; what has begun then runs to the end of its function, forward.
  Defined     Unsigned arithmetic, short shifts, no variable is read before it is written, indices are masked.
  One answer  A thread reads and writes its own memory only; it takes its ways by its number and by what it has loaded.

A function is a tree of statements into which labels and jumps are strewn, or a knot: labelled blocks that jump to each other at random,
which is any graph at all. -DHOST makes a program that runs one thread after the other and writes their results.
"""

import random
import sys

FEATURES = ("goto forward", "goto back", "goto into a loop", "goto out of a loop", "goto into a side", "knot", "switch", "fall through", "goto of a case",
            "short circuit", "call in a condition", "nested loops", "two exits of a loop", "break", "continue", "early return", "call", "load", "store")
THREADS = 64
SLOTS = 8      # words of memory a thread
VARIABLES = ("a", "b", "c")

HEAD = """\
#ifdef HOST
#include <stdio.h>
#define __noinline__ __attribute__((noinline))
#else
#include <heddle/kernel.h>
#endif
typedef struct {
  unsigned id, fuel, *memory;
} Thread;
static unsigned memory[%(threads)d][%(slots)d];
static int spend(Thread* t) { return t->fuel != 0u && t->fuel-- != 0u; }
static unsigned mix(unsigned x, unsigned y) {
  x = (x ^ y) * 0x85EBCA6Bu;
  return x ^ x >> 13;
}
"""

TAIL = """\
static unsigned run_thread(unsigned id) {
  Thread thread = {id, %(fuel)du + (id & 7u), memory[id]};
  for (unsigned i = 0u; i < %(slots)du; ++i) memory[id][i] = mix(id * 0x9E3779B9u + i, %(salt)du);
  unsigned hash = %(call)s;
  for (unsigned i = 0u; i < %(slots)du; ++i) hash = mix(hash, memory[id][i]);
  return hash;
}
#ifdef HOST
int main(void) {
  unsigned result[%(threads)d];
  for (unsigned id = 0u; id < %(threads)du; ++id) result[id] = run_thread(id);
  return fwrite(result, sizeof result, 1, stdout) != 1;
}
#else
__global__ void run(unsigned* result) {
  const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  result[id] = run_thread(id);
}
#endif
"""


class Node:
    """A statement with bodies: lists of nodes. `loop`: its bodies are the loop's."""

    def __init__(self, head, *bodies, tail="}", between="} else {", loop=False):
        self.head, self.bodies, self.tail, self.between, self.loop = head, bodies, tail, between, loop

    def lines(self, indent):
        space = "  " * indent
        result = [space + self.head]
        for number, body in enumerate(self.bodies):
            result += [space + self.between] if number else []
            for node in body:
                result += node.lines(indent + 1)
        return result + ([space + self.tail] if self.bodies and self.tail else [])


class Program:
    def __init__(self, seed):
        self.seed = seed
        self.features = set()
        self.flags = []
        self.source = ""


class Generator:
    def __init__(self, seed):
        self.random = random.Random(f"goto programs {seed}")
        self.program = Program(seed)
        self.functions = []
        self.loops = 0      # around the place that is being written
        self.counters = self.labels = self.budget = 0

    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, share):
        return self.random.random() < share

    def note(self, feature):
        self.program.features.add(feature)

    # ---- expressions

    def word(self):
        return self.pick((*VARIABLES, *VARIABLES, "t->id", f"{self.random.randint(1, 99)}u"))

    def slot(self):
        return f"t->memory[{self.word()} & {SLOTS - 1}u]"

    def value(self):
        if self.chance(0.25):
            self.note("load")
            return self.slot()
        x, y = self.word(), self.word()
        return self.pick((f"{x} + {y}", f"{x} ^ {y}", f"{x} * 5u - {y}", f"mix({x}, {y})", f"({x} >> {self.random.randint(1, 9)}) + {y}", f"{x} | {y}"))

    def call(self):
        self.note("call")
        return f"(spend(t) ? {self.pick(self.functions)}(t, {self.value()}, {self.word()}) : {self.word()})"

    def test(self):
        if self.functions and self.chance(0.08):
            self.note("call in a condition")
            return f"({self.call()} & 1u)"
        x = self.pick((*VARIABLES, "t->id", self.slot()))
        return self.pick((f"({x} >> {self.random.randint(0, 9)} & 1u)", f"(({x}) & 7u) < {self.random.randint(1, 7)}u", f"({x}) % 3u == {self.random.randint(0, 2)}u",
                          f"{self.word()} < ({x})"))

    def condition(self):
        if self.chance(0.6):
            return self.test()
        self.note("short circuit")
        parts = [self.pick(("", "!")) + f"({self.test()})" for _ in range(self.random.randint(2, 3))]
        text = parts[0]
        for part in parts[1:]:
            text = f"({text} {self.pick(('&&', '||'))} {part})"
        return text

    # ---- statements

    def leaf(self):
        if self.loops and self.chance(0.2):
            word = self.pick(("break", "continue"))
            self.note(word)
            return Node(f"if ({self.condition()}) {word};")
        if self.chance(0.07):
            self.note("early return")
            return Node(f"if ({self.condition()}) return {self.value()};")
        if self.functions and self.chance(0.12):
            return Node(f"{self.pick(VARIABLES)} ^= {self.call()};")
        if self.chance(0.25):
            self.note("store")
            return Node(f"{self.slot()} {self.pick(('=', '+=', '^='))} {self.value()};")
        return Node(f"{self.pick(VARIABLES)} {self.pick(('=', '+=', '^='))} {self.value()};")

    def body(self, depth, most=3):
        return [self.statement(depth) for _ in range(self.random.randint(1, most if self.budget > 0 else 1))]

    def statement(self, depth):
        self.budget -= 1
        if depth == 0 or self.budget < 0 or self.chance(0.2):
            return self.leaf()
        make = self.pick((self.branch, self.branch, self.loop, self.loop, self.switch))
        return make(depth - 1)

    def branch(self, depth):
        return Node(f"if ({self.condition()}) {{", *[self.body(depth) for _ in range(self.pick((1, 2)))])

    def loop(self, depth):
        if self.loops:
            self.note("nested loops")
        i = f"i{self.counters}"
        self.counters += 1
        self.loops += 1
        body = self.body(depth)
        self.loops -= 1
        if self.chance(0.3):
            self.note("two exits of a loop")
            body.insert(self.random.randint(0, len(body)), Node(f"if ({self.condition()}) break;"))
        kind = self.pick(("for", "for", "while", "do"))
        if kind == "for":  # the only loop that costs no fuel, and may be structured
            return Node(f"for ({i} = 0u; {i} < ({self.word()} & 3u) + {self.random.randint(1, 4)}u; ++{i}) {{", body, loop=True)
        if kind == "while":
            return Node(f"while (({self.condition()}) && spend(t)) {{", body, loop=True)
        return Node("do {", body, tail=f"}} while (({self.condition()}) && spend(t));", loop=True)

    def switch(self, depth):
        self.note("switch")
        outside, self.loops = self.loops, 0  # `break` is the switch's
        count = self.random.randint(3, 6)
        cases = []
        for case in range(count):
            end = [Node("break;")]
            if case + 1 < count and self.chance(0.3):
                self.note("fall through")
                end = []
            elif outside and self.chance(0.15):
                self.note("continue")
                end = [Node("continue;")]
            elif self.chance(0.1):
                self.note("early return")
                end = [Node(f"return {self.value()};")]
            cases.append(Node(f"case {case}u:", self.body(depth, 2) + end, tail=""))
        if self.chance(0.7):
            cases.append(Node("default:", self.body(depth, 1) + [Node("break;")], tail=""))
        self.loops = outside
        return Node(f"switch (({self.value()}) % {count + 1}u) {{", cases)

    # ---- jumps

    def places(self, body, around=(), case=False):
        """(list, index, nodes around) of every place where a statement can stand."""
        result = []
        if not (body and body[0].head.startswith(("case", "default"))):
            result += [(body, index, around) for index in range(len(body) + (0 if case else 1))]
        for node in body:
            for inner in node.bodies:
                result += self.places(inner, around + (node,), node.head.startswith(("case", "default")))
        return result

    def jump(self, body):
        where, index, labelled = self.pick(self.places(body))
        label = f"L{self.labels}"
        self.labels += 1
        where.insert(index, Node(f"{label}: ;"))
        order = self.places(body)
        here, at, around = self.pick(order)
        loops = {node for node in labelled if node.loop}
        own = {node for node in around if node.loop}
        if own - loops:
            self.note("goto out of a loop")
        if loops - own:
            self.note("goto into a loop")
        if [node for node in labelled if not node.loop and node not in around]:
            self.note("goto into a side")
        if any(node.head.startswith(("case", "default")) for node in around):
            self.note("goto of a case")
        before = [(id(place[0]), place[1]) for place in order]
        self.note("goto back" if before.index((id(where), index)) < before.index((id(here), at)) else "goto forward")
        here.insert(at, Node(f"if (({self.condition()}) && spend(t)) goto {label};"))

    def knot(self):
        self.note("knot")
        count = self.random.randint(3, 7)
        first = self.labels
        self.labels += count + 1
        lines = []
        for block in range(count):
            lines.append(Node(f"L{first + block}: ;"))
            lines += [self.leaf() for _ in range(self.random.randint(1, 2))]
            for _ in range(self.random.randint(0, 2)):
                to = self.random.randint(0, count)
                # Forward jumps cost nothing.
                cost = "" if to > block else " && spend(t)"
                lines.append(Node(f"if (({self.condition()}){cost}) goto L{first + to};"))
        return lines + [Node(f"L{first + count}: ;")]

    # ---- functions

    def function(self, name):
        self.counters = self.labels = self.loops = 0
        self.budget = self.random.randint(5, 12)
        body = self.body(self.random.randint(2, 4))
        for _ in range(self.random.randint(0, 3)):
            self.jump(body)
        if self.chance(0.4):
            at = self.random.randint(0, len(body))
            body[at:at] = self.knot()
        names = [f"i{n} = 0u" for n in range(self.counters)]
        text = [f"static {'__noinline__ ' if self.chance(0.7) else ''}unsigned {name}(Thread* t, unsigned a, unsigned b) {{",
                f"  unsigned {', '.join([f'c = {self.pick(VARIABLES[:2])} ^ t->id'] + names)};"]
        for node in body:
            text += node.lines(1)
        self.functions.append(name)
        return "\n".join(text + ["  return mix(a ^ b, c);", "}"])

    def make(self):
        program = self.program
        program.flags = [self.pick(("-O1", "-O2", "-O2", "-O3", "-Os"))] + (["-fjump-tables"] if self.chance(0.4) else [])
        functions = [self.function(f"f{n}") for n in range(self.random.randint(1, 3))]
        values = {"threads": THREADS, "slots": SLOTS, "fuel": self.random.randint(8, 40), "salt": self.random.randint(0, 99999)}
        values["call"] = " ^ ".join(f"{name}(&thread, id, memory[id][{n}])" for n, name in enumerate(self.functions))
        program.source = "\n".join([f"// Seed {program.seed}, heddle-cc {' '.join(program.flags)}", f"// {', '.join(sorted(program.features))}",
                                    HEAD % values] + functions + [TAIL % values])
        return program


def generate(seed):
    return Generator(seed).make()


if __name__ == "__main__":
    sys.stdout.write(generate(int(sys.argv[1])).source)
