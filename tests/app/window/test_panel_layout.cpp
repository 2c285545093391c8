// The places of panels and the inspector, as numbers: no window is opened.
#include <doctest/doctest.h>

#include <cmath>

#include "app/window/inspector_place.h"
#include "app/window/ui.h"

using namespace flipscope::app;

namespace {

Room room_at(float scale, float width, float height) {
    // About what the transport and the legend need.
    return {width, height, 178 * scale, 140 * scale, 45 * scale, 26 * scale};
}

UiState at_scale(float scale) {
    UiState state;
    state.scale = scale;
    return state;
}

/// Of the window, with the legend as high as it may be.
double share(const Layout& layout, const Room& room) {
    Layout with_legend = layout;
    with_legend.legend_height = std::min(layout.legend_most, 90.f * 2);
    return picture_share(with_legend, room.width, room.height);
}

}  // namespace

TEST_CASE("layout: at every presenter scale the picture keeps half of the window, and panels come back at scale 1") {
    for (const float scale : {1.25f, 1.5f, 2.f, 2.5f, 3.f})
        for (const auto& [width, height] :
             {std::pair(1280.f, 800.f), std::pair(1920.f, 1080.f), std::pair(2560.f, 1440.f), std::pair(3840.f, 2160.f),
              std::pair(1024.f, 768.f)}) {
            if (140 * scale + 26 * scale > 0.5f * height) continue;  // not even the words alone fit
            CAPTURE(scale);
            CAPTURE(width);
            const Room room = room_at(scale, width, height);
            CHECK(share(lay_out(at_scale(scale), room), room) >= 0.5 - 1e-4);
        }
    for (const auto& [width, height] : {std::pair(1280.f, 800.f), std::pair(1920.f, 1080.f)}) {
        const Layout layout = lay_out(at_scale(1), room_at(1, width, height));
        CHECK(layout.has_left);
        CHECK(layout.has_right);
        CHECK_FALSE(layout.compact);
    }
}

TEST_CASE("layout: panels fold only as far as they must, the left one first, and not what the user opened") {
    const Room wide = room_at(2, 3840, 1600);
    Layout layout = lay_out(at_scale(2), wide);
    CHECK_FALSE(layout.has_left);
    CHECK(layout.has_right);
    CHECK_FALSE(layout.compact);
    const Room room = room_at(2, 1280, 800);
    UiState state = at_scale(2);
    layout = lay_out(state, room);
    CHECK_FALSE(layout.has_left);
    CHECK_FALSE(layout.has_right);
    CHECK(layout.compact);
    state.opened_left = true;
    CHECK(lay_out(state, room).has_left);
    CHECK_FALSE(lay_out(state, room).has_right);
    state.opened_left = false;
    state.opened_right = true;
    CHECK_FALSE(lay_out(state, room).has_left);
    CHECK(lay_out(state, room).has_right);
    state.show_right = false;
    CHECK_FALSE(lay_out(state, room).has_right);
}

TEST_CASE("layout: panels and canvas cover the window and never each other") {
    for (const float scale : {0.5f, 1.f, 2.f, 4.f})
        for (const auto& [width, height] :
             {std::pair(1.f, 1.f), std::pair(480.f, 360.f), std::pair(1280.f, 800.f), std::pair(4000.f, 30.f)})
            for (int asked = 0; asked < 4; ++asked) {
                UiState state = at_scale(scale);
                state.opened_left = asked & 1;
                state.opened_right = asked & 2;
                const Room room = room_at(scale, width, height);
                const Layout layout = lay_out(state, room);
                CHECK(layout.left.width + layout.canvas.width + layout.right.width == doctest::Approx(width));
                CHECK(layout.canvas.height + layout.bottom.height == doctest::Approx(height));
                CHECK(layout.canvas.x == doctest::Approx(layout.left.width));
                CHECK(layout.canvas.width >= -1e-3);
                CHECK(layout.legend_most >= 0);
                CHECK(layout.legend_most <= layout.canvas.height);
            }
}

TEST_CASE("layout: words that need more room grow over the picture, which stays where it was") {
    for (const float scale : {1.f, 2.f}) {
        Room room = room_at(scale, 1280, 800);
        const Layout before = lay_out(at_scale(scale), room);
        CHECK(before.covered == 0);
        CHECK(before.canvas_bottom() == doctest::Approx(before.bottom.y));
        room.bottom_more = room.compact_bottom_more = 30;
        const Layout layout = lay_out(at_scale(scale), room);
        CHECK(layout.canvas.y == before.canvas.y);
        CHECK(layout.canvas.height == before.canvas.height);
        CHECK(layout.legend_most == before.legend_most);
        CHECK(layout.covered == 30);
        CHECK(layout.bottom.height == doctest::Approx(before.bottom.height + 30));
        CHECK(layout.bottom.y + layout.bottom.height == doctest::Approx(800));
        CHECK(layout.canvas_bottom() == doctest::Approx(layout.bottom.y));
    }
}

