#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a C program from a seed whose control flow is hard on divergence hardware: tests/random/generate.py SEED prints it.

Contract
  Ends        Every turn of a loop, jump and call costs a unit of fuel, and is not made without; a phase gives a thread at most 15.
  Defined     Unsigned arithmetic, short shifts, integer divisors that are not 0, conversions in range, floating point by IEEE 754
              without contraction; no variable is read before it is written.
  One answer  Threads meet only in EXCHANGE, a barrier between writing a shared word and reading another thread's. All threads of
              a block that have not ended reach the same EXCHANGE together: it is never in code that can diverge, and no jump
              crosses one. Two halves of the tile take turns, so that one barrier is enough.

The kernel is a row of phases: a region of random control flow, then an EXCHANGE. A region is a tree of statements into which
labels and jumps are strewn. Functions are regions too, or have a shape of their own (recursion, threaded code, meetings).
"""

import random
import sys

# What a program may be about; drawn by the seed. What came out of it is in Program.features.
THEMES = ("jumps", "computed", "threaded", "switch", "returns", "recursion", "mutual", "fib", "pointer", "exit", "kernel return",
          "short circuit", "soft", "meeting loop", "meeting function", "meeting pointer", "meeting recursion", "meeting block")
FEATURES = ("goto", "goto into a loop", "goto out of a loop", "computed goto", "threaded code", "dense switch", "sparse switch",
            "fall through", "jump tables", "several returns", "several ret", "recursion", "mutual recursion", "fib", "call by pointer",
            "return of the kernel", "exit call", "short circuit", "call in a condition", "nested loops", "break", "continue",
            "64-bit division", "float compare", "double compare", "soft float", "barrier in a loop", "barrier in a function",
            "barrier by pointer", "barrier in a recursion", "barrier in a branch")
SHAPES = ((2, 32), (1, 64), (2, 48), (3, 20), (1, 33), (4, 16))  # blocks, threads of a block
SOFT_SHAPES = ((1, 32), (1, 30), (2, 16), (3, 10), (1, 33), (2, 12))  # where soft float costs most of the time
VARIABLES = ("a", "b", "c")

HEAD = """\
#ifdef HOST
#include "host.h"
#else
#include <heddle/kernel.h>
#endif

typedef unsigned long long u64;
typedef struct {
  unsigned id, hash, fuel, round;
  unsigned* result;
} Thread;

__shared__ unsigned tile[2][64];

static inline unsigned mix(unsigned x, unsigned y) { return (x ^ y) * 0x01000193u + (x >> 15); }
static inline unsigned spend(Thread* t) { return t->fuel != 0u ? t->fuel-- : 0u; }

// Every thread of the block that has not ended shows its hash and takes in another's.
#define EXCHANGE(distance)                                                         \\
  do {                                                                             \\
    const unsigned half = t->round++ & 1u;                                         \\
    tile[half][threadIdx.x] = t->hash;                                             \\
    __syncthreads();                                                               \\
    t->hash = mix(t->hash, tile[half][(threadIdx.x + (distance)) % blockDim.x]);   \\
  } while (0)
