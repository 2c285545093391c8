// The parts around a picture: texts, legends, colour bars, titles, labels and marks.
#include "app/figures/annotation.h"

#include <cmath>

#include "app/figures/picture.h"
#include "app/render_stage.h"
#include "app/run/plot_axis.h"
#include "geometry/generators.h"
#include "lab/registry.h"
using namespace flipscope;
using namespace flipscope::app;

namespace {

/// An offscreen OpenGL with a lab in it, after so many passes.
struct Shown {
    Offscreen offscreen;
    Context context{DeviceRequest::kCpu, 1};
    std::unique_ptr<Lab> lab;

    Shown(const std::string& name, const std::string& points, int passes) {
        offscreen.share_with(context);
        lab = make_lab(name);
        lab->reset(context, std::make_shared<const Geometry>(generate(parse_generator(points))));
        for (int i = 0; i < passes && !lab->done(); ++i) lab->step();
    }
};

/// The drawn elements, with their places in pixels.
struct Image {
    Pixels pixels;
    explicit Image(Pixels of) : pixels(std::move(of)) {}
    Color at(int x, int y) const {
        const size_t i = 4 * (static_cast<size_t>(y) * static_cast<size_t>(pixels.width) + static_cast<size_t>(x));
        return {pixels.rgba[i] / 255.f, pixels.rgba[i + 1] / 255.f, pixels.rgba[i + 2] / 255.f};
    }
    /// How many of the pixels in a box differ from those that `wanted` has there, and of how many.
    template <class Wanted>
    std::pair<int, int> others(const app::Area& box, const Wanted& wanted, float by = 0.05f) const {
        int found = 0, all = 0;
        for (int y = static_cast<int>(box.y); y < static_cast<int>(box.bottom()); ++y)
            for (int x = static_cast<int>(box.x); x < static_cast<int>(box.right()); ++x, ++all)
                found += distance(at(x, y), wanted(x, y)) > by;
        return {found, all};
    }
    /// Part of the pixels in a box that differ from `ground`.
    double marked(const app::Area& box, const Color& ground = palette(false).canvas) const {
        const auto [found, all] = others(box, [&](int, int) { return ground; });
        return all > 0 ? static_cast<double>(found) / all : 0;
    }
    int changed(const app::Area& box, const Image& before, float by = 0.05f) const {
        return others(
                   box, [&](int x, int y) { return before.at(x, y); }, by)
            .first;
    }
};

FigureSpec spec_of(double width, double height) {
    return {.width = width, .height = height, .dpi = 96, .legend = false, .colour_bars = false, .scale_bar = false};
}

}  // namespace

TEST_CASE("annotation: a text is cut between characters, and fits") {
    NoDrawing nothing;
    const Ink ink{nothing, palette(false), 12};
    const std::string text = "Näherungsweise größter Übergang";
    CHECK(ink.cut(text, 1000) == text);
    for (double width = 0; width < 250; width += 7) {
        const std::string cut = ink.cut(text, width);
        CHECK(ink.width(cut) <= width);
        if (cut.empty() || cut == text) continue;
        REQUIRE(cut.ends_with("…"));
        const std::string kept = cut.substr(0, cut.size() - std::string("…").size());
        CHECK(text.starts_with(kept));
        CHECK((static_cast<unsigned char>(text[kept.size()]) & 0xC0) != 0x80);  // a character begins there
    }
}

TEST_CASE("annotation: a title that is too long takes two lines, as even as its blanks allow, or three") {
    NoDrawing nothing;
    const Ink ink{nothing, palette(false), 12};
    const std::string text = "A title of several words that has no colon at all";
    using Lines = std::vector<std::string>;
    CHECK(ink.in_lines(text, 1000) == Lines{text});
    CHECK(ink.in_lines(text, 0.6 * ink.width(text)) == Lines{"A title of several words", "that has no colon at all"});
    // A colon is the better place, as long as both lines fit.
    const std::string name = "Strips, zip: work 123,456 in 3 passes";
    CHECK(ink.in_lines(name, 0.8 * ink.width(name)) == Lines{"Strips, zip:", "work 123,456 in 3 passes"});
    CHECK(ink.in_lines(name, 0.6 * ink.width(name)).front() != "Strips, zip:");
    CHECK(ink.in_lines("Subdivision", 1000) == Lines{"Subdivision"});
    CHECK(ink.in_lines("", 1000) == Lines{""});
    for (double width = 0; width < 400; width += 11)
        for (const std::string& line : ink.in_lines(text, width)) CHECK(ink.width(line) <= width);
    CHECK(ink.in_lines("Subdivision", 30).size() == 1);  // nowhere to break it
}

