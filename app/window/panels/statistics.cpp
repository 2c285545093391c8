// Statistics of the picture: the quantity that colours it, the selection, and numbers of both.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/base/number_text.h"
#include "app/figures/pen.h"
#include "app/run/data_view.h"
#include "app/view/display.h"
#include "app/window/actions.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/report_view.h"
#include "app/window/panels/widgets.h"
#include "compute/error.h"
#include "instruments/intensity_layer.h"
#include "instruments/selected_input.h"
#include "lab/parameters.h"
#include "statistics/element_measures.h"

namespace flipscope::app {

namespace {

void choose_colour(Ui& ui) {
    ExplorationChoice choice = ui.session.selection().exploration();
    begin_line(ui, "colour by", ui.em(82));
    std::string shown = choice.colour ? choice.colour->name() : "what the lab shows";
    if (choice.colour && !missing_column(*choice.colour, ui.session.input().get()).empty())
        shown += ": not in this input";
    else if (choice.colour && !offers(ui.model.scene, *choice.colour))
        shown += ": not in this lab";
    if (ImGui::BeginCombo("##colour-by", shown.c_str(), ImGuiComboFlags_HeightLarge)) {
        if (list_option(ui, "what the lab shows", !choice.colour)) choice.colour.reset();
        for (const Explored& one : offered_quantities(ui)) {
            if (list_option(ui, one.name() + "##" + one.id(), choice.colour == one)) choice.colour = one;
            help_for_last(ui, one.sentence());
        }
        ImGui::EndCombo();
    }
    help_for_last(ui, choice.colour
                          ? choice.colour->sentence()
                          : std::string("Colours vertices, edges, triangles or Voronoi cells by a measured quantity."));
    colour_by(ui, std::move(choice));
}

/// Map, range, scale and steps of the colours of numbers.
void choose_style(Ui& ui) {
    ExplorationChoice choice = ui.session.selection().exploration();
    if (!choice.colour) return;
    const Attribute* const column = find_attribute(ui.session.input().get(), choice.colour->attribute);
    if (!choice.colour->measured() && column && !column->categories.empty()) return;
    ColourStyle& style = choice.style;
    const auto label = [&](const char* text) { begin_line(ui, text, ui.em(82), ui.em(96)); };
    label("colours");
    if (ImGui::BeginCombo("##colour-map", kColourMaps[static_cast<size_t>(style.map)])) {
        for (size_t i = 0; i < std::size(kColourMaps); ++i)
            if (list_option(ui, kColourMaps[i], static_cast<size_t>(style.map) == i))
                style.map = static_cast<ColourScale::Map>(i);
        ImGui::EndCombo();
    }
    help_for_last(ui, "The colours from the lowest to the highest number.");
    ImGui::SameLine(0, ui.em(10));
    ImGui::Checkbox("reverse", &style.reversed);
    label("range");
    std::string& typed = ui.state.typed_range;
    if (ImGui::InputTextWithHint("##colour-range", "low:high", &typed, ImGuiInputTextFlags_EnterReturnsTrue)) {
        DataView data;
        data.style = style;
        try {
            typed.empty() ? data.style.range.reset() : data.set("colour-range", typed);
            style = data.style;
        } catch (const Error& error) {
            ui.session.reply(Message::Kind::kNote, std::string("colour range: ") + error.what());
        }
    }
    help_for_last(ui, "The ends of the colour bar, such as 10:50; empty: those of the quantity.");
    ImGui::SameLine(0, ui.em(10));
    bool log = style.logarithmic.value_or(false);
    if (ImGui::Checkbox("log##colours", &log)) style.logarithmic = log;
    help_for_last(ui, "Equal steps along the colour bar are equal factors.");
    label("steps");
    int steps = static_cast<int>(style.steps);
    if (ImGui::InputInt("##colour-steps", &steps, 1, 8))
        style.steps = static_cast<uint32_t>(std::clamp(steps, 0, static_cast<int>(ColourScale::kMostSteps)));
    help_for_last(ui, "Equal parts of the bar with one colour each; 0: a continuous bar.");
    ui.session.selection().explore(std::move(choice));
}

/// Discs at the points.
void choose_discs(Ui& ui) {
    ExplorationChoice choice = ui.session.selection().exploration();
    std::vector<std::string> columns;
    for (const std::string& id : attribute_ids(ui.session.input().get()))
        if (find_attribute(ui.session.input().get(), id)->categories.empty()) columns.push_back(id);
    bool shown = ui.state.display.shows(Exploration::kDataLayer, !choice.size_by.empty());
    if (ImGui::Checkbox("discs", &shown)) ui.state.display.layers[Exploration::kDataLayer] = shown;
    help_for_last(ui, "A disc at each point, in the colour of its number.");
    if (columns.empty() || !shown) return;
    ImGui::SameLine(ui.em(82));
    ImGui::SetNextItemWidth(-1);
    if (ImGui::BeginCombo("##size-by", choice.size_by.empty() ? "of one size" : choice.size_by.c_str())) {
        if (list_option(ui, "of one size", choice.size_by.empty())) choice.size_by.clear();
        for (const std::string& id : columns)
            if (list_option(ui, id, choice.size_by == id)) choice.size_by = id;
        ImGui::EndCombo();
    }
    help_for_last(ui, "The column that the areas of the discs are proportional to.");
    ui.session.selection().explore(std::move(choice));
}

/// Display options, as for the lab's own layers.
void choose_layers(Ui& ui) {
    DisplayOptions& display = ui.state.display;
    const auto choose = [&](const char* layer, const char* help) {
        bool shown = display.shows(layer, false);
        if (ImGui::Checkbox(layer, &shown)) display.layers[layer] = shown;
        help_for_last(ui, help);
    };
    choose(IntensityLayer::kName, "Colours the plane by the mean number of points per area around each place.");
    choose(Exploration::kDisclinationsLayer,
           "Marks vertices inside the outline that do not have six edges, coloured by how many they have: "
           "in a triangular lattice the defects are pairs of five and seven.");
}

const char* word_of_many(ElementKind kind, bool one) {
    return kind == ElementKind::kVertex ? (one ? "vertex" : "vertices")
           : kind == ElementKind::kEdge ? (one ? "edge" : "edges")
                                        : (one ? "triangle" : "triangles");
}

void draw_area(Ui& ui) {
    UiState& state = ui.state;
    const ExplorationChoice& choice = ui.session.selection().exploration();
    begin_line(ui, "study area", ui.em(82));
    if (ImGui::BeginCombo("##study-area", choice.area ? elided(choice.area_name).c_str() : "the whole input")) {
        for (const char* const id : {"area-none", "area-hull", "area-polygons", "area-selection", "area-draw"}) {
            const Action& one = action(id);
            ImGui::BeginDisabled(!one.why_not(ui).empty());
            if (list_option(ui, one.help, false)) one.run(ui);
            ImGui::EndDisabled();
        }
        ImGui::EndCombo();
    }
    help_for_last(ui, "Points are counted and cells are measured in it.");
    if (state.drawn_ring)
        quiet_text(ui,
                   "Click the corners. A double click or Enter closes the ring, Esc drops it. A ring inside is a hole.",
                   true);
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputTextWithHint("##area-text", "a file, 0,0,1,1 or POLYGON ((…", &state.area_text,
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll))
        ui.session.selection().study(state.area_text);
    help_for_last(ui,
                  "A file of polygons, perhaps with #COLUMN=VALUE, a rectangle LEFT,LOWER,RIGHT,UPPER, or well-known "
                  "text. Enter applies it.");
}

void draw_selection(Ui& ui) {
    ExplorationChoice choice = ui.session.selection().exploration();
    if (!choice.selects()) {
        quiet_text(ui, "Drag over a distribution to select by value, or with Ctrl over the picture to select a region.",
                   true);
        return;
    }
    const ElementKind kind = choice.kind();
    std::string text = number_text(ui.model.selected) + " " + word_of_many(kind, ui.model.selected == 1) + " selected";
    if (choice.range) {
        const ExplorationChoice::Range& range = *choice.range;
        text += ": " + range.quantity.label() + " ";
        if (!range.values.empty())
            text += join_words(range.values, " or ");
        else if (range.low == range.high)
            text += value_text(range.low);
        else
            text += "from " + value_text(range.low) + " to " + value_text(range.high);
    }
    ImGui::TextWrapped("%s", text.c_str());
    bool hides = choice.hides_rest;
    if (ImGui::Checkbox("only these", &hides)) choice.hides_rest = hides;
    help_for_last(ui, "Hides what is not selected.");
    ImGui::SameLine(0, ui.em(12));
    if (ImGui::Button("Clear")) choice.clear_selection();
    help_for_last(ui, "Clears the selection. (Esc)");
    ImGui::SameLine(0, ui.em(8));
    if (ImGui::Button("Copy")) ui.session.selection().copy();
    help_for_last(ui, "Puts the coordinates of the selected points into the clipboard, a line each. (Ctrl+C)");
    ImGui::SameLine(0, ui.em(8));
    // Only sites that come from an input can become one.
    ImGui::BeginDisabled(!can_be_input(ui.model.scene));
    if (ImGui::Button("Keep")) ui.session.opener().open_selection();
    ImGui::EndDisabled();
    ui.boxes.add("keep_button", box_of_last());
    help_for_last(ui,
                  "The selected points become the input, with their names and columns, and the lab starts over on "
                  "them.");
    ui.session.selection().explore(std::move(choice));
}

/// The means that fit beside a category's count; the shown quantity first.
std::vector<size_t> columns_beside(const Ui& ui, const Table& table, float room) {
    std::vector<size_t> shown;
    const std::optional<Explored>& colour = ui.session.selection().exploration().colour;
    std::vector<std::string> wanted;
    for (const Explored& quantity : {Explored(ElementQuantity::kCellArea), Explored(ElementQuantity::kDegree),
                                     Explored(ElementQuantity::kBondOrder6)})
        wanted.push_back("mean " + quantity.label());
    if (colour) wanted.insert(wanted.begin(), "mean " + colour->label());
    for (const std::string& name : wanted)
        for (size_t k = 0; k < table.columns.size() && room >= ui.em(74); ++k)
            if (table.columns[k].name == name && std::ranges::find(shown, k) == shown.end()) {
                shown.push_back(k);
                room -= ui.em(74);
            }
    return shown;
}

/// A clickable row for each value.
void draw_categories(Ui& ui, const Section& section, const Table& table) {
    const std::string& id = table.columns[0].name;
    ImGui::Spacing();
    const Scoped font(ui.fonts.small);
    ImGui::TextColored(to_imgui(ui.colors.accent), "%s", elided(id).c_str());
    help_for_last(ui, section.sentence);
    std::vector<std::string> classes;
    for (const LegendEntry& entry : shown_categories(ui.state.display, ui.model.scene))
        if (entry.group == id && entry.number < ColourScale::kOtherClass) classes.push_back(entry.name);
    const float room = ImGui::GetContentRegionAvail().x;
    std::vector<size_t> columns{1};
    for (const size_t k : columns_beside(ui, table, room - ui.em(110) - ui.em(60) * static_cast<float>(columns.size())))
        columns.push_back(k);
    constexpr ImGuiTableFlags flags =
        ImGuiTableFlags_RowBg | ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_NoPadOuterX;
    if (ImGui::BeginTable(id.c_str(), static_cast<int>(columns.size()) + 1, flags)) {
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        for (const size_t k : columns)
            ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ui.em(k == 1 ? 54 : 66));
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        quiet_text(ui, "value");
        for (const size_t k : columns) {
            ImGui::TableNextColumn();
            const Table::Column& column = table.columns[k];
            const ElementQuantityInfo* measured = nullptr;
            for (uint32_t q = 0; q < kElementQuantityCount; ++q)
                if (column.name == std::string("mean ") + info_of(ElementQuantity(q)).label)
                    measured = &info_of(ElementQuantity(q));
            const std::string name = measured ? measured->id : column.name;
            right_heading(ui, elided(name).c_str(), capitalised(column.name));
        }
        for (size_t i = 0; i < table.row_count; ++i) {
            const Table::Row row = table.row(i);
            const std::string value = text_of(row.cells[0]);
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            const float line = ImGui::GetTextLineHeight();
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const Scoped row_id(i);
            if (ImGui::Selectable("##value", is_selected(ui.session.selection().exploration(), id, value),
                                  ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap))
                select_category(ui, id, value);
            ui.boxes.add(std::string("category row/") + id + "=" + value, box_of_last());
            help_for_last(ui, value + ". A click selects these, with Ctrl these too.");
            ImGui::SetCursorScreenPos(at);
            const auto place = std::ranges::find(classes, value);
            if (!classes.empty()) {
                const auto number = static_cast<uint32_t>(place - classes.begin());
                LegendEntry entry{LegendEntry::Element::kVertex, 0, Role::kCategory, value, ""};
                entry.number = place == classes.end() ? ColourScale::kOtherClass : number;
                ListDrawing drawing(*ImGui::GetWindowDrawList(), *ui.fonts.small);
                draw_swatch(drawing.ink(ui.colors), entry, {at.x, at.y}, line);
                ImGui::SetCursorScreenPos({at.x + line + ui.em(4), at.y});
            }
            ImGui::TextUnformatted(elided(value).c_str());
            for (const size_t k : columns) {
                ImGui::TableNextColumn();
                const Value& cell = row.cells[k];
                right_number(ui, cell.empty() ? "\u2013" : value_text(cell.number()), k > 1);
            }
        }
        ImGui::EndTable();
    }
}

}  // namespace