"""


class Program:
    def __init__(self, seed):
        self.seed = seed
        self.flags = []           # for heddle-cc
        self.blocks = self.threads = 0
        self.features = set()
        self.source = ""


class Node:
    """A statement: a head, then bodies (lists of nodes) with the lines between and behind them."""

    def __init__(self, head, *bodies, between="} else {", tail="}", loop=False, strew=True):
        self.head, self.bodies, self.between, self.tail = head, bodies, between, tail
        self.loop = loop    # bodies[0] is run again
        self.strew = strew  # labels and jumps may be put into the bodies

    def lines(self):
        result = [self.head]
        for i, body in enumerate(self.bodies):
            result += ([self.between] if i > 0 else []) + indented(body)
        return result + ([self.tail] if self.bodies and self.tail else [])


def indented(body):
    return [("" if line.lstrip().startswith("L") and line.endswith(":") else "  ") + line for node in body for line in node.lines()]


def places(body, loops=()):
    """(list, index, loops around it) of every place in a region where a statement may be put in front of another."""
    for index, node in enumerate(body):
        yield body, index, loops
        for inner in node.bodies:
            around = loops + (id(node),) if node.loop else loops
            if node.strew:
                yield from places(inner, around)
            else:
                for case in inner:
                    for part in case.bodies:
                        yield from places(part, around)


class Generator:
    def __init__(self, seed):
        self.program = Program(seed)
        self.random = random.Random(seed)
        self.pick = self.random.choice
        self.themes = set(self.random.sample(THEMES, self.random.randint(3, 6)))
        self.text = []        # declarations and functions, in order
        self.functions = []   # that any region may call: unsigned (Thread*, unsigned, unsigned)
        self.meetings = []    # that only code all threads reach together may call
        self.tables = set()
        self.counters = 0     # of the function in work
        self.budget = 0       # compound statements that its region may still have
        self.labels = 0
        self.softs = 6        # calls of libgcc that the program may still get: each takes hundreds of instructions
        self.place = ""       # "function", "meeting" (no returns) or "kernel"

    def chance(self, share):
        return self.random.random() < share

    def about(self, theme):
        return theme in self.themes

    def want_soft(self):
        wanted = self.about("soft") and self.softs > 0 and self.chance(0.25)
        self.softs -= wanted
        return wanted

    def note(self, feature):
        assert feature in FEATURES, feature
        self.program.features.add(feature)

    # ------------------------------------------------------------ expressions

    def word(self):
        return self.pick(VARIABLES + VARIABLES + ("t->hash",))

    def value(self):
        x, y, k = self.word(), self.word(), self.random.randint(1, 31)
        return self.pick((f"{x} + {y}", f"({x} ^ {y} >> {k})", f"{x} * {2 * k + 1}u + {y}", f"({x} | {y}) - {k}u", f"mix({x}, {y})",
                          f"({x} << {k} | {y} >> {32 - k})", f"{x} / ({y} | 1u)", f"{x} % {k + 2}u + {y}"))

    def bit(self):
        """True for some half of the threads."""
        x, y, k = self.word(), self.word(), self.random.randint(0, 15)
        return self.pick((f"({x} >> {k} & 1u)", f"{x} < ({y} ^ {1 << k}u)", f"{x} % 3u == {k % 3}u", f"(({x} ^ {y} >> {k}) & 3u) < 2u",
                          f"(t->id + {k}u) % {2 + k % 4}u == 1u", f"(int){x} < {k}"))

    def rare(self):
        """True for one thread in sixteen."""
        return f"({self.pick(VARIABLES)} + {self.random.randint(0, 99)}u) % 16u == {self.random.randint(0, 15)}u"

    def condition(self):
        if self.want_soft():
            return self.float_condition()
        if not self.about("short circuit") or self.chance(0.4):
            return self.bit()
        self.note("short circuit")
        x, y, z = self.bit(), self.bit(), self.bit()
        if self.functions and self.chance(0.3):
            self.note("call in a condition")
            z = f"({self.call()} & 1u)"
        return self.pick((f"{x} && {z}", f"{x} || {z}", f"({x} || {y}) && {z}", f"({x} && {y}) || {z}", f"({x} ? {y} : {z})"))

    def float_condition(self):
        x, y, z = self.random.sample(VARIABLES, 3)
        compare = self.pick(("<", "<=", ">", ">=", "==", "!="))
        kind = self.pick(("float", "double", "u64"))
        self.note("double compare" if kind == "double" else "float compare")
        if kind == "float":
            return self.pick((f"(float)({x} & 0xFFFFu) * 0.125f {compare} (float)({y} & 0xFFFu)",
                              f"(float){x} / (float)({y} & 1u) {compare} (float){z}"))  # infinite for some
        self.note("soft float")
        if kind == "u64":
            return f"(float)((u64){x} * {y}) {compare} (float)((u64){z} << 30)"
        return self.pick((f"(double){x} / (double)({y} & 3u) {compare} (double){z} * 0.25",
                          f"(double)(int){x} - (double){y} {compare} (double)(int){z}",
                          f"(double){x} * (double){y} {compare} (double)((u64){z} << 20)"))

    def arguments(self):
        return f"(t, {self.value()}, {self.value()})"

    def call(self):
        count = len(self.functions)
        if count < 2 or not self.about("pointer") or self.chance(0.3):
            return self.pick(self.functions) + self.arguments()
        self.note("call by pointer")
        return self.table(f"functions{count}", self.functions) + f"[{self.word()} % {count}u]" + self.arguments()

    def table(self, name, functions):
        if name not in self.tables:
            self.tables.add(name)
            self.text.append(f"static unsigned (*const {name}[])(Thread*, unsigned, unsigned) = {{{', '.join(functions)}}};\n")
        return name

    # ------------------------------------------------------------ statements

    def soft(self):
        x, y, z = self.random.sample(VARIABLES, 3)
        feature, text = self.pick((
            ("64-bit division", f"{x} ^= (unsigned)(((u64){x} << 32 | {y}) / ({z} | 1u));"),
            ("64-bit division", f"{x} += (unsigned)(((u64){y} << 32 | {z}) % ((u64){x} << 13 | 1u));"),
            ("64-bit division", f"{x} -= (unsigned)((long long)(int){y} * 1000 / ((long long)(int){z} | 1));"),
            ("64-bit division", f"{x} ^= (unsigned)((long long)(int){y} * 77777 % ((long long)(int){z} | 1));"),
            ("soft float", f"{x} += (unsigned)((double){y} * 0.5 / (double)(({z} & 0xFFu) + 1u));"),
            ("soft float", f"{x} ^= (unsigned)((float)((u64){y} << 3) / 64.0f);")))
        self.note(feature)
        return Node(text)

    def leaf(self, loops):
        if self.functions and self.chance(0.15):
            return Node(f"{self.pick(VARIABLES)} ^= {self.call()};")
        if self.want_soft():
            return self.soft()
        if loops and self.chance(0.3):
            word = self.pick(("break", "continue"))
            self.note(word)
            return Node(f"if ({self.condition()}) {word};")
        if self.about("exit") and self.chance(0.1):
            self.note("exit call")
            return Node(f"if ({self.rare()}) end(t, {self.word()});")
        if self.place == "kernel" and self.about("kernel return") and self.chance(0.2):
            self.note("return of the kernel")
            return Node(f"if ({self.rare()}) {{", [Node(f"result[t->id] = {self.value()};"), Node("return;")])
        if self.place == "function" and self.about("returns") and self.chance(0.25):
            self.note("several returns")
            return Node(f"if ({self.pick((self.rare, self.condition))()}) return {self.value()};")
        if self.chance(0.3):
            return Node(f"t->hash = mix(t->hash, {self.pick(VARIABLES)});")
        return Node(f"{self.pick(VARIABLES)} {self.pick(('=', '+=', '^='))} {self.value()};")

    def body(self, depth, loops, most=3):
        return [self.statement(depth, loops) for _ in range(self.random.randint(1, most if self.budget > 0 else 1))]

    def statement(self, depth, loops):
        self.budget -= 1
        if depth == 0 or self.budget < 0 or self.chance(0.25):
            return self.leaf(loops)
        if self.about("switch") and self.chance(0.3):
            return self.switch(depth, loops)
        if self.chance(0.45):
            return self.loop(depth, loops)
        sides = [self.body(depth - 1, loops) for _ in range(self.pick((1, 2)))]
        return Node(f"if ({self.condition()}) {{", *sides)

    def loop(self, depth, loops):
        if loops > 0:
            self.note("nested loops")
        kind, tail = self.pick(("for", "while", "do")), "}"
        if kind == "for":
            i = f"i{self.counters}"
            self.counters += 1
            head = f"for ({i} = 0u; {i} < ({self.word()} & 3u) + 1u && spend(t); ++{i}) {{"
        elif kind == "while":
            head = f"while (({self.condition()}) && spend(t)) {{"
        else:
            head, tail = "do {", f"}} while (({self.condition()}) && spend(t));"
        change = Node(f"{self.pick(VARIABLES)} += {self.value()};")
        return Node(head, [change] + self.body(depth - 1, loops + 1), tail=tail, loop=True)

    def switch(self, depth, loops):
        count = self.random.randint(5, 7)
        keys, choice = list(range(count)), f"{self.word()} % {count + 1}u"
        if self.chance(0.5):
            self.note("dense switch")
            if "-fjump-tables" in self.program.flags:
                self.note("jump tables")
        else:
            self.note("sparse switch")
            keys = sorted(self.random.sample(range(3, 50), 2) + self.random.sample(range(100, 90000), count - 2))
            name = f"keys{len(self.text)}"
            self.text.append(f"static const unsigned {name}[] = {{{', '.join(f'{key}u' for key in keys)}, 2u}};\n")
            choice = f"{name}[{choice}]"
        cases = []
        for key in keys:
            end = "break;"
            if key != keys[-1] and self.chance(0.25):
                end = "__attribute__((fallthrough));"
                self.note("fall through")
            elif loops > 0 and self.chance(0.2):
                end = "continue;"
                self.note("continue")
            elif self.place == "function" and self.about("returns") and self.chance(0.3):
                end = f"return {self.value()};"
                self.note("several returns")
            cases.append(Node(f"case {key}u:", self.body(0, 0, 1) + [Node(end)], tail=""))
        cases.append(Node("default:", [self.leaf(0)], tail=""))
        return Node(f"switch ({choice}) {{", cases, strew=False)

    # ------------------------------------------------------------ regions

    def region(self, depth):
        self.budget = 10
        body = self.body(depth, 0)
        if self.about("jumps"):
            for _ in range(self.random.randint(1, 2)):
                self.jump(body)
        if self.about("computed") and self.chance(0.5):
            self.computed_jump(body)
        return body

    def put_label(self, body):
        where, index, loops = self.pick([place for place in places(body) if not fallthrough(place)])
        label = f"L{self.labels}"
        self.labels += 1
        where.insert(index, Node(f"{label}:"))
        return label, loops

    def jump_from(self, body, labels, text):
        where, index, around = self.pick([place for place in places(body) if not fallthrough(place)])
        where.insert(index, Node(text))
        for _, loops in labels:
            if loops[:len(around)] != around:
                self.note("goto out of a loop")
            if around[:len(loops)] != loops:
                self.note("goto into a loop")

    def jump(self, body):
        label = self.put_label(body)
        self.note("goto")
        self.jump_from(body, [label], f"if (({self.condition()}) && spend(t)) goto {label[0]};")

    def computed_jump(self, body):
        labels = [self.put_label(body) for _ in range(self.random.randint(2, 4))]
        self.note("computed goto")
        name = f"targets{labels[0][0][1:]}"
        self.jump_from(body, labels, f"if (({self.condition()}) && spend(t)) goto *{name}[{self.word()} % {len(labels)}u];")
        body.insert(0, Node(f"static const void* const {name}[] = {{{', '.join('&&' + label for label, _ in labels)}}};"))

    def variables(self, first):
        return f"  unsigned {first}" + "".join(f", i{i} = 0u" for i in range(self.counters)) + ";"

    def begin(self, place):
        self.counters = self.labels = 0
        self.budget = 3
        self.place = place

    def add_function(self, name, lines, more="", noinline=True):
        head = f"static {'__noinline__ ' if noinline else ''}unsigned {name}(Thread* t, unsigned a, unsigned b{more}) {{"
        self.text.append("\n".join([head, self.variables(f"c = {self.pick(('a + b', 'a ^ t->hash', 'mix(b, t->id)'))}")] + lines + ["}\n"]))

    def function(self):
        self.begin("function")
        name = f"f{len(self.functions)}"
        lines = ["  if (!spend(t)) return b;"] + indented(self.region(3))
        self.add_function(name, lines + ["  return mix(a ^ b, c);"], noinline=self.chance(0.7))
        self.functions.append(name)

    # ------------------------------------------------------------ shapes of functions

    def recursive_step(self, callee):
        """A call that gets one level deeper, in one of several places."""
        deeper = f"{callee}(t, n - 1u, {self.value()})"
        x, y = self.pick(VARIABLES), self.pick(VARIABLES)
        return self.pick((
            [Node(f"{x} ^= {deeper};")],
            [Node(f"if ({self.condition()}) {x} += {deeper};")],
            [Node(f"if ({self.condition()}) {{", [Node(f"{x} += {deeper};")], [Node(f"{y} ^= {callee}(t, n >> 1, {self.value()});")])],
            [Node(f"while (({self.condition()}) && spend(t)) {{", [Node(f"{x} = {y} + {deeper};")])],
            [Node(f"if ({self.condition()}) return {deeper} + {x};")]))

    def recursive(self, name, callee):
        self.begin("function")
        body = [Node(f"if (n == 0u || !spend(t)) return {self.value()};")]
        body += self.body(1, 0, 2) + self.recursive_step(callee) + self.body(1, 0, 1)
        self.add_function(name, ["  const unsigned n = a & 7u;"] + indented(body) + ["  return mix(b, c);"])

    def recursion(self):
        name = f"down{len(self.functions)}"
        self.recursive(name, name)
        self.functions.append(name)
        self.note("recursion")

    def mutual(self):
        one, two = f"odd{len(self.functions)}", f"even{len(self.functions)}"
        self.text.append(f"static unsigned {two}(Thread* t, unsigned a, unsigned b);\n")
        self.recursive(one, two)
        self.recursive(two, one)
        self.functions += [one, two]
        self.note("mutual recursion")

    def fib(self):
        self.begin("function")
        name = f"fib{len(self.functions)}"
        self.add_function(name, ["  const unsigned n = a & 7u;", "  if (n < 2u || !spend(t)) return n + b;",
                                 f"  c += {name}(t, n - 1u, {self.value()});",
                                 f"  if ({self.condition()}) return c;" if self.chance(0.5) else f"  b ^= {self.value()};",
                                 f"  return c + {name}(t, n - 2u, {self.value()});"])
        self.functions.append(name)
        self.note("fib")

    def threaded(self):
        """An interpreter whose operations jump to the next one themselves."""
        self.begin("function")
        name, count = f"machine{len(self.functions)}", self.random.randint(3, 5)
        labels = [f"L{i}" for i in range(count)]

        def go(operation):
            return ["  if (!spend(t)) goto L0;", f"  goto *operations[{operation} % {count}u];"]

        lines = [f"  static const void* const operations[] = {{{', '.join('&&' + label for label in labels)}}};"] + go("a")
        for label in labels[1:]:
            lines += [label + ":"] + indented(self.body(1, 0, 2))
            if label == labels[-1] or self.chance(0.7):
                lines += go(f"({self.value()})")
        self.add_function(name, lines + ["L0:", "  return mix(a ^ c, b);"])
        self.functions.append(name)
        self.note("threaded code")

    def exchange(self):
        return Node(f"EXCHANGE({self.random.randint(1, 15)}u);")

    def refuel(self):
        least, more = (3, 3) if self.about("soft") else (4, 7)
        return Node(f"t->fuel = {self.random.randint(least, 2 * least)}u + (t->hash & {more}u);")

    def phase(self, depth=2):
        return [self.refuel()] + self.region(depth) + [self.exchange()]

    def meeting(self):
        self.begin("meeting")
        name = f"meet{len(self.meetings)}"
        body = self.phase()
        self.place = "function"  # returns do no harm behind the last barrier
        body += self.body(1, 0, 2)
        self.add_function(name, indented(body) + ["  return mix(a, b ^ c);"])
        self.meetings.append(name)

    def meeting_recursion(self):
        self.begin("meeting")
        body = [Node("if (levels == 0u) return a;")] + self.phase()
        body += [Node("b ^= descend(t, a, b, levels - 1u);")] + (self.phase(1) if self.chance(0.5) else [])
        self.add_function("descend", indented(body) + ["  return mix(a, b ^ c);"], more=", unsigned levels")
        self.note("barrier in a recursion")

    # ------------------------------------------------------------ the whole

    def kernel(self):
        self.begin("kernel")
        body = []
        for function in self.functions:
            how = self.pick(("{};", "if ({}) {};")) if self.chance(0.7) else None
            call = f"{self.pick(VARIABLES)} ^= {function}{self.arguments()}"
            if how is not None:
                body += [self.refuel(), Node(how.format(self.condition(), call) if "if" in how else how.format(call)), self.exchange()]
        body += self.phase(3)
        # blockDim.y is 1, which the compiler does not know: it cannot unroll.
        if self.about("meeting loop"):
            self.note("barrier in a loop")
            body.append(Node("for (unsigned k = 0u; k < blockDim.y + 1u; ++k) {", self.phase()))
        if self.about("meeting function"):
            self.note("barrier in a function")
            body += [Node(f"{self.pick(VARIABLES)} ^= {self.meetings[0]}{self.arguments()};")]
        if self.about("meeting pointer"):
            self.note("barrier by pointer")
            table = self.table("meetings", self.meetings)
            body.append(Node(f"{self.pick(VARIABLES)} += {table}[(blockIdx.x + blockDim.y) % {len(self.meetings)}u]{self.arguments()};"))
        if self.about("meeting recursion"):
            body.append(Node(f"{self.pick(VARIABLES)} ^= descend(t, {self.value()}, b, blockDim.y + 1u);"))
        if self.about("meeting block"):
            self.note("barrier in a branch")
            body.append(Node("if (blockIdx.x & 1u) {", self.phase(), self.phase() + [self.exchange()]))
        body += [self.refuel()] + self.region(2)
        begin = """\
