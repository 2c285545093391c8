// Manual edits, for tests: the requests, and that a refusal changes nothing.
#pragma once

#include <string>

#include "delaunay/runs.h"

namespace flipscope {

inline Edit move_of(uint32_t vertex, Point place) {
    return Edit{.kind = Edit::Kind::kMoveVertex, .id = vertex, .place = {place.x, place.y, 0}};
}
inline Edit move_of(uint32_t vertex, Point3 place) {
    Edit edit = move_of(vertex, Point{place.x, place.y});
    edit.place = place;
    return edit;
}
inline Edit add_of(Point place) { return Edit{.kind = Edit::Kind::kAddVertex, .place = {place.x, place.y, 0}}; }
inline Edit remove_of(uint32_t vertex) { return Edit{.kind = Edit::Kind::kRemoveVertex, .id = vertex}; }
inline Edit flip_of(uint32_t edge) { return Edit{.kind = Edit::Kind::kFlipEdge, .id = edge}; }

/// The vertex that stands for this point of the input.
inline uint32_t vertex_of(const Lab& lab, uint32_t point) {
    const TriangleMesh& mesh = *lab.scene().mesh;
    for (uint32_t v = 0; v < std::min(mesh.infinite(), mesh.vertex_count); ++v)
        if (mesh.inputs.read(v) == point) return v;
    return kNone;
}

/// Tries an edit; a refusal must leave everything as it was.
inline bool edits(Lab& lab, const Edit& edit) {
    const uint64_t state = lab.state_hash(), marks = hash_of_states(lab);
    const bool was_done = lab.done();
    try {
        facet<Editable>(lab).edit(edit);
        return true;
    } catch (const Error& error) {
        INFO(error.what());
        CHECK(std::string(error.what()).size() > 20);
        CHECK(lab.state_hash() == state);
        CHECK(hash_of_states(lab) == marks);
        CHECK(lab.done() == was_done);
        return false;
    }
}

}  // namespace flipscope
