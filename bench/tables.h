// Shared by the tables and JSON of all experiments: numbers as text, and the distribution of our time.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/contestants.h"
#include "compute/text.h"

namespace flipscope::bench {

/// The median; "-" if it did not run.
void print_ms(const Measurement* measurement);
/// Ratio of the medians; "-" if one did not run.
void print_ratio(const Measurement* measurement, const Measurement* to);
/// nullptr if it did not run.
const Measurement* find(const std::vector<Measurement>& measurements, const std::string& name);

struct Share {
    std::string label;
    double ms, share;  // per run; share of our total time
};

/// Kernels from largest to smallest, then the time outside of kernels (host work and waiting).
std::vector<Share> shares(const Profile& profile);

struct ShareColumn {
    std::string name;
    uint64_t size = 0;
    const Profile* profile = nullptr;
};

/// In percent, side by side. `unit`: the unit of the sizes.
void print_shares(const char* title, const char* unit, const std::vector<ShareColumn>& columns);

/// {name: {median_ms, …}}, and {"ours/name": ratio of medians}; ours comes first.
nlohmann::ordered_json times_json(const std::vector<Measurement>& measurements);
nlohmann::ordered_json ratios_json(const std::vector<Measurement>& measurements);
nlohmann::ordered_json shares_json(const Profile& profile);

/// Warns if a one-threaded contestant did not have a core to itself: then no ratio is reliable.
void print_disturbance(const std::vector<const Measurement*>& one_threaded);

}  // namespace flipscope::bench
