// How long messages hold, without a session.
#include "app/session/messages.h"

#include <doctest/doctest.h>

using namespace flipscope::app;

namespace {

using Kind = Message::Kind;
using Holds = Message::Holds;

/// The present message, or empty.
std::string read(const MessageLog& log, uint64_t state_id, uint64_t position) {
    const Message* message = log.current(state_id, position);
    return message ? message->text : "";
}

}  // namespace

TEST_CASE("messages: the newest one that holds is shown, each for its own duration") {
    MessageLog log;
    CHECK(read(log, 1, 0).empty());
    log.say({Kind::kNote, "device", 0, Holds::kForGood});
    log.say({Kind::kNote, "input", 0, Holds::kForRun});
    log.say({Kind::kNote, "step 3", 0, Holds::kBehindStep, 3});
    log.say({Kind::kNote, "answer", 0, Holds::kForState, 7});
    CHECK(read(log, 7, 4) == "answer");
    CHECK(read(log, 8, 4) == "step 3");
    CHECK(read(log, 9, 3).empty());  // before the step; older messages do not return
    CHECK(read(log, 10, 9) == "step 3");
    log.forget_steps(4);
    CHECK(read(log, 11, 9) == "step 3");
    log.forget_steps(3);
    CHECK(read(log, 12, 9).empty());
    log.begin_run(12, 9, 13, false);
    CHECK(read(log, 13, 0).empty());
    CHECK(log.size() == 4);  // the list keeps them
}

TEST_CASE("messages: one shown once holds until it could be read and the timeline moves, or a newer one comes") {
    for (const Holds holds : {Holds::kForGood, Holds::kForRun}) {
        CAPTURE(static_cast<int>(holds));
        MessageLog log;
        log.say({Kind::kNote, "no GPU", 3, holds});
        log.move_on(3.5);  // too early to have been read
        CHECK(read(log, 1, 0) == "no GPU");
        log.begin_run(1, 0, 2, false);
        CHECK(read(log, 2, 0) == (holds == Holds::kForGood ? "no GPU" : ""));
        log.say({Kind::kGood, "the picture is saved", 20, holds});
        log.say({Kind::kNote, "answer", 21, Holds::kForState, 2});
        CHECK(read(log, 2, 0) == "answer");
        CHECK(read(log, 3, 1).empty());
        log.say({Kind::kGood, "the picture is saved again", 40, holds});
        CHECK(read(log, 4, 1) == "the picture is saved again");  // for any time while the timeline stands still
        log.move_on(40 + MessageLog::kToRead);
        CHECK(read(log, 5, 2).empty());
    }
}

TEST_CASE("messages: a refusal replaces the previous one only in the same state and directly after it") {
    MessageLog log;
    const auto refuse = [&](const char* text, uint64_t state_id) {
        log.say({Kind::kError, text, 0, Holds::kForState, state_id, false, true});
    };
    refuse("vertex 3 cannot go there", 1);
    refuse("vertex 3 cannot go there", 1);
    refuse("nor there", 1);
    CHECK(log.size() == 1);
    CHECK(read(log, 1, 0) == "nor there");
    refuse("nor there", 2);  // a moved timeline needs a new message
    CHECK(log.size() == 2);
    log.say({Kind::kNote, "something else", 0, Holds::kForState, 2});
    refuse("nor there", 2);
    CHECK(log.size() == 4);
}

TEST_CASE("messages: the list is bounded, the oldest go, and control characters are made visible") {
    MessageLog log;
    for (size_t i = 0; i < MessageLog::kMostMessages + 10; ++i)
        log.say({Kind::kNote, std::to_string(i), 0, Holds::kForGood});
    CHECK(log.size() == MessageLog::kMostMessages);
    CHECK(log.begin()->text == "10");
    log.say({Kind::kNote, "a\033[2Jb", 0, Holds::kForGood});
    CHECK(log.all().back().text.find('\033') == std::string::npos);
}
