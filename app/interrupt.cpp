#include "app/interrupt.h"

#include <csignal>

namespace flipscope::app {

namespace {

CancelFlag was_pressed;

void on_interrupt(int) {
    was_pressed.set();
    std::signal(SIGINT, SIG_DFL);  // pressed again, it is meant to end at once
}

}  // namespace

Interrupt::Interrupt() : scope_(was_pressed) {
    was_pressed.clear();
    std::signal(SIGINT, on_interrupt);
}

Interrupt::~Interrupt() { std::signal(SIGINT, SIG_DFL); }

CancelFlag& Interrupt::flag() { return was_pressed; }

}  // namespace flipscope::app
