// The Flip lab by hand: a vertex is moved and the triangulation follows, or one edge is flipped. A finished
// triangulation is Delaunay again at once after a move; after a flip, and in the middle of a run, what became illegal
// is left to the next iterations.
#include <algorithm>

#include "compute/error.h"
#include "compute/primitives.h"
#include "delaunay/flipping.h"
#include "delaunay/hand_kernels.h"

namespace flipscope {

StepResult Flipping::edit(const Edit& edit) {
    if (!takes(edit.kind)) throw Error(refusal_of(info(), edit.kind));
    if (mesh_.triangle_count == 0) throw Error("There is no triangle here, so there is nothing to change by hand.");
    if (!done() && state_.next != kBid && !takes_at_once(edit.kind))
        throw std::logic_error("edits are made between iterations only");  // the timeline sees to that
    StepResult result = begin_step(kHand);
    result.ended = Level::kRound;
    if (edit.kind == Edit::Kind::kMoveVertex)
        move_vertex(edit, result);
    else
        flip_by_hand(edit.id, result);
    state_.cycling = state_.stuck = 0;
    state_.watch_from = state_.iteration + kUnwatched;
    result.next = state_.next;
    result.round = result.iteration = state_.iteration;
    result.counters[kLeft] = done() ? 0 : flips_.moment.suspects;
    if (marks_) measure(result);
    return result;
}

// ---- moving a vertex ------------------------------------------------------------------------------------------------

void Flipping::move_vertex(const Edit& edit, StepResult& result) {
    if (edit.id >= distinct_) throw Error("There is no vertex " + std::to_string(edit.id) + " to move.");
    for (const double v : {edit.place.x, edit.place.y, in_space() ? edit.place.z : 0})
        if (!coordinate_in_range(v)) throw Error("A vertex cannot go there: the coordinates are out of range.");
    const bool was_done = done();
    if (in_space()) {
        mesh_.positions.write(edit.id, {edit.place.x, edit.place.y});
        mesh_.heights.write(edit.id, edit.place.z);
        low_z_ = std::min(low_z_, edit.place.z);
        high_z_ = std::max(high_z_, edit.place.z);
    } else {
        move_in_plane(edit.id, {edit.place.x, edit.place.y});
    }
    bounds_.low = {std::min(bounds_.low.x, edit.place.x), std::min(bounds_.low.y, edit.place.y)};
    bounds_.high = {std::max(bounds_.high.x, edit.place.x), std::max(bounds_.high.y, edit.place.y)};
    state_.moved = 1;
    if (!flips_.moment.all) suspect_around({edit.id, kNone, kNone, kNone});
    if (was_done) restore(result);
}

void Flipping::move_in_plane(uint32_t vertex, Point place) {
    const MeshView mesh = mesh_view();
    const uint32_t taken =
        reduce(*context_, "hand.taken", distinct_, FindVertexAt{mesh, vertex, place}, uint32_t(kNone));
    if (taken != kNone)
        throw Error("Point " + std::to_string(mesh_.inputs.read(taken)) +
                    " is there already; two cannot share a place.");
    launch(*context_, "hand.try", mesh_.triangle_count, TryMove{mesh, vertex, place}, flips_.cleared_tallies());
    const Tally tally = flips_.read_tally(0);
    const auto [finite, turned, ghosts, spread] = tally.value;
    // All of a hull vertex's triangles may stay upright while the hull crosses itself, so it is taken out in any case.
    const bool line_without = ghosts > 0 && spread == 0;
    if (turned == 0 && finite > 0 && (ghosts == 0 || line_without)) {
        mesh_.positions.write(vertex, place);
        return;
    }
    if (!connection_.convex_outline)
        throw Error(ghosts ? "A vertex of the outline stays where it is, because this outline is not the convex hull."
                           : "The vertex would leave the triangles around it, which this triangulation does not allow, "
                             "because its outline is not the convex hull.");
    if (line_without)
        turn_over(vertex, place);
    else
        take_out_and_put_in(vertex, place);
}

/// Where all other vertices lie on one line, and the place on its other side.
void Flipping::turn_over(uint32_t vertex, Point place) {
    const uint32_t a = vertex == 0, b = vertex <= 1 ? 2 : 1;  // any two others
    if (orient2d(place, mesh_.positions.read(a), mesh_.positions.read(b)) == 0)
        throw Error("There all vertices would lie on one line, and no triangle would be left; move it another way.");
    launch(*context_, "hand.turn over", std::max(mesh_.triangle_count, mesh_.edge_count),
           ExchangeWithInfinity{mesh_view(), vertex, mesh_.triangle_count, mesh_.edge_count});
    mesh_.positions.write(vertex, place);
    flips_.suspect_all(mesh_.edge_count);
}

/// For a mesh closed by the convex hull, of which something is left without the vertex.
void Flipping::take_out_and_put_in(uint32_t vertex, Point place) {
    const MeshView mesh = mesh_view();
    Buffer<FreedBySplit> freed("freed by a split");
    freed.resize(*context_, 1);
    const uint32_t triangles = mesh_.triangle_count;
    const uint32_t spoke = reduce(*context_, "hand.spoke", triangles, FindSpoke{mesh, vertex}, uint32_t(kNone));
    launch(*context_, "hand.out", 1, TakeOut{mesh, spoke, freed.view()});
    const uint32_t holder = reduce(*context_, "hand.locate", triangles, FindHolder{mesh, place}, uint32_t(kNone));
    mesh_.positions.write(vertex, place);
    launch(*context_, "hand.in", 1, PutIn{mesh, holder & 0x7FFFFFFFu, vertex, freed.view()});
    flips_.suspect_all(mesh_.edge_count);  // edges flipped anywhere in the old star
    if (done()) return;                    // restore() follows
    flips_.set_conflict(repeatable_conflict());
    flips_.run(mesh, mesh_.edge_count, MakeValid{}, kNone, [](const FlipCounts& counts) { return counts.illegal > 0; });
    flips_.suspect_all(mesh_.edge_count);
}

/// Delaunay again, at once. Edges at infinity take part, so that the hull follows. On a surface it may take too long,
/// or go in circles: then the rest is left to the iterations.
void Flipping::restore(StepResult& result) {
    uint64_t flips = 0;
    bool legal = false;
    const auto tell = [&](const FlipCounts& counts) {
        flips += counts.won;
        legal = counts.illegal == 0;
        return !legal;
    };
    flips_.set_conflict(repeatable_conflict());
    const MeshView mesh = mesh_view();
    if (in_space()) {
        flips_.run(mesh, mesh_.edge_count, surface_rule(), kUnwatched, tell);
    } else {
        const InCircleRule rule{PredicateMode::kExact, FlipScope::kAll, !connection_.convex_outline};
        flips_.run(mesh, mesh_.edge_count, rule, kNone, tell);
    }
    forget_marks();
    result.counters[kWon] = static_cast<int64_t>(flips);
    legal = legal || flips_.moment.suspects == 0;
    state_.next = legal ? kNone : uint32_t(kBid);
    if (legal) result.ended = Level::kEnd;
}

/// The paper's rule can end in a pass without a winner.
ConflictRule Flipping::repeatable_conflict() const {
    const auto rule = static_cast<ConflictRule>(now_.conflict);
    return rule == ConflictRule::kFirstTaken ? ConflictRule::kLowestId : rule;
}

/// Makes the list of suspects: every edge with one of these vertices at its four corners.
void Flipping::suspect_around(const uint32_t (&vertices)[4]) {
    // There is a list already, which is not searched; at the end, of blocked edges.
    if (flips_.moment.suspects) return flips_.suspect_all(mesh_.edge_count);
    Buffer<uint32_t>& list = flips_.spare_list();
    list.resize(*context_, mesh_.edge_count, false);
    const SuspectAround around{mesh_view(), {vertices[0], vertices[1], vertices[2], vertices[3]}, list.view()};
    expand(*context_, "hand.suspect", mesh_.edge_count, around, flips_.totals());
    flips_.take_spare_list(flips_.read_total());
}

// ---- flipping an edge -----------------------------------------------------------------------------------------------

void Flipping::flip_by_hand(uint32_t edge, StepResult& result) {
    if (edge >= mesh_.edge_count) throw Error("There is no edge " + std::to_string(edge) + " to flip.");
    const uint32_t slot = mesh_.half_slots.read(2 * size_t(edge)), twin = mesh_.half_slots.read(2 * size_t(edge) + 1);
    const Quad q{mesh_.triangles.read(slot), mesh_.triangles.read(twin), mesh_.triangles.read(previous_slot(slot)),
                 mesh_.triangles.read(previous_slot(twin))};
    if (std::max({q.from, q.to, q.left, q.right}) >= distinct_)
        throw Error("This edge is on the outline: it has one triangle and nothing to flip to.");
    Point3 at[4];
    const uint32_t ids[4] = {q.from, q.to, q.left, q.right};
    for (uint32_t k = 0; k < 4; ++k) {
        const Point p = mesh_.positions.read(ids[k]);
        at[k] = {p.x, p.y, in_space() ? mesh_.heights.read(ids[k]) : 0};
    }
    const auto flat = [&](uint32_t k) { return Point{at[k].x, at[k].y}; };
    if (!in_space() && (orient2d(flat(2), flat(0), flat(3)) <= 0 || orient2d(flat(3), flat(1), flat(2)) <= 0))
        throw Error(
            "This edge cannot flip: its two triangles do not make a convex quadrilateral, so the other diagonal "
            "lies outside.");
    if (in_space()) {
        Buffer<uint32_t> answer("answer");
        answer.resize(*context_, 1);
        launch(*context_, "hand.ask", 1, AskForDouble{mesh_view(), surface_rule(), edge, answer.view()});
        if (q.left == q.right || answer.read(0))
            throw Error("This edge cannot flip: the surface has an edge between the two vertices opposite already.");
        if (is_degenerate(at[0], at[3], at[2]) || is_degenerate(at[1], at[2], at[3]))
            throw Error("This edge cannot flip: a triangle without area would come of it.");
    }
    forget_marks();
    if (state_.next == kFlip) flips_.withdraw();
    if (!flips_.moment.all) suspect_around({q.from, q.to, q.left, q.right});
    launch(*context_, "hand.flip", 1, TurnByHand{mesh_view(), edge});
    if (marking()) mesh_.edge_states.write(edge, kStateFlipped);
    result.counters[kWon] = 1;
    state_.folded = in_space();
    state_.next = kBid;
}

}  // namespace flipscope
