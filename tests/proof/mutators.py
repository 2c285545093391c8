"""Finds what can be changed in C++ sources: libclang gives the syntax trees of the build without CUDA.

A candidate is a dict: file, line, start and end (bytes of the original), kind ("expression" or "statement"), text (the
replacement; "" drops a statement), operator (its class, for the report). Left out is what no test can notice: constant
expressions, prefetches, reserved memory, and what runs on a CUDA device only.
"""

import os
import re

from clang import cindex
from clang.cindex import BinaryOperator as Binary
from clang.cindex import CursorKind as Kind
from clang.cindex import TypeKind

cindex.Config.set_library_file("/usr/lib/llvm-19/lib/libclang-19.so.1")

REPLACED = {
    "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["*"],
    "&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"], ">>": ["<<"],
    "+=": ["-="], "-=": ["+="], "*=": ["+="], "/=": ["*="], "|=": ["&="], "&=": ["|="], "^=": ["|="],
    "<<=": [">>="], ">>=": ["<<="],
}
CLASS = dict.fromkeys(["<", "<=", ">", ">=", "==", "!="], "relation") | dict.fromkeys(["&&", "||"], "logic")
INTEGERS = {TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG}
REALS = {TypeKind.DOUBLE, TypeKind.FLOAT}
SKIPPED = {Kind.STATIC_ASSERT, Kind.CONCEPT_DECL, Kind.ENUM_DECL, Kind.TYPE_ALIAS_DECL, Kind.TYPEDEF_DECL,
           Kind.TYPE_ALIAS_TEMPLATE_DECL, Kind.TEMPLATE_NON_TYPE_PARAMETER, Kind.TEMPLATE_TYPE_PARAMETER,
           Kind.USING_DECLARATION, Kind.USING_DIRECTIVE, Kind.CXX_UNARY_EXPR}
DECLARATIONS = {Kind.VAR_DECL, Kind.FIELD_DECL, Kind.PARM_DECL}
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.FUNCTION_TEMPLATE,
             Kind.CONVERSION_FUNCTION}
UNNOTICED = {"__builtin_prefetch", "reserve", "shrink_to_fit"}
NAMES = {Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR, Kind.TYPE_REF, Kind.TEMPLATE_REF, Kind.OVERLOADED_DECL_REF}


def can_matter(mutant):
    """Not: cancellation polled less often, the two arguments of a minimum or a swap swapped, other instructions of the processor."""
    if mutant["operator"] == "dropped":
        return not re.fullmatch(r"(\w+->)?(poll\w*|throw_if_cancelled)\(.*\);", mutant["from"])
    if mutant["operator"] == "arguments":
        return not re.match(r"(std::)?(min|max|minmax|swap|hypot|dot)\b(<\w+>)?\(", mutant["from"])
    return "__builtin_cpu_supports" not in mutant["from"] and not (mutant["operator"] == "returned" and mutant["from"] == "0")


