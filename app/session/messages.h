// What the window tells its user, newest last, and for how long each message holds. Knows no lab; the session writes,
// the panels read.
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
    /// How long it holds, unless a newer one takes its place: whatever is opened; until an input or a lab is opened, or
    /// the run starts over; until the timeline stands elsewhere or knows more; or while the step that said it lies
    /// behind. The first two are said once: what a newer one has replaced, or the timeline has left after it could be
    /// read, does not come back.
    enum class Holds { kForGood, kForRun, kForState, kBehindStep } holds = Holds::kForGood;
    uint64_t since = 0;  // kForState: Session::state_id(); kBehindStep: index of the step
    bool over = false;   // it holds no more, wherever the timeline goes
    /// Of a refused step or edit: the next such refusal in this state takes its place, so that a drag that goes on
    /// into what cannot be says so once.
    bool refuses = false;
};

class MessageLog {
  public:
    static constexpr size_t kMostMessages = 500;  // the oldest go
    static constexpr double kToRead = 8;          // seconds that a message may take to be read

    /// Control characters in the text are made visible.
    void say(Message message);
    const std::vector<Message>& all() const { return messages_; }
    bool empty() const { return messages_.empty(); }
    size_t size() const { return messages_.size(); }
    auto begin() const { return messages_.begin(); }
    auto end() const { return messages_.end(); }

    /// The newest one that still holds where the timeline stands; nullptr: there is none.
    const Message* current(uint64_t state_id, uint64_t position) const;
    /// The timeline stands elsewhere, `now` seconds after the window opened: what is said once and could be read goes.
    void move_on(double now);
    /// Steps from `step` on were never taken, or are others now.
    void forget_steps(uint64_t step);
    /// Another run begins at `next_state_id`. What holds for good stays; with `keep_current` (the run begins because
    /// something went wrong) what is to be read now is still to be read then.
    void begin_run(uint64_t state_id, uint64_t position, uint64_t next_state_id, bool keep_current);

  private:
    std::vector<Message> messages_;
};

}  // namespace flipscope::app
