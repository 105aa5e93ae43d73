"""Finds the places of a C++ source where a small change may be made, and writes the source in which
each of them asks whether it is the mutant of this run (mutant.hpp).

Places are found in clang's tree, never in text: `<` of a template is none. Left out are constants
that the compiler computes, operators of classes and of dependent types, what a macro writes, and
`reserve`, which changes nothing but speed.
"""
import dataclasses
import re

import clang.cindex as cindex
from clang.cindex import BinaryOperator as Op
from clang.cindex import CursorKind as Kind
from clang.cindex import TypeKind

FUNCTIONS = {  # operator: function of mutant.hpp, what stands there in the mutant
    Op.LT: ("<", "less", "<="), Op.LE: ("<=", "less_equal", "<"), Op.GT: (">", "greater", ">="),
    Op.GE: (">=", "greater_equal", ">"), Op.Add: ("+", "plus", "-"), Op.Sub: ("-", "minus", "+"),
    Op.Mul: ("*", "times", "+"), Op.Div: ("/", "over", "*"), Op.Rem: ("%", "modulo", "/"),
    Op.And: ("&", "both_bits", "|"), Op.Or: ("|", "any_bit", "&"), Op.Xor: ("^", "other_bits", "|"),
    Op.Shl: ("<<", "shift_left", ">>"), Op.Shr: (">>", "shift_right", "<<")}
EQUALITY = {Op.EQ: ("==", "!="), Op.NE: ("!=", "==")}
LOGICAL = {Op.LAnd: ("&&", "true"), Op.LOr: ("||", "false")}
NUMBERS = {TypeKind.BOOL, TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT,
           TypeKind.ULONG, TypeKind.ULONGLONG, TypeKind.UINT128, TypeKind.CHAR_S, TypeKind.SCHAR,
           TypeKind.SHORT, TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG, TypeKind.INT128,
           TypeKind.DOUBLE, TypeKind.FLOAT, TypeKind.ENUM}
CONSTANT = {Kind.STATIC_ASSERT, Kind.ENUM_CONSTANT_DECL, Kind.TEMPLATE_NON_TYPE_PARAMETER,
            Kind.CONCEPT_DECL, Kind.REQUIRES_EXPR, Kind.CXX_UNARY_EXPR}
STATUS = re.compile(r"^[ \t]*(TALLA_TRY_STATUS\()", re.MULTILINE)


@dataclasses.dataclass
class Place:
    """A place that can be changed: where, and what becomes of what."""
    path: str
    line: int
    text: str     # the line as it is written
    change: str   # "< becomes <=", the same words for the same change
    number: int = -1  # of those that ask; none: it is as it was written

    def name(self):
        return f"{self.path}: {self.text.strip()}: {self.change}"


@dataclasses.dataclass
class Edit:
    """Text that comes in at an offset, and how many bytes go there; in order of the first three."""
    offset: int
    order: int
    depth: int
    text: str
    gone: int
    place: Place


