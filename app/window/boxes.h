// Where things were drawn in a frame, by name, for scripts and tests that drive the window: only its status reads this.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "app/figures/box.h"

namespace flipscope::app {

class Boxes {
  public:
    struct Entry {
        Box box;           // screen coordinates
        std::string text;  // as it is written there; empty: it is not kept
    };
    /// "button/play", "link/17"; a second one of the same name is "link/17#2".
    void add(const std::string& name, const Box& box, const std::string& text = {}) {
        std::string key = name;
        for (int i = 2; !all_.try_emplace(key, Entry{box, text}).second; ++i) key = name + "#" + std::to_string(i);
    }
    const std::map<std::string, Entry>& all() const { return all_; }

  private:
    std::map<std::string, Entry> all_;
};

}  // namespace flipscope::app
