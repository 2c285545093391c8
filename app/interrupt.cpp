#include "app/interrupt.h"

#include <atomic>
#include <csignal>

namespace flipscope::app {

namespace {

std::atomic<bool> was_pressed{false};
std::atomic<Context*> watched{nullptr};
static_assert(std::atomic<Context*>::is_always_lock_free, "read by a signal handler");

void on_interrupt(int) {
    was_pressed.store(true);
    if (Context* context = watched.load()) context->cancel();
    std::signal(SIGINT, SIG_DFL);  // whoever presses it again means it
}

}  // namespace

Interrupt::Interrupt() {
    was_pressed.store(false);
    std::signal(SIGINT, on_interrupt);
}

Interrupt::~Interrupt() {
    std::signal(SIGINT, SIG_DFL);
    watched.store(nullptr);
}

void Interrupt::watch(Context& context) {
    watched.store(&context);
    if (pressed()) context.cancel();  // it came before there was a context to tell
}

void Interrupt::check() const {
    if (pressed()) throw Cancelled();
}

bool Interrupt::pressed() { return was_pressed.load(); }

}  // namespace flipscope::app
