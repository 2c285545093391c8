// Pictures with words: text, legends and colour bars without a window.
#include "app/figures/figure.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/folders.h"
#include "app/images/images.h"
#include "app/render_stage.h"
#include "app/run/plot_axis.h"
#include "geometry/generators.h"
#include "lab/registry.h"
#include "test_support.h"

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

std::unique_ptr<Shown> shown_or_skip(const std::string& name, const std::string& points, int passes) {
    try {
        return std::make_unique<Shown>(name, points, passes);
    } catch (const std::runtime_error& error) {
        skip(error.what());
        return nullptr;
    }
}

/// RGBA, rows from the top.
struct Image {
    std::vector<unsigned char> bytes;
    int width = 0, height = 0;
    Color at(int x, int y) const {
        const size_t i = 4 * (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x));
        return {bytes[i] / 255.f, bytes[i + 1] / 255.f, bytes[i + 2] / 255.f};
    }
    /// Part of the pixels in a box that differ from `ground`.
    double marked(const Box& box, const Color& ground) const {
        int found = 0, all = 0;
        for (int y = static_cast<int>(box.y); y < static_cast<int>(box.y + box.height); ++y)
            for (int x = static_cast<int>(box.x); x < static_cast<int>(box.x + box.width); ++x, ++all)
                found += distance(at(x, y), ground) > 0.05f;
        return all > 0 ? static_cast<double>(found) / all : 0;
    }
};

}  // namespace

TEST_CASE("page: text is drawn where it is written, over pictures, in both themes, and the window's context stays") {
    const auto shown = shown_or_skip("build", "uniform:30", 0);
    if (!shown) return;
    ImGuiContext* const mine = ImGui::CreateContext();
    ImGui::SetCurrentContext(mine);
    for (const bool light : {false, true}) {
        const Color ground = palette(light).canvas;
        Image image{{}, 300, 200};
        {
            Page page(image.width, image.height, light, 1);
            const Pen pen = page.pen();
            const std::string text = "Größe → 12°";
            const ImVec2 size = Pen::measure(*pen.fonts.caption, text);
            CHECK(size.x > 60);
            CHECK(size.x < 200);
            pen.write(*pen.fonts.caption, {40, 50}, pen.colors.text, text);
            image.bytes = page.pixels();
            CHECK(image.marked({40, 50, size.x, size.y}, ground) > 0.1);
            CHECK(image.marked({0, 0, 300, 49}, ground) == 0);
            CHECK(image.marked({0, 52 + size.y, 300, 147 - size.y}, ground) == 0);
        }
        CHECK(ImGui::GetCurrentContext() == mine);
    }
    ImGui::DestroyContext(mine);
    CHECK_THROWS_AS(Page(0, 10, false, 1), std::runtime_error);
    CHECK_THROWS_AS(Page(1 << 24, 10, false, 1), std::runtime_error);
}

TEST_CASE("annotation: a text is cut between characters, and fits") {
    const auto shown = shown_or_skip("build", "uniform:30", 0);
    if (!shown) return;
    Page page(64, 64, false, 1);
    const ImFont& font = *page.pen().fonts.body;
    const std::string text = "Näherungsweise größter Übergang";
    CHECK(Pen::cut(font, text, 1000) == text);
    for (float width = 0; width < 250; width += 7) {
        const std::string cut = Pen::cut(font, text, width);
        CHECK(Pen::measure(font, cut).x <= width);
        if (cut.empty() || cut == text) continue;
        REQUIRE(cut.ends_with("…"));
        const std::string kept = cut.substr(0, cut.size() - std::string("…").size());
        CHECK(text.starts_with(kept));
        CHECK((static_cast<unsigned char>(text[kept.size()]) & 0xC0) != 0x80);  // a character begins there
    }
}

