#include "app/base/signals.h"

#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "app/base/endings.h"
#include "io/output_file.h"

namespace flipscope::app {

namespace {

CancelFlag was_pressed;
std::atomic<bool> said{false};  // the interruption has been reported

/// By then, code that has not polled the flag never does: a driver that draws, a library that compiles or decodes.
constexpr suseconds_t kPatience = 900'000;  // µs

void set_alarm(suseconds_t microseconds) {
    const itimerval once{{0, 0}, {0, microseconds}};
    setitimer(ITIMER_REAL, &once, nullptr);
}

void on_impatience(int) {
    if (said) {
        remove_unfinished_files();
        _exit(kInterrupted);
    }
    end_at_once("ended by Ctrl-C, during an operation that could not be interrupted", kInterrupted);
}

void on_interrupt(int) {
    was_pressed.set();
    std::signal(SIGALRM, on_impatience);
    set_alarm(kPatience);
    std::signal(SIGINT, end_by_signal);  // a second Ctrl-C ends the program at once
}

}  // namespace

void end_by_signal(int signal) {
    remove_unfinished_files();
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // delivered when this handler returns
}

void tidy_up_when_ended_by(int signal) {
    if (std::signal(signal, end_by_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
}

void tidy_up_when_ended() {
    for (const int signal : {SIGHUP, SIGQUIT, SIGPIPE, SIGTERM}) tidy_up_when_ended_by(signal);
    std::signal(SIGXFSZ, SIG_IGN);
}

Interrupt::Interrupt() : scope_(was_pressed) {
    was_pressed.clear();
    said = false;
    std::signal(SIGINT, on_interrupt);
}

Interrupt::~Interrupt() {
    std::signal(SIGINT, end_by_signal);
    set_alarm(0);
    was_pressed.clear();
}

CancelFlag& Interrupt::flag() { return was_pressed; }
void Interrupt::mark_reported() { said = true; }
bool Interrupt::keep_going() {
    throw_if_cancelled();
    return true;
}

}  // namespace flipscope::app
