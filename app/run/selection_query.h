// What a user asks to be selected, in words: elements by the range of a quantity, by values, or by their ids. The
// command line and the field that finds elements read it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "instruments/exploration.h"

namespace flipscope::app {

struct SelectionQuery {
    std::string text;                                // as it was typed
    std::optional<ExplorationChoice::Range> range;   // its quantity, too, is as it was typed; else:
                                                     // with values these are asked for, of numbers one
    ElementKind kind = ElementKind::kVertex;         // what the ids are of
    bool by_point = false;                           // they are indices of points in the input
    std::vector<std::pair<uint32_t, uint32_t>> ids;  // from and to, both selected
};

/// "degree:7..20", "degree=5", "species=oak,beech", "species=\"oak, red\"", "vertex:3,17,40..60", "point:5",
/// "edge:0..9" or "triangle:4". Throws Error that starts with `asker`.
SelectionQuery parse_selection(const std::string& text, const std::string& asker);

/// Puts it into a choice for this scene, in place of what was selected there. Throws Error, `choice` being as before,
/// for a quantity that there is not and for ids that the scene does not have. Waits for the device.
void apply_selection(const SelectionQuery& asked, const Scene& scene, const Geometry* input, const std::string& asker,
                     ExplorationChoice& choice);

}  // namespace flipscope::app