TEST_CASE("annotation: a legend flows in lines or stands in a column, and what has no room is counted") {
    NoDrawing nothing;
    const Ink ink{nothing, palette(false), 10};
    std::vector<LegendEntry> entries;
    for (int i = 0; i < 12; ++i)
        entries.push_back({i < 3 ? LegendEntry::Element::kVertex : LegendEntry::Element::kEdge, 0, Role::kActive,
                           "entry " + std::to_string(i), ""});
    const auto inside = [&](const LegendLayout& legend, double width) {
        std::vector<app::Area> taken;
        for (const LegendLayout::Item& item : legend.items) {
            const app::Area box{item.at.x, item.at.y, item.width, ink.line()};
            CHECK(box.right() <= width + 1e-9);
            CHECK(box.bottom() <= legend.height + 1e-9);
            for (const app::Area& other : taken)
                CHECK((box.x >= other.right() || other.x >= box.right() || box.y >= other.bottom() ||
                       other.y >= box.bottom()));
            taken.push_back(box);
        }
        return taken.size();
    };
    CHECK(inside(lay_out_legend(ink, entries, "Points", {2000}), 2000) == 14);  // with two titles
    const LegendLayout line = lay_out_legend(ink, entries, "Points", {2000}),
                       lines = lay_out_legend(ink, entries, "Points", {300});
    CHECK(line.height == doctest::Approx(ink.line()));
    CHECK(inside(lines, 300) == 14);
    CHECK(lines.height > 3 * ink.line());
    CHECK(lines.items[0].text == "Points");
    const LegendLayout column = lay_out_legend(ink, entries, "Points", {150, true});
    CHECK(inside(column, 150) == 14);
    CHECK(column.height > 14 * ink.line());
    CHECK(column.widest < 150);
    LegendShape low{300};
    low.most = 2.6 * ink.line();
    const LegendLayout cut = lay_out_legend(ink, entries, "Points", low);
    CHECK(cut.height <= low.most);
    CHECK(inside(cut, 300) < 14);
    REQUIRE(!cut.left_over.empty());
    CHECK(cut.left_over.back() == "entry 11");
    CHECK(cut.items.back().text == "and " + std::to_string(cut.left_over.size()) + " more");
    low.most = 0.5 * ink.line();
    CHECK(lay_out_legend(ink, entries, "Points", low).items.empty());
    CHECK(lay_out_legend(ink, {}, "Points", {300}).height == 0);
}

TEST_CASE("annotation: a column as wide as its widest entry cuts none") {
    NoDrawing nothing;
    for (double font = 7; font < 40; font += 0.3) {
        const Ink ink{nothing, palette(false), font};
        const std::vector<LegendEntry> entries{{LegendEntry::Element::kVertex, 0, Role::kActive, "species 1", ""},
                                               {LegendEntry::Element::kVertex, 0, Role::kActive, "species 2", ""}};
        const double widest = lay_out_legend(ink, entries, "Particles", {1e6, true}).widest;
        CHECK(lay_out_legend(ink, entries, "Particles", {widest, true}).items.back().text == "species 2");
    }
}

TEST_CASE("figure: legend and picture lie side by side or one below the other, never over each other") {
    const auto shown = made_or_skip<Shown>("build", "uniform:60", 14);
    if (!shown) return;
    const Scene scene = shown->lab->scene();
    for (const auto& [width, height, beside] : {std::tuple{900, 500, true}, std::tuple{500, 700, false}}) {
        CAPTURE(width);
        FigureSpec spec = spec_of(width, height);
        spec.legend = spec.legend_beside = true;
        const FigurePlan plan = plan_figure(scene, spec);
        CHECK(plan.note.empty());
        CHECK(plan.legend.size() >= 2);
        CHECK(plan.in_column == beside);
        if (beside)
            CHECK(plan.caption.x >= plan.picture_pt.right());
        else
            CHECK(plan.caption.y >= plan.picture_pt.bottom());
        const Image image(shown->offscreen.figure(scene, plan));
        // The picture's part is the picture of that size.
        const Image alone(
            shown->offscreen.figure(scene, plan_figure(scene, spec_of(plan.picture.width, plan.picture.height))));
        CHECK(image.changed({0, 0, double(plan.picture.width), double(plan.picture.height)}, alone, 0) == 0);
        spec.legend_beside = false;
        CHECK_FALSE(plan_figure(scene, spec).in_column);
    }
}

