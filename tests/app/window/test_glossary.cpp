// The words that tooltips explain, compared with the manual's glossary.
#include "app/window/glossary.h"

#include <doctest/doctest.h>

#include "app/program.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("glossary: a word is known alone, in any case and number, and is in the manual") {
    CHECK(meanings_in("Ghosts close the plane").starts_with("ghost: "));
    CHECK(meanings_in("rounded once, around the background").empty());
    CHECK(meanings_in("Stale incidence\nof this round").find("\nround: ") != std::string::npos);
    const std::string manual = read_file(std::string(FLIPSCOPE_SOURCE_DIR) + "/docs/glossary.md");
    for (const auto& [word, sentence] : glossary()) {
        CAPTURE(word);
        const bool is_there = has(manual, "| " + word + " |") || has(manual, "| " + word + ",");
        CHECK(is_there);
        CHECK(sentence.ends_with("."));
    }
}
