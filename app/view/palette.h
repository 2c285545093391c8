// The program's few colours and their meanings. Safe for colour-blind eyes (after Okabe and Ito, 2008), in a dark and a
// light theme with the same meanings. The renderer, the panels and the plots use only these colours.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "lab/lab.h"

namespace flipscope::app {

struct Color {
    float r = 0, g = 0, b = 0, a = 1;
    Color alpha(float value) const { return {r, g, b, value}; }
};
/// "#rrggbbaa"
std::string hex_of(const Color& color);
/// 0xRRGGBB.
constexpr Color color_of(uint32_t rgb, float alpha = 1) {
    return {static_cast<float>(rgb >> 16 & 255) / 255, static_cast<float>(rgb >> 8 & 255) / 255,
            static_cast<float>(rgb & 255) / 255, alpha};
}

/// The style of one kind of element in one role.
struct Style {
    Color color;
    float size = 1;     // multiple of the plain width or diameter
    bool loud = false;  // drawn over quiet ones and never faded
};

struct Palette {
    bool light = false;
    Color canvas, panel, panel_edge, field, text, quiet_text, accent, error, warning, success;
    Color grid;           // of plots
    Color second_series;  // of a plot, next to the accent
    Color mark;           // around the selection, over a halo in the canvas's colour

    // A surface in space before lighting: outer side, inner side, wireframe.
    Color surface, surface_inside, surface_edge;
    float ambient = 0.4f;  // ambient light

    /// `number`: the class of Role::kNumbered; consecutive classes differ clearly.
    Style style(LegendEntry::Element element, Role role, uint32_t number = 0) const;
    Color numbered(uint32_t number) const;
    /// For a class of a category scale; classes from ColourScale::kOtherClass on share its colour.
    Color category(uint32_t number) const {
        return categories[number < ColourScale::kOtherClass ? number : ColourScale::kOtherClass];
    }
    std::array<Color, ColourScale::kOtherClass + 1> categories;
    Color role(Role role) const;
    /// For passes, by the numbers of pass_colours(). Repeats after kPasses.
    Color pass(uint32_t number) const;
    static constexpr uint32_t kPasses = 32;
    /// For a lattice cell, by its name: calm, and different from most others in lightness as well as hue.
    Color cell(uint32_t name) const { return cells[cell_place(name)]; }
    static uint32_t cell_place(uint32_t name) {
        return (name * 0x9E3779B1u >> 16) * kCells >> 16;
    }  // as in lattice.frag
    static constexpr uint32_t kCells = 15;
    std::array<Color, kCells> cells;
    Color cell_border, lattice_line;   // between cells; between pixels of one cell
    Color cell_outline;                // towards pixels without a cell; contrasts with the canvas, too
    Color hatching;                    // of obstacles, over their colour
    std::array<Color, 3> field_stops;  // numbers on a lattice: lowest, middle, highest
    /// For triangles by minimum angle, degrees: from 0, conspicuous, to 60, quiet. Lightness is monotonic, so that it
    /// reads without hue, too.
    Color angle(double degrees) const;
    std::array<Color, 5> angle_stops;  // at 0°, 15°, 30°, 45° and 60°

    /// Stops of a colour scale, evenly spaced from low to high, in the order of the bar. Lightness is monotonic (for a
    /// diverging scale, from the middle to both ends), so that it reads without hue, too. Not for categories, whose
    /// classes have their own colours.
    static constexpr size_t kStops = 9;
    std::array<Color, kStops> scale_stops(const ColourScale& scale) const;
    /// The colour at a place from 0 to 1 of the bar, in steps if the scale has some. Shaders, figures and bars use it.
    Color scale(const ColourScale& scale, double place) const;
    /// Of elements without a number.
    Color missing() const { return categories[ColourScale::kOtherClass]; }
};

const Palette& palette(bool light);

}  // namespace flipscope::app
