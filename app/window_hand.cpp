// Session, by hand: taking hold of a vertex, moving it, flipping an edge.
#include "app/window_session.h"

namespace flipscope::app {

void Session::grab(const Probe& probe) {
    let_go();
    if (!model_.loaded || !model_.takes_moves) {
        grip_ = Grip::kMissed;
        return;
    }
    grip_ = Grip::kAsked;
    wishes_.push_back({Wish::Kind::kGrab, "", false, probe});
}

void Session::let_go() {
    std::erase_if(wishes_, [](const Wish& wish) { return wish.kind == Wish::Kind::kGrab; });
    grip_ = Grip::kNone;
    held_ = {};
}

void Session::move_vertex(const Element& vertex, Point3 place) {
    stand_down();
    const Edit edit{Edit::Kind::kMoveVertex, vertex.id, vertex.part, place};
    if (!wishes_.empty() && wishes_.back().kind == Wish::Kind::kEdit) {
        Edit& waiting = wishes_.back().edit;
        if (waiting.kind == edit.kind && waiting.id == edit.id && waiting.part == edit.part) {
            waiting = edit;
            return;
        }
    }
    wishes_.push_back({Wish::Kind::kEdit, "", false, {}, edit});
}

void Session::flip_edge(const Element& edge) {
    stand_down();
    wishes_.push_back({Wish::Kind::kEdit, "", false, {}, {Edit::Kind::kFlipEdge, edge.id, edge.part, {}}});
}

// An answer that does not come any more.
void Session::miss_grip() {
    if (grip_ == Grip::kAsked) grip_ = Grip::kMissed;
}

void Session::start_grab(const Probe& probe) {
    if (!model_.loaded) return miss_grip();
    auto found = std::make_shared<Inspection>();
    start(
        "", false,
        [=, this] {
            const Element element = timeline_->algorithm().pick(probe);
            if (element.kind == ElementKind::kVertex) *found = look(element);
        },
        [=, this] {
            if (grip_ != Grip::kAsked) return;  // the button is up again
            held_ = *found;
            grip_ = held_.any() && !held_.corners.empty() ? Grip::kHolds : Grip::kMissed;
        });
}

void Session::start_edit(const Edit& edit) {
    {
        std::lock_guard lock(live_mutex_);
        live_ = {model_.position, model_.known(), 0, model_.position, {}};
    }
    start(edit.kind == Edit::Kind::kMoveVertex ? "Moving the vertex" : "Flipping the edge", true,
          [=, this] { timeline_->edit(edit); });
    is_journey_ = true;
}

}  // namespace flipscope::app
