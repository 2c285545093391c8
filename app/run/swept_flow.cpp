#include "app/run/swept_flow.h"

#include <algorithm>
#include <cmath>

#include "app/base/number_text.h"

namespace flipscope::app {

namespace {

constexpr int kFittedPlaces = 200;

std::string value_and_error(double value, double error) {
    return value_text(value) + (std::isnan(error) ? "" : " ± " + value_text(error));
}

}  // namespace

void SweptFlow::add(const std::string& run, const Properties& results) {
    const std::string local = results.find("shear rate") ? "" : "local ";
    const auto number = [&](const std::string& name) {
        const Property* found = results.find(local + name);
        return found ? found->value.number() : std::nan("");
    };
    const Swept swept{
        run, {number("shear rate"), number("shear stress"), number("shear rate error"), number("shear stress error")}};
    if (!std::isfinite(swept.point.rate) || !std::isfinite(swept.point.stress)) return;
    const auto unit = [&](const char* name) {
        const std::string& text = results.find(local + name)->value.unit;
        return " (" + text.substr(0, text.find(',')) + ")";
    };
    rate_unit_ = unit("shear rate"), stress_unit_ = unit("shear stress");
    if (!(swept.point.rate > 0)) return left_out_.push_back(run);
    points_.insert(
        std::ranges::upper_bound(points_, swept.point.rate, {}, [](const Swept& one) { return one.point.rate; }),
        swept);
}

std::optional<HerschelBulkley> SweptFlow::fit() const {
    std::vector<FlowCurvePoint> points;
    for (const Swept& one : points_) points.push_back(one.point);
    return fit_herschel_bulkley(points);
}

RunCurves SweptFlow::curves() const {
    PlottedCurve measured;
    measured.name = kFlowCurve;
    measured.sentence = "The shear stress over the shear rate of each run, with standard errors from block averages.";
    measured.label = "runs";
    measured.x_name = "shear rate" + rate_unit_, measured.y_name = "shear stress" + stress_unit_;
    if (!points_.empty()) measured.high = points_.back().point.rate;
    PlottedCurve fitted = measured;
    measured.points = true;
    for (const auto& [run, point] : points_) {
        measured.x.push_back(point.rate), measured.y.push_back(point.stress);
        measured.errors.push_back(point.stress_error);
    }
    RunCurves curves{"", {std::move(measured)}, {}};
    const std::optional<HerschelBulkley> law = fit();
    if (!law) return curves;
    fitted.sentence = "The Herschel–Bulkley law fitted to the runs.";
    fitted.label = "Σ_y + K γ̇ⁿ: Σ_y = " + value_and_error(law->yield_stress, law->yield_stress_error) +
                   ", K = " + value_and_error(law->consistency, law->consistency_error) +
                   ", n = " + value_and_error(law->exponent, law->exponent_error) + ", residual " +
                   value_text(law->residual);
    for (int i = 0; i <= kFittedPlaces; ++i) {
        fitted.x.push_back(fitted.high * i / kFittedPlaces);
        fitted.y.push_back(law->stress(fitted.x.back()));
    }
    curves.own.push_back(std::move(fitted));
    return curves;
}

Json SweptFlow::json() const {
    Json points = Json::array();
    for (const auto& [run, point] : points_)
        points.push_back({{"run", run},
                          {"shear_rate", point.rate},
                          {"shear_rate_error", point.rate_error},
                          {"shear_stress", point.stress},
                          {"shear_stress_error", point.stress_error}});
    Json json{{"points", points}, {"left_out", left_out_}, {"law", "yield_stress + consistency * shear_rate^exponent"}};
    const std::optional<HerschelBulkley> law = fit();
    json["fit"] = !law ? Json()
                       : Json{{"yield_stress", law->yield_stress},
                              {"yield_stress_error", law->yield_stress_error},
                              {"consistency", law->consistency},
                              {"consistency_error", law->consistency_error},
                              {"exponent", law->exponent},
                              {"exponent_error", law->exponent_error},
                              {"residual", law->residual},
                              {"chi_squared", law->chi_squared},
                              {"points", law->points}};
    return json;
}

}  // namespace flipscope::app