class Source:
    """One source, its places and the edits that make them ask."""

    def __init__(self, path, shown, arguments):
        self.shown = shown
        self.raw = path.read_bytes()
        unit = cindex.Index.create().parse(
            str(path), args=arguments,
            options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        wrong = [one.spelling for one in unit.diagnostics if one.severity >= 3]
        if wrong:
            raise ValueError(f"{shown}: {wrong[0]}")
        self.places, self.edits = [], []
        self.depth = 0
        self.macros = sorted(
            (one.extent.start.offset, one.extent.end.offset) for one in unit.cursor.get_children()
            if one.kind == Kind.MACRO_INSTANTIATION and self.is_here(one, path))
        for one in unit.cursor.get_children():
            if self.is_here(one, path) and one.kind not in (
                    Kind.MACRO_INSTANTIATION, Kind.MACRO_DEFINITION, Kind.INCLUSION_DIRECTIVE):
                self.visit(one, None)
        self.checks_that_go()

    @staticmethod
    def is_here(cursor, path):
        file = cursor.location.file
        return file is not None and file.name == str(path)

    def in_macro(self, start, end):
        return any(begin < end and start < stop for begin, stop in self.macros)

    def text(self, start, end):
        return self.raw[start:end].decode()

    def place(self, offset, change):
        """A new place there."""
        begin = self.raw.rfind(b"\n", 0, offset) + 1
        end = self.raw.find(b"\n", offset)
        made = Place(self.shown, self.raw.count(b"\n", 0, offset) + 1,
                     self.raw[begin:end].decode(), change)
        alike = sum(one.text == made.text and one.change.split(" (no. ")[0] == change
                    for one in self.places)
        if alike:
            made.change += f" (no. {alike + 1})"
        self.places.append(made)
        return made

    def around(self, place, start, end, before, after):
        """Text round a part; what is deeper in the tree stands inside. ON is the question whether
        the place is this run's mutant, NUMBER its number."""
        self.edits.append(Edit(start, 1, self.depth, before, 0, place))
        self.edits.append(Edit(end, 0, -self.depth, after, 0, place))

    def visit(self, cursor, parent):
        if cursor.kind in CONSTANT or self.is_constant(cursor) or cursor.spelling == "reserve":
            return
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        children = list(cursor.get_children())
        if not any(begin <= start < stop for begin, stop in self.macros):
            self.change(cursor, parent, children, start, end)
        if cursor.kind == Kind.CASE_STMT:
            children = children[1:]
        elif cursor.kind in (Kind.VAR_DECL, Kind.FIELD_DECL, Kind.PARM_DECL):
            # What stands before the name belongs to the type.
            named = cursor.location.offset
            children = [one for one in children if one.extent.start.offset > named]
        self.depth += 1
        for child in children:
            self.visit(child, cursor)
        self.depth -= 1

    @staticmethod
    def is_constant(cursor):
        if cursor.kind not in (Kind.VAR_DECL, Kind.FIELD_DECL):
            return False
        if cursor.kind == Kind.FIELD_DECL:
            return cursor.is_bitfield()
        # Of an array the bound is a child like the values.
        return (any(token.spelling == "constexpr" for token in
                    first_of(cursor.get_tokens(), 8)) or
                cursor.type.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY))

    def change(self, cursor, parent, children, start, end):
        kind = cursor.kind
        if kind == Kind.BINARY_OPERATOR and len(children) == 2:
            self.binary(cursor, children, start, end)
        elif kind == Kind.UNARY_OPERATOR and re.match(rb"!(?!=)", self.raw[start:end]):
            self.around(self.place(start, "! goes"), start, end, "(", " != ON)")
        elif kind == Kind.INTEGER_LITERAL and not self.in_macro(start, end):
            place = self.place(start, f"{self.text(start, end)} becomes one more")
            self.around(place, start, end, "(", " + ON)")
        elif kind == Kind.IF_STMT and children and self.is_plain_condition(children[0]):
            first = children[0].extent.start.offset, children[0].extent.end.offset
            if not self.in_macro(*first):
                self.around(self.place(first[0], "the condition is turned"), *first, "bool(",
                            ") != ON")
        if parent is not None and parent.kind == Kind.COMPOUND_STMT and self.is_action(cursor):
            if not self.in_macro(start, end):
                self.around(self.place(start, "the statement goes"), start, end, "if (!ON) ", "")

    def binary(self, cursor, children, start, end):
        operator = cursor.binary_operator
        left, right = children[0].extent, children[1].extent
        between = self.text(left.end.offset, right.start.offset)
        if operator in LOGICAL:
            sign, neutral = LOGICAL[operator]
            if sign not in between:
                return
            join, turn = ("||", "") if sign == "&&" else ("&&", "!")
            for side in (left, right):
                said = " ".join(self.text(side.start.offset, side.end.offset).split())
                place = self.place(side.start.offset, f"{said} is {neutral}")
                self.around(place, side.start.offset, side.end.offset, f"({turn}ON {join} bool(",
                            "))")
            return
        if any(one.type.get_canonical().kind not in NUMBERS for one in children):
            return
        if operator in EQUALITY and EQUALITY[operator][0] in between:
            sign, other = EQUALITY[operator]
            self.around(self.place(left.end.offset, f"{sign} becomes {other}"), start, end, "((",
                        ") != ON)")
        elif operator in FUNCTIONS:
            sign, function, other = FUNCTIONS[operator]
            if between.strip() != sign:
                return
            place = self.place(left.end.offset, f"{sign} becomes {other}")
            self.around(place, start, end, f"::talla::mutate::{function}(NUMBER, ", ")")
            lines = "\n" * between.count("\n")
            self.edits.append(Edit(left.end.offset, 2, 0, f", {lines}", len(between.encode()),
                                   place))

    @staticmethod
    def is_plain_condition(cursor):
        """A condition that nothing else here changes."""
        return cursor.kind.is_expression() and cursor.kind not in (
            Kind.BINARY_OPERATOR, Kind.UNARY_OPERATOR, Kind.CXX_BOOL_LITERAL_EXPR,
            Kind.INTEGER_LITERAL)

    @staticmethod
    def is_action(cursor):
        if cursor.kind in (Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.CALL_EXPR):
            return True
        if cursor.kind == Kind.UNEXPOSED_EXPR:
            inner = list(cursor.get_children())
            return len(inner) == 1 and Source.is_action(inner[0])
        return cursor.kind == Kind.BINARY_OPERATOR and cursor.binary_operator == Op.Assign

    def checks_that_go(self):
        """TALLA_TRY_STATUS(...): a check that goes with what it returns."""
        text = self.raw.decode()
        for found in STATUS.finditer(text):
            at, open_brackets = found.end(), 1
            while open_brackets:
                open_brackets += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
            if text[at:at + 1] != ";" or '"' in text[found.end():at]:
                continue
            start = len(text[:found.start(1)].encode())
            end = len(text[:at + 1].encode())
            self.around(self.place(start, "the check goes"), start, end, "if (!ON) { ", " }")

    def written(self):
        """The source in which the places that have a number ask; the others are as they were."""
        out, at = [], 0
        for one in sorted(self.edits, key=lambda one: (one.offset, one.order, one.depth)):
            if one.place.number < 0:
                continue
            number = str(one.place.number)
            out.append(self.raw[at:one.offset].decode())
            out.append(one.text.replace("ON", f"::talla::mutate::on({number})")
                       if "NUMBER" not in one.text else one.text.replace("NUMBER", number))
            at = one.offset + one.gone
        out.append(self.raw[at:].decode())
        return "".join(out)


def first_of(iterator, count):
    return [one for _, one in zip(range(count), iterator)]
