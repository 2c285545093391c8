#include <algorithm>

#include "app/window_ui.h"

namespace flipscope::app {

namespace {
constexpr float kLeft = 262, kRight = 392, kLeastCanvas = 400;  // screen coordinates at scale 1
}

bool has_room_for_all(const UiState& state, float width) {
    return (kLeft + kRight + kLeastCanvas) * state.scale <= width;
}

Layout lay_out(const UiState& state, float width, float height, float bottom_height) {
    Layout layout;
    layout.has_bottom = state.show_bottom;
    const float bottom = layout.has_bottom ? std::min(bottom_height, 0.6f * height) : 0;
    const float room = width - kLeastCanvas * state.scale;
    float left = kLeft * state.scale, right = kRight * state.scale;
    layout.has_right = state.show_right && (right <= room || !state.show_left);
    layout.has_left = state.show_left && (left + (layout.has_right ? right : 0) <= room || !layout.has_right);
    left = layout.has_left ? std::min(left, 0.6f * width) : 0;
    right = layout.has_right ? std::min(right, 0.6f * width) : 0;
    const float top = height - bottom;
    layout.left = {0, 0, left, top};
    layout.right = {width - right, 0, right, top};
    layout.bottom = {0, top, width, bottom};
    layout.canvas = {left, 0, width - left - right, top};
    return layout;
}

}  // namespace flipscope::app