TEST_CASE("figure: without room for the legend only the picture is drawn, and a message reports that") {
    const auto shown = made_or_skip<Shown>("build", "uniform:60", 14);
    if (!shown) return;
    for (const auto& [width, height] : {std::pair{60, 40}, std::pair{1, 1}, std::pair{300, 20}}) {
        FigureSpec spec = spec_of(width, height);
        spec.legend = spec.legend_beside = true;
        const FigurePlan plan = plan_figure(shown->lab->scene(), spec);
        CHECK_FALSE(plan.note.empty());
        CHECK(plan.legend.empty());
        CHECK(plan.picture.width == width);
        CHECK(plan.picture.height == height);
        CHECK(shown->offscreen.figure(shown->lab->scene(), plan).width == width);
    }
}

TEST_CASE("figure: two scenes side by side have their titles, and what is coloured by a scale its colour bar") {
    const auto shown = made_or_skip<Shown>("race", "torus-knot:300", 5);
    if (!shown) return;
    const Scene scene = shown->lab->scene();
    FigureSpec spec = spec_of(800, 500);
    spec.colour_bars = true;
    spec.display.angles = true;
    FigurePlan plan = plan_figure(scene, spec);
    REQUIRE(plan.titles.size() == 2);
    CHECK(plan.titles[1] == std::vector<std::string>{scene.beside[0].title});
    REQUIRE(plan.bars.size() == 1);
    CHECK(plan.bars[0].unit == "°");
    CHECK(plan.bars[0].high == 60);
    spec.display.show("triangles", false);
    CHECK(plan_figure(scene, spec).bars.empty());
}

TEST_CASE("annotation: the numbers of a colour bar are at least two, whatever its range") {
    struct Texts : NoDrawing {
        std::vector<std::string> all;
        void text(Point, double, double, const Color&, const std::string& text) override { all.push_back(text); }
    } drawn;
    const Ink ink{drawn, palette(false), 12};
    for (const double most : {1.0, 1.7, 0.0171, 2.3, 4.9, 6e-5}) {
        drawn.all.clear();
        draw_colour_bar(ink, {0, 0, colour_bar_width(12), colour_bar_height(12)},
                        {"speed", "", -most, most, false, {{0, 0, 0}, {1, 1, 1}}});
        CAPTURE(most);
        CHECK(drawn.all.size() >= 3);  // with the title
    }
}

TEST_CASE("annotation: on a logarithmic colour bar equal factors are equally long, in its colours and in its numbers") {
    const auto shown = made_or_skip<Shown>("build", "uniform:30", 0);
    if (!shown) return;
    for (const double high : {2.5, 3.0, 9.0, 30.0, 99.0, 1e3, 1e9})  // whatever the range, at least two to go by
        for (const double low : {1.0, 2.0, 0.003}) {
            if (low >= high) continue;
            const auto ticks = Axis{low, high, true, false}.ticks(4);
            CAPTURE(low);
            CAPTURE(high);
            CHECK(ticks.size() >= 2);
            for (const Tick& tick : ticks) {
                CHECK(tick.value >= low * (1 - 1e-9));
                CHECK(tick.value <= high * (1 + 1e-9));
            }
        }

    Scene scene;
    Buffer<float> field{"field", Residence::kDrawn};
    field.resize(shown->context, 4);
    scene.layers = {{"field", "Field", "", true, LatticeLayer{2, 2, nullptr, nullptr, &field}}};
    scene.layers[0].scale = {ColourScale::Kind::kSequential, "rate", "1/s", 1, 10000, true};
    const auto bars = colour_bars(scene, {}, palette(false));
    REQUIRE(bars.size() == 1);
    CHECK(bars[0].logarithmic);
    CHECK(bars[0].title == "rate (1/s)");
    const ColourScale& scale = scene.layers[0].scale;
    const auto count = static_cast<double>(bars[0].colours.size());
    for (size_t k = 0; k < bars[0].colours.size(); ++k) {
        const double place = (static_cast<double>(k) + 0.5) / count;
        CHECK(distance(bars[0].colours[k], palette(false).scale({scale.kind}, place)) < 0.01f);
        CHECK(scale.place(std::pow(1e4, place)) == doctest::Approx(place));
    }
    // Numbers up to zero have no logarithm: then the bar and the lattice are linear, both.
    scene.layers[0].scale.low = -1;
    CHECK_FALSE(colour_bars(scene, {}, palette(false))[0].logarithmic);
    CHECK(scene.layers[0].scale.place(4999.5) == doctest::Approx(0.5));
}

