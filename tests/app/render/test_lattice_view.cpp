// Drawn lattices and the edges over them: pixels of scenes made by hand.
#include <cmath>

#include "app/lattice_sheet.h"
#include "app/view/display.h"
#include "geometry/frames.h"
#include "voronoi/lattice.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("lattice view: each site of a 4 × 3 lattice has the tint of its cell, in both themes, without any mesh") {
    Sheet sheet;
    if (!sheet) return;
    const std::vector<uint32_t> colours{0, 0, 1, 1, 0, 2, 2, 1, kMaxLink, kMaxLink, 2, kNone};
    sheet.cells(4, 3, colours);
    const Camera camera = fitted(sheet.scene());
    for (const bool light : {false, true}) {
        CAPTURE(light);
        sheet.light = light;
        sheet.draw(camera);
        for (uint32_t i = 0; i < 12; ++i) {
            CAPTURE(i);
            const Point place{i % 4 + 0.21, i / 4 + 0.17};
            const Color seen = sheet.at(camera, place);
            if (colours[i] == kNone) CHECK(distance(seen, sheet.canvas()) < kSame);
            if (colours[i] < 3) CHECK(distance(seen, sheet.tint(colours[i])) < kSame);
        }
        // Around the lattice there is nothing.
        CHECK(distance(sheet.at(camera, {-0.7, 1}), sheet.canvas()) < kSame);
        CHECK(distance(sheet.at(camera, {1, 2.7}), sheet.canvas()) < kSame);
    }
}

TEST_CASE("lattice view: programs for many combinations of layers and zooms do not accumulate") {
    Sheet sheet;
    if (!sheet) return;
    sheet.cells(4, 3, {0, 0, 1, 1, 0, 2, 2, 1, 0, 0, 2, 1});
    const std::vector<float> values(12, 0.5f);
    const std::vector<State> marks(12, kStateQueued);
    sheet.field.upload(sheet.stage->context, values.data(), values.size());
    sheet.states.upload(sheet.stage->context, marks.data(), marks.size());
    sheet.lattice.field = &sheet.field;
    sheet.lattice.states = &sheet.states;
    sheet.lay();
    const int before = live_programs();
    int most = 0;
    std::vector<unsigned char> first;
    for (int round = 0; round < 2; ++round)
        for (const double scale : {20.0, 1.0})
            for (const bool fine : {true, false})
                for (int layers = 1; layers < 8; ++layers) {
                    const DisplayOptions display{
                        {{"cells", (layers & 1) != 0}, {"field", (layers & 2) != 0}, {"marks", (layers & 4) != 0}}};
                    sheet.stage->draw({{1.5, 1}, scale}, 100, 100, 1, display, fine);
                    if (first.empty()) first = sheet.stage->pixels;
                    most = std::max(most, live_programs());
                }
    CHECK(most > before + 8);
    CHECK(most <= before + 16);
    sheet.stage->draw({{1.5, 1}, 20}, 100, 100, 1, {{{"cells", true}, {"field", false}, {"marks", false}}});
    CHECK(sheet.stage->pixels == first);
}

TEST_CASE("lattice view: a line separates neighbouring cells, a fainter one the sites of one cell") {
    Sheet sheet;
    if (!sheet) return;
    sheet.cells(4, 3, {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1});
    const Camera camera = fitted(sheet.scene());
    sheet.draw(camera);
    const Color border = sheet.at(camera, {1.5, 1.1}), between = sheet.at(camera, {0.5, 1.1});
    const Color cell = sheet.tint(0);
    CHECK(distance(border, palette(false).cell_border) < 0.05);
    CHECK(distance(between, cell) > 0.01);
    CHECK(distance(between, cell) < 0.5 * distance(border, cell));
    sheet.draw(camera, {{{"cells", false}}});
    CHECK(distance(sheet.at(camera, {1.5, 1.1}), sheet.canvas()) < kSame);
    CHECK(distance(sheet.at(camera, {0, 0}), sheet.canvas()) < kSame);
}

