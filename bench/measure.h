// Measurement: contestants take turns, so that disturbances of the machine affect all of them alike, and medians are
// compared. And what all experiments share: the task, inputs, and tables that are printed and written as JSON.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "compute/context.h"
#include "geometry/point.h"
#include "lab/lab.h"

namespace flipscope::bench {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

inline double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Contestant {
    std::string name;
    /// Does the work once, waits for the device, and returns the time, ms. Uncounted work, such as restoring a start or
    /// freeing the last result, happens before or after that.
    std::function<double()> run;
    bool one_thread = false;  // of the CPU, whatever the device of others
};

/// All of the work counts.
Contestant timed(std::string name, std::function<void()> work);

struct Measurement {
    std::string name;
    std::vector<double> samples_ms;  // one per run, in order
    double cores = 0;                // processor time / wall time, with uncounted work

    double median() const;
};

struct Patience {
    double seconds = 3;  // total time for all contestants of a case
    int fewest = 3;      // minimum runs of each
    int most = 51;
    bool warm_up = true;  // one uncounted round
};

/// Takes turns (a b c a b c …) within the given patience. Warns if a contestant of one thread did not have a core to
/// itself.
std::vector<Measurement> measure(const std::vector<Contestant>& contestants, const Patience& patience);

using Settings = std::vector<std::string>;  // "name=value", as for set_parameter()

/// What every experiment is given: the options of the command line.
struct Task {
    DeviceRequest device = DeviceRequest::kAuto;  // as an experiment gets it, not kAuto
    int threads = 0;                              // 0: one per processor
    double least = 0, most = 0;                   // sizes; 0: the experiment's own
    int runs = 0;                   // or steps, or frames: exactly so many; 0: the experiment's own number
    std::vector<std::string> only;  // names of what is measured; empty: all
    uint64_t seed = 1;
    Patience patience;
    Settings settings;                  // of the lab, for every case
    std::string lattice = "2048x1024";  // size of the lattice
    bool kept = false;                  // memory is kept between runs
    bool kernels = false;  // print the time of each kernel; each launch then takes about 3 µs longer on CUDA
    bool beside = false, coloured = false;  // of frames

    bool on_cuda() const { return device == DeviceRequest::kCuda; }
    bool wants(const std::string& name) const;
    /// From the least to the most, each `factor` times the last.
    std::vector<uint64_t> sizes_by(double factor) const;
    /// `own`, or the largest size alone.
    std::vector<uint64_t> sizes(std::vector<uint64_t> own) const;
};

/// Throws Error, with the names that are known, if a word of --only is not among them.
void require_known(const std::vector<std::string>& only, const std::vector<std::string>& known);

Geometry made_points(const std::string& generator, uint64_t count, uint64_t seed);

/// With these settings, and without recording states.
std::unique_ptr<Lab> make_lab_with(const std::string& id, const Settings& settings);

/// y = intercept + slope · log2 x by least squares; NaN for fewer than two sizes.
double slope_of(const std::vector<double>& sizes, const std::vector<double>& values);
/// b of the least-squares fit t = a n^b.
double growth_exponent(const std::vector<double>& sizes, std::vector<double> times);

/// Where the time of runs went.
struct Profile {
    uint64_t runs = 0;
    double all_runs_ms = 0;
    std::vector<LabelTiming> kernels;

    /// Adds a run with the kernels that the context has timed since it was last cleared.
    void add(Context& context, double run_ms);
    /// Per run: kernels from largest to smallest, then the time outside of kernels (host work and waiting).
    Json to_json() const;
};
/// Prints Profile::to_json().
void print_kernels(const std::string& name, const Json& kernels);

/// Adds "times", {name: {median_ms, …}}, and the ratios of the medians to that of `reference`, "name/reference".
void add_times(Json& row, const std::vector<Measurement>& measured, const std::string& reference = "");

/// A table that grows on stdout while its rows become a JSON array. Its columns are the words and numbers of the first
/// row; of an object in it ("times") the medians or numbers. Lists are for the JSON alone.
class Table {
  public:
    /// `rows` must not move: its object gets no new keys while the table grows. `words`: width of columns of words.
    Table(Json& rows, const std::string& title, int words = 12);
    void add(Json row);

  private:
    Json& rows_;
    int words_;
    std::vector<std::pair<std::string, int>> columns_;  // heading, width; negative: to the left
};

}  // namespace flipscope::bench
