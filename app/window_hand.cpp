// Session, by hand: taking hold of a vertex, moving it, adding and removing vertices, flipping an edge, painting.
#include <memory>
#include <utility>

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

void Session::edit(const Edit& edit) {
    stand_down();
    wishes_.push_back({Wish::Kind::kEdit, "", false, {}, edit});
}

void Session::flip_edge(const Element& edge) { edit({Edit::Kind::kFlipEdge, edge.id, edge.part, {}}); }

void Session::add_vertex(Point3 place, uint32_t part) { edit({Edit::Kind::kAddVertex, kNone, part, place}); }

void Session::remove_vertex(const Element& vertex) { edit({Edit::Kind::kRemoveVertex, vertex.id, vertex.part, {}}); }

void Session::remove_vertex(const Probe& probe) {
    stand_down();
    wishes_.push_back({Wish::Kind::kRemove, "", false, probe});
}

void Session::brush(const Edit& stroke) {
    stand_down();
    if (stroke.goes_on && !wishes_.empty() && wishes_.back().kind == Wish::Kind::kEdit &&
        wishes_.back().edit.kind == stroke.kind) {
        std::vector<Point>& waiting = wishes_.back().edit.path;
        waiting.insert(waiting.end(), stroke.path.begin(), stroke.path.end());
        return;
    }
    wishes_.push_back({Wish::Kind::kEdit, "", false, {}, stroke});
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
            const Element element = pick(probe);
            if (element.kind == ElementKind::kVertex) *found = look(element);
        },
        [=, this] {
            if (grip_ != Grip::kAsked) return;  // the button is up again
            held_ = *found;
            grip_ = held_.any() && !held_.corners.empty() ? Grip::kHolds : Grip::kMissed;
        });
}

namespace {

const char* title_of(Edit::Kind kind) {
    switch (kind) {
        case Edit::Kind::kMoveVertex:
            return "Moving the vertex";
        case Edit::Kind::kFlipEdge:
            return "Flipping the edge";
        case Edit::Kind::kAddVertex:
            return "Adding a vertex";
        case Edit::Kind::kRemoveVertex:
            return "Removing the vertex";
        case Edit::Kind::kPaint:
            return "Painting";
        case Edit::Kind::kWipe:
            return "Wiping";
    }
    return "Editing";
}

}  // namespace

void Session::start_removal(const Probe& probe) {
    auto found = std::make_shared<Element>(Element{ElementKind::kVertex, kNone});
    start(
        "", false,
        [=, this] {
            const Element element = pick(probe);
            if (element.kind == ElementKind::kVertex) *found = element;
        },
        [=, this] {
            if (found->id != kNone)
                wishes_.push_front(
                    {Wish::Kind::kEdit, "", false, {}, {Edit::Kind::kRemoveVertex, found->id, found->part, {}}});
            else
                reply(Message::Kind::kNote, "There is no vertex here that could be removed.");
        });
}

void Session::start_edit(const Edit& edit) {
    {
        std::lock_guard lock(live_mutex_);
        live_ = {model_.position, model_.known(), 0, model_.position};
    }
    start(title_of(edit.kind), true, [=, this] { timeline_->edit(edit); });
    is_journey_ = true;
}

}  // namespace flipscope::app