TEST_CASE("annotation: a title that is too long takes two lines, as even as its blanks allow, or three") {
    const auto shown = shown_or_skip("build", "uniform:30", 0);
    if (!shown) return;
    Page page(64, 64, false, 1);
    const ImFont& font = *page.pen().fonts.body;
    const std::string text = "A title of several words that has no colon at all";
    using Lines = std::vector<std::string>;
    CHECK(Pen::in_lines(font, text, 1000) == Lines{text});
    CHECK(Pen::in_lines(font, text, 0.6f * Pen::measure(font, text).x) ==
          Lines{"A title of several words", "that has no colon at all"});
    // A colon is the better place, as long as both lines fit.
    const std::string name = "Strips, zip: work 123,456 in 3 passes";
    CHECK(Pen::in_lines(font, name, 0.8f * Pen::measure(font, name).x) ==
          Lines{"Strips, zip:", "work 123,456 in 3 passes"});
    CHECK(Pen::in_lines(font, name, 0.6f * Pen::measure(font, name).x).front() != "Strips, zip:");
    const std::string end = "Strips, done after: work 1,866 in 27 passes";
    CHECK(Pen::in_lines(font, end, Pen::measure(font, "Strips, done after:").x) ==
          Lines{"Strips, done after:", "work 1,866", "in 27 passes"});
    const std::string moment = "uniform:400, pass 37: claim";
    CHECK(Pen::in_lines(font, moment, 0.7f * Pen::measure(font, moment).x) == Lines{"uniform:400,", "pass 37: claim"});
    // Rather four lines than a number that is cut.
    const Lines many = Pen::in_lines(font, "now: Build lab: uniform:400, pass 129: relocate, the end",
                                     Pen::measure(font, "pass 129: relocate,").x);
    std::string together;
    for (const std::string& line : many) together += (together.empty() ? "" : " ") + line;
    CHECK(together == "now: Build lab: uniform:400, pass 129: relocate, the end");
    CHECK(Pen::in_lines(font, "Subdivision", 1000) == Lines{"Subdivision"});
    CHECK(Pen::in_lines(font, "", 1000) == Lines{""});
    for (float width = 0; width < 400; width += 11)
        for (const std::string& line : Pen::in_lines(font, text, width)) CHECK(Pen::measure(font, line).x <= width);
    CHECK(Pen::in_lines(font, "Subdivision", 30).size() == 1);  // nowhere to break it
}

TEST_CASE("annotation: a colour bar shows its colours from end to end, with round values below") {
    const auto shown = shown_or_skip("build", "uniform:30", 0);
    if (!shown) return;
    const auto colour_of = [](double value) { return Color{static_cast<float>(value - 2) / 8, 0.5f, 0}; };
    for (const double high : {10.0, 2.0}) {  // of one value alone, too
        Page page(400, 120, false, 1);
        const Pen pen = page.pen();
        const Box area{50, 40, 300, colour_bar_height(pen)};
        draw_colour_bar(pen, area, {2, high, "speed", "m/s", colour_of});
        const Image image{page.pixels(), 400, 120};
        const Color ground = pen.colors.canvas;
        int bar = -1;  // a row in the middle of it
        for (int y = 40; y < 120 && bar < 0; ++y)
            if (distance(image.at(200, y), colour_of(2 + (high - 2) / 2)) < 0.03f) bar = y + 3;
        REQUIRE(bar > 0);
        int left = 0, right = 399;
        while (distance(image.at(left, bar), ground) < 0.05f) ++left;
        while (distance(image.at(right, bar), ground) < 0.05f) --right;
        CHECK(left >= 50);
        CHECK(right < 350);
        CHECK(right - left > 200);
        CHECK(distance(image.at(left + 2, bar), colour_of(2)) < 0.03f);
        CHECK(distance(image.at(right - 2, bar), colour_of(high)) < 0.03f);
        CHECK(image.marked({50, 40, 300, 12}, ground) > 0.01);                                     // its name
        CHECK(image.marked({50, static_cast<float>(bar) + 8, 300, 14}, ground) > 0.005);           // its numbers
        CHECK(image.marked({0, 0, 400, 40}, ground) == 0);                                         // and nothing else
        CHECK(image.marked({0, 40 + area.height + 2, 400, 120 - 42 - area.height}, ground) == 0);  //
    }
}