TEST_CASE("lattice view: obstacles are grey and hatched, and never look like a cell") {
    Sheet sheet;
    if (!sheet) return;
    sheet.cells(2, 1, {5, kMaxLink});
    Camera camera = fitted(sheet.scene());
    for (const bool light : {false, true}) {
        sheet.light = light;
        sheet.draw(camera);
        double darkest = 2, brightest = -1;
        for (int i = 0; i < 40; ++i) {
            const Color seen = sheet.at(camera, {0.7 + 0.015 * i, 0.1});
            CHECK(std::abs(seen.r - seen.b) < 0.12);
            darkest = std::min<double>(darkest, seen.g);
            brightest = std::max<double>(brightest, seen.g);
        }
        CHECK(brightest - darkest > 0.1);
    }
}

TEST_CASE("lattice view: a cell keeps its tint with its name, under any label") {
    Sheet sheet;
    if (!sheet) return;
    sheet.cells(4, 1, {0, 1, 2, 3});
    const std::vector<uint32_t> names{17, 4, 2000000011, kNone};
    sheet.names.upload(sheet.stage->context, names.data(), names.size());
    sheet.lattice.names = &sheet.names;
    const Camera camera = fitted(sheet.scene());
    sheet.draw(camera);
    for (uint32_t i = 0; i < 3; ++i) CHECK(distance(sheet.at(camera, {double(i), 0.1}), sheet.tint(names[i])) < kSame);
    CHECK(distance(sheet.at(camera, {3, 0.1}), sheet.canvas()) < kSame);  // without a name nothing is filled
    // Labels that follow one another get tints that differ.
    for (uint32_t i = 0; i + 1 < 1000; ++i) CHECK(Palette::cell_place(i) != Palette::cell_place(i + 1));
}

TEST_CASE("lattice view: cells have the colours of their numbers on the scale, and numbers of pixels lie over them") {
    Sheet sheet;
    if (!sheet) return;
    sheet.cells(6, 1, {0, 1, 2, 3, 4, kMaxLink});
    const std::vector<float> numbers{2, 3, 5, NAN};  // of cell 4 none is known
    const auto buffer = sheet.stage->drawn(numbers), field = sheet.stage->drawn(std::vector<float>(6, 1));
    const Camera camera = fitted(sheet.scene());
    const auto kind = ColourScale::Kind::kDiverging;
    for (const bool light : {false, true}) {
        CAPTURE(light);
        sheet.light = light;
        Layer cells{"cells", "Cells", "", true, LatticeLayer{6, 1, &sheet.colours}};
        std::get<LatticeLayer>(cells.shape).numbers = &buffer;
        cells.scale = {kind, "area", "", 2, 5, light};
        Layer over{"field", "Field", "", false, LatticeLayer{6, 1, nullptr, nullptr, &field}};
        over.scale = {ColourScale::Kind::kImage, "field", "", 0, 1};
        Scene& scene = sheet.scene();
        const auto drawn = [&](const DisplayOptions& display) {
            scene.layers = {cells, over};
            sheet.stage->draw(camera, 240, 200, 1, display, true, light);
        };
        drawn({});
        for (int i = 0; i < 3; ++i) {
            CAPTURE(i);
            const Color wanted = palette(light).scale({kind}, cells.scale.place(numbers[size_t(i)]));
            CHECK(distance(sheet.at(camera, {double(i), 0.1}), wanted) < kSame);
        }
        const Color none = sheet.at(camera, {3, 0.1});
        CHECK(distance(none, sheet.at(camera, {4, 0.1})) < kSame);
        CHECK(distance(none, palette(light).scale({kind}, 0)) > 0.1);
        CHECK(distance(none, sheet.canvas()) > 0.1);
        CHECK(shown_scales({}, scene) == std::vector<ColourScale>{cells.scale});
        const DisplayOptions display{{{"field", true}}};
        drawn(display);
        const Color bright = palette(light).scale({ColourScale::Kind::kImage}, 1);
        CHECK(distance(sheet.at(camera, {0, 0.1}), bright) < kSame);
        CHECK(shown_scales(display, scene) == std::vector<ColourScale>{over.scale});
    }
}

