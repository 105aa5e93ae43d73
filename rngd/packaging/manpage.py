"""Manual pages (man(7)) from command trees (helptext), words of packaging/man, and the example
configuration."""
import re


def roff(text):
    """Text that troff prints as it is."""
    text = text.replace("\\", "\\e").replace("-",
                                             "\\-").replace("'", "\\(aq").replace(
                                                 "`", "\\(ga").replace("^", "\\(ha")
    text = text.replace("~", "\\(ti").replace("\"", "\\(dq")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.splitlines())


def heading(name, section, version, date):
    return f'.TH {name.upper()} {section} "{date}" "Talla {version}" "Talla"\n'


def item_text(item):
    shape = f"\\fI{roff(item.type)}\\fR" + (" ..." if item.many else "") if item.type else ""
    label = ", ".join(f"\\fB{roff(name)}\\fR" for name in item.names)
    if not item.names[0].startswith("-"):
        label = f"\\fI{roff(item.names[0])}\\fR" + (" ..." if item.many else "")
        shape = ""
    facts = []
    if item.choices:
        facts.append("one of " + ", ".join(item.choices))
    if item.range:
        low, _, high = item.range.strip("[]").partition(" - ")
        facts.append(f"from {low} to {high}" if high else low)
    if item.default:
        facts.append(f"default {item.default}")
    if item.required:
        facts.append("required")
    facts += [f"with {' '.join(item.needs)}"] if item.needs else []
    facts += [f"not with {' '.join(item.excludes)}"] if item.excludes else []
    facts += [f"environment: {item.env}"] if item.env else []
    words = item.words + (f" ({'; '.join(facts)})" if facts else "")
    return f".TP\n{label}{' ' + shape if shape else ''}\n{roff(words) or 'no words'}\n"


def usage(program, command):
    parts = [f"\\fB{roff(' '.join([program, *command.path]))}\\fR"]
    for item in command.options:
        if item.required:
            parts.append(f"\\fB{roff(item.names[0])}\\fR \\fI{item.type}\\fR")
    parts.append("[\\fIoptions\\fR]")
    if command.commands:
        parts.append("\\fIcommand\\fR ...")
    for item in command.positionals:
        shape = f"\\fI{roff(item.names[0])}\\fR" + (" ..." if item.many else "")
        parts.append(shape if item.required else f"[{shape}]")
    return " ".join(parts) + "\n"


def block(text):
    """Paragraphs; lines that begin with two spaces stand as they are."""
    out = ""
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        lines = paragraph.splitlines()
        if all(line.startswith("  ") for line in lines):
            out += ".PP\n.nf\n.RS 4\n" + "\n".join(roff(line.strip())
                                                   for line in lines) + "\n.RE\n.fi\n"
        else:
            out += ".PP\n" + "\n".join(roff(line.strip()) for line in lines) + "\n"
    return out


def words_of(text):
    """packaging/man/NAME.txt: `NAME`-like headings in capitals, paragraphs under them."""
    found, name = {}, None
    for line in text.splitlines():
        if re.fullmatch(r"[A-Z][A-Z ]+", line):
            name = line
            found[name] = ""
        elif name:
            found[name] += line + "\n"
    return found


def program_page(program, section, root, words, version, date):
    page = heading(program, section, version, date)
    page += f".SH NAME\n{roff(program)} \\- {roff(words['NAME'].strip())}\n.SH SYNOPSIS\n"
    page += usage(program, root)
    page += ".SH DESCRIPTION\n" + block(words["DESCRIPTION"])
    page += ".SH OPTIONS\n" + "".join(item_text(item) for item in root.positionals + root.options)
    if root.commands:
        page += ".SH COMMANDS\n"
    for command in root.every():
        does_something = any(item.names != ["-h", "--help"] for item in command.options)
        if not command.path or (command.commands and not does_something):
            continue
        page += f".SS {roff(' '.join(command.path))}\n{usage(program, command)}"
        page += ".PP\n" + roff(command.summary) + "\n"
        page += "".join(item_text(item) for item in command.positionals + command.options
                        if item.names != ["-h", "--help"])
        if command.footer and command.footer != root.footer:
            page += ".PP\n.nf\n" + roff(command.footer) + "\n.fi\n"
    if root.footer:
        page += ".SH EXIT STATUS\n" + block(root.footer)
    for name, text in words.items():
        if name not in ("NAME", "DESCRIPTION"):
            page += f".SH {name}\n" + block(text)
    return page


def configuration_page(example, words, version, date):
    """rngd.toml(5) from the example: a comment belongs to the setting below it."""
    page = heading("rngd.toml", 5, version, date)
    page += f".SH NAME\nrngd.toml \\- {roff(words['NAME'].strip())}\n"
    page += ".SH DESCRIPTION\n" + block(words["DESCRIPTION"]) + ".SH SETTINGS\n"
    comment = []
    for line in example.splitlines():
        section = re.fullmatch(r"#?(\[+[a-z_.]+\]+)", line)
        setting = re.fullmatch(r"(#?)([a-z_]+) = (.*)", line)
        if section:
            page += f".SS {roff(section[1])}\n" + (".PP\n" + roff(" ".join(comment)) + "\n"
                                                   if comment else "")
        elif setting:
            off = ", off in the example" if setting[1] else ""
            page += f".TP\n\\fB{setting[2]}\\fR = {roff(setting[3])}{off}\n"
            page += f"{roff(' '.join(comment))}\n"
        elif line.startswith("# "):
            comment.append(line[2:])
            continue
        comment = []
    for name, text in words.items():
        if name not in ("NAME", "DESCRIPTION"):
            page += f".SH {name}\n" + block(text)
    return page
