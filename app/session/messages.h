// The window's messages, newest last, and how long each one holds. The session writes them, the panels read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace flipscope::app {

struct Message {
    enum class Kind { kNote, kGood, kWarning, kError } kind;
    std::string text;
    double time;  // seconds since the window opened
    /// How long it holds unless a newer message replaces it: forever; until an input or lab is opened or the run starts
    /// over; until the timeline moves or gains steps; or while the step that posted it has been passed. The first two
    /// are shown once: they do not return after a newer message, or after the timeline has moved once they could be
    /// read.
    enum class Holds { kForGood, kForRun, kForState, kBehindStep } holds = Holds::kForGood;
    uint64_t since = 0;  // kForState: Session::state_id(); kBehindStep: index of the step
    bool over = false;   // expired for good
    /// A refused step or edit: the next refusal in this state replaces it, so that a blocked drag reports once.
    bool refuses = false;
};

class MessageLog {
  public:
    static constexpr size_t kMostMessages = 500;  // older ones are dropped
    static constexpr double kToRead = 8;          // seconds allowed for reading a message

    /// Makes control characters in the text visible.
    void say(Message message);
    const std::vector<Message>& all() const { return messages_; }
    bool empty() const { return messages_.empty(); }
    size_t size() const { return messages_.size(); }
    auto begin() const { return messages_.begin(); }
    auto end() const { return messages_.end(); }

    /// The newest message that holds in this state, or nullptr.
    const Message* current(uint64_t state_id, uint64_t position) const;
    /// The timeline moved, `now` seconds after the window opened: expires shown-once messages that could be read.
    void move_on(double now);
    /// Steps from `step` on were dropped or replaced.
    void forget_steps(uint64_t step);
    /// Another run begins at `next_state_id`. Only kForGood messages stay, and with `keep_current`, for a restart after
    /// a failure, the present one.
    void begin_run(uint64_t state_id, uint64_t position, uint64_t next_state_id, bool keep_current);

  private:
    std::vector<Message> messages_;
};

}  // namespace flipscope::app