TEST_CASE("lattice view: the first legend entry of sites that matches marks its square, with a ring of its colour") {
    Sheet sheet;
    if (!sheet) return;
    sheet.cells(3, 2, {0, 0, 0, 0, 0, 0});
    const std::vector<State> states{0, 1, 2, 3, 4, 0};
    sheet.states.upload(sheet.stage->context, states.data(), states.size());
    sheet.lattice.states = &sheet.states;
    using Element = LegendEntry::Element;
    sheet.legend = {{Element::kEdge, 1, Role::kIllegal, "of edges alone", ""},
                    {Element::kPixel, 1, Role::kCorner, "corner", ""},
                    {Element::kPixel, 2, Role::kOdd, "odd", ""}};
    const Camera camera = fitted(sheet.scene());
    sheet.draw(camera);
    const Color ring[] = {{}, palette(false).role(Role::kCorner), palette(false).role(Role::kOdd)};
    const int wanted[] = {0, 1, 2, 1, 0, 0};
    for (int i = 0; i < 6; ++i) {
        CAPTURE(i);
        const double x = i % 3, y = i / 3;
        const Color on_ring = sheet.at(camera, {x - 0.5 + 0.18, y + 0.06}), middle = sheet.at(camera, {x, y + 0.06});
        if (wanted[i] == 0) {
            CHECK(distance(on_ring, sheet.tint(0)) < kSame);
            CHECK(distance(middle, sheet.tint(0)) < kSame);
        } else {
            CHECK(distance(on_ring, ring[wanted[i]]) < 0.06);
            CHECK(distance(middle, sheet.tint(0)) > 0.08);  // tinted
            CHECK(distance(middle, ring[wanted[i]]) > 0.08);
        }
    }
    sheet.draw(camera, {{{"marks", false}}});
    CHECK(distance(sheet.at(camera, {1 - 0.5 + 0.18, 0.06}), sheet.tint(0)) < kSame);
}

TEST_CASE("lattice view: seen from afar, cells keep their tints, borders stay thin, and an odd pixel is still seen") {
    Sheet sheet;
    if (!sheet) return;
    constexpr uint32_t kSide = 800;  // four pixels of the lattice to one of the screen each way
    std::vector<uint32_t> colours(kSide * kSide);
    for (uint32_t i = 0; i < colours.size(); ++i) colours[i] = i % kSide < kSide / 2 ? 0 : 1;
    sheet.cells(kSide, kSide, colours);
    std::vector<State> states(colours.size());
    states[100 * kSide + 131] = 2;
    sheet.states.upload(sheet.stage->context, states.data(), states.size());
    sheet.lattice.states = &sheet.states;
    sheet.legend = {{LegendEntry::Element::kPixel, 2, Role::kOdd, "odd", ""}};
    const Camera camera{{399.5, 399.5}, 0.25};
    sheet.draw(camera);
    const Color left = sheet.tint(0), right = sheet.tint(1);
    CHECK(distance(sheet.stage->at(20, 100), left) < kSame);
    CHECK(distance(sheet.stage->at(180, 100), right) < kSame);
    int lines = 0;
    for (int x = 90; x < 110; ++x) {
        const Color seen = sheet.stage->at(x, 100);
        lines += distance(seen, left) > 0.02 && distance(seen, right) > 0.02;
    }
    CHECK(lines >= 1);
    CHECK(lines <= 3);
    bool marked = false;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const Point p = sheet.stage->seen(camera, Point{131, 100});
            marked |= distance(sheet.stage->at(p.x + dx, p.y + dy), palette(false).role(Role::kOdd)) < 0.05;
        }
    CHECK(marked);
    // The borders of the lattice itself are where they should be.
    CHECK(distance(sheet.at(camera, {-6, 300}), sheet.canvas()) < 0.3);
}