namespace {

/// Four views with long names, two triangles in each.
Scene four_views(Context& context, Buffer<Point>& places, Buffer<uint32_t>& corners) {
    const std::vector<Point> square{{0, 0}, {10, 0}, {10, 8}, {0, 8}};
    const std::vector<uint32_t> two{0, 1, 2, 0, 2, 3};
    places.upload(context, square.data(), square.size());
    corners.upload(context, two.data(), two.size());
    Scene scene;
    scene.low = {0, 0};
    scene.high = {10, 8};
    Layer faces{"faces", "Faces", "", true, TrianglesLayer{&places, nullptr, 4, &corners, 2}};
    faces.role = Role::kActive;
    scene.layers = {faces};
    scene.title = "the first of four views that all have long names";
    for (const char* title : {"the second, with a name as long as that of the first", "the third", "the fourth"}) {
        SceneView view = scene;
        view.title = title;
        scene.beside.push_back(view);
    }
    return scene;
}

}  // namespace

TEST_CASE("figure: labels are drawn without a legend, too, wherever they are, and never outside of their view") {
    const auto shown = made_or_skip<Shown>("build", "uniform:30", 0);
    if (!shown) return;
    Buffer<Point> places{"places", Residence::kDrawn};
    Buffer<uint32_t> corners{"corners", Residence::kDrawn};
    Scene scene = four_views(shown->context, places, corners);
    for (size_t i = 0; i < 4; ++i) {
        scene.view(i).title.clear();
        scene.view(i).linked = false;
        scene.view(i).layers.clear();
    }
    // A world far from the origin; the label of the first view is at its right side, and reaches out of it.
    const double far = 1e9;
    scene.low = {far, far};
    scene.high = {far + 10, far + 8};
    LabelsLayer words;
    words.labels = {{{far + 10, far + 4}, "a name that is far too long for the side of the view that it stands at"},
                    {{-far, far}, "elsewhere"}};
    scene.layers = {{"names", "Names", "", true, words}};
    const Image image(shown->offscreen.figure(scene, plan_figure(scene, spec_of(640, 480))));
    CHECK(image.marked({200, 90, 115, 60}) > 0.02);
    CHECK(image.marked({325, 4, 310, 230}) == 0);  // the view beside it
    CHECK(image.marked({4, 246, 310, 230}) == 0);  // and those below
    CHECK(image.marked({325, 246, 310, 230}) == 0);
}

TEST_CASE(
    "figure: what explains a report is drawn over its view, and a circle through nearly collinear points as a line") {
    const auto shown = made_or_skip<Shown>("race", "uniform:60", 0);
    if (!shown) return;
    const Scene scene = shown->lab->scene();
    REQUIRE(scene.view_count() == 2);
    constexpr int kWidth = 600, kHeight = 300;
    const auto drawn = [&](const std::vector<Highlight>& highlights) {
        FigurePlan plan = plan_figure(scene, spec_of(kWidth, kHeight));
        plan.highlights = highlights;
        return Image(shown->offscreen.figure(scene, plan));
    };
    const Image plain = drawn({});
    const app::Area left{0, 0, kWidth / 2 - 1, kHeight}, right{kWidth / 2 + 1, 0, kWidth / 2 - 1, kHeight};
    const Point middle{(scene.low.x + scene.high.x) / 2, (scene.low.y + scene.high.y) / 2};
    const double radius = 0.25 * (scene.high.x - scene.low.x);
    for (const uint32_t part : {0u, 1u}) {
        const Image image =
            drawn({{Highlight::Kind::kCircle, {{middle.x, middle.y, 0}}, radius, Role::kIllegal, "circle", part}});
        const app::Area& of = part == 0 ? left : right;
        CHECK(image.changed(of, plain) > 200);
        CHECK(image.changed(part == 0 ? right : left, plain) == 0);
        // Around, and not within.
        const double x = of.x + 0.5 * of.width, y = 0.5 * kHeight;
        CHECK(image.changed({x - 10, y - 10, 20, 20}, plain) == 0);
    }
    // The lower end of a circle as large as a planet goes through the middle of the view, from one side to the other.
    const double planet = 1e12;
    const Image line =
        drawn({{Highlight::Kind::kCircle, {{middle.x, middle.y + planet, 0}}, planet, Role::kIllegal, "circle", 0}});
    const Point there = plan_figure(scene, spec_of(kWidth, kHeight)).cameras[0].to_pixels(middle);
    for (const double x : {10.0, 100.0, 200.0, 280.0})
        CHECK(line.changed({x, 0.5 * kHeight - there.y - 6, 8, 12}, plain) > 5);
    CHECK(line.changed({0, 0, kWidth / 2 - 1, 0.4 * kHeight}, plain) == 0);
}
