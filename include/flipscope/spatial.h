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
    kCentredL,         // L - r, world units
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

/// "K", "L", "L-r", "g", "G", "F", "J", "cross-K", "cross-g", "mark-connection", "mark-correlation".
const char* name_of(SpatialFunction function);
/// "none", "border", "translation", "isotropic", "kaplan-meier", "hanisch".
const char* name_of(EdgeCorrection correction);
/// Throw Error for an unknown name, with those that exist.
SpatialFunction spatial_function_of(const std::string& name);
EdgeCorrection edge_correction_of(const std::string& name);
/// The corrections of a function, the best last. A torus has no border: kNone alone.
std::vector<EdgeCorrection> corrections_of(SpatialFunction function, const StudyArea& area);

/// A view of points, or of one frame of points over time.
struct PointPattern {
    std::span<const Point> points;       // (n) world units
    std::span<const double> marks = {};  // (n) numbers, or indices of categories; NaN: without; empty: none
    std::span<const int64_t> ids = {};   // (n) the same point's in all frames, unique in each; empty: 0, 1, …
};

struct SpatialOptions {
    std::vector<double> radii = {};                // ascending, world units; empty: default_radii()
    std::vector<EdgeCorrection> corrections = {};  // those that a function lacks are left out; empty: all
    double bandwidth = 0;                          // half-width of g's kernel, world units; 0: 0.15 / √intensity
    bool divide_by_distance = false;               // in g, by the distance of the pair, not by r
    bool bins = false;                             // g from plain bins between the radii, at their middles
    uint32_t places = 128;                         // of F, along each side of the bounds
    double from = 0, to = 1;                       // categories of cross functions
};
struct SpatialMeasure {
    SpatialFunction function = SpatialFunction::kL;
    SpatialOptions options = {};
};

struct SpatialCurve {
    SpatialFunction function = SpatialFunction::kK;
    std::vector<double> radii = {};     // world units
    std::vector<double> expected = {};  // for a Poisson process, or independent marks
    struct Estimate {
        EdgeCorrection correction;
        std::vector<double> values;       // NaN: not defined
        std::vector<double> errors = {};  // of a mean of frames: its standard error, if they are independent
    };
    std::vector<Estimate> estimates = {};
    double bandwidth = 0;  // of g
    uint64_t count = 0;    // points in the area, of all frames
};

/// 513 radii from 0 to min(√(1000/πλ), shorter side / 4), or for G, F and J to √(ln 10⁵/πλ): the rule of spatstat.
std::vector<double> default_radii(SpatialFunction function, const StudyArea& area, uint64_t points);

class PointGrid;

