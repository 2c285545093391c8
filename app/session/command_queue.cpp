#include "app/session/command_queue.h"

#include <algorithm>
#include <utility>

namespace flipscope::app {

void CommandQueue::push(const std::string& tag, Start start) {
    if (!tag.empty()) withdraw(tag);
    waiting_.push_back({tag, std::move(start)});
}

void CommandQueue::push_edit(const Edit& edit, std::function<void(const Edit&)> make) {
    if (merge(edit)) return;
    const auto growing = std::make_shared<Edit>(edit);
    waiting_.push_back({"", [growing, make = std::move(make)] { make(*growing); }, true, growing});
}

CommandQueue::Start CommandQueue::pop() {
    if (waiting_.empty()) return {};
    Start next = std::move(waiting_.front().start);
    waiting_.pop_front();
    return next;
}

void CommandQueue::withdraw(const std::string& tag) {
    std::erase_if(waiting_, [&](const Command& command) { return command.tag == tag; });
}

size_t CommandQueue::edits() const {
    return static_cast<size_t>(
        std::count_if(waiting_.begin(), waiting_.end(), [](const auto& one) { return one.edits; }));
}

/// Returns true if the edit was merged into the last command.
bool CommandQueue::merge(const Edit& edit) {
    Edit* const waiting = waiting_.empty() ? nullptr : waiting_.back().edit.get();
    if (!waiting || waiting->kind != edit.kind || !edit.goes_on) return false;
    if (edit.kind == Edit::Kind::kMoveVertex) {
        if (waiting->part != edit.part) return false;
        // A queued first move takes the new place; a later one extends its path to it.
        waiting->place = edit.end();
        if (waiting->goes_on) waiting->path = {edit.end()};
        return true;
    }
    waiting->path.insert(waiting->path.end(), edit.path.begin(), edit.path.end());
    return true;
}

}  // namespace flipscope::app
