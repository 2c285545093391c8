// The flow curve of a sweep: the shear stress over the shear rate of its runs, with the law fitted to them. Reads the
// runs' results; knows no lab.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/run/overlay.h"
#include "app/run/report_json.h"
#include "statistics/herschel_bulkley.h"

namespace flipscope::app {

inline constexpr const char* kFlowCurve = "flow curve";

class SweptFlow {
  public:
    /// Reads "shear rate", "shear stress" and their errors from the results of a run, or else "local shear rate" and so
    /// on, if it has them.
    void add(const std::string& run, const Properties& results);
    /// No run has them.
    bool empty() const { return points_.empty() && left_out_.empty(); }
    /// Curves of the name kFlowCurve: the points with their errors, and the fit, if there is one.
    RunCurves curves() const;
    /// "points", "left_out" (runs without a positive shear rate), "law" and "fit", null without one.
    Json json() const;

  private:
    struct Swept {
        std::string run;
        FlowCurvePoint point;
    };
    std::optional<HerschelBulkley> fit() const;

    std::vector<Swept> points_;  // by rate
    std::vector<std::string> left_out_;
    std::string rate_unit_, stress_unit_;
};

}  // namespace flipscope::app
