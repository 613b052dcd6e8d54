# SPDX-License-Identifier: Apache-2.0
"""Places of a SystemVerilog or C++ file by what they make, not by how their lines read.

A place has the name of
  - a signal or variable: every statement that assigns it, initializes it or connects a port to it, and the conditions of the
    blocks around these statements
  - a function that is called as a statement: that statement, in the same way
  - a block `begin : name`, a function or an instance: all of it
  - `assert`: every assertion, in the same way as what is called
  - a mark, `// @name` at the end of a line: the statement that is there
In a place the words of a change stand exactly once, white space, line breaks and comments apart.
"""
import re

TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|\w+|[^\s\w]", re.S)
OPENS, CLOSES = "([{", ")]}"
NO_CALL = {"if", "for", "while", "switch", "return", "case", "casez", "assert", "assume", "cover", "else", "sizeof", "posedge", "negedge"}
ENDS = {"end", "endcase", "endfunction", "endmodule", "endgenerate", "endpackage", "endtask"}


class Token:
    def __init__(self, found):
        self.text, self.begin, self.end = found[0], found.start(), found.end()

    def __eq__(self, other):
        return self.text == other.text


def words(text):
    """Its tokens, comments apart."""
    return [t for t in map(Token, TOKEN.finditer(text)) if not t.text.startswith(("//", "/*"))]


class Statement:
    def __init__(self, first, last, blocks):
        self.first, self.last, self.blocks = first, last, blocks   # tokens first..last - 1; headers of the blocks around it


