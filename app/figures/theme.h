// How Dear ImGui looks here: the palette's colours, spacings that grow with the presenter scale, and real fonts.
#pragma once

#include <imgui.h>

#include "app/view/palette.h"

namespace flipscope::app {

inline ImVec4 to_imgui(const Color& color) { return {color.r, color.g, color.b, color.a}; }
inline ImU32 packed(const Color& color) { return ImGui::ColorConvertFloat4ToU32(to_imgui(color)); }

/// Inter for words and JetBrains Mono for numbers where Debian's packages put them; else DejaVu, else what ImGui
/// brings.
struct Fonts {
    ImFont* body = nullptr;
    ImFont* small = nullptr;
    ImFont* caption = nullptr;  // the pass under way, for the last row
    ImFont* numbers = nullptr;
    ImFont* small_numbers = nullptr;
};

void apply_theme(bool light, float scale);
/// Replaces the atlas. `scale`: of the interface; `density`: pixels per screen coordinate. The OpenGL texture must be
/// made again afterwards.
Fonts load_fonts(float scale, float density);

}  // namespace flipscope::app
