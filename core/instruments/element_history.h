// What has happened to one element on the way to where a timeline stands: found by going that way once more, on demand.
// Called by the window's session on the worker's thread, and by runs on the command line.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "instruments/timeline.h"
#include "lab/report.h"

namespace flipscope {

struct ElementChange {
    enum class What { kMade, kFlipped, kChanged, kInserted, kRemoved } what;
    uint64_t position;      // after the pass that did it; passes from the start
    uint32_t pass = kNone;  // which of LabInfo::passes that was
    uint64_t round = 0;     // and of which round
};

struct ElementHistory {
    Element element;
    std::vector<ElementChange> changes;  // in order
    uint64_t from = 0, to = 0;           // of the time that was looked at
};

/// At most so many passes are gone through, the last ones before where the timeline stands.
inline constexpr uint64_t kMostTraced = 5000;

/// Goes back, and forth again to where the timeline stands. An edge has flipped where its ends are others than before,
/// a triangle has changed where its corners are, a vertex was inserted where it waits no more; what comes into being is
/// made. Where passes renumber elements, an edge or a triangle is the one with these points, and is made and removed.
/// Elements are those of a mesh: others have no history. `keep_going` (may be empty) is asked after every pass;
/// when it says no, the timeline stands where it is then, consistent, and what was found so far is returned.
ElementHistory trace_element(Timeline& timeline, const Element& element, const std::function<bool()>& keep_going);
/// The same of several on one way, through `most` passes at most.
std::vector<ElementHistory> trace_elements(Timeline& timeline, const std::vector<Element>& elements, uint64_t most,
                                           const std::function<bool()>& keep_going);

/// The vertices of an edge or a triangle of this view's mesh, ascending, and kNone; nullopt: there is no such element.
using ElementCorners = std::array<uint32_t, 3>;
std::optional<ElementCorners> corners_of_element(const SceneView& view, ElementKind kind, uint32_t id);
/// The edge or the triangle that has these vertices; kNone: there is none.
uint32_t find_element(const SceneView& view, ElementKind kind, const ElementCorners& corners);

/// Whether such an element of this scene can have a history.
bool has_history(const Scene& scene, const Element& element);
/// "flipped", "made": what has happened.
const char* name_of(ElementChange::What what);

/// "flipped in pass 14, 31, 32", with links there; says what time it covers.
Properties told(const ElementHistory& history);

}  // namespace flipscope
