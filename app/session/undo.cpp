// Session, about manual edits as a whole: taking them back, making them again, and asking before they are left behind.
#include <utility>

#include "app/base/number_text.h"
#include "app/session/session.h"

namespace flipscope::app {

namespace {

std::string text_of(Edit::Kind kind) {
    switch (kind) {
        case Edit::Kind::kMoveVertex:
            return "moving a point";
        case Edit::Kind::kFlipEdge:
            return "flipping an edge";
        case Edit::Kind::kAddVertex:
            return "adding a point";
        case Edit::Kind::kRemoveVertex:
            return "removing a point";
        case Edit::Kind::kPaint:
            return "painting";
        case Edit::Kind::kWipe:
            return "wiping";
        case Edit::Kind::kFreeze:
            return "freezing a point";
        case Edit::Kind::kRelease:
            return "releasing a point";
        case Edit::Kind::kAdjust:
            return "changing parameters";
    }
    return "an edit";
}

}  // namespace

// Edits that wait are made first: the last of them is the one that is meant.
void Session::undo() {
    stand_down();
    commands_.push(command::Undo{});
}

void Session::redo() {
    stand_down();
    commands_.push(command::Redo{});
}

void Session::start_undo(bool again) {
    const std::optional<Edit::Kind> kind = again ? model().redoable : model().undoable;
    if (!kind && !again && before_keeping_ && before_keeping_->revision == loader_.revision() &&
        before_keeping_->source == loader_.source()) {
        Opening before = std::move(before_keeping_->opening);
        before.title = "Bringing the points back";
        if (before_keeping_->lab != model().info.id) before.lab = before_keeping_->lab;
        before_keeping_.reset();
        return start_opening(std::move(before), Task::kOpen);
    }
    if (!kind) {
        reply(Message::Kind::kNote, again ? "Nothing to redo." : "There is no manual edit to take back.");
        return;
    }
    let_go();
    start({.task = Task::kEdit,
           .title = again ? "Making the edit again" : "Taking the edit back",
           .changes_scene = true,
           .run =
               [=, this] {
                   // It goes through unless it is cancelled: half of it would be nowhere that anyone was.
                   const auto keep_going = [&] {
                       link_.tell(timeline_->position());
                       return true;
                   };
                   again ? timeline_->redo(keep_going) : timeline_->undo(keep_going);
               },
           .after =
               [=, this] {
                   reply(Message::Kind::kNote,
                         again ? "Made again: " + text_of(*kind) + "."
                               : "Taken back: " + text_of(*kind) + ". Ctrl+Shift+Z makes it again.");
               }});
}

/// Does it at once where there is nothing to lose.
void Session::leave_edits(std::string what, std::string yes, std::function<void()> go_on, bool keeps_input) {
    const size_t edits = (model().loaded ? model().edits : 0) + commands_.edits() + (keeps_input ? 0 : loader_.edits());
    if (edits == 0) return go_on();
    playback_.pause();
    const std::string count = number_text(static_cast<double>(edits)) + (edits == 1 ? " manual edit" : " manual edits");
    question_ = {
        what + " leaves " + count + " behind, and Ctrl+Z will not bring " + (edits == 1 ? "it" : "them") + " back.",
        std::move(yes)};
    on_yes_ = std::move(go_on);
}

void Session::answer(bool yes) {
    question_.reset();
    const auto go_on = std::exchange(on_yes_, {});
    if (yes && go_on) go_on();
}

bool Session::may_close() {
    bool at_once = false;
    leave_edits("Closing the window", "Close", [&] { at_once = true; });
    if (!at_once) on_yes_ = [this] { closes_ = true; };
    return at_once;
}

void Session::ask_lab(std::string title, std::function<std::string(const Lab&)> find) {
    commands_.push(command::AskLab{std::move(title), std::move(find)});
}

}  // namespace flipscope::app
