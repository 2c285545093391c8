// A selection in words: elements by range or values of a quantity, or by id. For the command line and the Find field.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "instruments/exploration.h"

namespace flipscope::app {

struct SelectionQuery {
    std::string text;  // as typed
    /// With the quantity as typed; `values` holds the values, of numbers only one; nothing: ids.
    std::optional<ExplorationChoice::Range> range;
    ElementKind kind = ElementKind::kVertex;         // kind of the ids
    bool by_point = false;                           // ids are point indices of the input
    std::vector<std::pair<uint32_t, uint32_t>> ids;  // first and last, inclusive
};

/// Parses "degree:7..20", "degree=5", "species=oak,beech", "species=\"oak, red\"", "vertex:3,17,40..60", "point:5",
/// "edge:0..9" or "triangle:4". Throws Error that starts with `error_prefix`.
SelectionQuery parse_selection(const std::string& text, const std::string& error_prefix);

/// The selection as parse_selection() reads it; empty: none, or a region.
std::string selection_text(const ExplorationChoice& choice);

/// Replaces the selection of `choice`. Throws Error, leaving `choice` unchanged, for a quantity or ids that the scene
/// does not have. Waits for the device.
void apply_selection(const SelectionQuery& query, const Scene& scene, const Geometry* input,
                     const std::string& error_prefix, ExplorationChoice& choice);

}  // namespace flipscope::app