TEST_CASE("lattice view: zoomed in a million million times, a border is still where it is") {
    Sheet sheet;
    if (!sheet) return;
    sheet.cells(3, 2, {0, 1, 1, 0, 1, 1});
    Camera camera{{0.5 - 3e-12, 0.25}, 1e13};
    sheet.draw(camera);  // the border lies 30 pixels to the right
    const double at = 100 + (0.5 - camera.center.x) * camera.scale;
    CHECK(distance(sheet.stage->at(at - 0.5, 60), palette(false).cell_border) < 0.2);
    CHECK(distance(sheet.stage->at(at - 6, 60), sheet.tint(0)) < kSame);
    CHECK(distance(sheet.stage->at(at + 6, 60), sheet.tint(1)) < kSame);
    camera.center = {1e200, 0};
    sheet.draw(camera);
    CHECK(distance(sheet.stage->at(100, 100), sheet.canvas()) < kSame);
}

TEST_CASE("lattice view: further edges lie over the cells in the colours of their states, and fade with strength") {
    Sheet sheet;
    if (!sheet) return;
    sheet.cells(10, 10, std::vector<uint32_t>(100, 0));
    using Element = LegendEntry::Element;
    LegendEntry faded{Element::kEdge, 4, Role::kLostContact, "", ""};
    faded.strength = 0.25f;
    sheet.legend = {{Element::kEdge, 1, Role::kCreatedContact, "arising", ""},
                    {Element::kEdge, 2, Role::kLostContact, "breaking", ""},
                    faded,
                    {Element::kEdge, 8, Role::kExact, "exact", ""}};
    Linework& lines =
        sheet.lines({{1, 1}, {8, 1}, {1, 3}, {8, 3}, {1, 5}, {8, 5}, {1, 7}, {8, 7}}, {0, 1, 2, 3, 4, 5, 6, 7});
    for (uint32_t i = 0; i < 4; ++i) lines.edge_states.write(i, static_cast<State>(1u << i));
    const Camera camera = fitted(sheet.scene());
    sheet.draw(camera);
    const auto role = [&](Role which) { return palette(false).role(which); };
    CHECK(distance(sheet.at(camera, {4.2, 1}), role(Role::kCreatedContact)) < 0.1);
    CHECK(distance(sheet.at(camera, {4.2, 3}), role(Role::kLostContact)) < 0.1);
    const Color old = sheet.at(camera, {4.2, 5}), ground = sheet.tint(0);
    CHECK(distance(old, ground) > 0.1);
    CHECK(distance(old, ground) < 0.4 * distance(role(Role::kLostContact), ground));
    CHECK(distance(sheet.at(camera, {4.2, 7}), ground) > 0.2);
    sheet.draw(camera, {{{"overlay", false}}});
    CHECK(distance(sheet.at(camera, {4.2, 1.1}), ground) < 0.1);
}

TEST_CASE("lattice view: before a lab has taken it in, a field is shown as numbers, and tracks as points") {
    Sheet sheet;
    if (!sheet) return;
    auto field = std::make_shared<FieldStack>();
    field->width = 2;
    field->height = 1;
    field->values = {3, 7, 100, 100};
    Geometry input;
    input.field = field;
    SceneView bounds;
    bounds.low = {-0.5, -0.5};
    bounds.high = {1.5, 0.5};
    const Camera camera = fitted(bounds);
    sheet.stage->canvas.resize(200, 200);
    const auto draw = [&] {
        sheet.stage->renderer.draw_input(input, bounds, camera, sheet.stage->canvas, false, 1);
        sheet.stage->pixels = sheet.stage->canvas.pixels();
        CHECK(glGetError() == GL_NO_ERROR);
    };
    draw();
    CHECK(distance(sheet.at(camera, {0, 0.1}), palette(false).field_stops[0]) < kSame);
    CHECK(distance(sheet.at(camera, {1, 0.1}), palette(false).field_stops[2]) < kSame);
    auto tracks = std::make_shared<Tracks>();
    tracks->times = {0, 1};
    tracks->starts = {0, 1, 2};
    tracks->ids = {4, 4};
    tracks->places = {{0, 0}, {1, 0}};
    input.field.reset();
    input.tracks = tracks;
    draw();
    CHECK(distance(sheet.at(camera, {0, 0}), sheet.canvas()) > 0.1);
    CHECK(distance(sheet.at(camera, {1, 0}), sheet.canvas()) < kSame);
}

