# Reads a PDF as this house writes it, for tests of what stands on paper: texts, their ink, lines,
# frames and dark squares.
import re

SUITS = {0xA8: "♣", 0xA9: "♦", 0xAA: "♥", 0xAB: "♠"}


class Pdf:
    """A PDF as this house writes it: its cross-references, pages, texts and dark squares."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        assert data.startswith(b"%PDF-1.4\n") and data.endswith(b"%%EOF\n"), path
        at = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", data)[1])
        table = re.match(rb"xref\n0 (\d+)\n((?:\d{10} \d{5} [nf] \n)+)trailer\n", data[at:])
        offsets = [int(line.split()[0]) for line in table[2].splitlines()]
        assert len(offsets) == int(table[1]) and f"/Size {table[1].decode()} ".encode() in data
        for number, offset in enumerate(offsets[1:], 1):
            assert data[offset:].startswith(f"{number} 0 obj\n".encode()), (number, offset)
        self.language = re.search(rb"/Lang \((\w+)\)", data)[1].decode()
        streams = re.findall(rb"<< /Length (\d+) >>\nstream\n(.*?)endstream", data, re.S)
        assert all(int(length) == len(stream) for length, stream in streams), path
        assert f"/Count {len(streams)} ".encode() in data
        self.pages = [stream.decode("ascii") for _, stream in streams]
        self.runs = [run for page in self.pages for run in self.texts(page)]
        self.text = " ".join(text for _, text in self.runs)
        self.squares = [tuple(map(float, found)) for page in self.pages for found in
                        re.findall(r"0 0 0 rg (\S+) (\S+) (\S+) (\S+) re f", page)]
        for page in self.pages:
            for x, y in re.findall(r"Tf (\S+) (\S+) Td", page):
                assert 0 < float(x) < 575 and 15 < float(y) < 842, ("outside the page", x, y)

    @staticmethod
    def texts(page):
        """Each run of letters with its ink, in the order in which it is drawn."""
        for ink, font, raw in re.findall(r"BT (\S+ \S+ \S+) rg /(\w+) \S+ Tf \S+ \S+ Td "
                                         r"\(((?:[^()\\]|\\.)*)\) Tj ET", page):
            raw = re.sub(r"\\(\d{3}|.)", lambda one: chr(int(one[1], 8)) if one[1].isdigit()
                         else one[1], raw)
            if font == "Suits":
                yield ink, "".join(SUITS[ord(one)] for one in raw)
            else:
                yield ink, raw.encode("latin-1").decode("cp1252")

    @staticmethod
    def is_red(ink):
        red, green, blue = map(float, ink.split())
        return red > 0.5 and green < 0.3 and blue < 0.3

    def red(self):
        """All letters in red, without spaces: a line may end between any two words."""
        return squeezed("".join(text for ink, text in self.runs if self.is_red(ink)))

    def red_frames(self):
        return sum(self.is_red(ink) for page in self.pages for ink in
                   re.findall(r"(\S+ \S+ \S+) RG \S+ w \S+ \S+ \S+ \S+ re S", page))

    def red_lines(self):
        return sum(self.is_red(ink) for page in self.pages for ink in
                   re.findall(r"(\S+ \S+ \S+) RG \S+ w \S+ \S+ m \S+ \S+ l S", page))

    def squeezed(self):
        """Without spaces: a line may end between any two words."""
        return "".join(self.text.split())


def squeezed(text):
    return "".join(text.split())
