// Contacts across films of background, against a search over all labelled pixels.
#include "voronoi/components/label_cells.h"

#include <map>
#include <random>
#include <string>

#include "test_support.h"

using namespace flipscope;

namespace {

/// Letters are labels from 'a' on, '#' is an obstacle; the first row is the lowest.
struct Sketch {
    Lattice lattice;
    std::vector<uint32_t> labels;
    std::vector<uint8_t> obstacles;

    explicit Sketch(const std::vector<std::string>& rows, PeriodicAxes periodic = false) {
        lattice = {uint32_t(rows[0].size()), uint32_t(rows.size()), periodic};
        for (const std::string& row : rows)
            for (const char c : row) {
                labels.push_back(c >= 'a' ? uint32_t(c - 'a') : kNone);
                obstacles.push_back(c == '#');
            }
    }
    std::string contacts(double width) const {
        std::string text;
        for (const LabelContact& c : film_contacts(lattice, labels, obstacles, width))
            text += std::string(text.empty() ? "" : " ") + char('a' + c.a) + char('a' + c.b) + std::to_string(c.sides);
        return text;
    }
};

}  // namespace

TEST_CASE("film contacts: cells touch where their film is no thicker than asked, and no third cell lies between") {
    const Sketch row({"aa..bbb.ccd", "aa..bbb.ccd"});
    CHECK(row.contacts(0) == "cd2");
    CHECK(row.contacts(0.9) == "cd2");
    CHECK(row.contacts(1) == "bc2 cd2");
    CHECK(row.contacts(2) == "ab2 bc2 cd2");
    CHECK(row.contacts(1000) == "ab2 bc2 cd2");
    CHECK(Sketch({"a.b.c"}).contacts(3) == "ab1 bc1");
    // Across a border that is periodic alone, also around a lattice smaller than the film.
    CHECK(Sketch({".a...b."}, true).contacts(2) == "ab1");
    CHECK(Sketch({".a...b."}).contacts(2) == "");
    CHECK(Sketch({"a.", "..", "b."}, {false, true}).contacts(9) == "ab4");
    // A film through a wall is none.
    CHECK(Sketch({"a#b", "a#b"}).contacts(5) == "");
    // A film along a diagonal is as thick as it is across.
    const Sketch diagonal({"aaa...", "aa...b", "a...bb", "...bbb"});
    CHECK(diagonal.contacts(1.8) == "");
    CHECK(diagonal.contacts(1.9) != "");
}

TEST_CASE("film contacts: of random cells they are those of the definition") {
    std::mt19937_64 engine(8);
    for (const PeriodicAxes periodic : {PeriodicAxes(false), PeriodicAxes(true), PeriodicAxes(true, false)})
        for (const double width : {0.0, 1.0, 2.5, 6.0}) {
            const Lattice lattice{23, 17, periodic};
            std::vector<uint32_t> labels(lattice.pixel_count(), kNone);
            for (uint32_t& label : labels)
                if (engine() % 8 == 0) label = uint32_t(engine() % 9);
            struct Found {
                double squared = INFINITY;
                uint32_t label = kNone;
                double x = 0, y = 0;
            };
            const auto nearest = [&](int x, int y) {
                Found best;
                for (int v = -17; v < 34; ++v)
                    for (int u = -23; u < 46; ++u) {
                        if ((!periodic.x && (u < 0 || u >= 23)) || (!periodic.y && (v < 0 || v >= 17))) continue;
                        const uint32_t label = labels[size_t((v + 17) % 17) * 23 + size_t((u + 23) % 23)];
                        const double squared = (u - x) * (u - x) + (v - y) * (v - y);
                        if (label == kNone || squared > best.squared) continue;
                        if (squared < best.squared || label < best.label) best = {squared, label, double(u), double(v)};
                    }
                return best;
            };
            // A pixel of the same label as near can be at another place, so the film is known to within that choice.
            std::map<std::pair<uint32_t, uint32_t>, bool> least, most;
            for (int y = 0; y < 17; ++y)
                for (int x = 0; x < 23; ++x)
                    for (const bool up : {false, true}) {
                        if ((!up && x == 22 && !periodic.x) || (up && y == 16 && !periodic.y)) continue;
                        const Found a = nearest(x, y), b = nearest(x + !up, y + up);
                        if (a.label == kNone || b.label == kNone || a.label == b.label) continue;
                        const auto pair = std::minmax(a.label, b.label);
                        const double sum = std::sqrt(a.squared) + std::sqrt(b.squared);
                        if (sum <= width) least[pair] = true;  // at most one further than the sum, less one
                        if (std::hypot(a.x - b.x, a.y - b.y) - 1 <= width + 1.5) most[pair] = true;
                    }
            std::map<std::pair<uint32_t, uint32_t>, bool> found;
            for (const LabelContact& c : film_contacts(lattice, labels, {}, width)) found[{c.a, c.b}] = true;
            for (const auto& [pair, yes] : least) CHECK(found.count(pair) == yes);
            for (const auto& [pair, yes] : found) CHECK(most.count(pair) == yes);
        }
}
