#include <string>

#include "labs/voronoi/stencil_inspect.h"
#include "voronoi/graphs.h"

using namespace flipscope;

namespace {

enum Place : int { spx, spxpy, spy, spymx, smx, smxmy, smy, smypx };

/// Three rows from the top, a letter a colour: A is 0; '#' is an obstacle.
std::vector<uint32_t> painted(const std::string& rows) {
    std::vector<uint32_t> colours(9);
    for (size_t i = 0; i < 9; ++i) {
        const char letter = rows[i + i / 3];  // a space after each row
        colours[(2 - i / 3) * 3 + i % 3] = letter == '#' ? kMaxLink : uint32_t(letter - 'A');
    }
    return colours;
}
/// The stencil of the middle of three rows of three.
Stencil stencil_of(const std::string& rows) {
    const std::vector<uint32_t> colours = painted(rows);
    return read_stencil(Lattice{3, 3, false}, view_of(colours), 1, 1);
}
/// Turned by a quarter, counter-clockwise, so many times.
Stencil turned(const Stencil& s, int quarters) {
    Stencil result = s;
    for (int i = 0; i < kRing; ++i) result.ring[(i + 2 * quarters) % kRing] = s.ring[i];
    return result;
}
std::string conditions(const LinkConditions& c) {
    std::string text;
    for (const bool holds : {c.inside, c.no_obstacle, c.other, c.long_diagonal, c.short_diagonal})
        text += holds ? '+' : '-';
    return text;
}

bool has(const Stencil& s, PixelBit bit) { return pathologies(s) & bit; }

constexpr StencilRules kText{false, false, true, 3, 3, false};
const StencilRules kMirror{true, false, true, 3, 2, false};
const StencilRules kLenient{false, true, true, 3, 2, false};

}  // namespace

TEST_CASE("stencil: the ring has the pixels of figure 3, counter-clockwise from spx") {
    const int dx[kRing] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[kRing] = {0, 1, 1, 1, 0, -1, -1, -1};
    for (int i = 0; i < kRing; ++i) {
        CHECK(ring_dx(i) == dx[i]);
        CHECK(ring_dy(i) == dy[i]);
    }
    const Stencil s = stencil_of("DCB EAI FGH");  // round the middle: spx is I, spxpy B, spy C, …
    CHECK(s.own == 0);
    const uint32_t ring[kRing] = {8, 1, 2, 3, 4, 5, 6, 7};
    for (int i = 0; i < kRing; ++i) CHECK(s.ring[i] == ring[i]);
    const Lattice lattice{3, 3, false};
    CHECK(inner_point(lattice, 1, 1, spxpy) == Point{1.5, 1.5});
    CHECK(inner_point(lattice, 1, 1, spymx) == Point{0.5, 1.5});
    CHECK(inner_point(lattice, 1, 1, smxmy) == Point{0.5, 0.5});
    CHECK(inner_point(lattice, 1, 1, smypx) == Point{1.5, 0.5});
}

TEST_CASE("stencil: inside of a cell there are no gaps, on an edge two, at a vertex three (figure 4)") {
    CHECK(count_gaps(stencil_of("AAA AAA AAA")) == 0);
    CHECK(count_gaps(stencil_of("BBB AAA AAA")) == 2);
    CHECK(count_gaps(stencil_of("ABB AAB AAA")) == 2);
    CHECK(count_gaps(stencil_of("BBC AAC AAA")) == 3);
    CHECK(count_gaps(stencil_of("BBC BAC DDD")) == 3);
    CHECK(count_gaps(stencil_of("BBC AAC DDC")) == 4);
    CHECK(count_gaps(stencil_of("BCD EAF GHI")) == 8);
    CHECK_FALSE(is_corner(stencil_of("BBB AAA AAA"), {}));
    CHECK(is_corner(stencil_of("BBC AAC AAA"), {}));
}

