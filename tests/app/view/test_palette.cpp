// Colours as numbers: two meanings differ in both themes and for red-green colour-blind readers.
#include "app/view/palette.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/view/pass_colours.h"
#include "geometry/generators.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

constexpr double kInOneLegend = 17, kForFewCones = 9, kAnywhere = 9, kOfPasses = 12;

constexpr Role kStates[] = {
    Role::kFresh,   Role::kIllegal,     Role::kGranted,        Role::kDeferred,  Role::kFlipped, Role::kStale,
    Role::kCycling, Role::kQueued,      Role::kChosen,         Role::kMissing,   Role::kLocked,  Role::kSeam,
    Role::kBlocked, Role::kLostContact, Role::kCreatedContact, Role::kExact,     Role::kMissed,  Role::kSpurious,
    Role::kOdd,     Role::kProlonged,   Role::kActive,         Role::kUnmatched, Role::kFailed,  Role::kPositive,
    Role::kZero,    Role::kNegative,    Role::kPlain};

/// Roles of one meaning share a colour.
bool same_meaning(Role a, Role b) {
    for (const auto& [one, other] : {std::pair(Role::kGranted, Role::kLocked), std::pair(Role::kMissing, Role::kMissed),
                                     std::pair(Role::kFresh, Role::kCreatedContact)})
        if ((a == one && b == other) || (a == other && b == one)) return true;
    return false;
}

constexpr ColourVision kFewCones[] = {ColourVision::kNoRed, ColourVision::kNoGreen};

struct Named {
    std::string name;
    Color color;
};

/// Whether two colours differ by more than this for all readers, and by more than the other for the colour-blind.
void check_pair(const Named& a, const Named& b, double apart, double for_few_cones) {
    INFO(a.name, " and ", b.name);
    CHECK(difference(a.color, b.color) > apart);
    for (const ColourVision vision : kFewCones) CHECK(difference(a.color, b.color, vision) > for_few_cones);
}

void check_apart(const std::vector<Named>& all, double apart, double for_few_cones) {
    for (size_t i = 0; i < all.size(); ++i)
        for (size_t k = 0; k < i; ++k) check_pair(all[i], all[k], apart, for_few_cones);
}

}  // namespace

TEST_CASE("palette: the colour difference matches the published examples") {
    // Sharma, Wu and Dalal (2005), table 1: pairs 1, 7, 13, 17 and 25.
    CHECK(difference(Lab2000{50, 2.6772, -79.7751}, Lab2000{50, 0, -82.7485}) == doctest::Approx(2.0425).epsilon(1e-4));
    CHECK(difference(Lab2000{50, 0, 0}, Lab2000{50, -1, 2}) == doctest::Approx(2.3669).epsilon(1e-4));
    CHECK(difference(Lab2000{50, -0.001, 2.49}, Lab2000{50, 0.0009, -2.49}) == doctest::Approx(4.8045).epsilon(1e-3));
    CHECK(difference(Lab2000{50, 2.5, 0}, Lab2000{73, 25, -18}) == doctest::Approx(27.1492).epsilon(1e-4));
    CHECK(difference(Lab2000{60.2574, -34.0099, 36.2677}, Lab2000{60.4626, -34.1751, 39.4387}) ==
          doctest::Approx(1.2644).epsilon(1e-4));
    const Color grey{0.5f, 0.5f, 0.5f};
    for (const ColourVision vision : kFewCones) {
        CHECK(difference(lab_of(grey), lab_of(grey, vision)) < 1);
        CHECK(difference(color_of(0xFF0000), color_of(0x8F7F00), vision) <
              difference(color_of(0xFF0000), color_of(0x8F7F00)));
    }
}

TEST_CASE("palette: one colour has one meaning in all labs, dark and light") {
    for (const bool light : {false, true}) {
        const Palette& colors = palette(light);
        for (const Role a : kStates)
            for (const Role b : kStates) {
                if (a <= b) continue;
                INFO(name_of(a), " and ", name_of(b), light ? ", light" : ", dark");
                const double apart = difference(colors.role(a), colors.role(b));
                if (same_meaning(a, b))
                    CHECK(apart == 0);
                else
                    CHECK(apart > kAnywhere);
            }
    }
}