class Finder:
    def __init__(self, root, wanted):
        self.root, self.wanted = root, wanted  # absolute names
        self.texts, self.found = {}, {}  # by file; by place and change

    def parse(self, source):
        options = ["-x", "c++", "-std=c++20", "-I" + self.root + "/include", "-I" + self.root + "/core", "-w",
                   "-resource-dir", "/usr/lib/llvm-19/lib/clang/19"]
        unit = cindex.Index.create().parse(source, args=options)
        errors = [str(d) for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if errors:
            raise SystemExit("\n".join(errors[:3]))
        self.unseen = {f for f in self.wanted if f not in self.texts}  # a header counts once
        for cursor in unit.cursor.get_children():
            file = cursor.location.file
            if file and file.name in self.unseen:
                self.text = self.texts.setdefault(file.name, open(file.name, "rb").read())
                self.file = file.name
                self.visit(cursor, None)

    def piece(self, a, b):
        return self.text[a:b].decode()

    def add(self, start, end, text, kind, operator):
        if "//" in text or "#" in text or "/*" in text or end <= start:
            return
        original = self.piece(start, end)
        text = " ".join(text.split())
        if "//" in original and kind == "expression":
            return
        line = self.text.count(b"\n", 0, start) + 1
        key = (self.file, start, end, text)
        self.found[key] = {"file": os.path.relpath(self.file, self.root), "line": line, "start": start, "end": end,
                           "kind": kind, "operator": operator, "from": " ".join(original.split()), "text": text}

    def visit(self, cursor, parent):
        kind = cursor.kind
        if kind in SKIPPED or kind.is_expression() and cursor.spelling in UNNOTICED:
            return
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        children = list(cursor.get_children())
        if kind in DECLARATIONS:
            head = self.piece(start, cursor.location.offset)
            if "constexpr" in head or "constinit" in head or not children:
                return
            last = children[-1]
            if last.kind.is_expression() and last.extent.start.offset > cursor.location.offset and self.piece(
                    cursor.location.offset, last.extent.start.offset).count("[") == 0:
                self.visit(last, cursor)
            return
        if kind in FUNCTIONS and cursor.spelling.startswith("prefetch"):
            return
        if kind in FUNCTIONS:
            for child in children:
                if child.kind == Kind.COMPOUND_STMT or child.kind == Kind.PARM_DECL or (
                        kind == Kind.CONSTRUCTOR and child.kind.is_expression()):
                    self.visit(child, cursor)
            return
        if kind == Kind.CASE_STMT:
            self.visit(children[-1], cursor)
            return
        if kind == Kind.IF_STMT and re.match(r"if\s+constexpr", self.piece(start, start + 20)):
            for child in children[1:]:
                self.visit(child, cursor)
            return
        if kind in (Kind.IF_STMT, Kind.CONDITIONAL_OPERATOR) and len(children) > 1 and re.fullmatch(
                r"\w+(\(\))?(\.|->)on_cuda\(\)", self.piece(children[0].extent.start.offset, children[0].extent.end.offset)):
            for child in children[2:]:
                self.visit(child, cursor)
            return
        if kind == Kind.LAMBDA_EXPR:
            for child in children:
                if child.kind in (Kind.COMPOUND_STMT, Kind.PARM_DECL):
                    self.visit(child, cursor)
            return
        self.change(cursor, kind, parent, start, end, children)
        for child in children:
            self.visit(child, cursor)

    def change(self, cursor, kind, parent, start, end, children):
        if kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            left, right = children[0].extent, children[1].extent
            between = self.piece(left.end.offset, right.start.offset)
            operator = between.strip()
            if left.start.offset == start and right.end.offset == end:
                for other in REPLACED.get(operator, []):
                    self.add(start, end, self.piece(start, left.end.offset) + " " + other + " " +
                             self.piece(right.start.offset, end), "expression", CLASS.get(operator, "arithmetic"))
        elif kind == Kind.UNARY_OPERATOR and len(children) == 1:
            inner = self.piece(children[0].extent.start.offset, children[0].extent.end.offset)
            whole = self.piece(start, end)
            if whole == "++" + inner:
                self.add(start, end, "--" + inner, "expression", "arithmetic")
            elif whole == "--" + inner:
                self.add(start, end, "++" + inner, "expression", "arithmetic")
            elif whole in ("-" + inner, "~" + inner, "!" + inner):
                if whole[0] != "!" or cursor.type.kind == TypeKind.BOOL:
                    self.add(start, end, ("!!(%s)" if whole[0] == "!" else "+(%s)") % inner, "expression",
                             "logic" if whole[0] == "!" else "arithmetic")
        elif kind == Kind.INTEGER_LITERAL:
            match = re.fullmatch(r"(\d+)([uUlL]*)", self.piece(start, end))
            if match and parent and parent.kind not in NAMES and parent.kind != Kind.INIT_LIST_EXPR and not (
                    self.text[end:end + 1] == b">" or self.text[start - 1:start] == b"<"):
                value, suffix = int(match[1]), match[2]
                self.add(start, end, str(value + 1) + suffix, "expression", "constant")
                if value > 0:
                    self.add(start, end, str(value - 1) + suffix, "expression", "constant")
        elif kind == Kind.CXX_BOOL_LITERAL_EXPR and parent and parent.kind not in NAMES:
            whole = self.piece(start, end)
            if whole in ("true", "false"):
                self.add(start, end, "false" if whole == "true" else "true", "expression", "constant")
        elif kind == Kind.RETURN_STMT and children:
            inner = children[0]
            kinds, at, to = inner.type.get_canonical().kind, inner.extent.start.offset, inner.extent.end.offset
            if self.piece(start, at).strip() == "return" and inner.kind != Kind.INTEGER_LITERAL:
                if kinds == TypeKind.BOOL and inner.kind != Kind.CXX_BOOL_LITERAL_EXPR:
                    self.add(at, to, "true", "expression", "returned")
                    self.add(at, to, "false", "expression", "returned")
                elif kinds in INTEGERS | REALS:
                    name = inner.type.get_canonical().spelling.replace("const ", "")
                    self.add(at, to, "static_cast<%s>(0)" % name, "expression", "returned")
        elif kind in (Kind.IF_STMT, Kind.WHILE_STMT, Kind.CONDITIONAL_OPERATOR) and children:
            test = children[0]
            if test.kind.is_expression() and test.type.get_canonical().kind in INTEGERS | {TypeKind.BOOL}:
                a, b = test.extent.start.offset, test.extent.end.offset
                if b > a and (kind == Kind.CONDITIONAL_OPERATOR or self.piece(start, a).endswith("(")):
                    self.add(a, b, "!(%s)" % self.piece(a, b), "expression", "condition")
        elif kind == Kind.CALL_EXPR:
            self.swap(cursor, start, end)
        if parent and parent.kind == Kind.COMPOUND_STMT or parent and parent.kind in (
                Kind.IF_STMT, Kind.FOR_STMT, Kind.WHILE_STMT, Kind.CXX_FOR_RANGE_STMT) and kind in (
                    Kind.CONTINUE_STMT, Kind.BREAK_STMT):
            operator = kind == Kind.BINARY_OPERATOR and cursor.binary_operator == Binary.Assign
            if kind in (Kind.CALL_EXPR, Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.CONTINUE_STMT,
                        Kind.BREAK_STMT) or operator:
                if self.text[end:end + 1] == b";":
                    self.add(start, end + 1, "", "statement", "dropped")

    def swap(self, cursor, start, end):
        arguments = list(cursor.get_arguments())
        for a, b in zip(arguments, arguments[1:]):
            if not a or not b or a.type.get_canonical().spelling != b.type.get_canonical().spelling:
                continue
            spans = [a.extent.start.offset, a.extent.end.offset, b.extent.start.offset, b.extent.end.offset]
            first, second = self.piece(*spans[:2]), self.piece(*spans[2:])
            if first != second and start < spans[0] < spans[1] < spans[2] < spans[3] <= end and re.fullmatch(
                    r"\s*,\s*", self.piece(spans[1], spans[2])):
                self.add(start, end, self.piece(start, spans[0]) + second + ", " + first + self.piece(spans[3], end),
                         "expression", "arguments")


def find(root, sources, wanted):
    """The candidates in the files `wanted` that these sources see."""
    finder = Finder(root, {os.path.join(root, f) for f in wanted})
    for source in sources:
        finder.parse(os.path.join(root, source))
    return list(finder.found.values())


def mutated(text, mutants):
    """The bytes of a file with these mutants, each with its number `id`, behind their switches."""
    spans = {}
    for mutant in mutants:
        spans.setdefault((mutant["start"], -mutant["end"], mutant["kind"] == "expression"), []).append(mutant)
    order = sorted(spans)

    def render(start, end, k):
        """Bytes start to end, with the spans from number k on that lie inside; and the number of the next."""
        parts, at = [], start
        while k < len(order) and order[k][0] < end:
            a, b, group = order[k][0], -order[k][1], spans[order[k]]
            inner, k = render(a, b, k + 1)
            parts.append(text[at:a])
            if group[0]["kind"] == "statement":
                parts.append(b"{ if (!flipscope_mutates(%d)) { " % group[0]["id"] + inner + b" } }")
            else:
                head = b"".join(b"flipscope_mutates(%d) ? (%s) : " % (m["id"], m["text"].encode()) for m in group)
                parts.append(b"(" + head + b"(" + inner + b"))")
            at = b
        parts.append(text[at:end])
        return b"".join(parts), k

    return render(0, len(text), 0)[0]