/// Measures one pattern after another in one area.
class SpatialStatistics {
  public:
    /// Throws Error for an area without interior.
    SpatialStatistics(Context& context, const StudyArea& area);
    /// Of the area of another, whose table of the set covariance it shares; both contexts are of the same memory.
    SpatialStatistics(Context& context, const SpatialStatistics& like);
    ~SpatialStatistics();
    /// Points outside the area, and NaN, are left out. `marks`: as in PointPattern.
    void set_points(std::span<const Point> points, std::span<const double> marks = {});
    /// The same in the memory of the device, without marks.
    void set_points(View<const Point> points);
    Context& context() const;
    uint32_t count() const;  // points in the area
    const StudyArea& area() const;
    const PointGrid& grid() const;  // of the points in the area
    /// Throws Error for radii that do not ascend, or reach beyond half a periodic side, and for missing marks. Values
    /// are NaN for fewer than two points. Waits.
    SpatialCurve measure(SpatialFunction function, const SpatialOptions& options);
    /// The means of measure() over the frames, one or more, that define a value, at the radii and with the bandwidth of
    /// the first one with two points. Leaves the points of the last one.
    std::vector<SpatialCurve> measure_mean(std::span<const PointPattern> frames, std::vector<SpatialMeasure> measures);
    /// Distances to the nearest other point and to the border; INFINITY: none within `reach`. In a fixed order.
    struct Distances {
        std::vector<double> nearest, border;  // (count()) world units
    };
    Distances distances(double reach);
    /// The directions of the lines of pairs at distances in (from, to], world units, in equal bins from 0° to 180°:
    /// sums of translation weights (Stoyan and Stoyan 1994). Throws Error for distances that do not ascend.
    std::vector<double> directions(double from, double to, uint32_t bins = 36);
    /// Those of points and their nearest neighbours: how many lie in each bin, without points nearer to the border.
    std::vector<double> nearest_directions(uint32_t bins = 36);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

enum class PointProcess : uint8_t { kRandom, kThomas, kMaternCluster, kHardCore };

/// "csr", "thomas", "matern", "hardcore".
const char* name_of(PointProcess process);
PointProcess point_process_of(const std::string& name);

/// A process to simulate patterns of. World units.
struct FittedProcess {
    PointProcess process = PointProcess::kRandom;
    double parents = 0;     // of a cluster process: parents per area
    double scale = 0;       // standard deviation of a cluster (Thomas), its radius (Matérn), or the hard-core distance
    double per_parent = 0;  // points of a cluster, on average
};
/// Thomas and Matérn clusters: the least ∫ (K̂^¼ - K^¼)² dr over the default radii (Diggle and Gratton 1984). Hard core:
/// the least distance of two points times n / (n + 1). Of several frames: of their mean K and number, or the least.
/// Throws Error for fewer than two points, and for clusters of less than a hundredth of a point, or wider than the
/// area: the points have none.
FittedProcess fit_process(SpatialStatistics& statistics, std::span<const PointPattern> frames, PointProcess process);
/// K of a fitted cluster process.
double cluster_k(const FittedProcess& process, double r);
/// Pattern number `index` of a process in an area, as many points as `pattern` (of a cluster process, so many on
/// average). A hard-core process starts from `pattern` and moves each point twenty times, by Metropolis' rule.
std::vector<Point> simulate(const FittedProcess& process, const StudyArea& area, std::span<const Point> pattern,
                            uint64_t seed, uint64_t index);

struct SpatialEnvelope {
    std::vector<double> low, high;  // pointwise: the least and the greatest of the simulations
    std::vector<double> centre;  // the expectation of random points, of independent marks for their two functions, or
    bool is_of_mean = false;     // … the mean of the simulations
    double half_width = 0;  // of the global envelope about the centre: the greatest deviation of a simulation; from
                            // the mean of all others (Baddeley et al. 2014)
    double deviation = 0;   // the greatest deviation of the pattern from the centre
    double p_value = 1;     // of it, among the simulations (maximum absolute deviation; Diggle 1979)
};
struct EnvelopeOptions {
    uint32_t simulations = 99;
    uint64_t seed = 1;
    FittedProcess process = {};
};
/// Envelopes of the curves that `statistics` measured of `frames`, of their last correction. Functions of marks are of
/// the same points with shuffled marks (random labelling), by one permutation of the ids in all frames; other functions
/// are of patterns that are simulated for each frame. Runs on all cores, or on the CUDA device of the context; the
/// result is the same for any number of threads.
std::vector<SpatialEnvelope> envelopes(const SpatialStatistics& statistics, std::span<const PointPattern> frames,
                                       const std::vector<SpatialMeasure>& measures,
                                       const std::vector<SpatialCurve>& curves, const EnvelopeOptions& how);

/// χ² of the counts in quadrats of equal sides, clipped to the area, over their expectations by their exact areas
/// (Pearson 1900). `p_value`: two-sided, twice the smaller tail.
struct QuadratTest {
    double statistic = 0, p_value = 1;
    uint32_t freedom = 0;  // quadrats with area, less 1
};
QuadratTest quadrat_test(const StudyArea& area, std::span<const Point> points, uint32_t columns, uint32_t rows);

/// The mean distance to the nearest point over its expectation 1 / (2√λ): below 1 for clusters (Clark and Evans 1954).
struct ClarkEvans {
    double ratio = 0;           // without correction; exact on a torus
    double donnelly = 0;        // corrected for the border of a rectangle (Donnelly 1978); NaN: not defined
    double cdf = 0;             // from the Kaplan–Meier estimate of G
    double z = 0, p_value = 1;  // of `ratio`; two-sided
};
ClarkEvans clark_evans(SpatialStatistics& statistics);

/// Moran's I of numbers on the Delaunay graph, with weights of 1, and its mean and variance if all permutations of the
/// numbers are equally likely (Cliff and Ord 1981).
struct MoranTest {
    double i = 0, expected = 0, variance = 0, z = 0, p_value = 1;  // two-sided
    uint64_t edges = 0;
};
/// `values`: one for each point; NaN: the point is left out. Throws Error for fewer than four points with a value.
MoranTest moran_test(Context& context, std::span<const Point> points, std::span<const double> values);

/// Of tests of independent patterns, such as frames that lie far apart in time, one or more: the sums of χ²,
/// freedom and edges, or means, with the variance of the mean and z = Σz / √frames. Tests without a value are left out.
QuadratTest combined(std::span<const QuadratTest> tests);
ClarkEvans combined(std::vector<ClarkEvans> tests);
MoranTest combined(std::vector<MoranTest> tests);

/// A Gaussian kernel estimate of the intensity at the middles of a lattice over the bounds, from counts in its pixels,
/// divided by the share of the kernel within the area at the place (uniform), or for each point (Diggle 1985).
struct IntensityMap {
    uint32_t columns = 0, rows = 0;
    double bandwidth = 0;        // standard deviation of the kernel, world units
    std::vector<double> values;  // (rows, columns) upward; points per area; NaN outside
    Point low = {}, size = {};   // the corner of the lattice, and the sides of a pixel; world units
};
IntensityMap intensity_map(const StudyArea& area, std::span<const Point> points, double bandwidth, bool diggle = false,
                           uint32_t side = 128);
enum class BandwidthRule : uint8_t { kScott, kDiggle, kLikelihood };
/// Scott's rule (1992), the cross-validations of Berman and Diggle (1989), or of the likelihood (Loader 1999).
double bandwidth_of(SpatialStatistics& statistics, std::span<const Point> points, BandwidthRule rule);

}  // namespace flipscope
