#!/usr/bin/env python3
"""The checker of the manual finds what it is there for: each case is a small repository with one thing wrong."""

import contextlib
import io
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import check_docs  # noqa: E402

PROGRAM = r"""#!/bin/sh
if [ "$1" = list ]; then
cat <<END
labs
  build               Build lab: builds.
passes
  build
    order             Points are sorted.
  build, counters
    inserted          points
    a rather long name, left  what it counts
parameters (what they may be; what they are)
  build
    Group of them
    start             How it starts. (lowest or hashed; lowest)
      lowest          the lowest | id
      hashed          the scrambled id (a bijection)
    count             How many (of all). (0 … 10; 3)
END
elif [ "$2" = --help ] || [ "$1" = --help ]; then
printf '  --help  Prints\n  --set N  Sets\n  --picture F  Draws\n'
elif [ "$3" = fail ]; then
echo 'that was wrong' >&2
exit 2
elif [ "$3" = --picture ]; then
echo drawn >"$4"
fi
"""

PNG = b"\x89PNG\r\n\x1a\n"

LAB = """# Build
<!-- made from: list passes build -->
<!-- end -->
<!-- made from: list parameters build -->
<!-- end -->
"""


class Repository(unittest.TestCase):
    """A sound one, in a temporary folder; a test spoils one thing."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="flipscope-check-docs-")
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        for folder in ("docs/labs", "docs/pictures", "assets", "core", "app"):
            (self.root / folder).mkdir(parents=True)
        self.write("assets/points.xy", "0 0\n")
        self.write("core/thing.h", "struct FlipEdge {};\n")
        self.write("README.md", "# Title\n[docs](docs/README.md) ![seen](docs/pictures/a.png)\n")
        self.write("docs/README.md", "# Manual\n[build](labs/build.md) [cli](cli.md)\n")
        self.write("docs/labs/build.md", LAB)
        self.write("docs/cli.md", "`--help` `--set N` `--picture F`\n")
        (self.root / "docs/pictures/a.png").write_bytes(PNG)
        self.program = self.root / "flipscope"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        self.assertEqual(self.complaints("--write"), [])

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")

    def add(self, name, text):
        self.write(name, (self.root / name).read_text(encoding="utf-8") + text)

    def complaints(self, *more, program=True):
        arguments = ["check_docs.py", "--root", str(self.root), *more]
        if program:
            arguments += ["--flipscope", str(self.program)]
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = check_docs.main()
        found = err.getvalue().splitlines()
        self.assertEqual(status, 1 if found else 0)
        return found

    def check_one(self, words, **options):
        found = self.complaints(**options)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_a_sound_manual_has_no_complaints(self):
        self.assertEqual(self.complaints(), [])
        self.assertEqual(self.complaints(program=False), [])

    def test_each_wrong_line_is_told(self):
        for name, text, words in (
            ("docs/cli.md", "\n[gone](labs/gone.md)\n", "docs/cli.md:3: labs/gone.md: there is no such file"),
            ("README.md", "line\n" * check_docs.README_LINES, "lines at most"),
            ("docs/cli.md", "\n```console\nflipscope run build\nflipscope run build fail\n```\n",
             "docs/cli.md:5: flipscope run build fail: expected status 0, found 2: that was wrong"),
            ("docs/cli.md", "\n```console no-run: long\nflipscope run build --sett a=1\n```\n",
             "--sett: flipscope has no such option"),
            ("docs/cli.md", "\n```console no-run: long\nflipscope run build --set cuont=1 --set count=1\n```\n",
             "--set cuont=1: no such parameter"),
            ("docs/cli.md", "\nThe loupe, and `loupe` in code.\n", "\"loupe\": better detail view"),
        ):
            with self.subTest(words):
                sound = (self.root / name).read_text(encoding="utf-8")
                self.add(name, text)
                self.check_one(words)
                self.write(name, sound)

    def test_a_heading_that_is_not_there_is_told(self):
        self.add("docs/cli.md", "\n## Exit & status\n## Exit & status\n[a](#exit--status) [b](#exit--status-1)\n")
        self.assertEqual(self.complaints(), [])
        self.add("docs/cli.md", "[c](#exit-status)\n")
        self.check_one("has no heading \"#exit-status\"")

    def test_links_in_code_are_no_links(self):
        self.add("docs/cli.md", "\n`[a](b.md)`\n\n```text\n[a](b.md)\n```\n")
        self.assertEqual(self.complaints(), [])

    def test_addresses_are_asked_for_their_form_only(self):
        self.add("docs/cli.md", "\n[a](https://arxiv.org/abs/1607.00908) [b](https://nowhere) [c](ftp://a.org)\n")
        found = self.complaints()
        self.assertEqual(len(found), 2, found)

    def test_pictures_need_words_a_page_and_little_room(self):
        self.add("README.md", '<img src="docs/pictures/a.png">\n')
        self.check_one("no words for who cannot see it")
        self.write("README.md", "# Title\n[docs](docs/README.md)\n")
        self.check_one("no page shows this picture")
        self.add("README.md", "![a](docs/pictures/a.png)\n")
        (self.root / "docs/pictures/a.png").write_bytes(PNG + bytes(check_docs.PICTURE_BYTES))
        self.check_one("must have less than")

    def test_a_page_that_the_contents_do_not_link_is_told(self):
        self.write("docs/hidden.md", "# Hidden\n")
        self.check_one("docs/hidden.md:1: docs/README.md does not link this page")

    def test_a_lab_without_a_page_is_told(self):
        (self.root / "docs/labs/build.md").unlink()
        self.write("docs/README.md", "# Manual\n[cli](cli.md)\n")
        self.check_one("there is no page build.md")

    def test_tables_are_made_and_compared(self):
        text = (self.root / "docs/labs/build.md").read_text(encoding="utf-8")
        self.assertIn("| `order` | Points are sorted. |", text)
        self.assertIn("| **Group of them** |", text)
        self.assertIn("| `start` | `lowest`, `hashed` | `lowest` | How it starts.<br>`lowest`: the lowest \\| id<br>", text)
        self.assertIn("| `count` | 0 … 10 | `3` | How many (of all). |", text)
        self.write("docs/labs/build.md", text.replace("are sorted", "were sorted"))
        self.check_one("list passes build: the program says otherwise")

    def test_a_name_that_is_longer_than_its_column_is_still_a_name(self):
        self.add("docs/labs/build.md", "\n<!-- made from: list counters build -->\n<!-- end -->\n")
        self.assertEqual(self.complaints("--write"), [])
        text = (self.root / "docs/labs/build.md").read_text(encoding="utf-8")
        self.assertIn("| `a rather long name, left` | what it counts |", text)

    def test_a_page_without_its_table_is_told(self):
        self.write("docs/labs/build.md", LAB.replace("list passes build", "list counters build"))
        self.complaints("--write")
        self.check_one("\"<!-- made from: list passes build -->\" is missing")

    def test_a_status_can_be_expected(self):
        self.add("docs/cli.md", "\n```console status=2\n$ build/app/flipscope run build fail # a comment\n```\n")
        self.assertEqual(self.complaints(), [])
        self.add("docs/cli.md", "\n```console status=2\nflipscope run build\n```\n")
        self.check_one("expected status 2, found 0")

    def test_what_a_line_writes_must_be_there_and_the_next_line_finds_it(self):
        lines = "flipscope run build --picture \\\n    a.png\nflipscope run build && test -e a.png -a -e assets/points.xy\n"
        self.add("docs/cli.md", f"\n```console\n{lines}```\n")
        self.assertEqual(self.complaints(), [])
        self.add("docs/cli.md", "\n```console\nflipscope run --picture gone.png\n```\n")
        self.check_one("gone.png was not written")

    def test_a_line_that_opens_a_window_needs_a_reason(self):
        self.add("docs/cli.md", "\n```console\nflipscope assets/points.xy\n```\n")
        self.check_one("opens a window")
        text = (self.root / "docs/cli.md").read_text(encoding="utf-8")
        self.write("docs/cli.md", text.replace("```console\n", "```console no-run:\n"))
        self.assertTrue(any("no-run: and a reason" in line for line in self.complaints()))
        self.write("docs/cli.md", text.replace("```console\n", "```console no-run: opens a window\n"))
        self.assertEqual(self.complaints(), [])

    def test_an_option_that_the_manual_does_not_tell_is_told(self):
        self.write("docs/cli.md", "`--help` `--set N`\n")
        self.check_one("--picture is an option of the program")

    def test_files_and_names_of_code_must_still_be_there(self):
        self.write("docs/README.md", "# Manual\n[build](labs/build.md) [cli](cli.md) [a](architecture.md)\n")
        self.write("docs/architecture.md", "# A\n`FlipEdge` `core/thing.h`\n")
        self.assertEqual(self.complaints(), [])
        self.add("docs/architecture.md", "`FlipVertex`\n")
        self.check_one("`FlipVertex`: the sources have no such name")
        self.write("docs/architecture.md", "# A\n`core/other.h`\n")
        self.check_one("`core/other.h`: there is no such file")

    def test_a_block_that_is_not_closed_is_told(self):
        self.add("docs/cli.md", "\n```console\n")
        self.assertTrue(any("not closed" in line for line in self.complaints()))


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    unittest.main()