TEST_CASE("figure: legend and picture lie side by side or one below the other, never over each other") {
    const auto shown = shown_or_skip("build", "uniform:60", 14);
    if (!shown) return;
    const Caption caption = caption_of(shown->lab->scene(), {}, palette(false));
    REQUIRE(caption.entries.size() >= 2);
    CHECK(caption.bars.empty());
    CHECK(caption.titles.empty());
    const Color ground = palette(false).canvas;
    for (const auto& [width, height, beside] : {std::tuple{900, 500, true}, std::tuple{500, 700, false}}) {
        CAPTURE(width);
        Page page(width, height, false, 1);
        const Box whole{0, 0, static_cast<float>(width), static_cast<float>(height)};
        const DrawnFigure drawn = draw_figure(shown->offscreen, page, shown->lab->scene(), whole, caption,
                                              CaptionPlace::kWhereItCostsLeast, {});
        CHECK(drawn.complete);
        REQUIRE(drawn.caption.width > 0);
        CHECK((drawn.caption.x >= drawn.picture.x + drawn.picture.width) == beside);
        CHECK((drawn.caption.y >= drawn.picture.y + drawn.picture.height) == !beside);
        const Image image{page.pixels(), width, height};
        CHECK(image.marked(drawn.caption, ground) > 0.03);
        // The picture's part is the picture of that size.
        const int w = static_cast<int>(drawn.picture.width), h = static_cast<int>(drawn.picture.height);
        const Image alone{shown->offscreen.render(shown->lab->scene(), w, h, false).pixels(), w, h};
        int other = 0;
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) other += distance(image.at(x, y), alone.at(x, y)) > 0;
        CHECK(other == 0);
    }
}

TEST_CASE("figure: where there is no room for the legend, the picture is all there is, and that is told") {
    const auto shown = shown_or_skip("build", "uniform:60", 14);
    if (!shown) return;
    const Caption caption = caption_of(shown->lab->scene(), {}, palette(false));
    for (const auto& [width, height] : {std::pair{60, 40}, std::pair{1, 1}, std::pair{300, 20}}) {
        Page page(width, height, false, 1);
        const DrawnFigure drawn = draw_figure(shown->offscreen, page, shown->lab->scene(),
                                              {0, 0, static_cast<float>(width), static_cast<float>(height)}, caption,
                                              CaptionPlace::kWhereItCostsLeast, {});
        CHECK_FALSE(drawn.complete);
        CHECK(drawn.caption.width == 0);
        CHECK(static_cast<int>(drawn.picture.width) == width);
        CHECK(static_cast<int>(drawn.picture.height) == height);
    }
}

TEST_CASE("figure: two scenes side by side have their titles, and what is coloured by a scale its colour bar") {
    const auto shown = shown_or_skip("race", "torus-knot:300", 5);
    if (!shown) return;
    const Scene scene = shown->lab->scene();
    REQUIRE(scene.beside.size() == 1);
    Look look;
    look.angles = true;
    const Caption caption = caption_of(scene, look, palette(true));
    CHECK(caption.titles == std::vector<std::string>{scene.title, scene.beside[0].title});
    REQUIRE(caption.bars.size() == 1);
    CHECK(caption.bars[0].unit == "°");
    CHECK(caption.bars[0].high == 60);
    look.show("triangles", false);
    CHECK(caption_of(scene, look, palette(true)).bars.empty());
    Page page(800, 500, true, 1);
    const DrawnFigure drawn = draw_figure(shown->offscreen, page, shown->lab->scene(), {0, 0, 800, 500}, caption,
                                          CaptionPlace::kBelow, {true, 1, {}, {}});
    CHECK(drawn.complete);
    CHECK(drawn.picture.y > 15);
    const Image image{page.pixels(), 800, 500};
    CHECK(image.marked({0, 0, 400, drawn.picture.y}, palette(true).canvas) > 0.005);
    CHECK(image.marked({400, 0, 400, drawn.picture.y}, palette(true).canvas) > 0.005);
}

