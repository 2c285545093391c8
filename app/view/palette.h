// The few colours of the program and what each of them means. Safe for colour-blind eyes (after Okabe and Ito, 2008),
// in a dark and a light theme with the same meanings. The renderer, the panels and the plots take every colour from
// here.
#pragma once

#include <array>
#include <cstdint>

#include "lab/lab.h"

namespace flipscope::app {

struct Color {
    float r = 0, g = 0, b = 0, a = 1;
    Color alpha(float value) const { return {r, g, b, value}; }
};
/// 0xRRGGBB.
constexpr Color color_of(uint32_t rgb, float alpha = 1) {
    return {static_cast<float>(rgb >> 16 & 255) / 255, static_cast<float>(rgb >> 8 & 255) / 255,
            static_cast<float>(rgb & 255) / 255, alpha};
}

/// How one kind of element in one role is drawn.
struct Style {
    Color color;
    float size = 1;     // of the plain width or diameter
    bool loud = false;  // drawn over the quiet ones, and never faded away
};

struct Palette {
    bool light = false;
    Color canvas, panel, panel_edge, field, text, quiet_text, accent, error, warning, success;
    Color grid;           // of plots
    Color second_series;  // of a plot, beside the accent
    Color mark;           // around what was chosen in the picture, over a halo of the canvas' colour

    // A surface in space, before the light falls on it: its outer side, its inner side, its wireframe.
    Color surface, surface_inside, surface_edge;
    float ambient = 0.4f;  // light where none falls

    /// `number`: of Role::kNumbered, which class; those that follow each other differ clearly.
    Style style(LegendEntry::Element element, Role role, uint32_t number = 0) const;
    Color numbered(uint32_t number) const;
    /// Of a class of a scale of categories; those beyond ColourScale::kOtherClass are other, too.
    Color category(uint32_t number) const {
        return categories[number < ColourScale::kOtherClass ? number : ColourScale::kOtherClass];
    }
    std::array<Color, ColourScale::kOtherClass + 1> categories;
    Color role(Role role) const;
    /// Of passes, by the numbers that pass_colours() gives their names. From kPasses on they come again.
    Color pass(uint32_t number) const;
    static constexpr uint32_t kPasses = 32;
    /// Of a cell of a lattice, by its name: calm, and told apart from most others by lightness as well as by hue.
    Color cell(uint32_t name) const { return cells[cell_place(name)]; }
    static uint32_t cell_place(uint32_t name) {
        return (name * 0x9E3779B1u >> 16) * kCells >> 16;
    }  // as in lattice.frag
    static constexpr uint32_t kCells = 15;
    std::array<Color, kCells> cells;
    Color cell_border, lattice_line;   // between cells; between the pixels of one
    Color cell_outline;                // towards pixels of no cell: it stands out from the canvas, too
    Color hatching;                    // of obstacles, over their colour
    std::array<Color, 3> field_stops;  // numbers on a lattice: the lowest, the middle, the highest
    /// Triangles by their smallest angle, degrees: from 0, which stands out, to 60, which stays quiet. Lightness falls
    /// or rises all the way, so that it reads without hue, too.
    Color angle(double degrees) const;
    std::array<Color, 5> angle_stops;  // at 0°, 15°, 30°, 45° and 60°

    /// Of a colour scale, evenly from its low end to its high one. Lightness rises or falls all the way (of a diverging
    /// one: from the middle to both ends), so that it reads without hue, too. One of categories has none: each class
    /// has a colour of its own.
    std::array<Color, 5> scale_stops(ColourScale::Kind kind) const;
    /// At a place from 0 to 1 along it.
    Color scale(ColourScale::Kind kind, double place) const;
};

const Palette& palette(bool light);

}  // namespace flipscope::app
