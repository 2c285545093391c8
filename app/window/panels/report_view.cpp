#include "app/window/panels/report_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/window/panels/widgets.h"
#include "app/window/plot.h"

namespace flipscope::app {

namespace {

void draw_title(const Ui& ui, const Section& section) {
    if (section.title.empty()) return;
    ImGui::Spacing();
    const Scoped font(ui.fonts.small);
    ImGui::TextColored(to_imgui(ui.colors.accent), "%s", capitalised(section.title).c_str());
    if (!section.sentence.empty()) quiet_text(ui, section.sentence, true);
}

/// Wide enough for all property names, except names that would leave no room for values.
float column_of_values(const Ui& ui, const Report& report, float width) {
    float column = ui.em(96);
    for (const Section& section : report.sections) {
        const auto* properties = std::get_if<Properties>(&section.content);
        if (!properties) continue;
        for (const Property& property : *properties) {
            const float wide = ImGui::CalcTextSize(property.name.c_str()).x + ui.em(12);
            if (wide < 0.5f * width) column = std::max(column, wide);
        }
    }
    return column;
}

float widest_word(const std::string& text) {
    float widest = 0;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find(' ', begin), text.size());
        widest = std::max(widest, ImGui::CalcTextSize(text.c_str() + begin, text.c_str() + end).x);
        begin = end + 1;
    }
    return widest;
}

/// Breaks coordinates that are too long for one line.
std::string in_lines(const Value& value, float room) {
    std::string text = text_of(value);
    if (ImGui::CalcTextSize(text.c_str()).x <= room) return text;
    const bool place = std::holds_alternative<Point>(value.content) || std::holds_alternative<Point3>(value.content);
    for (size_t at = text.find(", "); place && at != text.npos; at = text.find(", ", at)) text.replace(at, 2, ",\n");
    return text;
}

/// Clickable words, one after the other, in as many lines as needed.
void draw_links(Ui& ui, const std::vector<Link>& links, float left) {
    const float right = ImGui::GetContentRegionMax().x;
    for (size_t i = 0; i < links.size(); ++i) {
        const std::string text = elided(links[i].name + (i + 1 < links.size() ? "," : ""), right - left);
        const float wide = ImGui::CalcTextSize(text.c_str()).x;
        if (i > 0) {
            ImGui::SameLine(0, ui.em(4));
            if (ImGui::GetCursorPosX() + wide > right) {
                ImGui::NewLine();
                ImGui::SetCursorPosX(left);
            }
        }
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(static_cast<int>(i));
        const bool pressed = ImGui::InvisibleButton("link", {std::max(wide, 1.f), ImGui::GetTextLineHeight()});
        const bool hovered = ImGui::IsItemHovered();
        ImGui::PopID();
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        const ImU32 color = packed(ui.colors.accent);
        draw.AddText(at, color, text.c_str());
        const float below = at.y + ImGui::GetTextLineHeight();
        if (hovered) draw.AddLine({at.x, below}, {at.x + wide, below}, color, ui.em(1));
        const Box box = box_of_last();
        if (ImGui::IsItemVisible()) {
            ui.boxes.add(std::string("link/") + links[i].name, box);
            ui.layout.inspector_controls.push_back(box);
        }
        if (pressed) follow(ui, links[i]);
    }
}

/// Whether the links already contain the value's text.
bool stand_for_value(const Property& property) {
    std::string names;
    for (const Link& link : property.links) names += (names.empty() ? "" : ", ") + link.name;
    return names == text_of(property.value);
}

