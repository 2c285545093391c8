#include "app/session/undo.h"

#include <utility>

#include "app/base/number_text.h"

namespace flipscope::app {

void Undo::request(bool again) {
    worker_.playback().stop_playback();
    worker_.request_of_run([this, again] { start(again); });
}

void Undo::start(bool again) {
    const std::optional<Edit::Kind> kind = again ? worker_.model().redoable : worker_.model().undoable;
    if (!kind && !again && replaced_ && replaced_->input == worker_.input())
        return std::exchange(replaced_, std::nullopt)->bring_back();
    if (!kind) return worker_.note(again ? "Nothing to redo." : "There is no manual edit to take back.");
    edits_.end_drag();
    const auto run = [this, again] {
        Timeline& timeline = worker_.timeline();
        const auto keep_going = worker_.run_through();
        again ? timeline.redo(keep_going) : timeline.undo(keep_going);
    };
    const auto after = [this, again, text = std::string(edit_words(*kind).text)] {
        worker_.note(again ? "Made again: " + text + "." : "Taken back: " + text + ". Ctrl+Shift+Z makes it again.");
    };
    worker_.start({.task = Task::kEdit,
                   .title = again ? "Making the edit again" : "Taking the edit back",
                   .changes_scene = true,
                   .run = run,
                   .after = after});
}

void Undo::confirm_discard_edits(const std::string& what, std::string yes, std::function<void()> go_on,
                                 bool keeps_input) {
    const LabModel& model = worker_.model();
    const bool saved = !worker_.busy() && worker_.timeline().follows_plan();  // in a scenario or lesson
    const size_t edits = (model.loaded && !saved ? model.edits : 0) + worker_.commands().edits() +
                         (keeps_input ? 0 : worker_.loader().present().edits);
    if (edits == 0) return go_on();
    worker_.playback().pause();
    const std::string count = number_text(static_cast<double>(edits)) + (edits == 1 ? " manual edit" : " manual edits");
    question_ = {
        what + " leaves " + count + " behind, and Ctrl+Z will not bring " + (edits == 1 ? "it" : "them") + " back.",
        std::move(yes)};
    on_yes_ = std::move(go_on);
}

void Undo::answer(bool yes) {
    question_.reset();
    const auto go_on = std::exchange(on_yes_, {});
    if (yes && go_on) go_on();
}

bool Undo::may_close() {
    bool at_once = false;
    confirm_discard_edits("Closing the window", "Close", [&] { at_once = true; });
    if (!at_once) on_yes_ = [this] { closes_ = true; };
    return at_once;
}

}  // namespace flipscope::app
