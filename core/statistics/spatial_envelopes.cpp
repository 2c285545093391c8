// Processes fitted to a pattern, their simulation, and the envelopes of functions of distance over simulations.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "compute/error.h"
#include "compute/on_all_cores.h"
#include "compute/portable_math.h"
#include "compute/printable.h"
#include "compute/text.h"
#include "flipscope/spatial.h"
#include "statistics/area_view.h"

namespace flipscope {

namespace {

constexpr const char* kProcesses[] = {"csr", "thomas", "matern", "hardcore"};

/// The numbers of one simulation, in order.
class Dice {
  public:
    Dice(uint64_t seed, uint64_t index) : key_(seed * 0x9E3779B97F4A7C15u + index) {}
    double number() {
        if (counter_++ % 2 == 0) pair_ = random_pair(key_, counter_ / 2);
        return counter_ % 2 ? pair_.first : pair_.second;
    }
    double normal() {  // from the middle of one of 2^52 intervals
        return portable::normal_quantile((double(static_cast<uint64_t>(number() * 0x1p52)) + 0.5) * 0x1p-52 - 0.5);
    }
    uint64_t below(uint64_t limit) { return std::min(static_cast<uint64_t>(number() * double(limit)), limit - 1); }
    /// By the arrivals of a Poisson process in time.
    uint64_t poisson(double mean) {
        uint64_t count = 0;
        for (double time = -portable::log(1 - number()); time < mean; time -= portable::log(1 - number())) ++count;
        return count;
    }

  private:
    uint64_t key_, counter_ = 0;
    RandomPair pair_{};
};

/// The integral over the part of a disc of radius 2R that two discs of radius R share (Møller and Waagepetersen 2003).
double matern_share(double z) {
    if (z >= 1) return 1;
    const double root = std::sqrt(1 - z * z);
    return 2 + ((8 * z * z - 4) * std::acos(z) - 2 * std::asin(z) + 4 * z * root * root * root - 6 * z * root) /
                   std::numbers::pi;
}

/// The minimum of a function of two numbers by Nelder and Mead's simplex (1965).
template <class Cost>
std::array<double, 2> minimum(const std::array<double, 2>& start, const Cost& cost) {
    struct Vertex {
        std::array<double, 2> at;
        double cost;
    };
    const auto made = [&](double x, double y) { return Vertex{{x, y}, cost(x, y)}; };
    std::array<Vertex, 3> simplex{made(start[0], start[1]), made(start[0] + 0.5, start[1]),
                                  made(start[0], start[1] + 0.5)};
    for (int step = 0; step < 400; ++step) {
        std::ranges::sort(simplex, {}, &Vertex::cost);
        const auto& [best, good, worst] = simplex;
        const double x = (best.at[0] + good.at[0]) / 2, y = (best.at[1] + good.at[1]) / 2;
        const auto moved = [&](double t) { return made(x + t * (worst.at[0] - x), y + t * (worst.at[1] - y)); };
        Vertex next = moved(-1);
        if (next.cost < best.cost) {
            const Vertex farther = moved(-2);
            if (farther.cost < next.cost) next = farther;
        } else if (next.cost >= good.cost) {
            next = moved(next.cost < worst.cost ? -0.5 : 0.5);
            if (next.cost >= worst.cost) {
                for (size_t i = 1; i < 3; ++i)
                    simplex[i] = made((best.at[0] + simplex[i].at[0]) / 2, (best.at[1] + simplex[i].at[1]) / 2);
                continue;
            }
        }
        simplex[2] = next;
    }
    return std::ranges::min(simplex, {}, &Vertex::cost).at;
}

/// Cells of points, to find those closer than a distance.
class CoreGrid {
  public:
    CoreGrid(const Window& window, double distance, std::span<const Point> points)
        : window_(window), least_(distance * distance) {
        const double width = std::max(distance, std::sqrt(window.area() / double(points.size() + 1)));
        columns_ = std::max<int64_t>(1, int64_t(window.width() / width));
        rows_ = std::max<int64_t>(1, int64_t(window.height() / width));
        cells_.resize(size_t(columns_ * rows_));
        for (const Point p : points) cells_[cell(p)].push_back(p);
    }
    bool is_free(Point p, Point but) const {
        const auto [column, row] = place(p);
        for (int64_t j = row - 1; j <= row + 1; ++j)
            for (int64_t i = column - 1; i <= column + 1; ++i) {
                if ((!window_.periodic_x && (i < 0 || i >= columns_)) || (!window_.periodic_y && (j < 0 || j >= rows_)))
                    continue;
                for (const Point q : cells_[size_t((j + rows_) % rows_ * columns_ + (i + columns_) % columns_)]) {
                    double x = std::fabs(p.x - q.x), y = std::fabs(p.y - q.y);
                    if (window_.periodic_x) x = std::min(x, window_.width() - x);
                    if (window_.periodic_y) y = std::min(y, window_.height() - y);
                    if (x * x + y * y < least_ && q != but) return false;
                }
            }
        return true;
    }
    void move(Point from, Point to) {
        std::vector<Point>& old = cells_[cell(from)];
        old.erase(std::ranges::find(old, from));
        cells_[cell(to)].push_back(to);
    }

