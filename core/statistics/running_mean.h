// The mean of numbers and its standard error (Welford 1962).
#pragma once

#include <cmath>

namespace flipscope {

class RunningMean {
  public:
    /// Leaves out what is not finite.
    void add(double value) {
        if (!std::isfinite(value)) return;
        const double off = value - mean_;
        mean_ += off / ++count_;
        squares_ += off * (value - mean_);
    }
    double mean() const { return count_ > 0 ? mean_ : NAN; }  // NaN: of no number
    double error() const { return count_ > 1 ? std::sqrt(squares_ / (count_ - 1) / count_) : NAN; }

  private:
    double count_ = 0, mean_ = 0, squares_ = 0;
};

}  // namespace flipscope