__global__ void run(unsigned* result) {
  Thread thread = {blockIdx.x * blockDim.x + threadIdx.x, 0u, 0u, 0u, result};
  Thread* const t = &thread;
  t->hash = mix(t->id * 0x9E3779B9u, %du);
  tile[0][threadIdx.x] = tile[1][threadIdx.x] = t->hash;""" % self.random.randint(0, 99999)
        self.text.append("\n".join([begin, self.variables("a = t->hash >> 3, b = t->hash * 5u, c = t->id")] + indented(body)
                                   + ["  result[t->id] = mix(t->hash, a ^ b ^ c);", "}\n"]))

    def make(self):
        program = self.program
        program.blocks, program.threads = self.pick(SOFT_SHAPES if self.about("soft") else SHAPES)
        program.flags = [self.pick(("-O1", "-O2", "-O2", "-O2", "-Os")), "-ffp-contract=off"]
        if self.chance(0.5):
            program.flags.append("-fjump-tables")
        if self.chance(0.25):
            program.flags.append("--no-one-ret")
            self.note("several ret")
        if self.about("exit"):
            how = self.pick(("__noinline__ ", "inline "))
            self.text.append(f"static {how}__attribute__((noreturn)) void end(Thread* t, unsigned x) {{\n"
                             "  t->result[t->id] = mix(t->hash, x);\n  heddle_exit(0);\n}\n")
        shapes = [shape for theme, shape in (("threaded", self.threaded), ("recursion", self.recursion), ("mutual", self.mutual), ("fib", self.fib))
                  if self.about(theme)]
        self.random.shuffle(shapes)
        shapes = shapes[:2] + [self.function] * (2 if self.about("pointer") and len(shapes) < 2 else 1)
        self.random.shuffle(shapes)
        for shape in shapes:
            shape()
        for theme, count in (("meeting function", 1), ("meeting pointer", 2)):
            while self.about(theme) and len(self.meetings) < count:
                self.meeting()
        if self.about("meeting recursion"):
            self.meeting_recursion()
        self.kernel()
        about = ", ".join(sorted(program.features))
        program.source = "\n".join([f"// Seed {program.seed}, {program.blocks} blocks of {program.threads} threads, heddle-cc {' '.join(program.flags)}",
                                    f"// {about}", HEAD] + self.text)
        return program


def fallthrough(place):
    """In front of what must be the last statement of a case."""
    body, index, _ = place
    return "fallthrough" in body[index].head


def generate(seed):
    return Generator(seed).make()


if __name__ == "__main__":
    sys.stdout.write(generate(int(sys.argv[1])).source)
