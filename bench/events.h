// The benchmark of the Events lab, after Bernaschi, Lulli and Sbragaglia (2016, section IV): the time from a field to
// events, pass by pass, and the share that comparing every so many steps adds to a running source.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/contestants.h"
#include "bench/measure.h"

namespace flipscope::bench {

struct EventsPlan {
    DeviceRequest device = DeviceRequest::kCpu;  // kCpu or kCuda
    int threads = 0;
    int width = 2048, height = 1024;  // the paper's lattice
    int bubbles = 2000;               // approximately its number of droplets
    int interval = 100;               // steps between comparisons
    int comparisons = 30;             // of each run
    std::vector<std::string> only;    // sources; empty: bubbles and channel
    Settings settings;                // of the lab, for every case
};

/// Runs the lab on each source, prints where the time of a comparison went, and adds the numbers to `json`. Returns
/// false if a run's check fails. Throws Error for an unknown source.
bool run_events(const EventsPlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