  private:
    std::pair<int64_t, int64_t> place(Point p) const {
        return {
            std::clamp<int64_t>(int64_t((p.x - window_.low.x) / window_.width() * double(columns_)), 0, columns_ - 1),
            std::clamp<int64_t>(int64_t((p.y - window_.low.y) / window_.height() * double(rows_)), 0, rows_ - 1)};
    }
    size_t cell(Point p) const {
        const auto [column, row] = place(p);
        return size_t(row * columns_ + column);
    }
    Window window_;
    double least_;
    int64_t columns_, rows_;
    std::vector<std::vector<Point>> cells_;
};

/// v in [low, high) modulo the side.
double wrapped(double v, double low, double high) {
    const double side = high - low;
    v -= std::floor((v - low) / side) * side;
    return v < high ? v : low;
}

}  // namespace

const char* name_of(PointProcess process) { return kProcesses[static_cast<size_t>(process)]; }
PointProcess point_process_of(const std::string& name) {
    const auto found = std::ranges::find(kProcesses, name);
    if (found == std::end(kProcesses))
        throw Error(printable(name) + " is no point process to simulate; there are csr, thomas, matern, hardcore");
    return static_cast<PointProcess>(found - kProcesses);
}

double cluster_k(const FittedProcess& process, double r) {
    const double share = process.process == PointProcess::kThomas
                             ? 1 - std::exp(-r * r / (4 * process.scale * process.scale))
                             : matern_share(r / (2 * process.scale));
    return std::numbers::pi * r * r + share / process.parents;
}

FittedProcess fit_process(SpatialStatistics& statistics, std::span<const PointPattern> frames, PointProcess process) {
    FittedProcess fitted;
    fitted.process = process;
    if (process == PointProcess::kRandom) return fitted;
    const double size = statistics.area().area();
    double n = 0, most = 0, least = INFINITY;
    for (const PointPattern& frame : frames) {
        statistics.set_points(frame.points);
        const double count = statistics.count();
        n += count / double(frames.size());
        most = std::max(most, count);
        if (process != PointProcess::kHardCore || count < 2) continue;
        // Of n points two are at most √(2 / (√3 n / |A|)) apart, in a hexagonal lattice; near a border a little more.
        const auto distances = statistics.distances(2 * std::sqrt(size / count));
        least = std::min(least, std::ranges::min(distances.nearest) * count / (count + 1));
    }
    if (most < 2)
        throw Error(std::string(name_of(process)) +
                    ": two points or more in the study area are needed to fit a process");
    if (process == PointProcess::kHardCore) {
        fitted.scale = std::isfinite(least) ? least : 0;
        return fitted;
    }
    SpatialMeasure ripley{SpatialFunction::kK, {}};
    ripley.options.corrections = {EdgeCorrection::kTranslation};
    const SpatialCurve k = statistics.measure_mean(frames, {ripley}).front();
    const std::vector<double>& observed = k.estimates.back().values;
    const double spacing = std::sqrt(size / n);
    const auto at = [&](double log_parents, double log_scale) {
        return FittedProcess{process, std::exp(log_parents), std::exp(log_scale), n / size / std::exp(log_parents)};
    };
    const auto cost = [&](double log_parents, double log_scale) {
        const FittedProcess one = at(log_parents, log_scale);
        double sum = 0;
        for (size_t i = 0; i < observed.size(); ++i) {
            const double off = std::pow(observed[i], 0.25) - std::pow(cluster_k(one, k.radii[i]), 0.25);
            sum += off * off;
        }
        return sum;
    };
    const std::array<double, 2> found = minimum({std::log(n / size / 4), std::log(spacing)}, cost);
    fitted = at(found[0], found[1]);
    // Of points without clusters, the best fit has endless parents, or clusters wider than the window.
    constexpr double kLeastPerParent = 0.01;
    const Point low = statistics.area().low, high = statistics.area().high;
    if (!(fitted.per_parent >= kLeastPerParent && fitted.scale <= std::hypot(high.x - low.x, high.y - low.y)))
        throw Error(std::string(name_of(process)) +
                    " cannot be fitted: the points form no such clusters (the best fit has " +
                    format_short(fitted.per_parent) + " points in a cluster, and the scale " +
                    format_short(fitted.scale) + "); compare them with csr or hardcore");
    return fitted;
}

std::vector<Point> simulate(const FittedProcess& process, const StudyArea& area, std::span<const Point> pattern,
                            uint64_t seed, uint64_t index) {
    const AreaIndex index_of_area(area);
    const AreaView view = index_of_area.view();
    const Window& window = view.window;
    Dice dice(seed, index);
    std::vector<Point> points;
    CancelPoll poll;
    const auto place = [&](double margin) {
        const double x = window.periodic_x ? 0 : margin, y = window.periodic_y ? 0 : margin;
        const double u = dice.number(), v = dice.number();
        return Point{window.low.x - x + u * (window.width() + 2 * x), window.low.y - y + v * (window.height() + 2 * y)};
    };
    const auto brought_in = [&](Point p) {
        if (window.periodic_x) p.x = wrapped(p.x, window.low.x, window.high.x);
        if (window.periodic_y) p.y = wrapped(p.y, window.low.y, window.high.y);
        return p;
    };
    if (process.process == PointProcess::kRandom) {
        while (points.size() < pattern.size()) {
            poll();
            const Point p = place(0);
            if (view.contains(p)) points.push_back(p);
        }
    } else if (process.process == PointProcess::kHardCore) {
        points.assign(pattern.begin(), pattern.end());
        CoreGrid grid(window, process.scale, points);
        for (uint64_t move = 0; move < 20 * points.size(); ++move) {
            poll();
            Point& from = points[dice.below(points.size())];
            // Half of them anywhere, half nearby: dense patterns leave little room elsewhere.
            Point to = place(0);
            if (move % 2)
                to = brought_in({from.x + process.scale * dice.normal(), from.y + process.scale * dice.normal()});
            if (!view.contains(to) || !grid.is_free(to, from)) continue;
            grid.move(from, to);
            from = to;
        }
    } else {
        const bool is_thomas = process.process == PointProcess::kThomas;
        const double margin = is_thomas ? 4 * process.scale : process.scale;
        const double width = window.width() + (window.periodic_x ? 0 : 2 * margin),
                     height = window.height() + (window.periodic_y ? 0 : 2 * margin);
        for (uint64_t parents = dice.poisson(process.parents * width * height); parents > 0; --parents) {
            poll();
            const Point parent = place(margin);
            for (uint64_t left = dice.poisson(process.per_parent); left > 0; --left) {
                Point at;
                if (is_thomas) {
                    at = {process.scale * dice.normal(), process.scale * dice.normal()};
                } else {
                    const double radius = process.scale * std::sqrt(dice.number());
                    const portable::SineCosine turn = portable::sine_cosine(2 * portable::kPi * dice.number());
                    at = {radius * turn.cosine, radius * turn.sine};
                }
                const Point p = brought_in({parent.x + at.x, parent.y + at.y});
                if (view.contains(p)) points.push_back(p);
            }
        }
    }
    return points;
}

namespace {

/// The greatest deviation from the centre; NaN: none is defined.
double deviation_of(const std::vector<double>& values, const std::vector<double>& centre) {
    double most = NAN;
    for (size_t k = 0; k < values.size(); ++k)
        if (std::isfinite(values[k]) && std::isfinite(centre[k]))
            most = std::fmax(most, std::fabs(values[k] - centre[k]));
    return most;
}

SpatialEnvelope envelope_of(const SpatialCurve& curve, const std::vector<std::vector<double>>& simulated,
                            bool has_theory) {
    SpatialEnvelope made;
    made.is_of_mean = !has_theory;
    const std::vector<double>& own = curve.estimates.back().values;
    const size_t bins = curve.radii.size();
    std::vector<double> counts(bins);
    made.low.assign(bins, NAN);
    made.high.assign(bins, NAN);
    made.centre = curve.expected;
    for (size_t k = 0; k < bins; ++k) {
        double sum = 0;
        for (const std::vector<double>& one : simulated) {
            if (!std::isfinite(one[k])) continue;
            made.low[k] = std::isnan(made.low[k]) ? one[k] : std::min(made.low[k], one[k]);
            made.high[k] = std::isnan(made.high[k]) ? one[k] : std::max(made.high[k], one[k]);
            sum += one[k];
            ++counts[k];
        }
        if (!has_theory) made.centre[k] = counts[k] > 0 ? sum / counts[k] : NAN;
    }
    made.deviation = deviation_of(own, made.centre);
    made.half_width = NAN;
    double as_far = 1;
    for (const std::vector<double>& one : simulated) {
        std::vector<double> centre = made.centre;  // or the mean of the pattern and the other simulations
        for (size_t k = 0; k < bins && !has_theory; ++k) centre[k] += (own[k] - one[k]) / counts[k];
        const double deviation = deviation_of(one, centre);
        made.half_width = std::fmax(made.half_width, deviation);
        as_far += deviation >= made.deviation;
    }
    made.p_value = std::isnan(made.deviation) ? NAN : as_far / (double(simulated.size()) + 1);
    return made;
}

/// Points of a frame in the area; `ids` are places among all ids of all frames.
struct FrameInside {
    std::vector<Point> points;
    std::vector<double> marks;
    std::vector<uint32_t> ids;
};

/// Fills `ids` of frames, and returns how many there are.
uint32_t frames_inside(const StudyArea& area, std::span<const PointPattern> frames, std::vector<FrameInside>& inside) {
    const AreaIndex index(area);
    const AreaView view = index.view();
    std::vector<std::vector<int64_t>> ids;
    std::vector<int64_t> all;
    for (const PointPattern& frame : frames) {
        FrameInside& one = inside.emplace_back();
        for (size_t i = 0; i < frame.points.size(); ++i) {
            if (!view.contains(frame.points[i])) continue;
            one.points.push_back(frame.points[i]);
            if (!frame.marks.empty()) one.marks.push_back(frame.marks[i]);
            all.push_back(frame.ids.empty() ? int64_t(i) : frame.ids[i]);
        }
        ids.emplace_back(all.end() - std::ptrdiff_t(one.points.size()), all.end());
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (size_t t = 0; t < ids.size(); ++t)
        for (const int64_t id : ids[t])
            inside[t].ids.push_back(static_cast<uint32_t>(std::ranges::lower_bound(all, id) - all.begin()));
    return static_cast<uint32_t>(all.size());
}

/// By frame: each point has the mark of the point to which one permutation of all ids leads, past those that the frame
/// lacks.
std::vector<std::vector<double>> shuffled_marks(const std::vector<FrameInside>& frames, uint32_t ids, Dice dice) {
    std::vector<uint32_t> next(ids), places(ids);
    std::iota(next.begin(), next.end(), 0u);
    for (size_t i = ids; i > 1; --i) std::swap(next[i - 1], next[dice.below(i)]);
    std::vector<std::vector<double>> marks;
    for (const FrameInside& frame : frames) {
        std::ranges::fill(places, kNone);
        for (size_t i = 0; i < frame.ids.size(); ++i) places[frame.ids[i]] = static_cast<uint32_t>(i);
        marks.emplace_back();
        for (uint32_t id : frame.ids) {
            do id = next[id];
            while (places[id] == kNone);
            marks.back().push_back(frame.marks[places[id]]);
        }
    }
    return marks;
}

}  // namespace

std::vector<SpatialEnvelope> envelopes(const SpatialStatistics& statistics, std::span<const PointPattern> frames,
                                       const std::vector<SpatialMeasure>& measures,
                                       const std::vector<SpatialCurve>& curves, const EnvelopeOptions& how) {
    Context& context = statistics.context();
    const StudyArea& area = statistics.area();
    std::vector<FrameInside> inside;
    const uint32_t ids = frames_inside(area, frames, inside);
    size_t first = 0;  // number of points of the first frame with two
    for (size_t t = 0; t < inside.size() && first < 2; ++t) first = inside[t].points.size();
    const auto is_of_marks = [](const SpatialCurve& curve) { return curve.function >= SpatialFunction::kCrossK; };
    std::array<std::vector<SpatialMeasure>, 2> wanted;  // of points, and of marks
    for (size_t c = 0; c < curves.size(); ++c) {
        SpatialMeasure& one = wanted[is_of_marks(curves[c])].emplace_back(measures[c]);
        if (one.options.radii.empty()) one.options.radii = default_radii(one.function, area, first);
        one.options.corrections = {curves[c].estimates.back().correction};
        one.options.bandwidth = curves[c].bandwidth;
    }
    struct Worker {
        std::unique_ptr<Context> own;
        std::unique_ptr<SpatialStatistics> statistics;
        std::array<std::vector<SpatialCurve>, 2> curves;
    };
    const auto make = [&](Worker& worker, size_t index) {
        for (const bool of_marks : {false, true}) {
            if (wanted[of_marks].empty()) continue;
            std::vector<std::vector<double>> marks;
            std::vector<std::vector<Point>> simulated;
            std::vector<PointPattern> patterns;
            if (of_marks) marks = shuffled_marks(inside, ids, Dice(how.seed, index));
            for (size_t t = 0; t < inside.size(); ++t) {
                if (!of_marks)
                    simulated.push_back(
                        simulate(how.process, area, inside[t].points, how.seed, index * inside.size() + t));
                patterns.push_back(of_marks ? PointPattern{inside[t].points, marks[t]} : PointPattern{simulated[t]});
            }
            worker.curves[of_marks] = worker.statistics->measure_mean(patterns, wanted[of_marks]);
        }
    };
    std::vector<std::vector<std::vector<double>>> all(curves.size());  // by curve and simulation
    const auto keep = [&](Worker& worker) {
        std::array<size_t, 2> place{};
        for (size_t c = 0; c < curves.size(); ++c) {
            const bool of_marks = is_of_marks(curves[c]);
            all[c].push_back(std::move(worker.curves[of_marks][place[of_marks]++].estimates.back().values));
        }
    };
    if (context.on_cuda() || context.threads() == 1) {
        Worker worker{nullptr, std::make_unique<SpatialStatistics>(context, statistics), {}};
        for (size_t index = 0; index < how.simulations; ++index) {
            make(worker, index);
            keep(worker);
        }
    } else {
        const auto worker = [&] {
            auto own = std::make_unique<Context>(DeviceRequest::kCpu, 1);
            auto of_area = std::make_unique<SpatialStatistics>(*own, statistics);
            return Worker{std::move(own), std::move(of_area), {}};
        };
        on_all_cores_in_order(how.simulations, worker, make, keep);
    }
    std::vector<SpatialEnvelope> made;
    for (size_t c = 0; c < curves.size(); ++c)
        made.push_back(envelope_of(curves[c], all[c],
                                   curves[c].function >= SpatialFunction::kMarkConnection ||
                                       (how.process.process == PointProcess::kRandom && !is_of_marks(curves[c]))));
    return made;
}

}  // namespace flipscope
