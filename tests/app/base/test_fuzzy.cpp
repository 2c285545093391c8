#include <doctest/doctest.h>

#include "app/base/fuzzy.h"

using namespace flipscope::app;

TEST_CASE("fuzzy search: the start of a word is better than its middle, and that than beginnings of words") {
    CHECK(fuzzy_score("cell", "Show Voronoi cells") > fuzzy_score("cell", "Cancelled"));
    CHECK(fuzzy_score("ell", "Show Voronoi cells") > fuzzy_score("svcell", "Show Voronoi cells"));
    CHECK(fuzzy_score("cells", "Show Voronoi cells") > fuzzy_score("cell", "Show Voronoi cells"));
    CHECK(fuzzy_score("shvoce", "Show Voronoi cells") > 0);
    CHECK(fuzzy_score("", "anything") > 0);
}

TEST_CASE("fuzzy search: words match in any order and case, and all of them have to") {
    CHECK(fuzzy_score("ANGLES colour", "Colour by minimum angles") > 0);
    CHECK(fuzzy_score("colour area", "Colour by minimum angles") == 0);
    CHECK(fuzzy_score("cvs", "Show Voronoi cells") == 0);    // letters in another order
    CHECK(fuzzy_score("honoi", "Show Voronoi cells") == 0);  // "h" begins no word
    CHECK(fuzzy_score("ang", "Save the picture as PNG") == 0);
    CHECK(fuzzy_score("→", "Pass →") > 0);
}

TEST_CASE("fuzzy search: the best comes first, of equals the shorter; with nothing typed all stay in order") {
    const std::vector<std::string> texts{"Open a file", "Lab: Flip", "Flip the inspected edge", "Full screen"};
    CHECK(fuzzy_ranking("", texts) == std::vector<size_t>{0, 1, 2, 3});
    CHECK(fuzzy_ranking(" ", texts) == std::vector<size_t>{0, 1, 2, 3});
    CHECK(fuzzy_ranking("flip", texts) == std::vector<size_t>{1, 2});
    CHECK(fuzzy_ranking("f", texts) == std::vector<size_t>{1, 0, 3, 2});
    CHECK(fuzzy_ranking("lab flip", texts) == std::vector<size_t>{1});
    CHECK(fuzzy_ranking("xyz", texts).empty());
}
