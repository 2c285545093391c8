#!/usr/bin/env python3
"""Checks the manual (README.md and docs/) against the repository and the program.

Without --flipscope it checks links, pictures, names of files and of code, and the code of docs/library.md. With it,
tables that the program can make are compared with what it says, and every command line that is shown is run.

    tests/docs/check_docs.py                                          links, pictures, names
    tests/docs/check_docs.py --flipscope build/app/flipscope          the same, tables and commands
    tests/docs/check_docs.py --flipscope build/app/flipscope --write  updates the tables

Command lines stand in blocks fenced with ```console or ```bash. A line that begins with `flipscope` or
`build/app/flipscope`, with or without `$ ` before it, is run in a temporary folder with a copy of assets/; lines of
one file share the folder. The words after `console` say what else is to be known:

    ```console                      every line must end with status 0
    ```console status=1             … with this status
    ```console no-run: a reason     not run (a window, a GPU, minutes); options and parameters are still looked up

Tables that the program can make stand between `<!-- made from: WHAT -->` and `<!-- end -->`; see TABLES below.

Exit status: 0; 1 for complaints, one a line; 2 for wrong use.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

COMMAND_SECONDS = 60

FENCE = re.compile(r"^ {0,3}(```+|~~~+)\s*(.*)$")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
IMAGE = re.compile(r"!\[[^\]]*\]\(|<img\b[^>]*>")
HTML_LINK = re.compile(r"<(?:a|img)\b[^>]*?\b(?:href|src)=\"([^\"]*)\"")
SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:")
CODE_SPAN = re.compile(r"(`+)(.+?)\1", re.DOTALL)
BEGIN = re.compile(r"^<!-- made from: (.+?) -->$")
END = "<!-- end -->"
FOLDERS = ("app", "assets", "bench", "cmake", "core", "docs", "scripts", "shaders", "tests")

class Document:
    """A Markdown file: its text without code, its blocks of code, and the anchors that its headings make."""

    def __init__(self, root, path, text=None):
        self.path = path
        self.name = path.relative_to(root).as_posix()
        self.text = path.read_text(encoding="utf-8") if text is None else text
        self.lines = self.text.split("\n")
        self.blocks = []  # (line of the fence, info, lines)
        prose, made = [], False  # `made`: between marks, what the program says
        fence = None
        self.own = []  # as prose, without what is made
        for number, line in enumerate(self.lines, 1):
            match = FENCE.match(line)
            if fence is None and match:
                fence = match.group(1)
                self.blocks.append((number, match.group(2).strip(), []))
                prose.append("")
            elif fence is not None:
                if match and match.group(1).startswith(fence) and not match.group(2):
                    fence = None
                else:
                    self.blocks[-1][2].append(line)
                prose.append("")
            else:
                prose.append(line)
            if BEGIN.match(line):
                made = True
            self.own.append("" if made else prose[-1])
            if line == END:
                made = False
        self.open_fence = fence is not None
        self.prose = "\n".join(prose)
        self.without_spans = CODE_SPAN.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), self.prose)
        self.anchors = set()
        for line in prose:
            match = re.match(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$", line)
            if match:
                self.anchors.add(anchor_of(match.group(1)))

    def line_of(self, position):
        return self.prose.count("\n", 0, position) + 1

    def links(self):
        """(line, target) of every link and picture."""
        for pattern in (LINK, HTML_LINK):
            for match in pattern.finditer(self.without_spans):
                yield self.line_of(match.start()), match.group(1)

    def spans(self):
        for match in CODE_SPAN.finditer("\n".join(self.own)):
            yield self.line_of(match.start()), match.group(2)


def anchor_of(heading):
    """As GitHub makes it: without marks, in lower case, blanks become hyphens."""
    heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    heading = re.sub(r"[`*]", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def documents_of(root):
    return [Document(root, path) for path in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]]


# ---- links, pictures, names ------------------------------------------------------------------------------------------


def check_links(root, documents, complain):
    anchors = {document.path.resolve(): document.anchors for document in documents}
    linked = set()
    for document in documents:
        if document.open_fence:
            complain(document, len(document.lines), "a block of code is not closed")
        for line, target in document.links():
            if SCHEME.match(target):
                if not re.match(r"(?:https?://[\w-]+(?:\.[\w-]+)+|mailto:\S+@)", target):
                    complain(document, line, f"{target}: expected an address of http, https or mailto")
                continue
            place, _, anchor = target.partition("#")
            path = (document.path.parent / urllib.parse.unquote(place)).resolve() if place else document.path.resolve()
            if target.startswith("/") or not path.is_relative_to(root):
                complain(document, line, f"{target}: leads out of the repository")
            elif not path.exists():
                complain(document, line, f"{target}: there is no such file")
            elif anchor and anchor not in anchors.get(path, set()):
                complain(document, line, f"{target}: {path.name} has no heading \"#{anchor}\"")
            linked.add(path)
        for match in IMAGE.finditer(document.without_spans):
            if not re.match(r"!\[\s*[^\]\s]|<img\b.*\balt=\"[^\"]", match.group(0)):
                complain(document, document.line_of(match.start()), "a picture has no alternative text")
    contents = root / "docs" / "README.md"
    reached = {contents.resolve(), (root / "README.md").resolve()}
    for document in documents:
        if document.path == contents:
            reached |= {(contents.parent / target.partition("#")[0]).resolve() for _, target in document.links()}
    for document in documents:
        if document.path.resolve() not in reached:
            complain(document, 1, "docs/README.md does not link this page")
    for path in sorted((root / "docs" / "pictures").iterdir()):
        if path.suffix in (".png", ".svg") and path.resolve() not in linked:
            complain(path, 0, "no page shows this picture")


def source_text(root):
    texts = []
    for folder in ("core", "app", "bench", "tests", "cmake"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cpp", ".cu", ".cmake", ".txt"):
                texts.append(path.read_text(encoding="utf-8", errors="replace"))
    return "\n".join(texts)


def check_names(root, documents, complain):
    """Code spans that look like files of the repository must be some; names of code in pages about the
    code must still stand in the sources."""
    sources = None
    for document in documents:
        for line, span in document.spans():
            if re.fullmatch(rf"(?:{'|'.join(FOLDERS)})/[\w./-]*", span) and not (root / span).exists():
                complain(document, line, f"`{span}`: there is no such file")
            if document.name not in ("docs/architecture.md", "docs/extending.md"):
                continue
            name = re.fullmatch(r"([A-Za-z_]\w*)\(\)", span) or re.fullmatch(r"([A-Z][a-z]+[A-Z]\w*)(?:<\w+>)?", span)
            if name is None:
                name = re.fullmatch(r"([a-z]+_\w+)", span)
            if name:
                sources = sources or source_text(root)
                if not re.search(rf"\b{name.group(1)}\b", sources):
                    complain(document, line, f"`{span}`: the sources have no such name")


def check_library(root, documents, complain):
    """The code in docs/library.md is what is compiled and run in tests/consumer: each block of C++ is one of its sources,
    each of these but other_functions.cpp has its block, and the block of CMake is how its CMakeLists.txt begins. The lab
    in docs/extending.md is compiled and run, too."""
    consumer = root / "tests" / "consumer"
    library = next(document for document in documents if document.name == "docs/library.md")
    shown = {kind: ["\n".join(lines) + "\n" for _, info, lines in library.blocks if info == kind] for kind in ("cpp", "cmake")}
    sources = {path.read_text(encoding="utf-8") for path in consumer.glob("*.cpp") if path.name != "other_functions.cpp"}
    if set(shown["cpp"]) != sources:
        complain(library, 1, "its blocks of C++ are not the sources in tests/consumer")
    extending = next(document for document in documents if document.name == "docs/extending.md")
    example = (root / "tests" / "labs" / "example_lab.h").read_text(encoding="utf-8")
    if example not in ["\n".join(lines) + "\n" for _, info, lines in extending.blocks if info == "cpp"]:
        complain(extending, 1, "no block of it is tests/labs/example_lab.h")
    if not (consumer / "CMakeLists.txt").read_text(encoding="utf-8").startswith(shown["cmake"][0]):
        complain(library, 1, "tests/consumer/CMakeLists.txt does not begin as shown")


# ---- what the program lists ------------------------------------------------------------------------------------------


class Listing:
    """What `flipscope list` prints, taken apart: headings, entries of a name and a sentence, and what stands below."""

    def __init__(self, text):
        self.sections = {}
        part = lab = None
        for line in text.split("\n"):
            if not line.strip():
                continue
            indent = len(line) - len(line.lstrip(" "))
            name, _, sentence = line.strip().partition("  ")
            sentence = sentence.strip()
            if indent == 0:
                part = self.sections.setdefault(line.split(" ")[0], {})
                lab = None
            elif indent == 2:
                key = line.strip() if part is not self.sections.get("labs") else name
                lab = part.setdefault(key, [(name, sentence, [])] if sentence else [])
            elif indent == 4 and lab is not None:
                lab.append((name, sentence, []))
            elif indent == 6 and lab:
                lab[-1][2].append((name, sentence))

    def labs(self):
        return list(self.sections.get("labs", {}))

    def entries(self, section, key):
        return self.sections.get(section, {}).get(key, [])


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def code(text):
    return f"`{text}`"


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def split_range(sentence):
    """("Length of a time step.", "1e-09 … 100", "0.01", "during a run"), of a sentence with these behind it in brackets:
    the last, when the value can change but at the start, may be missing."""
    if not sentence.endswith(")"):
        return sentence, "", "", ""
    depth, at = 0, len(sentence)
    while at > 0:
        at -= 1
        depth += {")": 1, "(": -1}.get(sentence[at], 0)
        if depth == 0:
            break
    inside, separator, when = sentence[at + 1 : -1].rpartition("; ")
    if when not in ("during a run", "at once"):
        inside, when = sentence[at + 1 : -1], ""
    values, separator, value = inside.rpartition("; ")
    return (sentence[:at].strip(), values, value, when) if separator else (sentence, "", "", "")


def parameter_names(listing, lab):
    return [name for name, sentence, _ in listing.entries("parameters", lab) if sentence]


def parameter_table(listing, lab):
    entries = listing.entries("parameters", lab)
    if not entries:
        return ["It has no parameters."]
    rows = []
    changes = any(split_range(sentence)[3] for _, sentence, _ in entries)
    for name, sentence, options in entries:
        if not sentence:
            rows.append([f"**{cell(name)}**", "", "", ""] + [""] * changes)
            continue
        text, values, value, when = split_range(sentence)
        shown = ", ".join(code(option) for option, _ in options) or cell(values.replace("on or off", "`on`, `off`"))
        for option, meaning in options:
            text += f"<br>{code(option)}: {meaning}"
        rows.append([code(name), shown, code(value), cell(text).replace("&lt;br>", "<br>")] + [when] * changes)
    return table(["parameter", "values", "default", "what it is"] + ["changes"] * changes, rows)


def entry_table(listing, section, key, heads):
    return table(heads, [[code(name), cell(sentence)] for name, sentence, _ in listing.entries(section, key)])


def group_table(listing, section, heads):
    lines = []
    for key, entries in listing.sections.get(section, {}).items():
        entries = [entry for entry in entries if entry[1]]
        if entries:
            lines += ([""] if lines else []) + [f"**{cell(key)}**", ""]
            lines += table(heads, [[cell(name), cell(sentence)] for name, sentence, _ in entries])
    return lines


def option_table(listing):
    """Of generators, the options: a row each, under the name that stands before the first."""
    rows = []
    for entries in listing.sections.get("generators", {}).values():
        for name, _, options in entries:
            for option, sentence in options:
                text, values, value, _ = split_range(sentence)
                rows.append([code(name), code(option), cell(values), cell(value), cell(text)])
    return table(["process", "option", "values", "without it", "what it is"], rows)


TABLES = {
    "list passes": lambda listing, lab: entry_table(listing, "passes", lab, ["pass", "what happens"]),
    "list counters": lambda listing, lab: entry_table(
        listing, "passes", lab + ", counters", ["counter", "what it counts"]
    ),
    "list measures": lambda listing, lab: entry_table(
        listing, "passes", lab + ", measures", ["measure", "what it is"]
    ),
    "list parameters": lambda listing, lab: parameter_table(listing, lab),
    "list arrays": lambda listing, lab: entry_table(listing, "arrays", lab, ["array", "what it holds"]),
    "list generators": lambda listing, lab: group_table(listing, "generators", ["name", "what it makes"]),
    "list options": lambda listing, lab: option_table(listing),
    "list formats": lambda listing, lab: group_table(listing, "formats", ["ending", "what it is"]),
    "list defects": lambda listing, lab: group_table(listing, "defects", ["code", "what it means"]),
    "list keys": lambda listing, lab: group_table(listing, "keys", ["key", "what it does"]),
}


def made_table(listing, what):
    for name, make in TABLES.items():
        if what == name or what.startswith(name + " "):
            lines = make(listing, what[len(name) :].strip())
            if len(lines) < 3 and not lines[0].startswith("It has no"):
                raise ValueError("the program lists nothing of that name")
            return lines
    raise ValueError("expected one of " + ", ".join(TABLES))


def check_tables(root, documents, listing, write, complain):
    """Compares the tables that the program can make, or updates them. Returns (file, what) of all."""
    found = set()
    for document in documents:
        lines, result, at = document.lines, [], 0
        while at < len(lines):
            match = BEGIN.match(lines[at])
            result.append(lines[at])
            at += 1
            if not match:
                continue
            begin = at
            while at < len(lines) and lines[at] != END:
                at += 1
            if at == len(lines):
                complain(document, begin, f"\"{END}\" is missing")
                break
            what = match.group(1)
            found.add((document.name, what))
            try:
                made = ["", *made_table(listing, what), ""]
            except ValueError as error:
                complain(document, begin, f"{what}: {error}")
                made = lines[begin:at]
            if made != lines[begin:at] and not write:
                complain(document, begin, f"{what}: the program says otherwise; update it with --write")
            result += made
        if write and "\n".join(result) != document.text:
            document.path.write_text("\n".join(result), encoding="utf-8")
            print(f"{document.name}: tables updated")
    return found


def check_labs(root, documents, listing, found, complain):
    """Every lab has a page with the tables of its passes and parameters."""
    by_name = {document.name: document for document in documents}
    if not listing.labs():
        complain(root / "docs", 0, "'flipscope list' names no labs")
    for lab in listing.labs():
        name = f"docs/labs/{lab}.md"
        if name not in by_name:
            complain(root / "docs" / "labs", 0, f"there is no page {lab}.md for the lab \"{lab}\"")
            continue
        for what in (f"list passes {lab}", f"list parameters {lab}"):
            if (name, what) not in found:
                complain(by_name[name], 1, f"the table \"<!-- made from: {what} -->\" is missing")


# ---- command lines ---------------------------------------------------------------------------------------------------


class Command:
    def __init__(self, document, line, text, info):
        self.document, self.line, self.text = document, line, text
        self.words = shlex.split(text, comments=True)
        match = re.search(r"\bstatus=(\d+)", info)
        self.status = int(match.group(1)) if match else 0
        self.no_run = "no-run" in info

    def program(self):
        return Path(self.words[0]).name if self.words else ""


def commands_of(document, complain):
    for number, info, lines in document.blocks:
        kind = info.split(" ")[0]
        if kind not in ("console", "bash"):
            for line in lines:
                if re.match(r"\s*(?:\$ )?(?:build/app/)?flipscope ", line):
                    complain(document, number, "a command line stands in a block that is not fenced with ```console")
                    break
            continue
        rest = info[len(kind) :].strip()
        if rest and not re.fullmatch(r"status=\d+|no-run: \S.*", rest):
            complain(document, number, f"\"{rest}\": expected status=N, or no-run: and a reason")
        at = 0
        while at < len(lines):
            first = number + 1 + at
            text = lines[at]
            while text.endswith("\\") and at + 1 < len(lines):
                at += 1
                text = text[:-1] + " " + lines[at].strip()
            at += 1
            text = re.sub(r"^\s*\$ ", "", text).strip()
            if text and not text.startswith("#"):
                yield Command(document, first, text, rest)


def options_of(help_text):
    return set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", help_text))


RUNNING = ("run", "read", "predicate", "check", "sheet", "list", "info", "--help", "--version", "shrink", "torture")  # what opens no window


def check_options(command, helps, complain):
    """Of a line that is not run: whether its options are known."""
    known = helps.get("".join(command.words[1:2]), helps.get("", set()))
    for word in command.words[1:]:
        if word.startswith("-") and word != "-" and word.split("=")[0] not in known:
            complain(command.document, command.line, f"{word}: {command.program()} has no such option")


def check_settings(command, listing, complain):
    """Of a line that is not run: whether the lab has the parameters that are set."""
    labs = [word for word in command.words if word in listing.labs()]
    known = {name for lab in (labs or listing.labs()) for name in parameter_names(listing, lab)}
    for option, value in zip(command.words, command.words[1:]):
        if option in ("--set", "--sweep") and value.split("=")[0] not in known:
            complain(command.document, command.line, f"{option} {value}: no such parameter")


def run_command(command, folder, environment, complain):
    begin = time.monotonic()
    try:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command.text],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=COMMAND_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        complain(command.document, command.line, f"{command.text}: not done after {COMMAND_SECONDS} s")
        return
    seconds = time.monotonic() - begin
    print(f"{seconds:6.2f} s  {command.document.name}:{command.line}: {command.text}")
    if done.returncode != command.status:
        said = done.stderr.decode("utf-8", "replace").strip() or done.stdout.decode("utf-8", "replace").strip()
        complain(
            command.document,
            command.line,
            f"{command.text}: expected status {command.status}, found {done.returncode}: {said[-600:]}",
        )
    for option, file in zip(command.words, command.words[1:]):
        if option in ("--picture", "--export", "--json", "--plot") and file != "-" and not (folder / file).exists():
            complain(command.document, command.line, f"{command.text}: {file} was not written")


def help_of(program, *words):
    text = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout
    return options_of(text.split("Examples:")[0])


def check_commands(root, documents, program, bench, listing, complain):
    helps = {"": help_of(program)} | {name: help_of(program, name) for name in ("run", "read", "predicate", "check", "shrink", "torture", "sheet")}
    cli = next((document for document in documents if document.name == "docs/cli.md"), None)
    for option in sorted(set().union(*helps.values())):
        if cli and option.startswith("--") and not re.search(rf"`{option}[` =,]", cli.text):
            complain(cli, 1, f"{option} is an option of the program, and this page does not tell it")
    bench_options = help_of(bench) if bench else None
    with tempfile.TemporaryDirectory(prefix="flipscope-docs-") as scratch:
        for document in documents:
            folder = Path(scratch) / document.name.replace("/", "-")
            for command in commands_of(document, complain):
                name = command.program()
                if name == "flipscope_bench":
                    for word in command.words[1:]:
                        if bench_options and word.startswith("--") and word.split("=")[0] not in bench_options:
                            complain(document, command.line, f"{word}: flipscope_bench has no such option")
                elif command.words and command.words[0].startswith("scripts/"):
                    if not os.access(root / command.words[0], os.X_OK):
                        complain(document, command.line, f"{command.words[0]}: there is no such program")
                elif name != "flipscope":
                    continue
                elif command.no_run:
                    check_options(command, helps, complain)
                    check_settings(command, listing, complain)
                elif command.words[1:2] not in ([word] for word in RUNNING):
                    complain(document, command.line, f"{command.text}: opens a window; fence it with no-run: and why")
                else:
                    if not folder.exists():
                        prepare(root, program, folder)
                    paths = [str(folder / "build" / "app"), os.environ.get("PATH", "/usr/bin:/bin")]
                    environment = {**os.environ, "PATH": os.pathsep.join(paths)}
                    run_command(command, folder, environment, complain)


def prepare(root, program, folder):
    (folder / "build" / "app").mkdir(parents=True)
    (folder / "build" / "app" / "flipscope").symlink_to(program)
    shutil.copytree(root / "assets", folder / "assets")


# ---- all of it -------------------------------------------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flipscope", type=Path, help="the program: compares tables and runs command lines")
    parser.add_argument("--bench", type=Path, help="flipscope_bench: looks up its options")
    parser.add_argument("--write", action="store_true", help="updates the tables, and runs nothing")
    arguments = parser.parse_args()
    root = Path(__file__).resolve().parents[2]
    if arguments.write and not arguments.flipscope:
        parser.error("--write makes tables from what the program lists: name it with --flipscope")

    complaints = []

    def complain(where, line, text):
        name = where.name if isinstance(where, Document) else where.resolve().relative_to(root).as_posix()
        complaints.append(f"{name}:{line}: {text}" if line else f"{name}: {text}")

    documents = documents_of(root)
    if arguments.flipscope:
        program = arguments.flipscope.resolve()
        listing = Listing(subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout)
        found = check_tables(root, documents, listing, arguments.write, complain)
        if arguments.write:
            documents = documents_of(root)
        assert found, "no table was recognised"
        check_labs(root, documents, listing, found, complain)
        if not arguments.write:
            bench = arguments.bench.resolve() if arguments.bench else None
            check_commands(root, documents, program, bench, listing, complain)
    check_links(root, documents, complain)
    check_names(root, documents, complain)
    check_library(root, documents, complain)

    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"{len(documents)} documents, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
