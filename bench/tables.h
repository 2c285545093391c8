// What the tables and the JSON of all experiments have in common: numbers as text, and where the time of ours went.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/contestants.h"

namespace flipscope::bench {

/// "1,234,567".
std::string grouped(uint64_t number);

/// The median, or "-" for one that did not run.
void print_ms(const Measurement* measurement);
/// Of the medians; "-" for one that did not run.
void print_ratio(const Measurement* measurement, const Measurement* to);
/// Nothing for one that did not run.
const Measurement* find(const std::vector<Measurement>& measurements, const std::string& name);

struct Share {
    std::string label;
    double ms, share;  // a run; of the whole time of ours
};

/// Of each kernel, the largest first, and what no kernel accounts for (host work and waiting) at the end.
std::vector<Share> shares(const Profile& profile);

struct ShareColumn {
    std::string name;
    uint64_t size = 0;
    const Profile* profile = nullptr;
};

/// In percent, side by side. `unit`: what the sizes count.
void print_shares(const char* title, const char* unit, const std::vector<ShareColumn>& columns);

/// {name: {median_ms, …}}, and {"ours/name": ratio of medians}; ours is the first.
nlohmann::ordered_json times_json(const std::vector<Measurement>& measurements);
nlohmann::ordered_json ratios_json(const std::vector<Measurement>& measurements);
nlohmann::ordered_json shares_json(const Profile& profile);

/// A warning when one of them, which has one thread, did not get a core to itself: then no ratio can be trusted.
void print_disturbance(const std::vector<const Measurement*>& one_threaded);

}  // namespace flipscope::bench
