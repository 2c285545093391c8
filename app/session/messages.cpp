#include "app/session/messages.h"

#include <utility>

#include "compute/printable.h"

namespace flipscope::app {

namespace {

bool holds(const Message& message, uint64_t state_id, uint64_t position) {
    if (message.over) return false;
    if (message.holds == Message::Holds::kForState) return message.since == state_id;
    if (message.holds == Message::Holds::kBehindStep) return message.since < position;
    return true;
}

bool is_said_once(const Message& message) {
    return message.holds == Message::Holds::kForGood || message.holds == Message::Holds::kForRun;
}

}  // namespace

void MessageLog::say(Message message) {
    message.text = printable(message.text);
    const bool replaces = message.refuses && !messages_.empty() && messages_.back().refuses && !messages_.back().over &&
                          messages_.back().since == message.since;
    if (replaces) {
        messages_.back().text = std::move(message.text);
        return;
    }
    for (Message& before : messages_) before.over |= is_said_once(before);
    if (messages_.size() >= kMostMessages) messages_.erase(messages_.begin());
    messages_.push_back(std::move(message));
}

const Message* MessageLog::current(uint64_t state_id, uint64_t position) const {
    for (auto last = messages_.rbegin(); last != messages_.rend(); ++last)
        if (holds(*last, state_id, position)) return &*last;
    return nullptr;
}

void MessageLog::move_on(double now) {
    for (Message& message : messages_) message.over |= is_said_once(message) && now - message.time >= kToRead;
}

void MessageLog::forget_steps(uint64_t step) {
    for (Message& message : messages_)
        message.over |= message.holds == Message::Holds::kBehindStep && message.since >= step;
}

void MessageLog::begin_run(uint64_t state_id, uint64_t position, uint64_t next_state_id, bool keep_current) {
    const Message* kept = keep_current ? current(state_id, position) : nullptr;
    for (Message& message : messages_) {
        if (&message == kept && message.holds == Message::Holds::kForState) message.since = next_state_id;
        if (&message != kept) message.over |= message.holds != Message::Holds::kForGood;
    }
}

}  // namespace flipscope::app