TEST_CASE("lattice view: numbers have the colours that the palette gives them, at every stop of a scale and between") {
    Sheet sheet;
    if (!sheet) return;
    constexpr uint32_t kCount = 33;  // eight from one stop to the next
    sheet.scene().low = {-0.5, -0.5};
    sheet.scene().high = {kCount - 0.5, 0.5};
    sheet.lattice.width = kCount;
    sheet.lattice.height = 1;
    sheet.lattice.field = &sheet.field;
    using ScaleKind = ColourScale::Kind;
    for (const ScaleKind kind : {ScaleKind::kSequential, ScaleKind::kDiverging, ScaleKind::kImage, ScaleKind::kCyclic})
        for (const bool logarithmic : {false, true})
            for (const bool light : {false, true}) {
                CAPTURE(logarithmic);
                CAPTURE(light);
                sheet.light = light;
                sheet.scale = {kind, "rate", "1/s", 2, 32, logarithmic};
                std::vector<float> values(kCount);
                for (uint32_t i = 0; i < kCount; ++i) {
                    const double place = (i - 2.0) / (kCount - 5.0);  // two beyond each end
                    values[i] = static_cast<float>(logarithmic ? 2 * std::pow(16.0, place) : 2 + place * 30);
                }
                values[0] = std::nanf("");  // no number: as the low end
                if (logarithmic) values[1] = -1;
                sheet.field.upload(sheet.stage->context, values.data(), kCount);
                for (const int width : {800, 33 * 2}) {  // squares; and so small that pixels are samples
                    Camera camera;
                    camera.fit(sheet.scene().low, sheet.scene().high, width, 100);
                    if (width < 100) camera.scale = 2;
                    sheet.draw(camera, {}, width, 100);
                    for (uint32_t i = 0; i < kCount; ++i) {
                        CAPTURE(i);
                        const Color wanted = palette(light).scale({kind}, sheet.scale.place(values[i]));
                        CHECK(distance(sheet.at(camera, {double(i), 0.1}), wanted) < (width < 100 ? 0.12f : kSame));
                    }
                }
            }
}

