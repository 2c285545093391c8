// One quantity over another, linked with the picture: a box dragged in the plot selects its elements there, and the
// picture's selection is marked in the plot.
#include <algorithm>
#include <optional>

#include "app/figures/pen.h"
#include "app/figures/scatter_plot.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "app/window/plot.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

/// Quantities with numbers.
std::vector<Explored> plottable(const Ui& ui) {
    std::vector<Explored> all = offered_quantities(ui);
    std::erase_if(all, [&](const Explored& one) {
        const Attribute* const column = find_attribute(ui.session.input().get(), one.attribute);
        return one.measured() ? one.quantity == ElementQuantity::kBeta : column && !column->categories.empty();
    });
    return all;
}

/// The other axis keeps its quantity if that is of the same elements.
void choose_axes(Ui& ui, std::pair<Explored, Explored> both) {
    const std::vector<Explored> all = plottable(ui);
    const auto choose = [&](const char* label, Explored& own, Explored& other) {
        begin_line(ui, label, ui.em(24));
        if (!ImGui::BeginCombo((std::string("##scatter-") + label).c_str(), own.name().c_str(),
                               ImGuiComboFlags_HeightLarge))
            return;
        for (const Explored& one : all) {
            if (list_option(ui, one.name() + "##" + one.id(), one == own)) {
                own = one;
                if (other.element() != one.element())
                    other =
                        *std::ranges::find_if(all, [&](const Explored& it) { return it.element() == one.element(); });
                ui.state.data.scatter = both.first.id() + "," + both.second.id();
            }
            help_for_last(ui, one.sentence());
        }
        ImGui::EndCombo();
    };
    choose("x", both.first, both.second);
    choose("y", both.second, both.first);
}

/// Selects the elements in a box of the plot, from one corner to the other.
void select_in(Ui& ui, const Scatter& scatter, const PlacedScatter& placed, Point a, Point b) {
    ExplorationChoice choice = ui.session.selection().exploration();
    const bool hides = choice.hides_rest;
    choice.clear_selection();
    choice.hides_rest = hides;
    choice.id_kind = scatter.x.element();
    for (size_t i = 0; i < scatter.ids.size(); ++i) {
        const Point p = placed.places[i];
        if (p.x >= std::min(a.x, b.x) && p.x <= std::max(a.x, b.x) && p.y >= std::min(a.y, b.y) &&
            p.y <= std::max(a.y, b.y))
            choice.ids.push_back(scatter.ids[i]);
    }
    std::ranges::sort(choice.ids);
    choice.ids.erase(std::ranges::unique(choice.ids).begin(), choice.ids.end());
    ui.session.selection().explore(std::move(choice));
}

void draw_plot_of(Ui& ui, const Scatter& scatter) {
    ListDrawing drawing(*ImGui::GetWindowDrawList(), *ui.fonts.small);
    const Ink ink = drawing.ink(ui.colors);
    Area area = plot_area("##scatter", ui.em(230) + static_cast<float>(scatter_legend_height(ink, scatter)));
    area.width -= 2 * ui.scale;
    PlacedScatter placed = place_scatter(scatter, ui.state.data.log);
    placed.plane = draw_scatter(ink, area, scatter, placed);
    ui.boxes.add("scatter", Box::of(placed.plane.box));
    if (scatter.ids.empty() || !ImGui::IsItemActive() || !ImGui::IsMouseDragging(0, 3 * ui.scale)) return;
    const Area& box = placed.plane.box;
    const auto place_of = [&](ImVec2 at) {
        return Point{std::clamp((at.x - box.x) / box.width, 0.0, 1.0),
                     std::clamp((box.bottom() - at.y) / box.height, 0.0, 1.0)};
    };
    const ImVec2 from = ImGui::GetIO().MouseClickedPos[0], to = ImGui::GetIO().MousePos;
    ImGui::GetWindowDrawList()->AddRectFilled(from, to, packed(ui.colors.text.alpha(0.16f)));
    select_in(ui, scatter, placed, place_of(from), place_of(to));
}

void draw_scatter_section(Ui& ui) {
    ui.layout.shows_statistics = true;
    const Scoped font(ui.fonts.small);
    auto both = scatter_chosen(ui);
    if (!both) {
        std::vector<Explored> all = plottable(ui);
        std::erase_if(all, [](const Explored& one) { return one.element() != ElementKind::kVertex; });
        if (all.size() < 2) return quiet_text(ui, "No two quantities belong to the same elements.", true);
        // A column over the area of the cells, or else the first two quantities.
        both = all.back().measured() ? std::pair(all[0], all[1]) : std::pair(all.back(), all[2 % all.size()]);
        ui.state.data.scatter = both->first.id() + "," + both->second.id();
    }
    choose_axes(ui, *both);
    ImGui::Checkbox("log x##scatter", &ui.state.data.log.x);
    ImGui::SameLine(0, ui.em(12));
    ImGui::Checkbox("log y##scatter", &ui.state.data.log.y);
    help_for_last(ui, "Logarithmic axes; values at or below zero are left out.");
    const Scatter* const scatter = ui.model.shown ? ui.model.shown->scatter() : nullptr;
    if (!scatter || scatter->size() == 0)
        return quiet_text(ui, ui.model.shown ? "These elements have no such numbers in this state." : "Measuring",
                          true);
    draw_plot_of(ui, *scatter);
    quiet_text(ui, "Drag a box over the plot to select its elements in the picture.", true);
}

}  // namespace

std::optional<std::pair<Explored, Explored>> scatter_chosen(const Ui& ui) {
    try {
        if (!ui.state.data.scatter.empty())
            return scatter_named(ui.state.data.scatter, ui.session.input().get(), "scatter: ");
    } catch (const Error&) {  // of an earlier input
    }
    return {};
}

const PanelSection scatter_section{"Scatter", draw_scatter_section, [](const Ui& ui) { return ui.model.explorable; },
                                   [](const Ui& ui) { return !ui.state.data.scatter.empty(); }};

}  // namespace flipscope::app
