// sanitizers: address thread
#include "compute/printable.h"

#include <doctest/doctest.h>

#include "compute/error.h"

using namespace flipscope;

TEST_CASE("printable: text stays as it is, in any language") {
    for (const char* text :
         {"", "points.xy:3: expected two numbers", "Größe, 大きさ, размер, \xf0\x9f\x94\xba", "\\x1b"})
        CHECK(printable(text) == text);
}

TEST_CASE("printable: what a terminal would obey is shown by its bytes") {
    CHECK(printable("\x1b]0;owned\x07\x1b[31mred") == "\\x1b]0;owned\\x07\\x1b[31mred");
    CHECK(printable("two\nlines\r\ttab") == "two\\x0alines\\x0d\\x09tab");
    CHECK(printable("del\x7f") == "del\\x7f");
    CHECK(printable(std::string_view("\0", 1)) == "\\x00");
    CHECK(printable("csi\xc2\x9b"
                    "31m") == "csi\\xc2\\x9b31m");  // a control character of two bytes
}

TEST_CASE("printable: what turns the direction of writing or breaks the line is shown by its bytes") {
    CHECK(printable("a\xe2\x80\xae"
                    "b") == "a\\xe2\\x80\\xaeb");           // right-to-left override
    CHECK(printable("\xe2\x81\xa6") == "\\xe2\\x81\\xa6");  // isolate
    CHECK(printable("\xe2\x80\x8f") == "\\xe2\\x80\\x8f");  // mark
    CHECK(printable("\xe2\x80\xa8") == "\\xe2\\x80\\xa8");  // line separator
    CHECK(printable("\xe2\x80\xa6") == "\xe2\x80\xa6");     // an ellipsis is none of these
}

TEST_CASE("printable: bytes that are no UTF-8 are shown, and the text goes on behind them") {
    CHECK(printable("\xff\xfeok") == "\\xff\\xfeok");
    CHECK(printable("\xc3") == "\\xc3");                             // cut
    CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // overlong
    CHECK(printable("\xe0\x80\xaf") == "\\xe0\\x80\\xaf");           // overlong
    CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // half of a surrogate pair
    CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond Unicode
}

TEST_CASE("printable: an excerpt is in quotes and short, a long text keeps beginning and end") {
    CHECK(excerpt("1.0 abc") == "\"1.0 abc\"");
    CHECK(excerpt(std::string(1000, 'x')) == "\"" + std::string(40, 'x') + "...\"");
    CHECK(printable_within("short", 5) == "short");
    CHECK(printable_within(std::string(1000, 'a') + "end", 10) == "aaaaa...aaend");
    CHECK(printable_within("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 6) == "\xc3\xa4...\xc3\xa4");  // no character is cut
}

TEST_CASE("printable: wherever an Error is thrown, its sentence is printable and no book") {
    CHECK(std::string(Error("a\x1b[31m\nb.xy: no such file").what()) == "a\\x1b[31m\\x0ab.xy: no such file");
    CHECK(std::string(Error(std::string(1 << 20, 'x')).what()).size() <= Error::kMostBytes + 3);
    CHECK(std::string(Error(Error("twice \x1b").what()).what()) == "twice \\x1b");
}
