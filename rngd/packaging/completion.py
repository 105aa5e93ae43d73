"""Completion for bash, zsh and fish from a command tree (helptext). One walk for all: words to the
left give the command."""


def flat(root):
    """Path, commands, options with and without a value, choices by option: the options of all
    commands above count too."""
    table = []
    above = {(): root}
    for command in root.every():
        path = tuple(command.path)
        above[path] = command
        options = [item for depth in range(len(path) + 1) for item in above[path[:depth]].options]
        table.append((" ".join(path), command, options))
    return table


def quoted(words):
    return "'" + " ".join(words).replace("'", "'\\''") + "'"


def names(options):
    return sorted({name for item in options for name in item.names})


def cases(root):
    """The shell cases that bash and zsh share: by command its words, by command and option what its
    value may be."""
    words, options, values = [], [], []
    for path, command, all_options in flat(root):
        words.append(f"    '{path}') "
                     f"words={quoted([child.path[-1] for child in command.commands])} ;;")
        options.append(f"    '{path}') options={quoted(names(all_options))} ;;")
        for item in all_options:
            if item.type:
                pattern = "|".join(f"'{path} {name}'" for name in item.names)
                values.append(f"    {pattern}) value=1 choices={quoted(item.choices)} ;;")
    return "\n".join(words), "\n".join(options), "\n".join(values)


WALK = """\
# What the command PATH may be followed by: words, options.
{f}_words() {{
  words=''
  case "$1" in
{words}
  esac
}}
{f}_options() {{
  options=''
  case "$1" in
{options}
  esac
}}
# Whether the option $2 of the command $1 takes a value, and which ones.
{f}_value() {{
  value='' choices=''
  case "$1 $2" in
{values}
  esac
}}
# Reads all words before the last: `path` is the command, `last` an option that waits for its value.
{f}_walk() {{
  local word
  path='' last=''
  for word in "$@"; do
    if [ -n "$last" ]; then last=''; continue; fi
    {f}_value "$path" "$word"
    if [ -n "$value" ]; then last="$word"; continue; fi
    {f}_words "$path"
    case " $words " in *" $word "*) path="${{path:+$path }}$word" ;; esac
  done
}}
"""


def walk(program, root):
    words, options, values = cases(root)
    return WALK.format(f="_" + program.replace("-", "_"), words=words, options=options,
                       values=values)


def bash(program, root):
    f = "_" + program.replace("-", "_")
    return f"""# bash completion for {program}, made from its own --help.
{walk(program, root)}
{f}() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" path last words options value choices
  {f}_walk "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"
  COMPREPLY=()
  if [ -n "$last" ]; then
    {f}_value "$path" "$last"
    [ -z "$choices" ] || mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$cur")
  elif [ "${{cur:0:1}}" = - ]; then
    {f}_options "$path"
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
  else
    {f}_words "$path"
    [ -z "$words" ] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  fi
}}
complete -o default -F {f} {program}
"""


def zsh(program, root):
    f = "_" + program.replace("-", "_")
    # `path` and `words` are zsh's own: other names there.
    body = walk(program, root).replace("path", "at").replace("words", "below")
    return f"""#compdef {program}
# zsh completion for {program}, made from its own --help.
{body}
{f}() {{
  local at last below options value choices
  {f}_walk "${{(@)words[2,CURRENT-1]}}"
  if [[ -n "$last" ]]; then
    {f}_value "$at" "$last"
    if [[ -n "$choices" ]]; then compadd -- ${{=choices}}; else _files; fi
  elif [[ "$PREFIX" == -* ]]; then
    {f}_options "$at"
    compadd -- ${{=options}}
  else
    {f}_below "$at"
    if [[ -n "$below" ]]; then compadd -- ${{=below}}; else _files; fi
  fi
}}
{f} "$@"
"""


def fish_text(text):
    return "'" + text.splitlines()[0].replace("\\",
                                              "\\\\").replace("'", "\\'") + "'" if text else "''"


def fish(program, root):
    f = "__" + program.replace("-", "_") + "_at"
    lines = [f"# fish completion for {program}, made from its own --help.",
             "# The command on the line is exactly the given one: words that are no commands or "
             "options are passed over.",
             f"function {f}",
             "  set -l tokens (commandline -opc)", "  set -e tokens[1]", "  set -l at",
             "  for token in $tokens", "    contains -- \"$at $token\" " +
             " ".join(f"' {child.path[-1]}'" if not command.path
                      else f"'{' '.join(command.path)} {child.path[-1]}'"
                      for command in root.every() for child in command.commands) +
             "; and set at (string trim -- \"$at $token\")",
             "  end", "  test \"$at\" = \"$argv\"", "end",
             f"complete -c {program} -e"]
    for path, command, options in flat(root):
        at = f"-n \"{f} {path}\""
        for child in command.commands:
            lines.append(f"complete -c {program} {at} -f -a {child.path[-1]} -d "
                         f"{fish_text(child.summary)}")
        for item in options:
            parts = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                     for name in item.names]
            if item.type:
                parts.append("-x -a " + quoted(item.choices) if item.choices else "-r")
            lines.append(f"complete -c {program} {at} {' '.join(parts)} -d {fish_text(item.words)}")
    return "\n".join(lines) + "\n"


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}
