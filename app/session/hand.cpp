// Session, by hand: taking hold of a vertex, moving it, adding, removing and freezing vertices, flipping an edge,
// painting.
#include <memory>
#include <utility>

#include "app/session/session.h"

namespace flipscope::app {

void Session::grab(const Probe& probe) {
    let_go();
    if (!model().loaded || !model().takes_moves) {
        grip_ = Grip::kMissed;
        return;
    }
    grip_ = Grip::kAsked;
    commands_.push(command::Grab{probe});
}

void Session::let_go() {
    commands_.withdraw<command::Grab>();
    grip_ = Grip::kNone;
    held_ = {};
    dragged_ = false;
}

void Session::edit(const Edit& edit) { request(command::MakeEdit{edit}); }

void Session::move_vertex(const Element& vertex, Point3 place) {
    Edit move{Edit::Kind::kMoveVertex, vertex.id, vertex.part, place};
    move.goes_on = std::exchange(dragged_, true);
    if (move.goes_on) move.path = {place};
    edit(move);
}

void Session::flip_edge(const Element& edge) { edit({Edit::Kind::kFlipEdge, edge.id, edge.part, {}}); }

void Session::add_vertex(Point3 place, uint32_t part) { edit({Edit::Kind::kAddVertex, kNone, part, place}); }

void Session::remove_vertex(const Element& vertex) { edit({Edit::Kind::kRemoveVertex, vertex.id, vertex.part, {}}); }

void Session::remove_vertex(const Probe& probe) { request(command::RemoveAt{probe}); }

void Session::freeze_vertex(const Element& vertex, bool freezes) {
    edit({freezes ? Edit::Kind::kFreeze : Edit::Kind::kRelease, vertex.id, vertex.part, {}});
}

void Session::freeze_or_release(const Probe& probe) { request(command::FreezeAt{probe}); }

void Session::brush(const Edit& stroke) { edit(stroke); }

// An answer that does not come any more.
void Session::miss_grip() {
    if (grip_ == Grip::kAsked) grip_ = Grip::kMissed;
}

void Session::start_grab(const Probe& probe) {
    if (!model().loaded) return miss_grip();
    const auto found = std::make_shared<Inspection>();
    ask(
        [=, this] {
            const Element element = pick(timeline_->lab(), probe);
            if (element.kind == ElementKind::kVertex) *found = look_at(timeline_->lab(), element);
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
        case Edit::Kind::kFreeze:
            return "Freezing the vertex";
        case Edit::Kind::kRelease:
            return "Releasing the vertex";
        case Edit::Kind::kAdjust:
            return "Changing parameters";
    }
    return "Editing";
}

}  // namespace

void Session::start_removal(const Probe& probe) {
    const auto found = std::make_shared<Element>(Element{ElementKind::kVertex, kNone});
    ask(
        [=, this] {
            const Element element = pick(timeline_->lab(), probe);
            if (element.kind == ElementKind::kVertex) *found = element;
        },
        [=, this] {
            if (found->id != kNone)
                commands_.push_front(command::MakeEdit{{Edit::Kind::kRemoveVertex, found->id, found->part, {}}});
            else
                reply(Message::Kind::kNote, "There is no vertex here that could be removed.");
        });
}

void Session::start_freezing(const Probe& probe) {
    const auto found = std::make_shared<Element>(Element{ElementKind::kVertex, kNone});
    const auto frozen = std::make_shared<bool>(false);
    ask(
        [=, this] {
            const Element element = pick(timeline_->lab(), probe);
            const auto* editable = find_facet<Editable>(std::as_const(*timeline_).lab());
            if (element.kind != ElementKind::kVertex || !editable) return;
            *found = element;
            *frozen = editable->is_frozen(element.id);
        },
        [=, this] {
            const Edit::Kind kind = *frozen ? Edit::Kind::kRelease : Edit::Kind::kFreeze;
            if (found->id != kNone)
                commands_.push_front(command::MakeEdit{{kind, found->id, found->part, {}}});
            else
                reply(Message::Kind::kNote, "There is no vertex here that could be frozen.");
        });
}

void Session::start_edit(const Edit& edit) {
    if (edit.kind == Edit::Kind::kMoveVertex && held_.any()) publisher_.expect_at(held_.element, edit.end());
    start({.task = Task::kEdit,
           .title = title_of(edit.kind),
           .changes_scene = true,
           .run = [=, this] { timeline_->edit(edit); },
           .after = [=, this] { drafts_.drop_used(model().parameters, edit.values); }});
}

}  // namespace flipscope::app
