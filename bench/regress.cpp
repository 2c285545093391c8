#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>

#include "app/base/child_process.h"
#include "bench/experiments.h"
#include "compute/error.h"
#include "statistics/summary.h"

namespace flipscope::bench {

namespace {

namespace fs = std::filesystem;

constexpr double kLeastNoise = 0.02;  // a few turns can agree by chance

/// Times by the cases they belong to, "uniform 1000000", and their columns, "strips ms".
using Times = std::vector<std::pair<std::pair<std::string, std::string>, double>>;

/// All times below a value. The words and whole numbers in front of a case's times name it.
void collect(const Json& value, std::string row, const std::string& key, Times& times) {
    if (value.is_object())
        for (const auto& [name, one] : value.items()) {
            if (name == "complaints" || name == "kernels") continue;
            if (one.is_number() && (name == "median_ms" || name == "ms_per_step"))
                times.push_back({{row, name == "median_ms" ? key + " ms" : name}, one});
            if (one.is_string() || one.is_number_unsigned()) {
                if (!row.empty()) row += ' ';
                row += one.is_string() ? one.get<std::string>() : one.dump();
            }
            if (one.is_structured()) collect(one, row, name, times);
        }
    if (value.is_array())
        for (const Json& one : value) collect(one, row, key, times);
}

Times run_once(const std::string& program, const std::vector<std::string>& options) {
    const app::ScratchFolder folder;
    std::vector<std::string> words{program};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--json", "times.json"});
    app::ChildProcess child(words, folder.path(), folder.path() / "errors");
    child.wait();
    if (child.signal() != 0 || child.exit_status() != 0)
        throw Error(program + ": failed with status " + std::to_string(child.exit_status()) + ": " +
                    child.last_output());
    std::ifstream file(folder.path() / "times.json");
    Json json = Json::parse(file);
    for (const char* const word : {"version", "seed", "settings", "peer", "device_name", "threads"}) json.erase(word);
    Times times;
    collect(json, "", "", times);
    return times;
}

/// The greatest distance between two turns, as a share of the median.
double spread_of(const std::vector<double>& turns) {
    const auto [least, most] = std::minmax_element(turns.begin(), turns.end());
    return (*most - *least) / median_of(turns);
}

}  // namespace

bool compare_builds(const std::string& other, const std::vector<std::string>& options, int turns, Json& json) {
    const std::string programs[2] = {fs::read_symlink("/proc/self/exe"), fs::absolute(other)};
    Times first;  // for the order of the rows
    std::map<std::pair<std::string, std::string>, std::vector<double>> all[2];
    for (int turn = 0; turn < turns; ++turn)
        for (int k = 0; k < 2; ++k) {
            const int side = (turn + k) % 2;  // each goes first in every second turn
            const Times times = run_once(programs[side], options);
            if (first.empty()) first = times;
            for (const auto& [place, ms] : times) all[side][place].push_back(ms);
        }
    Table table(json["compared"], "Medians of " + std::to_string(turns) + " turns, ms; noise: the spread between turns",
                24);
    bool as_fast = true;
    for (const auto& [place, unused] : first) {
        const std::vector<double>&mine = all[0][place], &theirs = all[1][place];
        if (mine.empty() || theirs.empty()) continue;  // only one of the builds measures it
        const double ratio = median_of(mine) / median_of(theirs);
        const double noise = std::max({spread_of(mine), spread_of(theirs), kLeastNoise});
        const bool slower = ratio > 1 + noise, faster = ratio < 1 / (1 + noise);
        as_fast &= !slower;
        table.add({{"case", place.first},
                   {"column", place.second},
                   {"this", median_of(mine)},
                   {"other", median_of(theirs)},
                   {"this/other", ratio},
                   {"noise", noise},
                   {"result", slower   ? "slower"
                              : faster ? "faster"
                                       : "same"}});
    }
    if (json["compared"].empty()) throw Error("--regress: nothing that both builds time");
    return as_fast;
}

}  // namespace flipscope::bench
