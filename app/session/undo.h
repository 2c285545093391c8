// Undoes and redoes manual edits, and asks before a command discards them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/session/lab_worker.h"
#include "app/session/manual_edits.h"

namespace flipscope::app {

class Undo {
  public:
    Undo(LabWorker& worker, ManualEdits& edits) : worker_(worker), edits_(edits) {}

    /// Undoes the last manual edit, after the queued ones; replies with a note if there is none.
    void undo() { request(false); }
    void redo() { request(true); }
    /// Without manual edits, undo() calls `bring_back` while this is the input.
    void replaces_input(std::shared_ptr<const Geometry> input, std::function<void()> bring_back) {
        replaced_ = {std::move(input), std::move(bring_back)};
    }

    struct Question {
        std::string text, yes;  // yes: the label of the confirming button
    };
    /// The open question to the user, or nullptr.
    const Question* question() const { return question_ ? &*question_ : nullptr; }
    void answer(bool yes);
    /// Calls `go_on`, after a question if that would discard manual edits. `what`: "Loading points.xy". `keeps_input`:
    /// edits contained in the input are kept.
    void confirm_discard_edits(const std::string& what, std::string yes, std::function<void()> go_on,
                               bool keeps_input = false);
    /// Whether the window may close now. If not, opens a question; closes() is true after a yes.
    bool may_close();
    bool closes() const { return closes_; }

  private:
    void request(bool again);
    void start(bool again);

    LabWorker& worker_;
    ManualEdits& edits_;
    struct Replaced {
        std::shared_ptr<const Geometry> input;
        std::function<void()> bring_back;
    };
    std::optional<Replaced> replaced_;
    std::optional<Question> question_;
    std::function<void()> on_yes_;
    bool closes_ = false;
};

}  // namespace flipscope::app