TEST_CASE("palette: entries of one legend for one kind of element differ clearly, for colour-blind readers too") {
    using E = LegendEntry::Element;
    // At their largest, with the additions of a check.
    std::vector<std::pair<std::string, std::vector<Role>>> legends = {
        {"edges of the Flip lab",
         {Role::kPlain, Role::kSeam, Role::kCycling, Role::kFlipped, Role::kGranted, Role::kDeferred, Role::kIllegal,
          Role::kBlocked, Role::kStale, Role::kQueued, Role::kFailed}},
        {"edges of constructions",
         {Role::kPlain, Role::kHelper, Role::kCycling, Role::kFlipped, Role::kDeferred, Role::kIllegal, Role::kStale,
          Role::kQueued, Role::kFresh, Role::kMissing, Role::kFailed}},
        {"links of the Voronoi lab",
         {Role::kPlain, Role::kMissed, Role::kSpurious, Role::kBlocked, Role::kExact, Role::kFailed}},
        {"links of the Events lab",
         {Role::kPlain, Role::kLostContact, Role::kCreatedContact, Role::kUnmatched, Role::kExact, Role::kFailed}},
        {"points", {Role::kHelper, Role::kChosen, Role::kFresh, Role::kWaiting, Role::kFailed}},
        {"centres", {Role::kActive, Role::kUnmatched, Role::kChosen, Role::kFailed}},
        {"triangles", {Role::kLocked, Role::kFlipped, Role::kFresh, Role::kFailed}},
        {"sites", {Role::kSpurious, Role::kOdd, Role::kProlonged, Role::kCorner, Role::kObstacle, Role::kFailed}}};
    // Legends of the labs at their start: each entry's colour; every numbered class has one.
    std::map<std::string, std::vector<uint32_t>> classes;
    for (const auto& entry : registry()) {
        Context context(DeviceRequest::kCpu);
        const std::unique_ptr<Lab> lab = make_lab(entry.id);
        const std::string example = lab->info().example;
        lab->reset(context,
                   std::make_shared<Geometry>(example.empty() ? Geometry{} : generate(parse_generator(example))));
        for (const E element : {E::kVertex, E::kEdge, E::kTriangle, E::kPixel}) {
            std::vector<Role> roles{Role::kFailed};
            for (size_t part = 0; part < lab->scene().view_count(); ++part)
                for (const LegendEntry& one : lab->scene().view(part).legend())
                    if (one.element == element && one.role == Role::kNumbered)
                        classes[entry.id].push_back(one.number);
                    else if (one.element == element && std::find(roles.begin(), roles.end(), one.role) == roles.end())
                        roles.push_back(one.role);
            legends.emplace_back(entry.id, roles);
        }
    }
    for (const bool light : {false, true})
        for (const auto& [title, roles] : legends)
            for (size_t i = 0; i < roles.size(); ++i)
                for (size_t k = 0; k < i; ++k) {
                    if (same_meaning(roles[i], roles[k])) continue;
                    CAPTURE(title);
                    CAPTURE(light);
                    // Greys that are also small or faint.
                    const auto is_quiet = [](Role role) {
                        return role == Role::kHelper || role == Role::kObstacle || role == Role::kWaiting;
                    };
                    const bool quiet = is_quiet(roles[i]) || is_quiet(roles[k]);
                    check_pair({name_of(roles[i]), palette(light).role(roles[i])},
                               {name_of(roles[k]), palette(light).role(roles[k])}, quiet ? 13 : kInOneLegend,
                               kForFewCones);
                }
    CHECK(classes["particles"].size() == 2);
    for (const bool light : {false, true})
        for (const auto& [lab, numbers] : classes) {
            CAPTURE(light);
            std::vector<Named> all{{"failed", palette(light).role(Role::kFailed)}};
            for (const uint32_t number : numbers)
                all.push_back({lab + " " + std::to_string(number), palette(light).numbered(number)});
            check_apart(all, kInOneLegend, kForFewCones);
        }
}

TEST_CASE("palette: links and Voronoi edges differ as they are drawn, on every cell of both themes") {
    using E = LegendEntry::Element;
    for (const bool light : {false, true}) {
        const Palette& colors = palette(light);
        const Color link = colors.style(E::kEdge, Role::kPlain).color,
                    exact = colors.style(E::kEdge, Role::kExact).color;
        for (const Color& cell : colors.cells) {
            const auto over = [&](const Color& top) {
                return Color{cell.r + top.a * (top.r - cell.r), cell.g + top.a * (top.g - cell.g),
                             cell.b + top.a * (top.b - cell.b)};
            };
            for (const ColourVision vision : {ColourVision::kAll, ColourVision::kNoRed, ColourVision::kNoGreen}) {
                CHECK(difference(over(link), over(exact), vision) > 17);
                CHECK(difference(cell, over(exact), vision) > 17);
                CHECK(difference(cell, over(link), vision) > 10);
            }
        }
    }
}

