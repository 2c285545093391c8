// A rectangle on the screen for Dear ImGui, y down.
#pragma once

#include <imgui.h>

#include "app/view/drawing.h"

namespace flipscope::app {

struct Box {
    float x = 0, y = 0, width = 0, height = 0;  // screen coordinates
    bool holds(ImVec2 p) const { return p.x >= x && p.y >= y && p.x < x + width && p.y < y + height; }
    ImVec2 low() const { return {x, y}; }
    ImVec2 high() const { return {x + width, y + height}; }
    operator Area() const { return {x, y, width, height}; }
    static Box of(const Area& area) {
        return {static_cast<float>(area.x), static_cast<float>(area.y), static_cast<float>(area.width),
                static_cast<float>(area.height)};
    }
};

}  // namespace flipscope::app
