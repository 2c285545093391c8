#include "app/figures/theme.h"

#include <cmath>
#include <filesystem>
#include <initializer_list>

#include "app/base/folders.h"

namespace flipscope::app {

namespace {

// All glyphs that the program writes: Latin, Greek, punctuation, arrows, mathematics.
constexpr ImWchar kGlyphs[] = {0x0020, 0x017F, 0x0370, 0x03FF, 0x2010, 0x2027, 0x2030, 0x205E, 0x2070,
                               0x209F, 0x2190, 0x21FF, 0x2200, 0x22FF, 0x25A0, 0x25FF, 0};

ImFont* add(std::initializer_list<const char*> files, float size, float density) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    ImFontConfig config;
    config.OversampleH = size * density > 30 ? 1 : 2;
    config.OversampleV = 1;
    config.PixelSnapH = false;
    const std::filesystem::path own = shared_folder();  // of a bundle: the same text on every machine
    for (const std::filesystem::path file : files)
        for (const std::filesystem::path& place : {own / "fonts" / file.filename(), file}) {
            std::error_code failure;
            if (place.is_relative() || !std::filesystem::is_regular_file(place, failure)) continue;
            if (ImFont* font = atlas.AddFontFromFileTTF(place.c_str(), std::round(size * density), &config, kGlyphs))
                return font;
        }
    config.SizePixels = std::round(size * density);
    return atlas.AddFontDefault(&config);
}

constexpr const char* kInter = "/usr/share/fonts/opentype/inter/Inter-Regular.otf";
constexpr const char* kInterBold = "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf";
constexpr const char* kInterOther = "/usr/share/fonts/truetype/inter/Inter.ttf";
constexpr const char* kMono = "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf";
constexpr const char* kDejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
constexpr const char* kDejaVuBold = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf";
constexpr const char* kDejaVuMono = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf";

// One grid for all panels, in screen coordinates at scale 1: 4 within a control, 8 between controls, 6 between rows, 12
// at an edge; one radius; three text sizes. Numbers, in the monospaced font, have the size of the words beside them, so
// that their base lines align.
constexpr float kUnit = 4, kSmall = 13, kBody = 15, kCaption = 21;

}  // namespace

Fonts load_fonts(float scale, float density) {
    ImGui::GetIO().Fonts->Clear();
    Fonts fonts;
    fonts.body = add({kInter, kInterOther, kDejaVu}, kBody * scale, density);
    fonts.small = add({kInter, kInterOther, kDejaVu}, kSmall * scale, density);
    fonts.caption = add({kInterBold, kInterOther, kDejaVuBold, kDejaVu}, kCaption * scale, density);
    fonts.numbers = add({kMono, kDejaVuMono}, kBody * scale, density);
    fonts.small_numbers = add({kMono, kDejaVuMono}, kSmall * scale, density);
    ImGui::GetIO().FontGlobalScale = 1 / density;
    ImGui::GetIO().Fonts->Build();
    return fonts;
}

void apply_theme(bool light, float scale) {
    const Palette& colors = palette(light);
    ImGuiStyle style;
    if (light)
        ImGui::StyleColorsLight(&style);
    else
        ImGui::StyleColorsDark(&style);
    style.WindowRounding = style.FrameRounding = style.GrabRounding = style.PopupRounding = style.ScrollbarRounding =
        kUnit;
    style.WindowBorderSize = style.PopupBorderSize = 1;
    style.FrameBorderSize = 0;
    style.WindowPadding = {3 * kUnit, 3 * kUnit};
    style.FramePadding = style.ItemInnerSpacing = {2 * kUnit, kUnit};
    style.ItemSpacing = {2 * kUnit, 1.5f * kUnit};
    style.CellPadding = {kUnit, 0.5f * kUnit};
    style.ScrollbarSize = 3 * kUnit;
    style.GrabMinSize = 2 * kUnit;
    style.ScaleAllSizes(scale);

    const auto set = [&](ImGuiCol what, const Color& color) { style.Colors[what] = to_imgui(color); };
    const Color& accent = colors.accent;
    set(ImGuiCol_Text, colors.text);
    set(ImGuiCol_TextDisabled, colors.quiet_text);
    set(ImGuiCol_WindowBg, colors.panel);
    set(ImGuiCol_ChildBg, colors.panel.alpha(0));
    set(ImGuiCol_PopupBg, colors.panel);
    set(ImGuiCol_Border, colors.panel_edge);
    set(ImGuiCol_FrameBg, colors.field);
    set(ImGuiCol_FrameBgHovered, accent.alpha(0.22f));
    set(ImGuiCol_FrameBgActive, accent.alpha(0.32f));
    set(ImGuiCol_ScrollbarBg, colors.panel.alpha(0));
    set(ImGuiCol_ScrollbarGrab, colors.panel_edge);
    set(ImGuiCol_ScrollbarGrabHovered, colors.quiet_text.alpha(0.6f));
    set(ImGuiCol_ScrollbarGrabActive, colors.quiet_text);
    set(ImGuiCol_CheckMark, accent);
    set(ImGuiCol_SliderGrab, accent.alpha(0.55f));
    set(ImGuiCol_SliderGrabActive, accent);
    set(ImGuiCol_Button, colors.field);
    set(ImGuiCol_ButtonHovered, accent.alpha(0.28f));
    set(ImGuiCol_ButtonActive, accent.alpha(0.45f));
    set(ImGuiCol_Header, accent.alpha(0.16f));
    set(ImGuiCol_HeaderHovered, accent.alpha(0.24f));
    set(ImGuiCol_HeaderActive, accent.alpha(0.34f));
    set(ImGuiCol_Separator, colors.panel_edge);
    set(ImGuiCol_TableHeaderBg, colors.panel);
    set(ImGuiCol_TableBorderLight, colors.panel_edge);
    set(ImGuiCol_TableBorderStrong, colors.panel_edge);
    set(ImGuiCol_TableRowBgAlt, colors.text.alpha(0.025f));
    set(ImGuiCol_TextSelectedBg, accent.alpha(0.35f));
    set(ImGuiCol_NavHighlight, accent.alpha(0));
    ImGui::GetStyle() = style;
}

}  // namespace flipscope::app
