#include "app/session/command_queue.h"

namespace flipscope::app {

void CommandQueue::push(LabCommand command) {
    if (std::holds_alternative<command::Inspect>(command)) withdraw<command::Inspect>();
    if (const auto* shown = std::get_if<command::ShowAs>(&command))
        std::erase_if(waiting_, [&](const LabCommand& other) {
            const auto* before = std::get_if<command::ShowAs>(&other);
            return before && before->name == shown->name;
        });
    if (const auto* made = std::get_if<command::MakeEdit>(&command); made && merged(made->edit)) return;
    waiting_.push_back(std::move(command));
}

std::optional<LabCommand> CommandQueue::take() {
    if (waiting_.empty()) return std::nullopt;
    LabCommand next = std::move(waiting_.front());
    waiting_.pop_front();
    return next;
}

/// Whether it has become part of the command before it.
bool CommandQueue::merged(const Edit& edit) {
    auto* before = waiting_.empty() ? nullptr : std::get_if<command::MakeEdit>(&waiting_.back());
    if (!before || before->edit.kind != edit.kind) return false;
    Edit& waiting = before->edit;
    if (!edit.goes_on) return false;
    if (edit.kind == Edit::Kind::kMoveVertex) {
        if (waiting.part != edit.part) return false;
        // A drag that waits to begin begins with this place; where it goes on, it goes on to here.
        waiting.place = edit.end();
        if (waiting.goes_on) waiting.path = {edit.end()};
        return true;
    }
    waiting.path.insert(waiting.path.end(), edit.path.begin(), edit.path.end());
    return true;
}

}  // namespace flipscope::app
