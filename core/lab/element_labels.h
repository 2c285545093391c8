// Ids and names of what is in view, as labels for a picture, when it is little. Asked of the mesh, whose device must be
// free; where labels go in the picture is the caller's business.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/context.h"
#include "lab/scene.h"

namespace flipscope {

struct ElementLabel {
    Element element;
    Point place;       // world units
    std::string text;  // a point's index in the input, or its name there; "e417", "t88"
};

/// Part of the plane that a view shows; world units.
struct InView {
    uint32_t part = 0;
    Point low, high;
    friend bool operator==(const InView&, const InView&) = default;
};

inline constexpr uint32_t kMostLabels = 200;    // vertices in view; with more there are no labels
inline constexpr uint32_t kMostWithEdges = 40;  // vertices in view; with more only these have labels

/// Of meshes in the plane; vertices come first. `names`: by index in the input; or empty. Waits for the device.
std::vector<ElementLabel> labels_in_view(Context& context, const Scene& scene, const std::vector<std::string>& names,
                                         const std::vector<InView>& shown);

}  // namespace flipscope
