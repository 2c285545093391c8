// A timeline that is stepped and edited, with the state hash at each position.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "instruments/timeline.h"

namespace flipscope {

struct HashedRun {
    Timeline& timeline;
    std::vector<uint64_t> hashes;  // by position; 0: it was passed by on the way to an edit

    explicit HashedRun(Timeline& run) : timeline(run) { note(); }
    void note() {
        hashes.resize(std::max<size_t>(hashes.size(), timeline.position() + 1));
        hashes[timeline.position()] = timeline.lab().state_hash();
    }
    bool step() {
        const bool stepped = timeline.step();
        if (stepped) note();
        return stepped;
    }
    void edit(const Edit& edit) {
        timeline.edit(edit);
        note();
    }
    /// Goes to positions in any order: each has the hash that it had. Stays at the end.
    void check_everywhere(size_t times = 40) {
        const uint64_t end = timeline.known();
        REQUIRE(hashes.size() == end + 1);
        uint64_t place = 7;
        for (size_t i = 0; i <= times; ++i) {
            place = i < times ? (place * 31 + 7) % (end + 1) : end;
            REQUIRE(timeline.seek(place));
            if (hashes[place]) REQUIRE(timeline.lab().state_hash() == hashes[place]);
        }
    }
};

}  // namespace flipscope
