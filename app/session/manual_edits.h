// Manual edits: dragging, adding, removing and freezing vertices, flipping an edge, painting. Each is a step of the
// timeline. Undo takes them back.
#pragma once

#include <functional>

#include "app/session/lab_worker.h"

namespace flipscope::app {

/// An edit in words: "Moving the vertex", the title of its job; and "moving a point", in messages about it.
struct EditWords {
    const char *title, *text;
};
EditWords edit_words(Edit::Kind kind);

class ManualEdits {
  public:
    explicit ManualEdits(LabWorker& worker) : worker_(worker) {}

    /// Starts a drag of the vertex under the cursor, where the lab can move vertices. While grip() is kAsked the vertex
    /// is looked up; then it is held(), or missed.
    void grab(const Probe& probe);
    void end_drag();
    enum class DragState { kNone, kAsked, kHolds, kMissed };
    DragState drag_state() const { return drag_state_; }
    const Inspection& held() const { return held_; }
    /// The look-up under way has been cancelled or has failed.
    void lose_drag();
    /// Finds the held vertex in the scene that has just been published. Under the lease.
    void follow();

    /// Makes the edit as a step, and calls `after`. Playing goes on.
    void make(const Edit& edit, std::function<void()> after = {});
    /// Makes the edit in place of playing: a stroke of the brush (kPaint or kWipe), or more of it.
    void edit(const Edit& edit);
    /// All moves until end_drag() are one step. While the lab is busy, only the latest place counts.
    void move_vertex(const Element& vertex, Point3 place);
    /// Flips the edge, legal or not.
    void flip_edge(const Element& edge) { edit({Edit::Kind::kFlipEdge, edge.id, edge.part, {}}); }
    void add_vertex(Point3 place, uint32_t part) { edit({Edit::Kind::kAddVertex, kNone, part, place}); }
    void remove_vertex(const Element& vertex) { edit({Edit::Kind::kRemoveVertex, vertex.id, vertex.part, {}}); }
    /// The vertex under the cursor; replies where there is no vertex.
    void remove_vertex(const Probe& probe);
    /// A frozen vertex stays where it is until it is released.
    void freeze_vertex(const Element& vertex, bool freezes);
    /// Freezes the vertex under the cursor, or releases a frozen one; replies where there is no vertex.
    void freeze_or_release(const Probe& probe);

  private:
    void start(const Edit& edit, const std::function<void()>& after);
    void edit_at(const Probe& probe, const char* refusal, std::function<Edit::Kind(const Lab&, uint32_t id)> kind_of);

    LabWorker& worker_;
    DragState drag_state_ = DragState::kNone;
    Inspection held_;
    bool dragged_ = false;  // it has been moved since it was grabbed
};

}  // namespace flipscope::app
