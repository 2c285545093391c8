#include "app/view/display.h"

#include <algorithm>

#include "compute/error.h"
#include "compute/printable.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

// Independent of the lab: a scenario or a script may name layers of several labs.
constexpr const char* kCommon[] = {
    "cells",      "field", "marks",   "links",          "edges", "points",  "triangles",     "overlay", "earlier",
    "particles",  "ids",   "density", "scale-bar",      "axes",  "minimap", "disclinations", "data",    "paraboloid",
    "upper-hull", "bowl",  "shadow",  "furthest-point", "walk",  "circle",  "intensity"};

}  // namespace

void set_display(DisplayOptions& display, const std::vector<std::string>& names, bool shown) {
    for (const std::string& name : names)
        if (name == "mesh")
            for (const char* layer : {"triangles", "edges", "points", "cells"}) display.show(layer, shown);
        else
            display.show(name, shown);
}

std::vector<std::string> display_names(const Scene& scene) {
    std::vector<std::string> names(std::begin(kCommon), std::end(kCommon));
    for (const StructureInfo& info : structure_infos()) names.emplace_back(info.id);
    for (const Layer* layer : scene.toggles())
        if (std::find(names.begin(), names.end(), layer->id) == names.end()) names.push_back(layer->id);
    return names;
}

void check_display(const DisplayOptions& display, const Scene& scene,
                   const std::function<std::string(const std::string& name)>& place_of) {
    const std::vector<std::string> known = display_names(scene);
    for (const auto& [name, shown] : display.layers)
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw Error((place_of(name).empty() ? shown ? "--show" : "--hide" : place_of(name)) +
                        ": expected some of " + join_words(known, ", ") + "; found " + excerpt(name));
}

StructureChoice structures_of(const DisplayOptions& display) {
    StructureChoice choice{0, display.beta, display.alpha};
    for (const StructureInfo& info : structure_infos())
        if (display.shows(info.id, false)) choice.shown |= 1u << static_cast<uint32_t>(info.kind);
    return choice;
}

bool shows_layer(const DisplayOptions& display, const Scene& scene, const std::string& id) {
    for (size_t i = 0; i < scene.view_count(); ++i)
        if (const Layer* layer = scene.view(i).layer(id)) return display.shows(id, layer->shown);
    return display.shows(id, id != "field");
}

bool shows_angles(const DisplayOptions& display, const Scene& scene) {
    if (!display.angles) return false;
    for (size_t i = 0; i < scene.view_count(); ++i)
        for (const Layer& layer : scene.view(i).layers)
            if (std::holds_alternative<TrianglesLayer>(layer.shape) && !layer.empty() &&
                display.shows(layer.id, layer.shown))
                return true;
    return false;
}

bool has_triangles(const Scene& scene) {
    for (const Layer* layer : scene.toggles())
        if (layer->present() && std::holds_alternative<TrianglesLayer>(layer->shape)) return true;
    return false;
}

void show_angles(DisplayOptions& display, const Scene& scene, bool on) {
    display.angles = on;
    for (const Layer* layer : scene.toggles())
        if (on && std::holds_alternative<TrianglesLayer>(layer->shape)) display.show(layer->id, true);
}

namespace {

struct ShownScale {
    ColourScale scale;
    std::string layers, view;  // layers and view that use it
};

std::vector<ShownScale> all_shown_scales(const DisplayOptions& display, const Scene& scene) {
    std::vector<ShownScale> scales;
    for (size_t i = 0; i < scene.view_count(); ++i) {
        bool no_cells = false;  // the numbers replace them
        const std::vector<Layer>& layers = scene.view(i).layers;
        const bool field = std::any_of(layers.begin(), layers.end(), [&](const Layer& layer) {
            const auto* lattice = std::get_if<LatticeLayer>(&layer.shape);
            return lattice && lattice->field && display.shows(layer.id, layer.shown);
        });
        for (const Layer& layer : layers) {
            const auto* lattice = std::get_if<LatticeLayer>(&layer.shape);
            if (lattice && lattice->colours && lattice->colours->empty())
                no_cells = display.shows(layer.id, layer.shown);
            if (!layer.has_scale() || layer.empty()) continue;
            if (field && lattice && !lattice->field) continue;  // the field covers the numbers of cells
            if (display.angles && std::holds_alternative<TrianglesLayer>(layer.shape)) continue;  // angles replace them
            if (!display.shows(layer.id, layer.shown) && !(lattice && no_cells)) continue;
            const auto known = std::find_if(scales.begin(), scales.end(),
                                            [&](const ShownScale& one) { return one.scale == layer.scale; });
            if (known == scales.end())
                scales.push_back({layer.scale, layer.title, scene.view(i).title});
            else {
                if (known->layers.find(layer.title) == std::string::npos) known->layers += ", " + layer.title;
                if (known->view != scene.view(i).title) known->view.clear();  // several views use it
            }
        }
    }
    return scales;
}

}  // namespace

std::vector<ColourScale> shown_scales(const DisplayOptions& display, const Scene& scene) {
    std::vector<ShownScale> shown = all_shown_scales(display, scene);
    std::erase_if(shown, [](const ShownScale& one) { return one.scale.kind == ColourScale::Kind::kCategories; });
    std::vector<ColourScale> scales;
    for (const ShownScale& one : shown) {
        const auto differs = [&](std::string ShownScale::*of) {
            return std::any_of(shown.begin(), shown.end(), [&](const ShownScale& two) { return two.*of != one.*of; });
        };
        // If several scales differ in this, the name alone is ambiguous.
        ColourScale scale = one.scale;
        if (differs(&ShownScale::layers) && !one.layers.empty()) scale.name = one.layers + ": " + scale.name;
        if (differs(&ShownScale::view) && !one.view.empty()) scale.name = one.view + ": " + scale.name;
        scales.push_back(std::move(scale));
    }
    return scales;
}

std::vector<LegendEntry> shown_categories(const DisplayOptions& display, const Scene& scene) {
    std::vector<LegendEntry> entries;
    for (const ShownScale& one : all_shown_scales(display, scene)) {
        const ColourScale& scale = one.scale;
        if (scale.kind != ColourScale::Kind::kCategories) {
            if (scale.shows_missing)
                entries.push_back({LegendEntry::Element::kVertex, kStateMissing, Role::kCategory, ColourScale::kNoValue,
                                   "Elements without a number", 1, 0, ColourScale::kOtherClass, scale.name});
            continue;
        }
        for (uint32_t k = 0; k < scale.classes.size(); ++k) {
            const std::string sentence = k < ColourScale::kOtherClass ? scale.name + " is \"" + scale.classes[k] + "\""
                                                                      : "Less frequent values of " + scale.name;
            LegendEntry entry{LegendEntry::Element::kVertex, kStateMissing, Role::kCategory, scale.classes[k],
                              sentence};
            entry.number = k;
            entry.group = scale.name;
            if (std::find(entries.begin(), entries.end(), entry) == entries.end()) entries.push_back(std::move(entry));
        }
    }
    return entries;
}

}  // namespace flipscope::app
