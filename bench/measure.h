// Measurement: contestants take turns, so that disturbances of the machine affect all of them alike, and medians are
// compared. And what all experiments share: the task, points, and the choice of sections by name.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compute/context.h"
#include "geometry/point.h"

namespace flipscope::bench {

inline double ms_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}
inline double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Builds a triangulation of the same points repeatedly.
class Contestant {
  public:
    virtual ~Contestant() = default;
    virtual std::string name() const = 0;
    /// Preparation of a run; not counted as wall or processor time.
    virtual void prepare() {}
    /// Builds once and returns the time, ms. Uncounted work, such as freeing the last result, happens outside.
    virtual double run() = 0;
    /// Triangles of the last run, on which all contestants must agree; 0: it makes none.
    virtual uint64_t triangles() const { return 0; }
};

/// Any work; it must wait for the device itself.
class Work final : public Contestant {
  public:
    Work(std::string name, std::function<void()> work) : name_(std::move(name)), work_(std::move(work)) {}
    std::string name() const override { return name_; }
    double run() override {
        const auto start = std::chrono::steady_clock::now();
        work_();
        return ms_since(start);
    }

  private:
    std::string name_;
    std::function<void()> work_;
};

struct Measurement {
    std::string name;
    std::vector<double> samples_ms;  // one per run, in order
    uint64_t triangles = 0;
    double cores = 0;  // processor time / wall time; below 1 for one thread: the machine was busy
    double median() const;
    double least() const;
};

struct Patience {
    double seconds = 3;  // total time for all contestants of a case
    int fewest = 3;      // minimum runs of each
    int most = 51;
    bool warm_up = true;  // one uncounted round
};

using Settings = std::vector<std::pair<std::string, std::string>>;  // name, value as for set_parameter()

/// What every experiment is given.
struct Task {
    DeviceRequest device = DeviceRequest::kCpu;
    int threads = 0;                // 0: one per processor
    double least = 0, most = 0;     // sizes; 0: the experiment's own
    int runs = 0;                   // or steps, or frames: exactly so many; 0: the experiment's own number
    std::vector<std::string> only;  // names of what is measured; empty: all
    uint64_t seed = 1;
    Patience patience;
    Settings settings;  // of the lab, for every case

    bool on_cuda() const { return device == DeviceRequest::kCuda; }
    bool wants(const std::string& name) const;
    /// `own`, or the largest size alone.
    std::vector<uint64_t> sizes(std::vector<uint64_t> own) const;
};

/// Throws Error, with the names that are known, if a word of --only is not among them.
void require_known(const std::vector<std::string>& only, const std::vector<std::string>& known);

Geometry made_points(const std::string& generator, uint64_t count, uint64_t seed);

/// Takes turns (a b c a b c …) within the given patience.
std::vector<Measurement> measure(const std::vector<std::unique_ptr<Contestant>>& contestants, const Patience& patience);

double median(std::vector<double> values);

/// b of the least-squares fit t = a n^b; NaN for fewer than two sizes.
double growth_exponent(const std::vector<double>& sizes, const std::vector<double>& times);

}  // namespace flipscope::bench
