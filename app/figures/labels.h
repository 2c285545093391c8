// Draws words into a picture: those of its layers, and ids and names of elements where they fit.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/highlights.h"
#include "app/render/renderer.h"
#include "lab/element_labels.h"

namespace flipscope::app {

/// The visible part of the plane in a view.
InView in_view(uint32_t part, const ShownView& view);

/// Draws the labels that overlap no earlier one; vertices first. Returns the labels drawn.
std::vector<std::pair<std::string, Area>> draw_element_labels(const Ink& ink, const std::vector<ElementLabel>& labels,
                                                              const std::vector<ShownView>& views);

/// The words of layers. `corner`: the canvas's upper left corner in the drawing; `pixel`: units of the drawing per
/// canvas pixel.
void draw_layer_words(const Ink& ink, const std::vector<PlacedLabel>& words, Point corner, double pixel);

}  // namespace flipscope::app
