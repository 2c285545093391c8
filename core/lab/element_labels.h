// Ids and names of the elements in view, as labels for a picture, if there are only a few. Runs kernels over the mesh,
// so no other thread may use its device; the caller places the labels.
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
    std::string text;  // a point's index or name in the input; "e417", "t88"
};

/// The part of the plane that a view shows; world units.
struct InView {
    uint32_t part = 0;
    Point low, high;
    friend bool operator==(const InView&, const InView&) = default;
};

inline constexpr uint32_t kMostLabels = 200;    // vertices in view; no labels for more
inline constexpr uint32_t kMostWithEdges = 40;  // vertices in view; only vertices are labelled if there are more

/// Labels for meshes in the plane, vertices first. `names`: by index in the input, or empty. Waits for the device.
std::vector<ElementLabel> labels_in_view(Context& context, const Scene& scene, const std::vector<std::string>& names,
                                         const std::vector<InView>& shown);

}  // namespace flipscope