TEST_CASE("stencil: gaps with an obstacle do not count") {
    CHECK(count_gaps(stencil_of("B#C AAC AAA")) == 2);  // B to obstacle and on to C: neither; C A, A B remain
    CHECK(count_gaps(stencil_of("### AAA BBB")) == 2);
    CHECK(count_gaps(stencil_of("BB# BA# BB#")) == 0);
    CHECK(count_gaps(stencil_of("### #A# ###")) == 0);
    CHECK_FALSE(is_corner(stencil_of("BCD E#F GHI"), {}));  // an obstacle has no neighbours of its own
    // Unless edges may end at obstacles, as they do at borders.
    StencilRules ends{.obstacles_end = true};
    const Stencil channel = stencil_of("#AA #AA #BB");
    CHECK(count_gaps(channel) == 1);
    CHECK(count_gaps(channel, true) == 2);
    CHECK_FALSE(is_corner(channel, {}));
    CHECK(is_corner(channel, ends));
    CHECK(count_gaps(stencil_of("### #A# ###"), true) == 0);
}

TEST_CASE("stencil: an isolated point has no gaps or two, so it is no corner (figure 6)") {
    CHECK_FALSE(is_corner(stencil_of("BBB BAB BBB"), {}));
    CHECK_FALSE(is_corner(stencil_of("BBB BAC CCC"), {}));
    CHECK(has(stencil_of("BBB BAC CCC"), kPixelIsland));
    CHECK(pathologies(stencil_of("BBB BAB BBB")) == kPixelIsland);
    CHECK_FALSE(has(stencil_of("BBB BAA CCC"), kPixelIsland));
}

TEST_CASE("stencil: a colour in a single line of sites from side to side is a prolonged vertex, and a corner") {
    for (const char* rows :
         {"BBB AAA CCC", "BBA BAC ACC", "BBA AAC CCC", "BAB BAC BAC", "ABB CAB CCA", "BAC BAC BBA"}) {
        CAPTURE(rows);
        CHECK(has(stencil_of(rows), kPixelProlonged));
    }
    for (const char* rows :
         {"BAA BAC BCC", "BBB BAA CCC", "AAA AAA CCC", "BBA BAA CCC", "BAB BAA CCC", "ABA CAC CCC"}) {
        CAPTURE(rows);
        CHECK_FALSE(has(stencil_of(rows), kPixelProlonged));
    }
    // Two cells at either side of the line, so four gaps: both are neighbours of the line's.
    const Stencil s = stencil_of("BBB AAA CCC");
    CHECK(is_corner(s, kText));
    CHECK(ring_conditions(s, kText, spy).linked());
    CHECK(ring_conditions(s, kText, smy).linked());
}

TEST_CASE("stencil: the three conditions of a place next to k fail one by one, in all directions") {
    const struct {
        std::string rows, conditions;
    } cases[] = {
        {"CCB AAB AAA", "+++++"},  // B at spx: a neighbour
        {"CC# AA# AAA", "+-+++"},  // an obstacle
        {"CCA AAA BBB", "++-++"},  // k's own colour
        {"CCB ACB BBC", "+++-+"},  // figure 5: spy and smypx have one colour, which is k's own here
        {"ACB AAB AAC", "+++-+"},  // a strip of a third cell between k and spx
        {"ABB AAC AAB", "+++-+"}, {"#CB AAB AAA", "+++++"}, {"A#B AAB AA#", "+++-+"},  // nor over a diagonal wall
    };
    for (const auto& c : cases)
        for (int quarters = 0; quarters < 4; ++quarters) {
            INFO("rows ", c.rows, ", quarters ", quarters);
            CHECK(conditions(ring_conditions(turned(stencil_of(c.rows), quarters), kText, spx + 2 * quarters)) ==
                  c.conditions);
        }
}

