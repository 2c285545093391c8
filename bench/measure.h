// How the benchmark measures: contestants take turns, so that whatever the machine does meanwhile hits all of them
// alike, and medians are compared.
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

/// Something that builds a triangulation of the same points again and again.
class Contestant {
  public:
    virtual ~Contestant() = default;
    virtual std::string name() const = 0;
    /// What comes before a run and is not to be counted, neither its time nor its processor time.
    virtual void prepare() {}
    /// Builds once; how long that took, ms. What is not to be counted (freeing the last result) happens outside of it.
    virtual double run() = 0;
    /// Triangles of the last run: all contestants must agree.
    virtual uint64_t triangles() const = 0;
};

struct Measurement {
    std::string name;
    std::vector<double> samples_ms;  // one a run, in order
    uint64_t triangles = 0;
    double cores = 0;  // processor time over wall time: below 1 for one thread, others were using the machine
    double median() const;
    double least() const;
};

struct Patience {
    double seconds = 3;  // of measuring, for all contestants of one case together
    int fewest = 3;      // runs of each
    int most = 51;
    bool warm_up = true;  // one round that does not count
};

/// In turns (a b c a b c …) until patience is out.
std::vector<Measurement> measure(const std::vector<std::unique_ptr<Contestant>>& contestants, const Patience& patience);

double median(std::vector<double> values);

/// b of the least-squares fit t = a n^b; NaN for fewer than two sizes.
double growth_exponent(const std::vector<double>& sizes, const std::vector<double>& times);

}  // namespace flipscope::bench