// The value beside the name and the reason beside the value, or below if they do not fit.
void draw_property(Ui& ui, const Property& property, float column) {
    quiet_text(ui, property.name, true);
    help_for_last(ui, "", property.name + " " + text_of(property.value) + " " + property.why);
    if (!property.links.empty() && stand_for_value(property)) {
        if (ImGui::CalcTextSize(property.name.c_str()).x + ui.em(4) < column)
            ImGui::SameLine(column);
        else
            ImGui::SetCursorPosX(column);
        const Scoped id(property.name.c_str());
        draw_links(ui, property.links, ImGui::GetCursorPosX());
        if (property.why.empty()) return;
        small_text(ui, property.why, true);
        return;
    }
    const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionMax().x - column;
    ImGui::PushFont(ui.fonts.numbers);
    const std::string text = in_lines(property.value, room);
    const float widest = widest_word(text);
    ImGui::PopFont();
    // Never break within a number: a value too wide for the column goes below the name.
    if (widest > room)
        ImGui::SetCursorPosX(left);
    else if (ImGui::CalcTextSize(property.name.c_str()).x + ui.em(4) < column)
        ImGui::SameLine(column);
    else
        ImGui::SetCursorPosX(column);
    ImGui::PushTextWrapPos(0);
    ImGui::PushFont(widest <= ImGui::GetContentRegionMax().x - left ? ui.fonts.numbers : ui.fonts.small_numbers);
    ImGui::TextUnformatted(broken_at_blanks(text, ImGui::GetContentRegionMax().x - ImGui::GetCursorPosX()).c_str());
    const float used = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
    ImGui::PopFont();
    ImGui::PopTextWrapPos();
    if (const std::string remark = remark_of(property); !remark.empty()) {
        const Scoped font(ui.fonts.small);
        const bool beside = used + ui.em(8) + ImGui::CalcTextSize(remark.c_str()).x < ImGui::GetContentRegionMax().x;
        if (beside) ImGui::SameLine(0, ui.em(8));
        quiet_text(ui, remark, !beside);
    }
    if (property.links.empty()) return;
    const Scoped id(property.name.c_str());
    draw_links(ui, property.links, left);
}

/// Three digits, for when six do not fit.
std::string short_text_of(const Value& value) {
    const double* const number = std::get_if<double>(&value.content);
    if (!number || value.as_read || !value.unit.empty()) return text_of(value);
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", *number);
    return text;
}

struct TableColumn {
    float wide = 0;
    bool words = false, numbers = true;  // not only ticks; only numbers, right-aligned
    bool wraps = false;                  // names may wrap
};

/// Moves the cursor for right alignment in the column.
void move_to_end(float wide) {
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.f, ImGui::GetContentRegionAvail().x - wide));
}

/// A tick or a cross for a truth value, else the text.
void draw_cell(Ui& ui, const Value& value, const std::string& shown, const std::string& help, bool quiet,
               const TableColumn& column) {
    const float line = ImGui::GetTextLineHeight();
    const bool* const truth = std::get_if<bool>(&value.content);
    if (!truth) {
        const float room = ImGui::GetContentRegionAvail().x;
        const bool wraps = column.wraps && widest_word(shown) <= room;
        const std::string text = wraps ? shown : elided(shown, room);
        if (column.numbers) move_to_end(ImGui::CalcTextSize(text.c_str()).x);
        if (wraps) ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + room);
        if (quiet)
            quiet_text(ui, text);
        else
            ImGui::TextUnformatted(text.c_str());
        if (wraps) ImGui::PopTextWrapPos();
        const std::string whole = text_of(value);
        return help_for_last(ui, !help.empty() || whole == text ? help : whole);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float x = at.x + 0.9f * line, y = at.y + 0.5f * line, r = 0.26f * line, thick = ui.em(1.8f);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (*truth) {
        const ImVec2 tick[] = {{x - 1.1f * r, y}, {x - 0.25f * r, y + 0.9f * r}, {x + 1.2f * r, y - r}};
        draw.AddPolyline(tick, 3, packed(ui.colors.success), 0, thick);
    } else {
        draw.AddLine({x - r, y - r}, {x + r, y + r}, packed(ui.colors.error), thick);
        draw.AddLine({x - r, y + r}, {x + r, y - r}, packed(ui.colors.error), thick);
    }
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, line});
    help_for_last(ui, help);
}

constexpr size_t kMostRows = 64;  // in a panel; files contain all

