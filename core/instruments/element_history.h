// The history of one element up to the timeline's position, found on demand by replaying the run. Called by the
// window's session on the worker's thread, and by runs on the command line.
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
    uint64_t position;      // after the pass of the change; passes from the start
    uint32_t pass = kNone;  // index into LabInfo::passes
    uint64_t round = 0;     // the round of that pass
};

struct ElementHistory {
    Element element;
    std::vector<ElementChange> changes;  // in order
    uint64_t from = 0, to = 0;           // the traced positions
};

/// At most this many passes are replayed, the last ones before the timeline's position.
inline constexpr uint64_t kMostTraced = 5000;

/// Goes back and replays the run to the timeline's position. An edge has flipped if its ends have changed; a triangle
/// has changed if its corners have; a vertex is inserted when it no longer waits; a new element is made. If passes
/// renumber elements, an edge or a triangle is identified by its points, and is made and removed. Only elements of a
/// mesh have a history. `keep_going` (may be empty) is called after every pass; if it returns false, the timeline stays
/// at that consistent position and the changes so far are returned.
ElementHistory trace_element(Timeline& timeline, const Element& element, const std::function<bool()>& keep_going);
/// The same for several elements in one replay of at most `most` passes.
std::vector<ElementHistory> trace_elements(Timeline& timeline, const std::vector<Element>& elements, uint64_t most,
                                           const std::function<bool()>& keep_going);

/// The vertices of an edge or a triangle of this view's mesh, ascending, padded with kNone; nullopt: no such element.
using ElementCorners = std::array<uint32_t, 3>;
std::optional<ElementCorners> corners_of_element(const SceneView& view, ElementKind kind, uint32_t id);
/// The edge or triangle with these vertices, or kNone.
uint32_t find_element(const SceneView& view, ElementKind kind, const ElementCorners& corners);

/// Whether such an element of this scene can have a history.
bool has_history(const Scene& scene, const Element& element);
/// "flipped", "made".
const char* name_of(ElementChange::What what);

/// "flipped in pass 14, 31, 32", with links to these passes, and the traced interval.
Properties properties_of(const ElementHistory& history);

}  // namespace flipscope