TEST_CASE("lattice view: states that fill pixels colour them whole, near and far, and marks lie over them") {
    Sheet sheet;
    if (!sheet) return;
    using Element = LegendEntry::Element;
    constexpr uint32_t kSide = 200;
    std::vector<State> states(kSide * kSide);
    for (uint32_t i = 0; i < states.size(); ++i) states[i] = i % kSide < 90 ? 1 : i % kSide < 110 ? 0 : 2;
    states[100 * kSide + 30] |= 4;
    sheet.states.upload(sheet.stage->context, states.data(), states.size());
    Scene& scene = sheet.scene();
    scene.low = {-0.5, -0.5};
    scene.high = {kSide - 0.5, kSide - 0.5};
    Layer signs{"signs", "Signs", "", true, LatticeLayer{kSide, kSide, nullptr, nullptr, nullptr, &sheet.states, true}};
    signs.legend = {{Element::kPixel, 1, Role::kPositive, "positive", ""},
                    {Element::kPixel, 2, Role::kNegative, "negative", ""}};
    Layer wrong{"wrong", "Wrong", "", true, LatticeLayer{kSide, kSide, nullptr, nullptr, nullptr, &sheet.states}};
    wrong.legend = {{Element::kPixel, 4, Role::kSpurious, "wrong", ""}};
    scene.layers = {signs, wrong};
    const Color positive = palette(false).role(Role::kPositive), negative = palette(false).role(Role::kNegative),
                mark = palette(false).role(Role::kSpurious);
    for (const double scale : {0.4, 1.0, 2.0, 20.0}) {
        CAPTURE(scale);
        for (const bool marks : {true, false}) {
            const DisplayOptions display{{{"wrong", marks}}};
            Camera camera{{30, 100}, scale};
            sheet.stage->draw(camera, 200, 200, 1, display);
            // A pixel from its border to its middle, which a mark leaves a frame of.
            CHECK(distance(sheet.at(camera, {27 - 0.3, 96}), positive) < kSame);
            CHECK(distance(sheet.at(camera, {27, 96}), positive) < kSame);
            const Color marked = sheet.at(camera, {30 - (scale > 3 ? 0.5 - 0.18 : 0), 100});
            if (scale != 0.4) CHECK(distance(marked, marks ? mark : positive) < 0.06);
            camera.center = {130, 100};
            sheet.stage->draw(camera, 200, 200, 1, display);
            CHECK(distance(sheet.at(camera, {132.3, 101}), negative) < kSame);
            camera.center = {100, 100};
            sheet.stage->draw(camera, 200, 200, 1, display);
            CHECK(distance(sheet.at(camera, {100, 100}), sheet.canvas()) < kSame);
        }
    }
}

TEST_CASE("lattice view: two layers of marks are both seen, each by its own legend, and hidden one by one") {
    Sheet sheet;
    if (!sheet) return;
    sheet.cells(3, 1, {0, 0, 0});
    const auto first = sheet.stage->drawn<State>({1, 0, 0}), second = sheet.stage->drawn<State>({0, 0, 1});
    const auto marks = [](const char* id, const Buffer<State>& states, Role role) {
        Layer layer{id, id, "", true, LatticeLayer{3, 1, nullptr, nullptr, nullptr, &states}};
        layer.legend = {{LegendEntry::Element::kPixel, 1, role, id, ""}};
        return layer;
    };
    const Camera camera = fitted(sheet.scene());
    sheet.scene().layers = {{"cells", "Cells", "", true, LatticeLayer{3, 1, &sheet.colours}},
                            marks("first", first, Role::kOdd),
                            marks("second", second, Role::kFailed)};
    const auto ring = [&](int x) { return sheet.at(camera, {x - 0.5 + 0.18, 0.06}); };
    for (const auto& [has_first, has_second] :
         {std::pair(true, true), std::pair(true, false), std::pair(false, true), std::pair(false, false)}) {
        CAPTURE(has_first);
        CAPTURE(has_second);
        sheet.stage->draw(camera, 200, 200, 1, {{{"first", has_first}, {"second", has_second}}});
        const Color plain = sheet.tint(0);
        CHECK(distance(ring(0), has_first ? palette(false).role(Role::kOdd) : plain) < 0.06);
        CHECK(distance(ring(1), plain) < kSame);
        CHECK(distance(ring(2), has_second ? palette(false).role(Role::kFailed) : plain) < 0.06);
    }
    // Of two layers with numbers the shown one is drawn, in either order.
    const auto low = sheet.stage->drawn<float>({0, 0, 0}), high = sheet.stage->drawn<float>({1, 1, 1});
    sheet.scene().layers = {{"low", "Low", "", true, LatticeLayer{3, 1, nullptr, nullptr, &low}},
                            {"high", "High", "", true, LatticeLayer{3, 1, nullptr, nullptr, &high}}};
    for (const bool first_shown : {true, false}) {
        sheet.stage->draw(camera, 200, 200, 1, {{{"low", first_shown}, {"high", !first_shown}}});
        CHECK(distance(sheet.at(camera, {1, 0.1}),
                       palette(false).scale({ColourScale::Kind::kSequential}, first_shown ? 0 : 1)) < kSame);
    }
}