class Source:
    """The places of a file."""

    def __init__(self, text, is_cpp):
        self.text, self.tokens, self.is_cpp = text, words(text), is_cpp
        self.statements, self.places = [], {}
        self._split()
        for statement in self.statements:
            spans = [(statement.first, statement.last), *statement.blocks]
            for name in self._made(statement.first, statement.last):
                self.places.setdefault(name, set()).update(spans)
            self._connect(statement)
        for mark in re.finditer(r"// @(\w+)[ \t]*$", text, re.M):
            line = text.rfind("\n", 0, mark.start()) + 1
            here = [(s.first, s.last) for s in self.statements
                    if self.tokens[s.first].begin < mark.start() and self.tokens[s.last - 1].end > line]
            self.places.setdefault(mark[1], set()).update(here[-1:])

    def _split(self):
        """Statements, blocks and functions."""
        stack = []          # (header or None, name or None) of the open blocks
        first, depth = 0, []
        i, n = 0, len(self.tokens)
        text = [t.text for t in self.tokens]

        def close(last):
            nonlocal first
            if last > first:
                self.statements.append(Statement(first, last, [h for h, *_ in stack if h]))
            first = last

        def opened(last, name):
            nonlocal first
            header = (first, last)
            if last > first:
                self.statements.append(Statement(first, last, [h for h, *_ in stack if h]))
            stack.append((header if self._is_condition(first, last) else None, name, first))
            first = last

        def closed(last):
            nonlocal first
            close(last)
            if stack:
                _, name, begin = stack.pop()
                if name:
                    self.places.setdefault(name, set()).add((begin, last))

        while i < n:
            t = text[i]
            if self.is_cpp and t == "{" and self._opens_block(text, i):
                depth.append("block")
                opened(i + 1, self._function(text, first, i))
            elif t in OPENS:
                depth.append(t)
            elif t in CLOSES and depth:
                if depth.pop() == "block":
                    closed(i + 1)
            elif not self.is_cpp and not depth and t == "begin":
                name = text[i + 2] if text[i + 1] == ":" else None
                opened(i + (3 if name else 1), name)
                i += 2 if name else 0
            elif not self.is_cpp and not depth and t == "function":
                while text[i] not in (";", "("):
                    i += 1
                name = text[i - 1]
                while text[i] != ";":
                    i += 1
                opened(i + 1, name)
            elif not self.is_cpp and not depth and t == "case":
                pass
            elif not self.is_cpp and not depth and t in ENDS:
                close(i)
                if t in ("end", "endfunction"):
                    closed(i + 1)
                else:
                    close(i + 1)
                if i + 1 < n and text[i + 1] == ":":
                    i += 2
                    first = i + 1
            elif t == ";" and (not depth or depth[-1] == "block"):
                close(i + 1)
            i += 1
        close(n)

    def _connect(self, statement):
        """An instance and its ports."""
        level, begin, instance = 0, None, None
        for i in range(statement.first, statement.last if not self.is_cpp else 0):
            t = self.tokens[i].text
            if t == "(" and level == 0:
                instance = self.tokens[i - 1].text
            if t == "(" and level == 1 and self.tokens[i - 2].text == ".":
                begin = i - 2
                if instance != "#":
                    self.places.setdefault(instance, set()).add((statement.first, statement.last))
            level += (t in OPENS) - (t in CLOSES)
            if begin is not None and level == 1:
                self.places.setdefault(self.tokens[begin + 1].text, set()).add((begin, i + 1))
                begin = None

    def _is_condition(self, first, last):
        return any(t.text in ("if", "for", "while", "else", "switch") for t in self.tokens[first:last][:8]) or \
            (not self.is_cpp and not any(t.text in ("always_ff", "always_comb", "module", "function", "initial") for t in self.tokens[first:last]))

    @staticmethod
    def _opens_block(text, i):
        return i > 0 and (text[i - 1] in (")", "else", "do", "const", "override", "noexcept", "final", "try", "public", "{", "}", ";")
                          or any(w in text[max(0, i - 12):i] for w in ("struct", "class", "namespace", "enum", "union"))
                          and not any(c in (";", "{", "}", "=", "return") for c in text[max(0, i - 3):i]))

    def _function(self, text, first, last):
        """The name of the C++ function whose body begins here."""
        inner = 0
        for i in range(first, last):
            if text[i] == "(" and inner == 0:
                name = text[i - 1] if i else ""
                return name if re.match(r"[A-Za-z_]", name) and name not in NO_CALL else None
            inner += (text[i] in OPENS) - (text[i] in CLOSES)
        return None

    def _made(self, first, last):
        """Names of what a statement assigns, connects or calls."""
        text = [t.text for t in self.tokens[first:last]]
        names, inner, i, instance = set(), [], 0, False
        # past `if (...)`, `for (...)`, `else`, labels of a case
        while i < len(text) and text[i] in ("if", "for", "while", "else", "switch", "case", "unique", "always_comb", "assign", "return", "constexpr"):
            i += 1
            if i < len(text) and text[i] == "(":
                level = 0
                while i < len(text):
                    level += (text[i] in OPENS) - (text[i] in CLOSES)
                    i += 1
                    if level == 0:
                        break
        begin = i
        while i < len(text):
            t = text[i]
            before, after = text[i - 1] if i > begin else "", text[i + 1] if i + 1 < len(text) else ""
            if t == "=" and after != "=" and before not in ("=", "!", ">") and (before != "<" or not self.is_cpp) and not inner:
                names.update(w for w in self._left(text[begin:i]) if not w.isdigit())
                break
            if t == "assert" and not self.is_cpp:
                names.add(t)
            if t == "(" and self.is_cpp and not inner and re.match(r"[A-Za-z_]", before) and before not in NO_CALL:
                names.update(w for w in self._left(text[begin:i]) if w not in ("read", "write"))
            if t in OPENS:
                inner.append(t)
            elif t in CLOSES and inner:
                inner.pop()
            i += 1
        return names

    @staticmethod
    def _left(text):
        """The names on the left of an assignment: of a path its members, of a concatenation its parts, without indices."""
        text = text[:]
        while text and text[-1] in "|&^+-<>*/%":
            text.pop()
        if text and text[-1] == "}":
            level, i = 0, len(text) - 1
            while i >= 0:
                level += (text[i] == "}") - (text[i] == "{")
                if level == 0:
                    break
                i -= 1
            return [w for w in text[i:] if re.match(r"[A-Za-z_]\w*$", w)]
        names, level, i, due = [], 0, len(text) - 1, True
        while i >= 0:
            t = text[i]
            if t in CLOSES:
                level += 1
            elif t in OPENS:
                level -= 1
            elif level == 0 and re.match(r"[A-Za-z_]\w*$", t) and due:
                names.append(t)
                due = False
            elif level == 0 and t == "." or level == 0 and t == ">" and i and text[i - 1] == "-":
                due = True
            elif level == 0 and not due and t not in "-":
                break
            elif level == 0 and re.match(r"\w", t):
                break
            i -= 1
        return names

    def spans(self, name):
        """Of a place: ranges of tokens, none within another."""
        spans = sorted(self.places.get(name, ()))
        return [s for s in spans if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in spans)]

    def find(self, name, old):
        """Where in the place the words stand: numbers of tokens."""
        old, found = words(old), []
        for first, last in self.spans(name):
            found += [i for i in range(first, last - len(old) + 1) if self.tokens[i:i + len(old)] == old]
        return sorted(set(found))

    def statement_of(self, name):
        """The one statement that makes it, if there is one."""
        made = [s for s in self.statements if name in self._made(s.first, s.last)]
        return made[0] if len(made) == 1 else None
