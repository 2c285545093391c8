// What the picture shows, in numbers: by which quantity it is coloured, what is selected, and the statistics of both.
#include <string>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/panels/report_view.h"
#include "app/panels/widgets.h"
#include "labs/selected_input.h"
#include "statistics/element_measures.h"

namespace flipscope::app {

namespace {

void choose_colour(Ui& ui) {
    ExplorationChoice choice = ui.session.exploration();
    ImGui::AlignTextToFramePadding();
    quiet_text(ui, "colour by");
    ImGui::SameLine(ui.em(82));
    ImGui::SetNextItemWidth(-1);
    std::string shown = choice.colour ? choice.colour->name() : "what the lab shows";
    if (choice.colour && !missing_column(*choice.colour, ui.session.input().get()).empty())
        shown += ": not in this input";
    else if (choice.colour && !offers(ui.model.scene, *choice.colour))
        shown += ": not in this lab";
    if (ImGui::BeginCombo("##colour-by", shown.c_str(), ImGuiComboFlags_HeightLarge)) {
        if (ImGui::Selectable("what the lab shows", !choice.colour)) choice.colour.reset();
        for (uint32_t k = 0; k < kElementQuantityCount; ++k) {
            const ElementQuantityInfo& info = info_of(ElementQuantity(k));
            if (!offers(ui.model.scene, info.quantity)) continue;
            if (ImGui::Selectable(info.name, choice.colour == Explored(info.quantity))) choice.colour = info.quantity;
            help_for_last(ui, info.sentence);
        }
        for (const std::string& id : attribute_ids(ui.session.input().get())) {
            if (!offers(ui.model.scene, Explored(id))) continue;
            if (ImGui::Selectable((id + "##attribute").c_str(), choice.colour == Explored(id)))
                choice.colour = Explored(id);
            help_for_last(ui, Explored(id).sentence());
        }
        ImGui::EndCombo();
    }
    help_for_last(ui, choice.colour
                          ? choice.colour->sentence()
                          : std::string("Colours vertices, edges, triangles or Voronoi cells by a number of theirs."));
    colour_by(ui, std::move(choice));
}

/// The look decides, as for layers that labs have.
void choose_disclinations(Ui& ui) {
    Look& look = ui.state.look;
    bool shown = look.shows(Exploration::kDisclinationsLayer, false);
    if (ImGui::Checkbox("disclinations", &shown)) look.layers[Exploration::kDisclinationsLayer] = shown;
    help_for_last(ui,
                  "Marks vertices inside the outline that do not have six edges, coloured by how many they have: "
                  "in a triangular lattice the defects are pairs of five and seven.");
}

const char* word_of_many(ElementKind kind, bool one) {
    return kind == ElementKind::kVertex ? (one ? "vertex" : "vertices")
           : kind == ElementKind::kEdge ? (one ? "edge" : "edges")
                                        : (one ? "triangle" : "triangles");
}

void draw_selection(Ui& ui) {
    ExplorationChoice choice = ui.session.exploration();
    if (!choice.selects()) {
        quiet_text(ui, "Drag over a distribution to select by value, or with Ctrl over the picture to select a region.",
                   true);
        return;
    }
    const ElementKind kind = choice.kind();
    std::string text = number_text(static_cast<double>(ui.model.selected)) + " " +
                       word_of_many(kind, ui.model.selected == 1) + " selected";
    if (choice.range) {
        text += ": " + choice.range->quantity.label() + " from " + value_text(choice.range->low) + " to " +
                value_text(choice.range->high);
    }
    ImGui::TextWrapped("%s", text.c_str());
    bool hides = choice.hides_rest;
    if (ImGui::Checkbox("only these", &hides)) choice.hides_rest = hides;
    help_for_last(ui, "Hides what is not selected.");
    ImGui::SameLine(0, ui.em(10));
    if (ImGui::Button("Clear")) choice.clear_selection();
    help_for_last(ui, "Nothing is selected any more. (Esc)");
    ImGui::SameLine(0, ui.em(6));
    if (ImGui::Button("Copy")) ui.session.copy_selection();
    help_for_last(ui, "Puts the coordinates of the selected points into the clipboard, a line each. (Ctrl+C)");
    ImGui::SameLine(0, ui.em(6));
    // Sites that are not of an input are nothing that could be one.
    ImGui::BeginDisabled(!can_be_input(ui.model.scene));
    if (ImGui::Button("Keep")) ui.session.load_selection();
    ImGui::EndDisabled();
    ui.layout.keep_button = box_of_last();
    help_for_last(ui,
                  "The selected points become the input, with their names and columns, and the lab starts over on "
                  "them.");
    ui.session.explore(std::move(choice));
}

}  // namespace

void draw_statistics(Ui& ui) {
    ImGui::PushFont(ui.fonts.small);
    if (ui.model.explorable) {
        choose_colour(ui);
        choose_disclinations(ui);
        draw_selection(ui);
    }
    if (!ui.model.shown)
        quiet_text(ui, ui.model.loaded ? "They are being measured." : "Nothing is loaded.", true);
    else if (ui.model.shown->empty())
        quiet_text(ui,
                   ui.model.position == 0 ? "They begin with the first pass." : "There are no points in the picture.",
                   true);
    ImGui::PopFont();
    if (!ui.model.shown) return;
    ImGui::PushFont(ui.fonts.small);
    const bool compares = ui.session.compares();
    if (ImGui::Button(compares ? "Compare no more" : "Compare from here")) ui.session.compare_from_here(!compares);
    help_for_last(ui, compares ? "Compared with " + ui.session.kept_caption() + ". (9)"
                               : "Keeps this state: its picture is shown beside those of other states and of other "
                                 "inputs, and its statistics are drawn over theirs, with the Kolmogorov–Smirnov "
                                 "distance of every distribution. (9)");
    if (ui.session.kept()) {
        ImGui::SameLine(0, ui.em(10));
        ImGui::Checkbox("side by side", &ui.state.beside);
        help_for_last(ui, "The kept picture at the left of the live one, moved and zoomed with it.");
    }
    ImGui::PopFont();
    Report tables;
    for (const Section& section : ui.model.shown->report().sections)
        if (std::holds_alternative<Table>(section.content)) tables.sections.push_back(section);
    if (!tables.empty()) draw_report(ui, tables, 0);
    for (const Properties& properties : ui.model.shown->report().all<Properties>()) draw_numbers(ui, properties);
}

}  // namespace flipscope::app