/// The headings and a row each, with the reason as its tooltip. Words get the width they need, ticks share the rest. If
/// that does not fit, numbers get fewer digits, then names wrap.
void draw_table(Ui& ui, const Table& table) {
    std::vector<Table::Row> rows;
    for (size_t i = 0; i < std::min(table.row_count, kMostRows); ++i) rows.push_back(table.row(i));
    const Scoped font(ui.fonts.small);
    constexpr ImGuiTableFlags flags =
        ImGuiTableFlags_RowBg | ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_NoPadOuterX;
    const Scoped padding(ImGuiStyleVar_CellPadding, {ui.em(2), ImGui::GetStyle().CellPadding.y});
    if (ImGui::BeginTable("table", static_cast<int>(table.columns.size()), flags)) {
        const float room = ImGui::GetContentRegionAvail().x;
        std::vector<TableColumn> columns;
        std::string (*shown)(const Value&) = flipscope::text_of;
        const auto lacks = [&] {
            columns.clear();
            float whole = 0;
            for (size_t k = 0; k < table.columns.size(); ++k) {
                TableColumn column{ImGui::CalcTextSize(table.columns[k].name.c_str()).x};
                for (const Table::Row& row : rows) {
                    const Value& cell = row.cells.at(k);
                    column.numbers &= std::holds_alternative<double>(cell.content) ||
                                      std::holds_alternative<int64_t>(cell.content) || cell.empty();
                    if (cell.empty() || std::holds_alternative<bool>(cell.content)) continue;
                    column.words = true;
                    column.wide = std::max(column.wide, ImGui::CalcTextSize(shown(cell).c_str()).x);
                }
                column.numbers &= column.words;
                whole += column.wide + ui.em(9);  // with the padding
                column.wide += ui.em(5);
                columns.push_back(column);
            }
            return whole - room;
        };
        float missing = lacks();
        if (missing > 0) {
            shown = short_text_of;
            missing = lacks();
        }
        if (missing > 0 && !columns.empty()) {
            columns[0].wide = std::max(columns[0].wide - missing, 0.4f * columns[0].wide);
            columns[0].wraps = true;
        }
        for (const TableColumn& column : columns)
            ImGui::TableSetupColumn(
                "", column.words ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch, column.wide);
        ImGui::TableNextRow();
        for (size_t k = 0; k < table.columns.size(); ++k) {
            ImGui::TableNextColumn();
            const std::string name = elided(table.columns[k].name);
            if (columns[k].numbers) move_to_end(ImGui::CalcTextSize(name.c_str()).x);
            quiet_text(ui, name);
            help_for_last(ui, table.columns[k].sentence);
        }
        for (const Table::Row& row : rows) {
            ImGui::TableNextRow();
            ui.boxes.add("row/" + text_of(row.cells.at(0)), {});
            const std::string help = row.why.empty() ? "" : text_of(row.cells.at(0)) + ": " + row.why;
            for (size_t k = 0; k < table.columns.size(); ++k) {
                ImGui::TableNextColumn();
                draw_cell(ui, row.cells.at(k), shown(row.cells.at(k)), help, k > 0, columns[k]);
            }
        }
        ImGui::EndTable();
    }
    if (table.row_count > kMostRows) quiet_text(ui, "… and " + number_text(table.row_count - kMostRows) + " more");
}

/// The switch for the logarithmic axis, at the right end of the line.
bool choose_logarithm(Ui& ui, const Distribution& distribution) {
    const std::string key = ui.model.info.id + "/" + distribution.name;
    const auto chosen = ui.state.logarithmic_bins.find(key);
    bool log = chosen == ui.state.logarithmic_bins.end() ? distribution.logarithmic : chosen->second;
    const float width = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize("log").x;
    ImGui::SameLine(ImGui::GetContentRegionMax().x - width);
    if (ImGui::Checkbox(("log##" + key).c_str(), &log)) ui.state.logarithmic_bins[key] = log;
    help_for_last(ui, "A logarithmic axis, so that a few among many can be seen.");
    return log;
}