bool is_selected(const ExplorationChoice& choice, const std::string& column, const std::string& value) {
    return choice.range && choice.range->quantity == Explored(column) &&
           std::ranges::find(choice.range->values, value) != choice.range->values.end();
}

void select_category(Ui& ui, const std::string& column, const std::string& value) {
    ExplorationChoice choice = ui.session.selection().exploration();
    const bool selected = is_selected(choice, column, value), hides = choice.hides_rest;
    const bool more = ImGui::GetIO().KeyCtrl && choice.range && choice.range->quantity == Explored(column);
    std::vector<std::string> values = more ? choice.range->values : std::vector<std::string>();
    if (more && selected)
        std::erase(values, value);
    else if (more || !selected || choice.range->values.size() > 1)
        values.push_back(value);
    choice.clear_selection();
    choice.hides_rest = hides && !values.empty();
    if (!values.empty()) choice.range = {Explored(column), 0, 0, std::move(values)};
    ui.session.selection().explore(std::move(choice));
}

/// Of the shown quantity; colours and selects.
static void draw_statistics(Ui& ui) {
    ui.layout.shows_statistics = true;
    ImGui::PushFont(ui.fonts.small);
    if (ui.model.explorable) {
        choose_colour(ui);
        choose_style(ui);
        choose_discs(ui);
        choose_layers(ui);
        draw_selection(ui);
    }
    if (!ui.model.scene.in_space) draw_area(ui);
    if (!ui.model.shown)
        quiet_text(ui, ui.model.loaded ? "Measuring" : "Nothing is loaded.", true);
    else if (ui.model.shown->empty())
        quiet_text(ui, ui.model.position == 0 ? "Statistics begin with the first pass." : "The picture has no points.",
                   true);
    if (!ui.model.shown) return ImGui::PopFont();
    const bool compares = ui.session.comparison().active();
    if (ImGui::Button(compares ? "Stop comparing" : "Compare from here")) ui.session.comparison().toggle();
    help_for_last(ui, compares ? "Compared with " + ui.session.comparison().caption() + ". (9)"
                               : "Keeps this state: its picture is shown beside those of other states and of other "
                                 "inputs, and its statistics are drawn over theirs, with the Kolmogorov–Smirnov "
                                 "distance of every distribution. (9)");
    if (ui.session.comparison().kept()) {
        ImGui::SameLine(0, ui.em(12));
        ImGui::Checkbox("side by side", &ui.state.beside);
        help_for_last(ui, "The kept picture at the left of the live one, moved and zoomed with it.");
    }
    ImGui::Checkbox("logarithmic bins", &ui.state.data.log.x);
    help_for_last(ui, "Distributions of positive numbers have bins of equal factors, and a logarithmic axis.");
    ImGui::PopFont();
    Report tables;
    for (const Section& section : ui.model.shown->report().sections)
        if (const auto* table = std::get_if<Table>(&section.content)) {
            const std::string& id = table->columns[0].name;
            const Attribute* const column = find_attribute(ui.session.input().get(), id);
            if (column && !column->categories.empty() && section.title == "by " + id)
                draw_categories(ui, section, *table);
            else
                tables.sections.push_back(section);
        }
    if (!tables.empty()) draw_report(ui, tables, 0);
    for (const Properties& properties : ui.model.shown->report().all<Properties>()) draw_numbers(ui, properties);
}

const PanelSection statistics_section{"Statistics", draw_statistics, nullptr, [](const Ui&) { return false; }};

}  // namespace flipscope::app
