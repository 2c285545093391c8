// A rectangle on the screen or in a picture, for Dear ImGui: y down.
#pragma once

#include <imgui.h>

namespace flipscope::app {

struct Box {
    float x = 0, y = 0, width = 0, height = 0;  // screen coordinates, or pixels of a picture
    bool holds(ImVec2 p) const { return p.x >= x && p.y >= y && p.x < x + width && p.y < y + height; }
    ImVec2 low() const { return {x, y}; }
    ImVec2 high() const { return {x + width, y + height}; }
};

}  // namespace flipscope::app
