// Ctrl-C while a run goes on: the first one asks the context to stop at its next launch, the second one ends the
// program the hard way. One at a time; used by the headless runner.
#pragma once

#include "compute/context.h"

namespace flipscope::app {

class Interrupt {
  public:
    /// From here on Ctrl-C is remembered, and told to `context` once there is one.
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    void watch(Context& context);
    /// Throws Cancelled when Ctrl-C was pressed: between the pieces of work that no context ends.
    void check() const;
    static bool pressed();
};

}  // namespace flipscope::app