TEST_CASE("palette: check failures are visible on the canvas, and their headline is readable") {
    const auto luminance = [](const Color& color) {
        const double f = (lab_of(color).l + 16) / 116;
        return f * f * f;
    };
    const auto contrast = [&](const Color& a, const Color& b) {
        const double x = luminance(a), y = luminance(b);
        return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
    };
    for (const bool light : {false, true}) {
        const Palette& colors = palette(light);
        CHECK(contrast(colors.role(Role::kFailed), colors.canvas) > 3);  // WCAG 2.1, graphics
        CHECK(contrast(colors.error, colors.panel) > 4.5);               // WCAG 2.1, text
        for (const Role role : kStates) {
            INFO(name_of(role));
            if (role == Role::kExact || role == Role::kBlocked || role == Role::kPlain || role == Role::kZero)
                continue;  // quiet, over cells, or between other signs
            CHECK(contrast(colors.role(role), colors.canvas) > (light ? 2 : 3));
        }
        // The mark of the selection covers all of these.
        for (const Role role : kStates)
            if (role != Role::kExact) CHECK(difference(colors.mark, colors.role(role)) > 10);
    }
}

TEST_CASE("palette: a pass has one colour in all labs, and no two of a lab share one") {
    std::map<std::string, uint32_t> colour_of;
    for (const auto& entry : registry()) {
        const LabInfo& info = entry.info();
        const std::vector<uint32_t> colours = pass_colours(info);
        REQUIRE(colours.size() == info.passes.size());
        CHECK(std::set<uint32_t>(colours.begin(), colours.end()).size() == colours.size());
        for (size_t i = 0; i < colours.size(); ++i) {
            INFO(info.passes[i].name);
            CHECK(colours[i] < Palette::kPasses);
            CHECK(colour_of.emplace(info.passes[i].name, colours[i]).first->second == colours[i]);
        }
    }
    CHECK(colour_of.size() > 20);
    for (const bool light : {false, true}) {
        const Palette& colors = palette(light);
        for (uint32_t i = 0; i < Palette::kPasses; ++i)
            for (uint32_t k = 0; k < i; ++k) {
                INFO(i, " and ", k, light ? ", light" : ", dark");
                CHECK(difference(colors.pass(i), colors.pass(k)) > kAnywhere);
            }
        for (const auto& entry : registry()) {
            CAPTURE(light);
            const std::vector<uint32_t> colours = pass_colours(entry.info());
            std::vector<Named> all;
            for (size_t i = 0; i < colours.size(); ++i)
                all.push_back({entry.info().passes[i].name, colors.pass(colours[i])});
            check_apart(all, kOfPasses, 7);
        }
        for (const ColourVision vision : {ColourVision::kAll, ColourVision::kNoRed, ColourVision::kNoGreen})
            CHECK(difference(colors.accent, colors.second_series, vision) > 17);
    }
}

TEST_CASE("palette: where there are more names of passes than colours, those of one lab still differ") {
    const std::vector<std::vector<std::string>> labs{{"a", "b", "c"}, {"c", "d", "e"}, {"f", "a", "g"}};
    const auto always = [](uint32_t, uint32_t) { return true; };
    const auto colours = [&](size_t lab) { return pass_colours(labs, labs[lab], 5, always); };
    CHECK(colours(0) == std::vector<uint32_t>{0, 1, 2});
    CHECK(colours(1) == std::vector<uint32_t>{2, 3, 4});
    const std::vector<uint32_t> last = colours(2);
    CHECK(last[1] == 0);  // as everywhere
    CHECK(std::set<uint32_t>(last.begin(), last.end()).size() == 3);
    // An unlisted lab gets the remaining colours and changes none of the others.
    CHECK(pass_colours(labs, {"a", "z"}, 9, always) == std::vector<uint32_t>{0, 7});
    // More passes in one lab than colours still get colours.
    for (const uint32_t colour : pass_colours({}, {"a", "b", "c", "d"}, 3, always)) CHECK(colour < 3);
}

TEST_CASE("palette: categories are distinct for all readers, dark and light, and from the colour of no category") {
    for (const bool light : {false, true}) {
        const Palette& colors = palette(light);
        CAPTURE(light);
        std::vector<Named> all{{"canvas", colors.canvas}};
        for (uint32_t k = 0; k <= ColourScale::kOtherClass; ++k)
            all.push_back({"class " + std::to_string(k), colors.category(k)});
        check_apart(all, 12, 12);
        for (uint32_t k = 0; k <= ColourScale::kOtherClass; ++k) {
            const double place = double(k) / ColourScale::kOtherClass;
            CHECK(difference(colors.scale({ColourScale::Kind::kCategories}, place), colors.category(k)) == 0);
            // As a row of 256, too: points are drawn with it.
            const double row = std::floor(place * 255 + 0.5) / 255;
            CHECK(difference(colors.scale({ColourScale::Kind::kCategories}, row), colors.category(k)) == 0);
        }
    }
}
