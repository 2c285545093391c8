// Dear ImGui's style: the palette's colours, spacings that grow with the presenter scale, and real fonts.
#pragma once

#include <imgui.h>

#include "app/view/palette.h"

namespace flipscope::app {

inline ImVec4 to_imgui(const Color& color) { return {color.r, color.g, color.b, color.a}; }
inline ImU32 packed(const Color& color) { return ImGui::ColorConvertFloat4ToU32(to_imgui(color)); }

/// Inter for words and JetBrains Mono for numbers from Debian's packages; else DejaVu, else ImGui's own font.
struct Fonts {
    ImFont* body = nullptr;
    ImFont* small = nullptr;
    ImFont* caption = nullptr;  // the current pass, in the last row
    ImFont* numbers = nullptr;
    ImFont* small_numbers = nullptr;
};

void apply_theme(bool light, float scale);
/// Replaces the atlas. `scale`: of the interface; `density`: pixels per screen coordinate. Recreate the OpenGL texture
/// afterwards.
Fonts load_fonts(float scale, float density);

}  // namespace flipscope::app
