// Manual edits: dragging, adding, removing and freezing vertices, flipping an edge, painting. Each is a step of the
// timeline that undo reverts.
#pragma once

#include <functional>
#include <optional>

#include "app/session/lab_worker.h"

namespace flipscope::app {

/// An edit in words: "Moving the vertex", the title of its job; "moving a point", for messages.
struct EditWords {
    const char *title, *text;
};
EditWords edit_words(Edit::Kind kind);

class ManualEdits {
  public:
    explicit ManualEdits(LabWorker& worker) : worker_(worker) {}

    /// Starts a drag of the vertex under the cursor if the lab can move vertices. drag_state() is kPending during the
    /// look-up, then kHolding or kMissed.
    void grab(const Probe& probe);
    void end_drag();
    enum class DragState { kNone, kPending, kHolding, kMissed };
    DragState drag_state() const { return drag_state_; }
    const Inspection& held() const { return held_; }
    /// The look-up was cancelled or failed.
    void lose_drag();
    /// Finds the held vertex in the scene just published. Under the lease.
    void follow();

    /// Makes the edit as a step, then calls `after`. Playback continues.
    void make(const Edit& edit, std::function<void()> after = {});
    /// Stops playback and makes the edit: also a brush stroke (kPaint or kWipe), or an extension of it.
    void edit(const Edit& edit);
    /// Moves the held vertex this far from where the drag began; does nothing without one. All moves until end_drag()
    /// form one step. While the lab is busy, only the latest place counts.
    void drag_by(Point3 way);
    /// Flips the edge, legal or not.
    void flip_edge(const Element& edge) { edit({Edit::Kind::kFlipEdge, edge.id, edge.part, {}}); }
    // The next three, and a drag when it ends, run the passes by which some labs complete an edit.
    void add_vertex(Point3 place, uint32_t part) { edit_whole({Edit::Kind::kAddVertex, kNone, part, place}); }
    void remove_vertex(const Element& vertex) { edit_whole({Edit::Kind::kRemoveVertex, vertex.id, vertex.part, {}}); }
    /// Removes the vertex under the cursor; replies with a note if there is none.
    void remove_vertex(const Probe& probe);
    /// The edits on the timeline while the lab is idle, and those planned: see Timeline::plan().
    const std::map<uint64_t, Edit>& made() const { return worker_.timeline().edits(); }
    void plan(std::vector<PlacedEdit> edits) { worker_.timeline().plan(std::move(edits)); }
    /// A frozen vertex stays fixed until released.
    void freeze_vertex(const Element& vertex, bool freezes);
    /// Freezes or releases the vertex under the cursor; replies with a note if there is none.
    void freeze_or_release(const Probe& probe);

  private:
    void start(const Edit& edit, const std::function<void()>& after);
    void edit_whole(const Edit& edit);
    void complete();
    void edit_at(const Probe& probe, const char* refusal, std::function<Edit::Kind(const Lab&, uint32_t id)> kind_of);

    LabWorker& worker_;
    DragState drag_state_ = DragState::kNone;
    Inspection held_;
    std::optional<Point3> dragged_from_;  // where the held vertex was before its first move; nothing: has not moved
};

}  // namespace flipscope::app
