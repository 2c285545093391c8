// Spatial statistics of a point pattern in a study area: functions of distance with their border corrections, random
// expectations and simulation envelopes, tests of randomness, and the intensity. docs/spatial.md has the formulas and
// their sources. Counts are integers and weights are in fixed point, so that all results are the same bits on every
// device and for any number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flipscope/context.h"
#include "flipscope/point.h"
#include "flipscope/study_area.h"
#include "flipscope/view.h"

namespace flipscope {

enum class SpatialFunction : uint8_t {
    kK,                // Ripley's K(r), world units squared
    kL,                // √(K/π), world units
    kPairCorrelation,  // g(r)
    kNearest,          // G(r): the share of points with a neighbour within r
    kEmptySpace,       // F(r): the share of places with a point within r
    kJ,                // (1 - G) / (1 - F)
    kCrossK,           // K of points of category `from` to points of category `to`
    kCrossCorrelation,
    kMarkConnection,   // p_ij(r): of pairs at distance r, the share from category i to category j
    kMarkCorrelation,  // k_mm(r): the mean product of the numbers of pairs at distance r, over the squared mean
};
enum class EdgeCorrection : uint8_t { kNone, kBorder, kTranslation, kIsotropic, kKaplanMeier, kHanisch };

/// "K", "L", "g", "G", "F", "J", "cross-K", "cross-g", "mark-connection", "mark-correlation".
const char* name_of(SpatialFunction function);
/// "none", "border", "translation", "isotropic", "kaplan-meier", "hanisch".
const char* name_of(EdgeCorrection correction);
/// Throw Error for an unknown name, with those that exist.
SpatialFunction spatial_function_of(const std::string& name);
EdgeCorrection edge_correction_of(const std::string& name);
/// The corrections of a function, the best last. A torus has no border: kNone alone.
std::vector<EdgeCorrection> corrections_of(SpatialFunction function, const StudyArea& area);

struct SpatialOptions {
    std::vector<double> radii = {};                // ascending, world units; empty: default_radii()
    std::vector<EdgeCorrection> corrections = {};  // those that a function lacks are left out; empty: all
    double bandwidth = 0;                          // half-width of g's kernel, world units; 0: 0.15 / √intensity
    bool divide_by_distance = false;               // in g, by the distance of the pair, not by r
    bool bins = false;                             // g from plain bins between the radii, at their middles
    uint32_t places = 128;                         // of F, along each side of the bounds
    std::vector<double> marks = {};                // (n) numbers, or indices of categories; NaN: without
    double from = 0, to = 1;                       // categories of cross functions
};

struct SpatialCurve {
    SpatialFunction function = SpatialFunction::kK;
    std::vector<double> radii;     // world units
    std::vector<double> expected;  // for a Poisson process, or independent marks
    struct Estimate {
        EdgeCorrection correction;
        std::vector<double> values;  // NaN: not defined
    };
    std::vector<Estimate> estimates;
    double bandwidth = 0;  // of g
};

/// 513 radii from 0 to min(√(1000/πλ), shorter side / 4), or for G, F and J to √(ln 10⁵/πλ): the rule of spatstat.
std::vector<double> default_radii(SpatialFunction function, const StudyArea& area, uint64_t points);

/// Measures one pattern after another in one area.
class SpatialStatistics {
  public:
    /// Throws Error for an area without interior.
    SpatialStatistics(Context& context, const StudyArea& area);
    ~SpatialStatistics();
    /// Points outside the area, and NaN, are left out.
    void set_points(std::span<const Point> points);
    /// The same in the memory of the device.
    void set_points(View<const Point> points);
    uint32_t count() const;  // points in the area
    const StudyArea& area() const;
    /// Throws Error for radii that do not ascend, or reach beyond half a periodic side, and for missing marks. Values
    /// are NaN for fewer than two points. Waits.
    SpatialCurve measure(SpatialFunction function, const SpatialOptions& options);
    /// Distances to the nearest other point and to the border; INFINITY: none within `reach`. In a fixed order.
    struct Distances {
        std::vector<double> nearest, border;  // (count()) world units
    };
    Distances distances(double reach);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace flipscope