TEST_CASE("stencil: the five conditions of a diagonal place fail one by one, in all directions") {
    const struct {
        std::string rows, conditions;
    } cases[] = {
        {"AAB AAC AAC", "+++++"},  // B at spxpy
        {"AA# AAC AAC", "+-+++"},  //
        {"CCA AAB AAB", "++-++"},  //
        {"ACB AAA AAC", "+++-+"},  // long: spy and smypx
        {"ACB AAC AAA", "++++-"},  // short: spy and spx
        {"ACB AAC AAC", "+++--"},  //
        {"AAB AAA AAC", "++++-"},  // short by k's own colour: reached over the pixels next to k
        {"#AB AAC BBB", "+++++"}, {"A#B AA# AAA", "++++-"},  // between two obstacles there is no way
    };
    for (const auto& c : cases)
        for (int quarters = 0; quarters < 4; ++quarters) {
            INFO("rows ", c.rows, ", quarters ", quarters);
            const Stencil s = turned(stencil_of(c.rows), quarters);
            const int place = (spxpy + 2 * quarters) % kRing;
            CHECK(conditions(ring_conditions(s, kText, place)) == c.conditions);
            CHECK(inner_condition(s, kText, place, s.own));
            CHECK(inner_condition(s, kText, place, s.at(place)));
            CHECK_FALSE(inner_condition(s, kText, place, 25));
            StencilRules without = kText;
            without.inner_frame = false;
            CHECK(inner_condition(s, without, place, 25));
        }
}

TEST_CASE("stencil: with the mirror condition a pattern and its mirror image are judged alike") {
    std::mt19937_64 random(7);
    size_t differ = 0;
    for (int round = 0; round < 4000; ++round) {
        Stencil s, image;
        s.inside = image.inside = 0xFF;
        s.own = image.own = 0;
        for (int i = 0; i < kRing; ++i) s.ring[i] = random() % 4 ? random() % 4 : kMaxLink;
        for (int i = 0; i < kRing; ++i) image.ring[(2 - i + kRing) % kRing] = s.ring[i];  // in the diagonal
        for (int i = 0; i < kRing; ++i) {
            const int j = (2 - i + kRing) % kRing;
            for (const bool lenient : {false, true}) {
                StencilRules rules = kMirror;
                rules.lenient_strip = lenient;
                REQUIRE(conditions(ring_conditions(s, rules, i)) == conditions(ring_conditions(image, rules, j)));
            }
            differ += ring_conditions(s, kText, i).linked() != ring_conditions(image, kText, j).linked();
        }
    }
    CHECK(differ > 0);  // without it, not always
    CHECK(ring_conditions(stencil_of("AAC AAB ACC"), kText, spx).linked());
    CHECK_FALSE(ring_conditions(stencil_of("AAC AAB ACC"), kMirror, spx).linked());  // the strip through spxpy and smy
}

TEST_CASE("stencil: leniently, a strip of one of the two cells does not part them") {
    CHECK_FALSE(ring_conditions(stencil_of("CAB CAB CCA"), kText, spx).linked());     // k's own strip
    CHECK(ring_conditions(stencil_of("CAB CAB CCA"), kLenient, spx).linked());        //
    CHECK_FALSE(ring_conditions(stencil_of("CBB CAB CCB"), kText, spx).linked());     // the other's
    CHECK(ring_conditions(stencil_of("CBB CAB CCB"), kLenient, spx).linked());        //
    CHECK_FALSE(ring_conditions(stencil_of("ACB AAB AAC"), kLenient, spx).linked());  // a third one's
    CHECK(ring_conditions(stencil_of("CAB CAA CCC"), kLenient, spxpy).linked());
    CHECK_FALSE(ring_conditions(stencil_of("AAB AAA AAC"), kText, spxpy).linked());
    CHECK_FALSE(ring_conditions(stencil_of("A#B AA# AAA"), kLenient, spxpy).linked());
}

