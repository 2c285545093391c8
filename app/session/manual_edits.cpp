#include "app/session/manual_edits.h"

#include <utility>

namespace flipscope::app {

EditWords edit_words(Edit::Kind kind) {
    // In the order of Edit::Kind.
    static constexpr EditWords kWords[] = {{"Moving the vertex", "moving a point"},
                                           {"Flipping the edge", "flipping an edge"},
                                           {"Adding a vertex", "adding a point"},
                                           {"Removing the vertex", "removing a point"},
                                           {"Painting", "painting"},
                                           {"Wiping", "wiping"},
                                           {"Freezing the vertex", "freezing a point"},
                                           {"Releasing the vertex", "releasing a point"},
                                           {"Changing parameters", "changing parameters"}};
    return kWords[static_cast<size_t>(kind)];
}

void ManualEdits::grab(const Probe& probe) {
    end_drag();
    if (!worker_.model().loaded || !worker_.model().supports(Edit::Kind::kMoveVertex)) {
        drag_state_ = DragState::kMissed;
        return;
    }
    drag_state_ = DragState::kPending;
    const auto start = [this, probe] {
        if (!worker_.model().loaded) return lose_drag();
        const auto find = [probe](Timeline& timeline) {
            const Element element = pick(timeline.lab(), probe);
            return element.kind == ElementKind::kVertex ? inspect_element(timeline.lab(), element) : Inspection{};
        };
        worker_.query(find, [this](Inspection found) {
            if (drag_state_ != DragState::kPending) return;  // the button was released
            held_ = std::move(found);
            drag_state_ = held_.any() && !held_.corners.empty() ? DragState::kHolding : DragState::kMissed;
        });
    };
    worker_.commands().push("grab", start);
}

void ManualEdits::end_drag() {
    worker_.commands().withdraw("grab");
    drag_state_ = DragState::kNone;
    held_ = {};
    if (std::exchange(dragged_from_, {})) complete();
}

void ManualEdits::lose_drag() {
    if (drag_state_ == DragState::kPending) drag_state_ = DragState::kMissed;
}

void ManualEdits::follow() {
    if (drag_state_ != DragState::kHolding) return;
    held_ = worker_.publisher().inspect_again(worker_.timeline().lab(), held_);
    if (!held_.any()) drag_state_ = DragState::kMissed;
}

void ManualEdits::make(const Edit& edit, std::function<void()> after) {
    worker_.commands().push_edit(edit, [this, after = std::move(after)](const Edit& made) { start(made, after); });
}

void ManualEdits::edit(const Edit& edit) {
    worker_.playback().stop_playback();
    make(edit);
}

void ManualEdits::edit_whole(const Edit& edit) {
    worker_.playback().stop_playback();
    make(edit, [this] { complete(); });
}

// After an edit that leaves the lab where the next one would have to wait for passes, runs these.
void ManualEdits::complete() {
    if (drag_state_ == DragState::kHolding || worker_.busy() || !worker_.model().loaded) return;
    const Timeline& timeline = worker_.timeline();
    const uint64_t position = timeline.position();
    if (!timeline.usable() || position == 0 || !timeline.edits().contains(position - 1)) return;
    const auto* const editable = find_facet<Editable>(timeline.lab());
    if (!editable || editable->supports_at_once(timeline.edits().at(position - 1).kind)) return;
    if (timeline.result(position - 1).ended < editable->editable_after())
        worker_.playback().step(editable->editable_after());
}

void ManualEdits::drag_by(Point3 way) {
    if (drag_state_ != DragState::kHolding) return;
    const bool goes_on = dragged_from_.has_value();
    if (!goes_on) dragged_from_ = held_.corners[0];
    Edit move{Edit::Kind::kMoveVertex, held_.element.id, held_.element.part, *dragged_from_ + way};
    move.goes_on = goes_on;
    if (goes_on) move.path = {move.place};
    edit_whole(move);
}

void ManualEdits::freeze_vertex(const Element& vertex, bool freezes) {
    edit({freezes ? Edit::Kind::kFreeze : Edit::Kind::kRelease, vertex.id, vertex.part, {}});
}

void ManualEdits::remove_vertex(const Probe& probe) {
    edit_at(probe, "There is no vertex here that could be removed.",
            [](const Lab&, uint32_t) { return Edit::Kind::kRemoveVertex; });
}

void ManualEdits::freeze_or_release(const Probe& probe) {
    edit_at(probe, "There is no vertex here that could be frozen.", [](const Lab& lab, uint32_t id) {
        const auto* editable = find_facet<Editable>(lab);
        return editable && editable->is_frozen(id) ? Edit::Kind::kRelease : Edit::Kind::kFreeze;
    });
}

void ManualEdits::edit_at(const Probe& probe, const char* refusal,
                          std::function<Edit::Kind(const Lab&, uint32_t id)> kind_of) {
    worker_.playback().stop_playback();
    worker_.commands().push_edit([=, this] {
        if (!worker_.model().loaded) return;
        const auto find = [=](Timeline& timeline) {
            const Lab& lab = timeline.lab();
            const Element element = pick(lab, probe);
            const bool found = element.kind == ElementKind::kVertex && element.id != kNone;
            return found ? Edit{kind_of(lab, element.id), element.id, element.part, {}} : Edit{};
        };
        worker_.query(find, [=, this](const Edit& edit) {
            if (edit.id == kNone) return worker_.note(refusal);
            worker_.commands().push_edit_front([=, this] { start(edit, [this] { complete(); }); });
        });
    });
}

void ManualEdits::start(const Edit& edit, const std::function<void()>& after) {
    if (!worker_.model().loaded) return;
    Job job{.task = Task::kEdit,
            .title = edit_words(edit.kind).title,
            .changes_scene = true,
            .run = [=, this] { worker_.timeline().edit(edit); },
            .after = after};
    if (edit.kind == Edit::Kind::kMoveVertex && held_.any()) job.moves = {held_.element, edit.end()};
    worker_.start(std::move(job));
}

}  // namespace flipscope::app
