// The breakpoints that a user has listed in the window: each can be switched off, and what the present lab does not
// have is kept for the one that does. The session hands those that count to a seek run; the transport lists them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "instruments/breakpoint.h"

namespace flipscope::app {

class Stops {
  public:
    struct Stop {
        std::string text;  // as Breakpoint::parse() reads it
        bool on = true;
    };

    const std::vector<Stop>& all() const { return all_; }
    /// Throws Error where a lab of this description does not understand it. One that is listed already is switched on.
    void add(const std::string& text, const LabInfo& info);
    /// The same in place of one that is listed, which stays where that is not understood.
    void change(size_t index, const std::string& text, const LabInfo& info);
    void switch_to(size_t index, bool on) { all_.at(index).on = on; }
    void remove(size_t index) { all_.erase(all_.begin() + static_cast<ptrdiff_t>(index)); }
    /// Why such a lab does not stop there; empty: it does.
    static std::string refusal(const Stop& stop, const LabInfo& info);
    /// Those that are on and that such a lab understands.
    std::vector<Breakpoint> counting(const LabInfo& info) const;

  private:
    std::vector<Stop> all_;
};

}  // namespace flipscope::app