TEST_CASE("stencil: on an open border the ring is what is inside, and its ends count as next to each other") {
    const Lattice lattice{4, 3, false};
    const std::vector<uint32_t> colours = {0, 0, 1, 1,   // y = 0
                                           0, 0, 1, 1,   //
                                           2, 2, 2, 2};  // y = 2
    const auto at = [&](uint32_t x, uint32_t y) { return read_stencil(lattice, view_of(colours), x, y); };
    CHECK(at(0, 0).inside == 0b00000111);
    CHECK(at(3, 2).inside == 0b01110000);
    CHECK(at(1, 0).inside == 0b00011111);
    CHECK(count_gaps(at(0, 0)) == 0);
    CHECK(count_gaps(at(1, 0)) == 2);  // an edge meets the border
    CHECK(is_corner(at(1, 0), {}));
    CHECK_FALSE(is_corner(at(1, 0), kText));
    CHECK_FALSE(is_corner(at(0, 0), {}));
    CHECK(at(1, 1).inside == 0xFF);
    CHECK(count_gaps(at(1, 1)) == 3);
    // Pixels outside separate no cells, and are not neighbours.
    CHECK(conditions(ring_conditions(at(1, 0), {}, spx)) == "+++++");
    CHECK(conditions(ring_conditions(at(1, 0), {}, smy))[0] == '-');
    CHECK_FALSE(ring_conditions(at(1, 0), {}, smypx).linked());

    const Lattice torus{4, 3, true};
    const Stencil wrapped = read_stencil(torus, view_of(colours), 0, 0);
    CHECK(wrapped.inside == 0xFF);
    CHECK(wrapped.at(smx) == 1);
    CHECK(wrapped.at(smy) == 2);
    CHECK(wrapped.at(smxmy) == 2);
    CHECK(inner_point(torus, 0, 0, smxmy) == Point{3.5, 2.5});

    // Along one axis: pixels across the periodic border count, those beyond the open one do not.
    const Lattice around_x{4, 3, {true, false}}, around_y{4, 3, {false, true}};
    const Stencil along_x = read_stencil(around_x, view_of(colours), 0, 0),
                  along_y = read_stencil(around_y, view_of(colours), 0, 0);
    CHECK(along_x.at(smx) == wrapped.at(smx));
    CHECK_FALSE(along_x.has(smy));
    CHECK_FALSE(along_x.has(smxmy));
    CHECK(along_x.on_border);
    CHECK(along_y.at(smy) == wrapped.at(smy));
    CHECK_FALSE(along_y.has(smx));
    CHECK_FALSE(along_y.has(smxmy));
    CHECK(inner_point(around_x, 0, 0, smxmy) == Point{3.5, -0.5});
    CHECK(inner_point(around_y, 0, 0, smxmy) == Point{-0.5, 2.5});
}

TEST_CASE("stencil: strips of a third cell are marked as the pathologies of figure 5") {
    CHECK(has(stencil_of("ACB AAB AAC"), kPixelLongDiagonal));
    CHECK(has(stencil_of("AAC AAB ACC"), kPixelLongDiagonal));  // the mirror image
    CHECK_FALSE(has(stencil_of("CAB CAB CCA"), kPixelLongDiagonal));
    CHECK(has(stencil_of("ACB AAC AAA"), kPixelShortDiagonal));
    CHECK_FALSE(has(stencil_of("AAB AAA AAC"), kPixelShortDiagonal));
    CHECK(pathologies(stencil_of("BBB AAA AAA")) == 0);
    CHECK(pathologies(stencil_of("BCD E#F GHI")) == 0);
}

TEST_CASE("stencil: the inspector shows every condition") {
    const Lattice lattice{3, 3, false};
    const std::vector<uint32_t> colours = painted("ACB AAC AAB");
    const std::vector<Point> centres = {{0, 1}, {2, 2.2}, {1.4, 1.9}};
    const StencilReport report = inspect_stencil(lattice, view_of(colours), centres, lattice.pixel(1, 1), kText);
    CHECK(report.gaps == 5);
    CHECK(report.corner);
    CHECK(report.directions[spx].linked);
    CHECK_FALSE(report.directions[spxpy].linked);
    CHECK_FALSE(report.directions[spxpy].conditions.short_diagonal);
    CHECK(report.directions[spxpy].inner_colour == 2);
    CHECK_FALSE(report.directions[spxpy].conditions.inner);

    Report described;
    describe_stencil(report, kText, described);
    CHECK(described.all<Table>().at(0).row_count == kRing);
    CHECK(draw_stencil(report, kText).size() == 2);
}