TEST_CASE("figure: three scenes side by side have their titles above them, in two lines where they are narrow") {
    const auto shown = shown_or_skip("race-builds", "uniform:60", 30);
    if (!shown) return;
    const Scene scene = shown->lab->scene();
    REQUIRE(scene.view_count() == 3);
    const Caption caption = caption_of(scene, {}, palette(true));
    REQUIRE(caption.titles.size() == 3);
    const auto room_for_titles = [&](int width) {
        Page page(width, 500, true, 1);
        const Box area{0, 0, static_cast<float>(width), 500};
        const DrawnFigure drawn =
            draw_figure(shown->offscreen, page, scene, area, caption, CaptionPlace::kBelow, {true, 1, {}, {}});
        CHECK(drawn.complete);
        const Image image{page.pixels(), width, 500};
        const float third = static_cast<float>(width) / 3;
        for (int k = 0; k < 3; ++k)
            CHECK(image.marked({static_cast<float>(k) * third, 0, third, drawn.picture.y}, palette(true).canvas) >
                  0.005);
        return drawn.picture.y;
    };
    CHECK(room_for_titles(520) > 1.4f * room_for_titles(1500));
}

TEST_CASE("figure: numbers on a lattice have a colour bar where they are shown") {
    const auto shown = shown_or_skip("voronoi", "uniform:20", 1);
    if (!shown) return;
    Buffer<uint32_t> colours{"colours", Residence::kDrawn};
    Buffer<float> field{"field", Residence::kDrawn};
    colours.resize(shown->context, 4);
    field.resize(shown->context, 4);
    Scene scene;
    scene.layers = {{"cells", "Cells", "", true, LatticeLayer{2, 2, &colours}},
                    {"field", "Field", "", false, LatticeLayer{2, 2, nullptr, nullptr, &field}}};
    scene.layers[1].scale = {ColourScale::Kind::kImage, "field", "", -1, 3};
    Look look;
    CHECK(colour_bars(scene, look, palette(false)).empty());  // cells, not numbers
    look.show("field", true);
    const auto bars = colour_bars(scene, look, palette(false));
    REQUIRE(bars.size() == 1);
    CHECK(bars[0].low == -1);
    CHECK(bars[0].high == 3);
    const auto& stops = palette(false).field_stops;
    CHECK(distance(bars[0].colour_of(-1), stops[0]) < 1e-6f);
    CHECK(distance(bars[0].colour_of(1), stops[1]) < 1e-6f);
    CHECK(distance(bars[0].colour_of(99), stops[2]) < 1e-6f);
    scene.beside.push_back(scene);
    CHECK(colour_bars(scene, look, palette(false)).size() == 1);  // the same scale once
    scene.beside[0].layers[1].scale.high = 5;
    CHECK(colour_bars(scene, look, palette(false)).size() == 2);
}

