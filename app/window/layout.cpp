#include "app/window/layout.h"

#include <algorithm>

#include "app/window/ui.h"

namespace flipscope::app {

namespace {

constexpr float kLeft = 262, kRight = 392, kLeastCanvas = 400;  // screen coordinates at scale 1
constexpr float kPictureShare = 0.5f;                           // of the window, at a presenter scale
constexpr float kRoomForAsides = 480;  // of a canvas, at scale 1, so that inspector and detail view fit over it
constexpr float kDockShare = 0.6f;     // of a panel, at most

/// Height of the canvas beyond what the picture's share of the window needs.
float over(const Layout& layout, const Room& room) {
    if (!(layout.canvas.width > 0)) return 0;
    return layout.canvas.height - kPictureShare * room.width * room.height / layout.canvas.width;
}

Layout placed(const UiState& state, const Room& room, bool left, bool right, bool compact) {
    Layout layout;
    layout.has_left = left;
    layout.has_right = right;
    layout.has_bottom = state.show_bottom;
    layout.compact = compact;
    const float bottom =
        layout.has_bottom ? std::min(compact ? room.compact_bottom : room.bottom, 0.6f * room.height) : 0;
    const float wide_left = left ? std::min(kLeft * state.scale, 0.6f * room.width) : 0;
    const float wide_right = right ? std::min(kRight * state.scale, 0.6f * room.width) : 0;
    const float top = room.height - bottom;
    const float more =
        layout.has_bottom ? std::min(compact ? room.compact_bottom_more : room.bottom_more, 0.5f * top) : 0;
    layout.left = {0, 0, wide_left, top - more};  // keeps the buttons at its end visible
    layout.right = {room.width - wide_right, 0, wide_right, top - more};
    layout.bottom = {0, top - more, room.width, bottom + more};
    layout.covered = more;
    layout.canvas = {wide_left, 0, room.width - wide_left - wide_right, top};
    layout.legend_most = kMostLegend * layout.canvas.height;
    // If the picture must fill half of the window, the legend gets the remaining height. If a panel that the user
    // opened makes that impossible, the legend stays whole.
    if (const float left_over = over(layout, room); state.presents() && left_over > 0)
        layout.legend_most = std::clamp(left_over, std::min(room.legend_line, layout.legend_most), layout.legend_most);
    layout.docks = (left || right) && layout.canvas.width * (room.halved ? 0.5f : 1.f) < kRoomForAsides * state.scale;
    if (layout.docks && room.aside > 0) {
        Box& panel = right ? layout.right : layout.left;
        const float tall = std::min(room.aside, kDockShare * panel.height);
        layout.dock = {panel.x, panel.y, panel.width, tall};
        panel.y += tall;
        panel.height -= tall;
    }
    return layout;
}

/// Lays out the window below the column chooser.
Layout below_import(const UiState& state, const Room& room) {
    const float least = kLeastCanvas * state.scale;
    const float wide_left = kLeft * state.scale, wide_right = kRight * state.scale;
    bool left = state.show_left, right = state.show_right;
    // If both panels do not fit, keep the one that the user opened, else the right one. The right one must leave enough
    // canvas, unless only it was opened by the user.
    if (left && right && wide_left + wide_right > room.width - least) {
        const bool keep_left = state.opened_left && !state.opened_right;
        (keep_left ? right : left) = false;
        if (!keep_left && wide_right > room.width - least && !state.opened_right) right = false, left = true;
    }
    const auto enough = [&](const Layout& layout) { return !state.presents() || over(layout, room) >= room.legend; };
    Layout layout = placed(state, room, left, right, false);
    if (enough(layout)) return layout;
    // First fold the panels that the user has not opened; then make the transport compact.
    const bool keeps_left = left && state.opened_left, keeps_right = right && state.opened_right;
    for (const auto& [l, r] : {std::pair(keeps_left, right), std::pair(keeps_left, keeps_right)}) {
        layout = placed(state, room, l, r, false);
        if (enough(layout)) return layout;
    }
    return placed(state, room, keeps_left, keeps_right, true);
}

}  // namespace

bool has_room_for_all(const UiState& state, float width) {
    return (kLeft + kRight + kLeastCanvas) * state.scale <= width;
}

Layout lay_out(const UiState& state, const Room& room) {
    Room below = room;
    below.import = std::min(room.import, 0.5f * room.height);
    below.height -= below.import;
    Layout layout = below_import(state, below);
    layout.import = {0, 0, room.width, below.import};
    for (Box* box : {&layout.left, &layout.right, &layout.bottom, &layout.canvas, &layout.dock}) box->y += below.import;
    return layout;
}

double picture_share(const Layout& layout, float width, float height) {
    const double tall = std::max(layout.canvas.height - layout.legend_height, 0.f);
    return layout.whole().width * tall / std::max(double(width) * height, 1.0);
}

}  // namespace flipscope::app
