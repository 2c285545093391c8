// The user's breakpoints. Each can be switched off; those unknown to the present lab are kept for other labs. The
// session passes the active ones to a seek run; the transport lists them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "instruments/breakpoint.h"

namespace flipscope::app {

class Stops {
  public:
    struct Stop {
        std::string text;  // as read by Breakpoint::parse()
        bool on = true;
    };

    const std::vector<Stop>& all() const { return all_; }
    /// Adds a breakpoint, or switches a listed one on. Throws Error if this kind of lab cannot parse it.
    void add(const std::string& text, const LabInfo& info);
    /// Replaces a listed breakpoint. After an Error it is unchanged.
    void change(size_t index, const std::string& text, const LabInfo& info);
    void switch_to(size_t index, bool on) { all_.at(index).on = on; }
    void remove(size_t index) { all_.erase(all_.begin() + static_cast<ptrdiff_t>(index)); }
    /// Why this kind of lab does not stop there; empty if it does.
    static std::string refusal(const Stop& stop, const LabInfo& info);
    /// The breakpoints that are on and apply to this kind of lab.
    std::vector<Breakpoint> active(const LabInfo& info) const;

  private:
    std::vector<Stop> all_;
};

}  // namespace flipscope::app