TEST_CASE("layout: where panels leave too little canvas, inspector and detail view stand in a panel") {
    Room room = room_at(2, 1280, 800);
    room.aside = 400;
    UiState state = at_scale(2);
    CHECK_FALSE(lay_out(state, room).docks);  // all panels have folded
    for (const bool right : {false, true}) {
        (right ? state.opened_right : state.opened_left) = true;
        const Layout layout = lay_out(state, room);
        REQUIRE(layout.docks);
        const Box& panel = right ? layout.right : layout.left;
        CHECK(layout.dock.width == panel.width);
        CHECK(layout.dock.y == 0);
        CHECK(layout.dock.height > 0.5f * layout.canvas.height);
        CHECK(layout.dock.y + layout.dock.height == doctest::Approx(panel.y));
        CHECK(panel.y + panel.height == doctest::Approx(layout.canvas.height));
        CHECK(panel.height > 0.3f * layout.canvas.height);
        // A panel was opened by hand, so the picture cannot have half of the window, and the legend is not cut for it.
        if (right) CHECK(layout.legend_most == doctest::Approx(kMostLegend * layout.canvas.height));
        Room none = room;
        none.aside = 0;
        CHECK(lay_out(state, none).dock.width == 0);
        state.opened_left = state.opened_right = false;
    }
    room = room_at(1, 1280, 800);
    room.aside = 400;
    CHECK_FALSE(lay_out(at_scale(1), room).docks);
}

TEST_CASE("layout: the inspector never covers what was clicked, wherever that lies") {
    const Box room{100, 80, 700, 500};
    for (float x = 90; x <= 810; x += 24)
        for (float y = 70; y <= 590; y += 20)
            for (const float tall : {120.f, 300.f, 500.f, 900.f}) {
                const std::vector<std::vector<ImVec2>> shapes = {
                    {{x, y}},
                    {{x, y}, {x + 130, y - 60}},
                    {{x, y}, {x + 90, y + 10}, {x + 30, y + 80}},
                    {{x - 2, y - 2}, {x + 2, y - 2}, {x + 2, y + 2}, {x - 2, y + 2}}};
                for (const std::vector<ImVec2>& shape : shapes) {
                    const Box box = place_inspector({room, {330, tall}, 110, shape, {x, y}, 9});
                    CHECK_FALSE(covers(box, shape));
                    CHECK(box.x >= room.x);
                    CHECK(box.y >= room.y);
                    CHECK(box.x + box.width <= room.x + room.width + 1e-3);
                    CHECK(box.y + box.height <= room.y + room.height + 1e-3);
                    CHECK(box.height >= std::min(tall, 110.f));
                }
            }
}

TEST_CASE("layout: of what fills the picture the inspector leaves the clicked place free") {
    const Box room{0, 40, 600, 400};
    const std::vector<ImVec2> large = {{-2000, -900}, {3000, -900}, {300, 4000}};
    for (float x = 5; x < 600; x += 35)
        for (float y = 45; y < 440; y += 25) {
            const Box box = place_inspector({room, {340, 700}, 110, large, {x, y}, 9});
            CHECK_FALSE(box.holds({x, y}));
            CHECK(box.height >= 110);
        }
    // A room without any room is no reason to fail.
    const Box least = place_inspector({{0, 0, 10, 10}, {340, 700}, 110, large, {5, 5}, 9});
    CHECK(std::isfinite(least.height));
}

TEST_CASE("layout: whether a box covers a point, an edge or a triangle") {
    const Box box{10, 10, 20, 20};
    CHECK(covers(box, {{15, 15}}));
    CHECK_FALSE(covers(box, {{5, 15}}));
    CHECK(covers(box, {{0, 20}, {40, 20}}));        // through it, with no end inside
    CHECK_FALSE(covers(box, {{0, 25}, {25, 45}}));  // past a corner
    CHECK(covers(box, {{-100, -100}, {200, -100}, {20, 300}}));
    CHECK_FALSE(covers(box, {{40, 0}, {60, 0}, {40, 60}}));
}

TEST_CASE("layout: the inspector is made narrower rather than put over an edge in the middle") {
    const Box room{20, 90, 1240, 410};
    const std::vector<ImVec2> edge = {{600, 480}, {680, 100}};
    const Box wide = place_inspector({room, {616, 400}, 220, edge, {640, 290}, 18});
    CHECK(covers(wide, edge));
    const Box box = place_inspector({room, {616, 400}, 220, edge, {640, 290}, 18, 440});
    CHECK_FALSE(covers(box, edge));
    CHECK(box.width >= 440);
    CHECK(box.height == doctest::Approx(400));
}

TEST_CASE("layout: the strip that chooses columns takes its height from all below it, and hides nothing") {
    for (const float scale : {1.f, 2.f, 4.f})
        for (const float wanted : {0.f, 120.f, 240.f, 5000.f}) {
            Room room = room_at(scale, 1280, 800);
            room.import = wanted;
            const Layout layout = lay_out(at_scale(scale), room);
            CHECK(layout.import.height == std::min(wanted, 400.f));
            CHECK(layout.import.width == 1280);
            for (const Box* box : {&layout.left, &layout.right, &layout.canvas})
                if (box->width > 0) CHECK(box->y == layout.import.height);
            CHECK(layout.bottom.y + layout.bottom.height == doctest::Approx(800));
            CHECK(layout.canvas.height >= 0);
        }
}

TEST_CASE("layout: where the monitor is fine, text of the usual size folds no panel") {
    UiState state = at_scale(2);
    const Room room = room_at(2, 2560, 1600);
    CHECK_FALSE(lay_out(state, room).has_left);
    state.usual_scale = 2;
    CHECK(lay_out(state, room).has_left);
    CHECK(lay_out(state, room).has_right);
}
