// Commands from keys and panels that have not started yet, in their order. A command is a function that starts a job.
// A newer command drops an older one of its tag, and the moves of one drag merge, so that a busy lab is not left with a
// backlog of places where the mouse was. Used on the window's thread alone.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "lab/facets.h"

namespace flipscope::app {

class CommandQueue {
  public:
    using Start = std::function<void()>;

    /// Appends a command and drops the older one of the same tag. An empty tag drops none.
    void push(const std::string& tag, Start start);
    /// Appends a manual edit, which `make` starts. Where the edit continues the drag or the stroke of the last command,
    /// it becomes part of that: a drag goes to its latest place only, and a stroke grows.
    void push_edit(const Edit& edit, std::function<void(const Edit&)> make);
    /// Appends a command that finds an element and puts an edit of it in front.
    void push_edit(Start start) { waiting_.push_back({"", std::move(start), true}); }
    void push_edit_front(Start start) { waiting_.push_front({"", std::move(start), true}); }
    /// Removes the first command and returns it; empty: no command waits.
    Start take();
    /// Drops the command of this tag.
    void withdraw(const std::string& tag);
    /// Commands that are manual edits.
    size_t edits() const;
    void clear() { waiting_.clear(); }
    bool empty() const { return waiting_.empty(); }
    size_t size() const { return waiting_.size(); }

  private:
    struct Command {
        std::string tag;
        Start start;
        bool edits = false;
        std::shared_ptr<Edit> edit = {};  // that `start` makes, where it may still grow
    };
    bool merged(const Edit& edit);

    std::deque<Command> waiting_;
};

}  // namespace flipscope::app
