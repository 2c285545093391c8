// Small widgets shared by the panels: hand-drawn icons, headings, right-aligned numbers, tooltips.
#pragma once

#include <string>

#include "app/window/ui.h"

namespace flipscope::app {

/// Window flags for overlays on the canvas.
inline constexpr ImGuiWindowFlags kOverlay = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                             ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                                             ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing;

/// The same for those of a given size.
inline constexpr ImGuiWindowFlags kSizedOverlay = kOverlay & ~ImGuiWindowFlags_AlwaysAutoResize;

/// Flags of tables with columns of fixed widths.
inline constexpr ImGuiTableFlags kTable = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg |
                                          ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_NoKeepColumnsVisible;

/// A font, a colour, a size or an id for what is drawn until the end of the block. A window or table that begins after
/// it ends before it.
class Scoped {
  public:
    explicit Scoped(ImFont* font) : end_(ImGui::PopFont) { ImGui::PushFont(font); }
    Scoped(ImGuiCol_ part, const Color& color) : end_([] { ImGui::PopStyleColor(); }) {
        ImGui::PushStyleColor(part, to_imgui(color));
    }
    Scoped(ImGuiStyleVar_ size, float value) : end_([] { ImGui::PopStyleVar(); }) { ImGui::PushStyleVar(size, value); }
    Scoped(ImGuiStyleVar_ size, ImVec2 value) : end_([] { ImGui::PopStyleVar(); }) { ImGui::PushStyleVar(size, value); }
    explicit Scoped(size_t id) : end_(ImGui::PopID) { ImGui::PushID(static_cast<int>(id)); }
    explicit Scoped(const char* id) : end_(ImGui::PopID) { ImGui::PushID(id); }
    ~Scoped() { end_(); }
    Scoped(const Scoped&) = delete;
    Scoped& operator=(const Scoped&) = delete;

  private:
    void (*end_)();
};

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
    kPauseThen,  // at the next breakpoint
    kBefore,     // previous detection; kNext: next one
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

inline constexpr float kStrong = 0.9f;  // of the accent colour; icons on it are in the colour of the canvas
/// A square button with an icon; returns whether it was pressed. `help` becomes the tooltip. `accent`: of its ground, 0
/// to 1.
bool icon_button(const Ui& ui, const char* id, Icon icon, const std::string& help, bool enabled = true,
                 float accent = 0);
/// A button for an action of the table. The tooltip gives its effect and key, or why it is disabled.
void action_button(Ui& ui, const std::string& id, Icon icon, float accent = 0);
void action_button(Ui& ui, const std::string& id, const char* text);
/// A slider with its number beside the track, so that the handle covers nothing. Tooltips belong to the track.
/// Ctrl+click types a number if `flags` permit it.
struct SliderStyle {
    std::string name, text;      // the number as displayed
    float width, number;         // of the whole, and of the number's part
    const char* typed = "%.6g";  // format of the number when typed
    bool right = false;          // flush right
};
bool slider_beside_number(Ui& ui, const SliderStyle& style, ImGuiDataType type, void* value, const void* least,
                          const void* most, ImGuiSliderFlags flags);
inline bool slider_beside_number(Ui& ui, const SliderStyle& style, float* value, float least, float most,
                                 ImGuiSliderFlags flags) {
    return slider_beside_number(ui, style, ImGuiDataType_Float, value, &least, &most, flags);
}

/// Box of the last item, in the window.
Box box_of_last();
/// A wrapped tooltip for the last item, followed by the glossary's sentences for terms in the text or in `item`, the
/// item's own text.
void help_for_last(const Ui& ui, const std::string& text, const std::string& item = {});
void tooltip(const Ui& ui, const std::string& text, const std::string& item = {});
/// A row of an open list; returns whether it was chosen. The current choice (`chosen`) has the accent colour, and the
/// arrow keys start at it; only the row under the keys or the mouse is lit.
bool list_option(const Ui& ui, const std::string& text, bool chosen);
/// A foldable section; returns whether it is open.
bool section(const Ui& ui, const char* title, bool open = true);
/// An invisible heading across the window that folds what is below when clicked; returns whether it is open. `open`:
/// until it is first clicked.
bool folding_heading(const char* id, float height, bool open);
/// Opens a section of this window when it is next drawn.
void open_section(const char* title);
/// The text broken into lines of this width in the current font, only between words, never within a number.
std::string broken_at_blanks(const std::string& text, float room);
void quiet_text(const Ui& ui, const std::string& text, bool wrapped = false);
/// The same in small letters.
void small_text(const Ui& ui, const std::string& text, bool wrapped = false);
/// A button that scripts find as GROUP/TEXT; returns whether it was pressed.
bool named_button(Ui& ui, const std::string& group, const char* text, const std::string& help, bool enabled = true);
/// Scrolls a list so that a row of height `pitch` is visible.
void scroll_to_row(size_t row, float pitch);
/// `note`: the colour of messages that are no warning, error or success.
Color colour_of(const Palette& colors, Message::Kind kind, const Color& note);
/// Numbers in the monospaced font, flush right in the current cell or column.
void right_number(const Ui& ui, const std::string& text, bool quiet = false);
void right_heading(const Ui& ui, const char* text, const std::string& help);
/// The text, cut with an ellipsis if it is wider than `width`, by default the rest of the line or the cell.
std::string elided(const std::string& text, float width = ImGui::GetContentRegionAvail().x);
/// Begins a line with a label; the item behind it is as wide as the rest of the line, or `width`.
void begin_line(const Ui& ui, const char* label, float column, float width = -1);
/// Begins a row of a table with a name, cut if it is too wide; `help` and `item` as for help_for_last().
void begin_row(const Ui& ui, const std::string& name, const std::string& help, const std::string& item = {});
/// The text in the next cell of a table, cut if it is too wide.
void next_cell(const std::string& text);
/// Opens an undecorated panel in `box`; ImGui::End() closes it.
void begin_panel(const Ui& ui, const char* name, const Box& box, bool scrolls);
/// Opens a banner over the middle of the canvas's width, its top (`pivot` 0) or bottom (1) at `y`; returns its width,
/// `width` where there is room.
float begin_banner(const Ui& ui, const char* name, float width, float y, float pivot = 0);
std::string capitalised(std::string text);

}  // namespace flipscope::app
