// Small pieces the panels share: icons drawn by hand, headings, right-aligned numbers, tooltips.
#pragma once

#include <string>

#include "app/window/ui.h"

namespace flipscope::app {

/// Of windows over the canvas.
inline constexpr ImGuiWindowFlags kOverlay = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                             ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                                             ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing;

enum class Icon {
    kPlay,
    kPause,
    kPass,
    kPassBack,
    kRound,
    kRoundBack,
    kStart,
    kEnd,
    kRestart,
    kClose,
    kPauseThen,  // when something happens
    kBefore,     // the detection before, the next
    kNext,
    kPointer,
    kMove,
    kLock,
    kAdd,
    kRemove,
    kFreeze,
    kPaint,
    kWipe
};

/// A square button with an icon; true when pressed. `help` becomes the tooltip.
bool icon_button(const Ui& ui, const char* id, Icon icon, const std::string& help, bool enabled = true,
                 bool strong = false);
/// A button that runs an action of the table. Its tooltip says what it does with its key, or why it does nothing now.
void action_button(Ui& ui, const std::string& id, Icon icon, bool strong = false);
void action_button(Ui& ui, const std::string& id, const char* text);
/// A slider whose number stands beside its track, so that the handle covers nothing. The item that a tooltip is for is
/// the track. Ctrl+click types a number, where `flags` let it.
struct SliderStyle {
    std::string name, text;      // the number, as it is shown
    float width, number;         // of all, and of the part for the number
    const char* typed = "%.6g";  // the number, as it is typed
    bool right = false;          // flush right
};
bool slider_beside_number(Ui& ui, const SliderStyle& style, ImGuiDataType type, void* value, const void* least,
                          const void* most, ImGuiSliderFlags flags);
inline bool slider_beside_number(Ui& ui, const SliderStyle& style, float* value, float least, float most,
                                 ImGuiSliderFlags flags) {
    return slider_beside_number(ui, style, ImGuiDataType_Float, value, &least, &most, flags);
}

/// Where the last item is, in the window.
Box box_of_last();
/// A tooltip for the last item, wrapped. Below it stands what words of the glossary mean that are in the text, or in
/// `item`, what the item itself says.
void help_for_last(const Ui& ui, const std::string& text, const std::string& item = {});
void tooltip(const Ui& ui, const std::string& text, const std::string& item = {});
/// A row of an open list; true when it is chosen. The present choice (`chosen`) is written in the accent colour, and
/// the arrow keys start at it; the row under the keys or the mouse alone is lit.
bool list_option(const Ui& ui, const std::string& text, bool chosen);
/// A section that can be folded; true while open.
bool section(const Ui& ui, const char* title, bool open = true);
/// It is open when it is drawn next, in this window.
void open_section(const char* title);
/// The text in lines of this width in the present font, broken between words alone: never within a number.
std::string broken_at_blanks(const std::string& text, float room);
void quiet_text(const Ui& ui, const std::string& text, bool wrapped = false);
/// Numbers in the monospaced font, flush right in the present cell or column.
void right_number(const Ui& ui, const std::string& text, bool quiet = false);
void right_heading(const Ui& ui, const char* text, const std::string& help);
/// The text, cut with an ellipsis where it is wider than `width`.
std::string elided(const std::string& text, float width);
/// Opens a panel without any decoration in `box`; ImGui::End() closes it.
void begin_panel(const Ui& ui, const char* name, const Box& box, bool scrolls);
std::string capitalised(std::string text);

}  // namespace flipscope::app