TEST_CASE("annotation: on a logarithmic colour bar equal factors are equally long, in its colours and in its numbers") {
    const auto shown = shown_or_skip("build", "uniform:30", 0);
    if (!shown) return;
    const Axis decades{1, 10000, true, false};
    std::vector<double> values;
    for (const Tick& tick : decades.ticks(6)) values.push_back(tick.value);
    CHECK(values == std::vector<double>{1, 10, 100, 1000, 10000});
    CHECK(decades.place(100) == doctest::Approx(0.5));
    values.clear();
    for (const Tick& tick : Axis{2, 80, true, false}.ticks(6)) values.push_back(tick.value);
    CHECK(values == std::vector<double>{2, 5, 10, 20, 50});
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
    CHECK(bars[0].value_at(0) == doctest::Approx(1));
    CHECK(bars[0].value_at(0.5) == doctest::Approx(100));
    CHECK(bars[0].value_at(1) == doctest::Approx(10000));
    Page page(400, 120, false, 1);
    const Box area{50, 40, 300, colour_bar_height(page.pen())};
    draw_colour_bar(page.pen(), area, bars[0]);
    const Image image{page.pixels(), 400, 120};
    const ColourScale& scale = scene.layers[0].scale;
    const auto colour_of = [&](double place) { return palette(false).scale(scale.kind, place); };
    int bar = -1;
    for (int y = 40; y < 120 && bar < 0; ++y)
        if (distance(image.at(200, y), colour_of(0.5)) < 0.03f) bar = y + 3;
    REQUIRE(bar > 0);
    int left = 0, right = 399;
    while (distance(image.at(left, bar), palette(false).canvas) < 0.05f) ++left;
    while (distance(image.at(right, bar), palette(false).canvas) < 0.05f) --right;
    CHECK(right - left > 200);
    for (const double value : {3., 10., 31.6, 100., 316., 1000., 3000.}) {
        const double place = scale.place(value);
        CAPTURE(value);
        CHECK(distance(image.at(left + static_cast<int>(std::lround(place * (right - left))), bar), colour_of(place)) <
              0.06f);
    }
    // What is not above zero has no logarithm: then the bar and the lattice are linear, both.
    scene.layers[0].scale.low = -1;
    const auto linear = colour_bars(scene, {}, palette(false));
    CHECK_FALSE(linear[0].logarithmic);
    CHECK(scene.layers[0].scale.place(4999.5) == doctest::Approx(0.5));
}