void draw_distribution(Ui& ui, const Distribution& distribution) {
    const Scoped font(ui.fonts.small);
    const std::string id = "##bins-" + distribution.name;
    const bool degrees = distribution.unit.empty() || distribution.unit == "°";
    const std::string title = capitalised(distribution.name) + (degrees ? "" : " (" + distribution.unit + ")");
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(elided(title, ImGui::GetContentRegionAvail().x - ui.em(70)).c_str());
    help_for_last(ui, title + ": " + distribution.sentence);
    PlotStyle style{ui.colors, ui.fonts, ui.colors.accent, ui.colors.text, ui.scale};
    if (distribution.rose) {
        draw_rose(id.c_str(), distribution, style, ui.em(190));
    } else {
        style.logarithmic.y = choose_logarithm(ui, distribution);
        std::optional<Explored> quantity =
            ui.model.shown && ui.model.explorable ? ui.model.shown->quantity_of(distribution) : std::nullopt;
        if (quantity && !offers(ui.model.scene, *quantity)) quantity.reset();
        if (!quantity) {
            draw_bins(id.c_str(), distribution, style, ui.em(120));
        } else {
            ExplorationChoice choice = ui.session.selection().exploration();
            Brush brush;
            if (choice.range && choice.range->quantity == *quantity)
                brush = {true, choice.range->low, choice.range->high, false, {}};
            if (const Property* of_clicked = ui.model.inspection.report.find(quantity->label()))
                if (const double value = of_clicked->value.number(); !std::isnan(value)) brush.marks.push_back(value);
            style.brush = &brush;
            draw_bins(id.c_str(), distribution, style, ui.em(120));
            if (brush.changed) {
                choice.range = {*quantity, brush.low, brush.high};
                ui.session.selection().explore(std::move(choice));
            }
        }
    }
}

void draw_curve(const Ui& ui, const Curve& curve) {
    const PlotStyle style{ui.colors, ui.fonts, ui.colors.accent, ui.colors.second_series, ui.scale, curve.logarithmic};
    draw_curves(("##curve-" + curve.name).c_str(), {{&curve, curve.label, ui.colors.accent, true}}, style, ui.em(140));
}

}  // namespace

void draw_report(Ui& ui, const Report& report, float most) {
    const float column = column_of_values(ui, report, ImGui::GetContentRegionAvail().x);
    // Consecutive diagrams stand side by side.
    std::vector<const Diagram*> beside;
    const auto draw_beside = [&] {
        if (beside.empty()) return;
        draw_diagrams(ui, beside, ImGui::GetContentRegionAvail().x, most);
        ImGui::Spacing();
        beside.clear();
    };
    for (const Section& section : report.sections) {
        if (const auto* diagram = std::get_if<Diagram>(&section.content)) {
            beside.push_back(diagram);
            continue;
        }
        draw_beside();
        if (const auto* properties = std::get_if<Properties>(&section.content)) {
            draw_title(ui, section);
            const Scoped id(&section - report.sections.data());
            for (const Property& property : *properties) draw_property(ui, property, column);
        } else if (const auto* table = std::get_if<Table>(&section.content)) {
            draw_title(ui, section);
            // Another table may have the same number of columns.
            const Scoped id(&section - report.sections.data());
            draw_table(ui, *table);
        } else if (const auto* distribution = std::get_if<Distribution>(&section.content)) {
            draw_distribution(ui, *distribution);
        } else if (const auto* curve = std::get_if<Curve>(&section.content)) {
            draw_title(ui, section);
            draw_curve(ui, *curve);
        }
    }
    draw_beside();
}

void draw_distributions(Ui& ui, const Report& report) {
    for (const Section& section : report.sections)
        if (const auto* distribution = std::get_if<Distribution>(&section.content))
            draw_distribution(ui, *distribution);
}

void draw_numbers(const Ui& ui, const Properties& numbers) {
    if (!ImGui::BeginTable("results", 2, kTable)) return;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("value", 0, ui.em(150));
    for (const Property& property : numbers) {
        const double number = property.value.number();
        const std::string unit = property.value.unit.empty() ? "" : " " + property.value.unit;
        const std::string value = std::isnan(number) ? "\u2013" : value_text(number);
        const std::string name = words_of_name(property.name),
                          in_full = name + ": " + value + unit + (property.why.empty() ? "" : "\n" + property.why);
        begin_row(ui, name, in_full);
        ImGui::TableSetColumnIndex(1);
        ImGui::PushFont(ui.fonts.small_numbers);
        const float room = ImGui::GetContentRegionAvail().x;
        std::string text = value + unit;
        if (ImGui::CalcTextSize(text.c_str()).x > room) text = value;
        ImGui::PopFont();
        right_number(ui, text);
        help_for_last(ui, in_full);
    }
    ImGui::EndTable();
}

}  // namespace flipscope::app
