// Measurement: contestants take turns, so that disturbances of the machine affect all of them alike, and medians are
// compared.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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
    /// Triangles of the last run; all contestants must agree.
    virtual uint64_t triangles() const = 0;
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

/// Takes turns (a b c a b c …) within the given patience.
std::vector<Measurement> measure(const std::vector<std::unique_ptr<Contestant>>& contestants, const Patience& patience);

double median(std::vector<double> values);

/// b of the least-squares fit t = a n^b; NaN for fewer than two sizes.
double growth_exponent(const std::vector<double>& sizes, const std::vector<double>& times);

}  // namespace flipscope::bench