namespace {

float spread_of(const FieldStack& field) {
    const auto [low, high] = std::minmax_element(field.values.begin(), field.values.end());
    return *high - *low;
}

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

TEST_CASE("figure: the titles of four views stand above theirs, over no picture and over no other title") {
    const auto shown = shown_or_skip("build", "uniform:30", 0);
    if (!shown) return;
    Buffer<Point> places{"places", Residence::kDrawn};
    Buffer<uint32_t> corners{"corners", Residence::kDrawn};
    const Scene scene = four_views(shown->context, places, corners);
    Scene untitled = scene;
    for (size_t i = 0; i < 4; ++i) untitled.view(i).title.clear();
    const Color ground = palette(false).canvas, words = palette(false).text;
    for (const float scale : {1.f, 2.f}) {
        CAPTURE(scale);
        Page page(1280, 800, false, scale);
        const Pen pen = page.pen();
        const Caption caption = caption_of(scene, {}, pen.colors);
        REQUIRE(caption.titles.size() == 4);
        const DrawnFigure drawn = draw_figure(shown->offscreen, page, scene, {0, 0, 1280, 800}, caption,
                                              CaptionPlace::kWhereItCostsLeast, {false, scale, {}, {}});
        CHECK(drawn.complete);
        const Image image{page.pixels(), 1280, 800};
        const float line = Pen::line(*pen.fonts.body);
        const auto has_words = [&](const Box& box) {
            int found = 0;
            for (int y = static_cast<int>(box.y); y < static_cast<int>(box.y + box.height); ++y)
                for (int x = static_cast<int>(box.x); x < static_cast<int>(box.x + box.width); ++x)
                    found += distance(image.at(x, y), words) < 0.1f;
            return found > 20;
        };
        // Each half of the picture: a strip with words and nothing else, and below it the fill of the faces.
        const float half = (drawn.picture.y + drawn.picture.height) / 2;
        for (const float top : {0.f, half})
            for (const float left : {0.f, 640.f}) {
                CAPTURE(top);
                CAPTURE(left);
                const Box strip{left + 4, top + scale * 4, 630, line};
                CHECK(has_words(strip));
                CHECK(image.marked({left + 2, strip.y, scale * 7, line}, ground) == 0);  // the name is cut
                CHECK(image.marked({left + 639 - scale * 9, strip.y, scale * 8, line}, ground) == 0);
                CHECK_FALSE(has_words({left + 4, top + line + scale * 9, 630, half - line - scale * 12}));
                CHECK(distance(image.at(static_cast<int>(left) + 320, static_cast<int>(top + 0.6f * half)), ground) >
                      0.05f);
            }
    }
}

TEST_CASE("figure: labels are drawn without a legend, too, wherever they are, and never outside of their view") {
    const auto shown = shown_or_skip("build", "uniform:30", 0);
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
    CHECK(shows_labels(scene, {}));
    Look look;
    look.show("names", false);
    CHECK_FALSE(shows_labels(scene, look));
    const TemporaryFolder folder;
    const std::filesystem::path png = folder / "labels.png";
    draw_without_legend(shown->offscreen, scene, png, 640, 480, {});
    CHECK(read_image(png).width == 640);
    CHECK(spread_of(read_image(png)) > 0.3f);  // words are lighter than the ground
    Page page(640, 480, false, 1);
    draw_figure(shown->offscreen, page, scene, {0, 0, 640, 480}, {}, CaptionPlace::kBelow, {});
    const Image image{page.pixels(), 640, 480};
    const Color ground = palette(false).canvas;
    CHECK(image.marked({200, 90, 115, 60}, ground) > 0.02);
    CHECK(image.marked({325, 4, 310, 230}, ground) == 0);  // the view beside it
    CHECK(image.marked({4, 246, 310, 230}, ground) == 0);  // and those below
    CHECK(image.marked({325, 246, 310, 230}, ground) == 0);
}

TEST_CASE(
    "figure: what explains a report is drawn over its view, and a circle through nearly collinear points as a line") {
    const auto shown = shown_or_skip("race", "uniform:60", 0);
    if (!shown) return;
    const Scene scene = shown->lab->scene();
    REQUIRE(scene.view_count() == 2);
    constexpr int kWidth = 600, kHeight = 300;
    const auto drawn = [&](const std::vector<Highlight>& highlights) {
        Page page(kWidth, kHeight, false, 1);
        FigureLook how;
        how.highlights = highlights;
        draw_figure(shown->offscreen, page, scene, {0, 0, kWidth, kHeight}, {}, CaptionPlace::kBelow, how);
        return Image{page.pixels(), kWidth, kHeight};
    };
    const Image plain = drawn({});
    const auto changed = [&](const Image& image, const Box& box) {
        int found = 0;
        for (int y = static_cast<int>(box.y); y < static_cast<int>(box.y + box.height); ++y)
            for (int x = static_cast<int>(box.x); x < static_cast<int>(box.x + box.width); ++x)
                found += distance(image.at(x, y), plain.at(x, y)) > 0.05f;
        return found;
    };
    const Box left{0, 0, kWidth / 2 - 1, kHeight}, right{kWidth / 2 + 1, 0, kWidth / 2 - 1, kHeight};
    const Point middle{(scene.low.x + scene.high.x) / 2, (scene.low.y + scene.high.y) / 2};
    const double radius = 0.25 * (scene.high.x - scene.low.x);
    for (const uint32_t part : {0u, 1u}) {
        const Image image =
            drawn({{Highlight::Kind::kCircle, {{middle.x, middle.y, 0}}, radius, Role::kIllegal, "circle", part}});
        const Box& of = part == 0 ? left : right;
        CHECK(changed(image, of) > 200);
        CHECK(changed(image, part == 0 ? right : left) == 0);
        // Around, and not within.
        const float x = of.x + 0.5f * of.width, y = 0.5f * kHeight;
        CHECK(changed(image, {x - 10, y - 10, 20, 20}) == 0);
    }
    // The lower end of a circle as large as a planet goes through the middle of the view, from one side to the other.
    const double planet = 1e12;
    const Image line =
        drawn({{Highlight::Kind::kCircle, {{middle.x, middle.y + planet, 0}}, planet, Role::kIllegal, "circle", 0}});
    for (const float x : {10.f, 100.f, 200.f, 280.f}) CHECK(changed(line, {x, 0.5f * kHeight - 6, 8, 12}) > 5);
    CHECK(changed(line, {0, 0, kWidth / 2 - 1, 0.4f * kHeight}) == 0);
}
