// Queued commands from keys and panels, in order. A command is a function that starts a job. A newer command replaces
// an older one of its tag, and the moves of one drag merge, so that a busy lab does not pile up old mouse positions.
// Used on the window's thread only.
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

    /// Appends a command and drops the older one of the same tag. An empty tag drops nothing.
    void push(const std::string& tag, Start start);
    /// Appends a manual edit, which `make` starts. An edit that continues the drag or stroke of the last command merges
    /// with it: a drag keeps only its latest place, a stroke grows.
    void push_edit(const Edit& edit, std::function<void(const Edit&)> make);
    /// Appends a command that looks up an element and then pushes its edit to the front.
    void push_edit(Start start) { waiting_.push_back({"", std::move(start), true}); }
    void push_edit_front(Start start) { waiting_.push_front({"", std::move(start), true}); }
    /// Removes and returns the first command; empty if none is queued.
    Start pop();
    /// Drops the command of this tag.
    void withdraw(const std::string& tag);
    /// The number of queued manual edits.
    size_t edits() const;
    void clear() { waiting_.clear(); }
    bool empty() const { return waiting_.empty(); }
    size_t size() const { return waiting_.size(); }

  private:
    struct Command {
        std::string tag;
        Start start;
        bool edits = false;
        std::shared_ptr<Edit> edit = {};  // the edit of `start` while it can still grow; otherwise nullptr
    };
    bool merge(const Edit& edit);

    std::deque<Command> waiting_;
};

}  // namespace flipscope::app
