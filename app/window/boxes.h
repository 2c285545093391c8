// Named boxes of what a frame drew. The status reports them to scripts and tests that drive the window.
#pragma once

#include <map>
#include <string>

#include "app/figures/box.h"

namespace flipscope::app {

class Boxes {
  public:
    struct Entry {
        Box box;           // screen coordinates
        std::string text;  // as written there; empty: not recorded
    };
    /// "button/play", "link/17"; a second box of the same name becomes "link/17#2".
    void add(const std::string& name, const Box& box, const std::string& text = {}) {
        std::string key = name;
        for (int i = 2; !all_.try_emplace(key, Entry{box, text}).second; ++i) key = name + "#" + std::to_string(i);
    }
    const std::map<std::string, Entry>& all() const { return all_; }

  private:
    std::map<std::string, Entry> all_;
};

}  // namespace flipscope::app
