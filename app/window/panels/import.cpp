// The column chooser, at the top of the window: the table's first rows, a list for each role, the separator and the
// decimal mark. The picture follows every choice; Return keeps it, Esc reverts.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "io/table_roles.h"

namespace flipscope::app {

namespace {

constexpr std::pair<char, const char*> kSeparators[] = {
    {',', "comma ,"}, {';', "semicolon ;"}, {'\t', "tab"}, {' ', "blanks"}, {'|', "bar |"}};
constexpr std::pair<char, const char*> kDecimals[] = {{'.', "point"}, {',', "comma"}};
constexpr std::pair<bool, const char*> kWays[] = {{false, "up"}, {true, "down"}};

/// A list of the column chooser.
struct Choice {
    std::string label, help;
    std::vector<std::string> names = {};
    size_t chosen = 0;
    std::vector<ReadOptions> options = {};  // the reading options of each name
};

const char* word_of(ColumnRole role) { return kColumnRoleNames[static_cast<size_t>(role)].data(); }

const char* sentence_of(ColumnRole role) {
    static constexpr const char* kSentences[] = {"to the right",
                                                 "upwards, unless it goes down",
                                                 "a height: it is kept as a column",
                                                 "with ids these are points over time",
                                                 "which point it is, the same at all times",
                                                 "what the point is called: Ctrl+F finds it",
                                                 "a weight: it is kept as a column",
                                                 "a radius: it is kept as a column"};
    static_assert(std::size(kSentences) == kColumnRoleNames.size());
    return kSentences[static_cast<size_t>(role)];
}

Choice choice_of(const TableImport& table, ColumnRole role) {
    Choice choice{word_of(role), std::string("The column of ") + word_of(role) + ": " + sentence_of(role) + "."};
    const std::optional<size_t> now = table.column_of(role);
    if (role != ColumnRole::kX && role != ColumnRole::kY) {
        choice.names.push_back("\u2013");
        choice.options.push_back(table.with_column(role, std::nullopt));
    }
    for (size_t c = 0; c < table.layout.columns.size(); ++c) {
        if (!table.can_have(c, role) && now != c) continue;
        if (now == c) choice.chosen = choice.names.size();
        const TableLayout::Column& column = table.layout.columns[c];
        choice.names.push_back(column.name + (column.unit.empty() ? "" : " [" + column.unit + "]"));
        choice.options.push_back(table.with_column(role, c));
    }
    return choice;
}

std::vector<Choice> choices_of(const TableImport& table) {
    std::vector<Choice> choices;
    for (const ColumnRole role : io::kColumnRoles) choices.push_back(choice_of(table, role));
    const auto add = [&](Choice choice, const auto& values, auto now, auto with) {
        for (const auto& [value, name] : values) {
            if (value == now) choice.chosen = choice.names.size();
            choice.names.emplace_back(name);
            choice.options.push_back(with(value));
        }
        choices.push_back(std::move(choice));
    };
    const ReadOptions& read = table.read;
    add({"separator", "What stands between two columns."}, kSeparators,
        read.separator ? read.separator : table.layout.separator,
        [&](char sign) { return table.with(&ReadOptions::separator, sign); });
    add({"decimal", "The decimal mark: 1.5 or 1,5."}, kDecimals, read.decimal ? read.decimal : table.layout.decimal,
        [&](char sign) { return table.with(&ReadOptions::decimal, sign); });
    add({"y goes", "Down in images, up in the plane. What is turned over is turned back when it is saved."}, kWays,
        read.y_down, [&](bool down) { return table.with_y_down(down); });
    return choices;
}

void choose(Ui& ui, const Choice& choice, size_t k) {
    if (k < choice.options.size() && k != choice.chosen) ui.session.columns().read_as(choice.options[k]);
}

/// One after another, in as many lines as needed.
void draw_choices(Ui& ui, const std::vector<Choice>& choices) {
    const float right = ImGui::GetContentRegionMax().x, list = ui.em(66);
    for (size_t k = 0; k < choices.size(); ++k) {
        const Choice& choice = choices[k];
        const float wide = ImGui::CalcTextSize(choice.label.c_str()).x + ui.em(4) + list;
        if (k > 0) {
            ImGui::SameLine(0, ui.em(8));
            if (ImGui::GetCursorPosX() + wide > right) ImGui::NewLine();
        }
        ImGui::AlignTextToFramePadding();
        quiet_text(ui, choice.label);
        ImGui::SameLine(0, ui.em(4));
        ImGui::SetNextItemWidth(list);
        const std::string shown =
            choice.names.empty() ? "" : elided(choice.names[choice.chosen], list - ImGui::GetFrameHeight() - ui.em(8));
        const bool opened = ImGui::BeginCombo(("##import-" + choice.label).c_str(), shown.c_str());
        const Box box = opened ? Box{} : box_of_last();
        if (opened) {
            for (size_t i = 0; i < choice.names.size(); ++i)
                if (list_option(ui, choice.names[i] + "##" + std::to_string(i), i == choice.chosen)) {
                    ui.state.import.focus = k;
                    choose(ui, choice, i);
                }
            ImGui::EndCombo();
        } else {
            help_for_last(ui, choice.help + " Now: " + (choice.names.empty() ? "none" : choice.names[choice.chosen]) +
                                  ". (\u2190 \u2192 go to the lists, \u2191 \u2193 choose)");
        }
        if (k == ui.state.import.focus && box.width > 0)
            ImGui::GetWindowDrawList()->AddRect(box.low(), box.high(), packed(ui.colors.accent),
                                                ImGui::GetStyle().FrameRounding, 0, ui.em(1.5f));
    }
}

/// If not all columns fit, those with a role come first.
std::vector<size_t> shown_columns(const Ui& ui, const TableLayout& layout, float room) {
    const auto most = static_cast<size_t>(std::max(1.f, room / ui.em(96)));
    std::vector<size_t> columns;
    for (size_t c = 0; c < layout.columns.size(); ++c) columns.push_back(c);
    if (columns.size() <= most) return columns;
    std::stable_partition(columns.begin(), columns.end(), [&](size_t c) { return layout.columns[c].role.has_value(); });
    columns.resize(most);
    std::ranges::sort(columns);
    return columns;
}

void draw_rows(Ui& ui, const TableLayout& layout, size_t most) {
    const float room = ImGui::GetContentRegionAvail().x;
    const std::vector<size_t> columns = shown_columns(ui, layout, room - ui.em(70));
    const size_t left_out = layout.columns.size() - columns.size();
    const Scoped padding(ImGuiStyleVar_CellPadding, {ui.em(4), ui.em(1)});
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_NoSavedSettings |
                                      ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_NoPadOuterX;
    const auto count = static_cast<int>(columns.size() + (left_out > 0));
    if (ImGui::BeginTable("first rows", std::max(count, 1), flags)) {
        for (int k = 0; k < count; ++k) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        ImGui::TableNextRow();
        for (const size_t c : columns) {
            const TableLayout::Column& column = layout.columns[c];
            ImGui::TableNextColumn();
            const std::string role = column.role ? std::string(word_of(*column.role)) + ": " : "";
            const std::string text = elided(role + column.name);
            if (column.role)
                ImGui::TextColored(to_imgui(ui.colors.accent), "%s", text.c_str());
            else
                quiet_text(ui, text);
            help_for_last(ui, role + column.name + (column.unit.empty() ? "" : " [" + column.unit + "]"));
        }
        if (left_out > 0) {
            ImGui::TableNextColumn();
            quiet_text(ui, "and " + std::to_string(left_out) + " more");
        }
        for (size_t i = 0; i < std::min(most, layout.first_rows.size()); ++i) {
            ImGui::TableNextRow();
            for (const size_t c : columns) {
                ImGui::TableNextColumn();
                const std::string cell = c < layout.first_rows[i].size() ? layout.first_rows[i][c] : "";
                const std::string text = elided(cell);
                layout.columns[c].role ? ImGui::TextUnformatted(text.c_str()) : quiet_text(ui, text);
                if (text != cell) help_for_last(ui, cell);
            }
        }
        ImGui::EndTable();
    }
}

}  // namespace

float import_height(const Ui& ui) {
    if (!ui.session.columns().table()) return 0;
    return ui.state.import.height > 0 ? ui.state.import.height : ui.em(150);
}

void draw_import(Ui& ui) {
    const TableImport* const table = ui.session.columns().table();
    if (!table) {
        ui.state.import = {};
        return;
    }
    // Compact: the user is looking at the picture.
    const Scoped padding(ImGuiStyleVar_WindowPadding, {ui.em(12), ui.em(8)});
    const Scoped spacing(ImGuiStyleVar_ItemSpacing, {ui.em(8), ui.em(4)});
    const Scoped frame(ImGuiStyleVar_FramePadding, {ui.em(8), ui.em(2)});
    const Scoped font(ui.fonts.small);
    begin_panel(ui, "import", ui.layout.import, false);
    const std::pair<const char*, bool> buttons[] = {{"Keep (Return)", true}, {"Back (Esc)", false}};
    float wide = 0;
    for (const auto& [text, keeps] : buttons)
        wide += ImGui::CalcTextSize(text).x + 2 * ImGui::GetStyle().FramePadding.x + ui.em(8);
    const float right = ImGui::GetContentRegionMax().x;
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(to_imgui(ui.colors.accent), "%s", "Columns");
    ImGui::SameLine(0, ui.em(8));
    const std::string said = !table->refusal.empty()          ? table->refusal
                             : table->layout.sentence.empty() ? table->source.name() + ": x and y"
                                                              : table->source.name() + ": " + table->layout.sentence;
    const std::string shown = elided(said, right - wide - ImGui::GetCursorPosX() - ui.em(8));
    if (!table->refusal.empty())
        ImGui::TextColored(to_imgui(ui.colors.error), "%s", shown.c_str());
    else
        ImGui::TextUnformatted(shown.c_str());
    if (shown != said) help_for_last(ui, said);
    ImGui::SameLine(right - wide + ui.em(8));
    std::optional<bool> ends;
    for (const auto& [text, keeps] : buttons) {
        if (!keeps) ImGui::SameLine(0, ui.em(8));
        if (ImGui::Button(text)) ends = keeps;
        help_for_last(ui, keeps ? "The table stays as it is read now." : "What was there before comes back.");
    }
    draw_choices(ui, choices_of(*table));
    draw_rows(ui, table->layout, ui.state.presents() ? 1 : 3);
    ui.state.import.height =
        ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y + ImGui::GetStyle().WindowPadding.y;
    ImGui::End();
    if (ends) ui.session.columns().end(*ends);
}

bool press_in_import(Ui& ui, const KeyPress& press) {
    const TableImport* const table = ui.session.columns().table();
    if (!table || ImGui::GetIO().WantTextInput || press.modifiers & ~GLFW_MOD_SHIFT) return false;
    const std::vector<Choice> choices = choices_of(*table);
    size_t& focus = ui.state.import.focus;
    focus = std::min(focus, choices.size() - 1);
    const Choice& choice = choices[focus];
    const bool back = press.key == GLFW_KEY_LEFT || press.modifiers & GLFW_MOD_SHIFT;
    switch (press.key) {
        case GLFW_KEY_ENTER:
        case GLFW_KEY_ESCAPE:
            ui.session.columns().end(press.key != GLFW_KEY_ESCAPE);
            return true;
        case GLFW_KEY_TAB:
        case GLFW_KEY_LEFT:
        case GLFW_KEY_RIGHT:
            focus = (focus + (back ? choices.size() - 1 : 1)) % choices.size();
            return true;
        case GLFW_KEY_DOWN:
            choose(ui, choice, choice.chosen + 1);
            return true;
        case GLFW_KEY_UP:
            if (choice.chosen > 0) choose(ui, choice, choice.chosen - 1);
            return true;
        default:
            return false;
    }
}

}  // namespace flipscope::app
