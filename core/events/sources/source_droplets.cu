#include "events/sources/source_droplets.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "compute/error.h"
#include "compute/launch.h"
#include "compute/random.h"
#include "compute/work.h"
#include "events/sources/source_droplet_kernels.h"
#include "events/sources/source_parts.h"
#include "geometry/bounds.h"

namespace flipscope {

using namespace droplets;

namespace {

constexpr int kSettling = 200;     // steps without flow before the first frame
constexpr uint32_t kSampled = 10;  // steps between samples of the profile
constexpr double kPi = 3.14159265358979;

enum RandomUse : uint64_t { kRadius = 1, kJitter, kLeaveOut };

RandomPair random_of(int seed, RandomUse use, uint64_t index) {
    return random_pair(static_cast<uint32_t>(seed) | use << 32, index);
}

Cells cells_of(const Lattice& lattice, uint32_t nx, uint32_t ny, View<uint64_t> heads, View<uint32_t> next) {
    return {nx, ny, nx / double(lattice.width), ny / double(lattice.height), lattice.periodic, heads, next};
}

}  // namespace

Droplets::Droplets(Context& context, const SourceParameters& parameters, const std::vector<Point>& start,
                   bool carried) {
    const size_t count = start.empty() ? static_cast<size_t>(std::max(1, parameters.count)) : start.size();
    build_vessel(parameters, count);
    build_flow(parameters);
    choose_radii(parameters, count);
    const double gap = vessel_.post_pitch - 2 * vessel_.post_half;
    vessel_.keeps_wide_out = carried && vessel_.posts > 0;
    if (vessel_.keeps_wide_out && gap < 2 * largest_ && notes_.empty())
        notes_.push_back({SourceNote::Kind::kWideDroplets, 0, gap});

    if (vessel_.walled_x || vessel_.walled_y) {
        std::vector<uint8_t> blocked(vessel_.lattice.pixel_count());
        CancelPoll poll;
        for (uint32_t pixel = 0; pixel < blocked.size(); ++pixel) {
            poll();
            blocked[pixel] = vessel_.blocked(vessel_.lattice.place(pixel));
        }
        obstacles_.upload(context, blocked.data(), blocked.size());
    }
    const double shape = Tiles{tile_, 1, std::min(kHalfInterface, float(0.25 * radius_))}.reach(largest_) + 0.5 * tile_;
    const double cell = std::max(2 * largest_, shape);
    cells_x_ = std::max(1u, static_cast<uint32_t>(vessel_.lattice.width / cell));
    cells_y_ = std::max(1u, static_cast<uint32_t>(vessel_.lattice.height / cell));
    const size_t cells = size_t(cells_x_) * cells_y_;
    heads_.resize(context, cells);
    other_heads_.resize(context, cells);
    next_.resize(context, count);
    other_next_.resize(context, count);
    moved_.resize(context, count);
    radii_.upload(context, given_radii_.data(), count);
    record_.reset(context, kSampled, static_cast<uint64_t>(std::max(0, parameters.warmup)),
                  static_cast<uint64_t>(std::max(0, parameters.mean_window)));

    place(context, start.empty() ? arranged(parameters, count) : fitted(start));
    for (int k = 0; k < kSettling; ++k) move(context, Flow{}, {});
    paint(context);
}

/// Walls are as thick as a droplet's radius. Where a gap between droplets is wider, cells reach through a wall but are
/// not linked, because the lattice has the wall as an obstacle.
void Droplets::build_vessel(const SourceParameters& parameters, size_t count) {
    const bool cut = parameters.kind == SourceParameters::kShear || parameters.kind == SourceParameters::kChannel;
    SourceParameters of_lattice = parameters;
    if (cut) of_lattice.periodic = true;
    Lattice& lattice = vessel_.lattice = checked_lattice(of_lattice);
    if (std::min(lattice.width, lattice.height) < 32)
        throw Error("droplets need a lattice of 32 × 32 pixels or more, and this one has " + size_text(lattice));
    vessel_.low_x = vessel_.low_y = -0.5;
    vessel_.high_x = lattice.width - 0.5, vessel_.high_y = lattice.height - 0.5;
    const double radius = std::sqrt(double(lattice.width) * lattice.height / (kPi * static_cast<double>(count)));
    const double thickness = std::clamp(std::round(radius), 3.0, std::min(lattice.width, lattice.height) / 10.0);
    if (parameters.kind == SourceParameters::kShear) {
        vessel_.walled_y = lattice.walled_y = true;
        vessel_.low_y += std::floor(thickness);
    } else if (parameters.kind == SourceParameters::kChannel) {
        vessel_.walled_x = lattice.walled_x = true;
        vessel_.low_x += std::floor(thickness);
        vessel_.posts = static_cast<uint32_t>(std::max(0, parameters.posts));
        vessel_.post_depth = std::round(parameters.post_height * (vessel_.high_x - vessel_.low_x));
        if (vessel_.post_depth < 1) vessel_.posts = 0;
        vessel_.posts_on_both = parameters.posts_on_both;
        if (vessel_.posts_on_both && vessel_.posts > 0 && 2 * vessel_.post_depth >= vessel_.high_x - vessel_.low_x)
            throw Error(
                "posts on both walls would meet in the middle; take a smaller obstacle_height_fraction, below "
                "a half");
        if (vessel_.posts > 0) {
            vessel_.post_pitch = lattice.height / double(vessel_.posts);
            vessel_.post_half = 0.5 * parameters.post_width * vessel_.post_pitch;
        }
        note_posts(parameters);
    } else {
        vessel_.walled_x = !lattice.periodic.x;
        vessel_.walled_y = !lattice.periodic.y;
    }
}

/// Adds notes on posts that differ from the request.
void Droplets::note_posts(const SourceParameters& parameters) {
    if (parameters.posts <= 0) return;
    const double post = 2 * vessel_.post_half, gap = vessel_.post_pitch - post;
    if (vessel_.posts == 0)
        notes_.push_back({SourceNote::Kind::kNoPosts, parameters.post_height});
    else if (post < 1 || gap < 1)
        notes_.push_back({post < 1 ? SourceNote::Kind::kNarrowPosts : SourceNote::Kind::kNarrowGaps,
                          double(parameters.posts), std::min(post, gap)});
}

void Droplets::build_flow(const SourceParameters& parameters) {
    flow_.low_x = vessel_.low_x, flow_.high_x = vessel_.high_x;
    flow_.low_y = vessel_.low_y, flow_.high_y = vessel_.high_y;
    flow_.speed = 1;
    if (parameters.kind == SourceParameters::kShear) {
        flow_.kind = Flow::Kind::kShear;
    } else if (parameters.kind == SourceParameters::kChannel) {
        flow_.kind = Flow::Kind::kChannel;
        flow_.plug = std::min(parameters.plug, 0.99);
        // At rest at every wall, including the faces of the posts, and between the posts.
        if (vessel_.posts > 0) flow_.low_x += vessel_.post_depth;
        if (vessel_.posts > 0 && vessel_.posts_on_both) flow_.high_x -= vessel_.post_depth;
    } else {
        flow_.kind = Flow::Kind::kFourRolls;
        flow_.held_x = vessel_.walled_x;
        flow_.held_y = vessel_.walled_y;
    }
    constexpr int kSamples = 64;
    double sum = 0;
    for (int y = 0; y < kSamples; ++y) {
        for (int x = 0; x < kSamples; ++x) {
            const Point u = flow_.at({vessel_.low_x + (x + 0.5) / kSamples * (vessel_.high_x - vessel_.low_x),
                                      vessel_.low_y + (y + 0.5) / kSamples * (vessel_.high_y - vessel_.low_y)});
            sum += std::sqrt(u.x * u.x + u.y * u.y);
        }
    }
    flow_.speed = parameters.speed * kSamples * kSamples / sum;
}

double Droplets::free_area() const {
    double area = (vessel_.high_x - vessel_.low_x) * (vessel_.high_y - vessel_.low_y);
    if (vessel_.posts > 0)
        area -= vessel_.posts * vessel_.post_depth * 2 * vessel_.post_half * (vessel_.posts_on_both ? 2 : 1);
    return area;
}

void Droplets::choose_radii(const SourceParameters& parameters, size_t count) {
    const double spread = parameters.spread, squares = 1 + spread * spread / 3;
    radius_ = std::sqrt(parameters.packing * free_area() / (kPi * static_cast<double>(count) * squares));
    const double widest = std::min(vessel_.high_x - vessel_.low_x, vessel_.high_y - vessel_.low_y) / 8;
    const bool capped = radius_ > widest;
    radius_ = std::min(radius_, widest);
    if (radius_ * (1 - spread) < kLeastRadius) {
        char radius[32];
        std::snprintf(radius, sizeof radius, "%.2g", radius_ * (1 - spread));
        throw Error(std::to_string(count) + " droplets on " + size_text(vessel_.lattice) +
                    " would have radii down to " + radius +
                    " pixels, too few to be distinguished; take fewer droplets or a larger lattice");
    }
    given_radii_.resize(count);
    largest_ = radius_ * (1 + spread);
    for (size_t i = 0; i < count; ++i)
        given_radii_[i] = radius_ * (1 + spread * (2 * random_of(parameters.seed, kRadius, i).first - 1));
    while (tile_ > 4 && tile_ > radius_) tile_ /= 2;
    double areas = 0;
    for (const double radius : given_radii_) areas += kPi * radius * radius;
    packing_ = areas / free_area();
    if (capped && packing_ < parameters.packing)
        notes_.push_back({SourceNote::Kind::kPackingReduced, parameters.packing, packing_, count});
}

std::vector<Point> Droplets::arranged(const SourceParameters& parameters, size_t count) const {
    const double wide = vessel_.high_x - vessel_.low_x, high = vessel_.high_y - vessel_.low_y;
    std::vector<Point> places;
    CancelPoll poll;
    // Walls and posts remove more places than area: make the arrangement denser until there are enough.
    for (double apart = std::sqrt(free_area() / (0.8660254 * static_cast<double>(count))); places.size() < count;
         apart *= 0.99) {
        places.clear();
        const auto columns = static_cast<uint64_t>(std::max(1.0, std::round(wide / apart)));
        const auto rows = static_cast<uint64_t>(std::max(1.0, std::round(high / (0.8660254 * apart))));
        for (uint64_t row = 0; row < rows; ++row) {
            for (uint64_t column = 0; column < columns; ++column) {
                poll();
                const double shift = row % 2 ? 0.75 : 0.25;
                const RandomPair jitter = random_of(parameters.seed, kJitter, row * columns + column);
                const Point p{vessel_.low_x + (column + shift + 0.3 * (jitter.first - 0.5)) * wide / columns,
                              vessel_.low_y + (row + 0.5 + 0.3 * (jitter.second - 0.5)) * high / rows};
                if (vessel_.freed(p, 0.3 * apart) == p) places.push_back(p);
            }
        }
    }
    std::vector<uint32_t> order(places.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto fate = [&](uint32_t i) { return random_of(parameters.seed, kLeaveOut, i).first; };
    stable_sort_or_cancel(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return fate(a) < fate(b); });
    order.resize(count);
    sort_or_cancel(order.begin(), order.end());
    std::vector<Point> kept;
    for (const uint32_t i : order) kept.push_back(places[i]);
    return kept;
}

/// Moves and uniformly scales the points into the middle of the vessel.
std::vector<Point> Droplets::fitted(const std::vector<Point>& start) const {
    const auto [low, high] = bounds_of(start);
    const double wide = vessel_.high_x - vessel_.low_x - 2 * radius_,
                 tall = vessel_.high_y - vessel_.low_y - 2 * radius_;
    double scale = std::min(high.x > low.x ? wide / (high.x - low.x) : INFINITY,
                            high.y > low.y ? tall / (high.y - low.y) : INFINITY);
    if (!std::isfinite(scale)) scale = 1;
    const Point middle{0.5 * (vessel_.low_x + vessel_.high_x), 0.5 * (vessel_.low_y + vessel_.high_y)};
    std::vector<Point> places;
    for (const Point& p : start)
        places.push_back(
            {middle.x + (p.x - 0.5 * (low.x + high.x)) * scale, middle.y + (p.y - 0.5 * (low.y + high.y)) * scale});
    return places;
}

void Droplets::place(Context& context, const std::vector<Point>& places) {
    std::vector<Point> within;
    for (const Point& p : places) within.push_back(vessel_.lattice.wrapped(p));
    places_.upload(context, within.data(), within.size());
    heads_.fill_bytes(0);
    launch(context, "source.cells", static_cast<uint32_t>(within.size()),
           InsertDroplets{cells_of(vessel_.lattice, cells_x_, cells_y_, heads_.view(), next_.view()), places_.view()});
}

void Droplets::move(Context& context, const Flow& flow, View<uint64_t> sums) {
    other_heads_.fill_bytes(0);
    const MoveDroplets kernel{vessel_,
                              flow,
                              cells_of(vessel_.lattice, cells_x_, cells_y_, heads_.view(), next_.view()),
                              cells_of(vessel_.lattice, cells_x_, cells_y_, other_heads_.view(), other_next_.view()),
                              places_.view(),
                              radii_.view(),
                              moved_.view(),
                              sums};
    launch(context, "source.move", static_cast<uint32_t>(places_.size()), kernel);
    std::swap(places_, moved_);
    std::swap(heads_, other_heads_);
    std::swap(next_, other_next_);
}

void Droplets::paint(Context& context) {
    const Lattice& lattice = vessel_.lattice;
    const Tiles tiles{tile_, (lattice.width + tile_ - 1) / tile_, std::min(kHalfInterface, float(0.25 * radius_))};
    const uint32_t tile_count = tiles.nx * ((lattice.height + tile_ - 1) / tile_);
    near_.resize(context, size_t(tile_count) * kNear, false);
    near_count_.resize(context, tile_count, false);
    field_.resize(context, lattice.pixel_count(), false);
    const ListNear list{
        lattice,           tiles,         cells_of(lattice, cells_x_, cells_y_, heads_.view(), next_.view()),
        places_.view(),    radii_.view(), near_.view(),
        near_count_.view()};
    launch(context, "source.near", tile_count, list);
    const uint32_t run = context.on_cuda() ? 4 : tile_;
    launch(context, "source.paint", tile_count * tile_ * (tile_ / run),
           PaintDroplets{list, run, obstacles_.view(), field_.view()});
}

uint32_t Droplets::advance(Context& context, uint32_t steps) {
    const bool channel = flow_.kind == Flow::Kind::kChannel;
    WorkStage stage("steps of the droplets", steps);
    for (uint32_t k = 0; k < steps; ++k, ++steps_) {
        stage.advance();
        const bool sampled = channel && record_.due(steps_);
        move(context, flow_, sampled ? record_.open(context) : View<uint64_t>());
    }
    if (steps > 0) paint(context);
    return steps;
}

SourceDescription Droplets::description() const {
    using Place = SourceDescription::Place;
    const Place place = flow_.kind == Flow::Kind::kShear     ? Place::kShear
                        : flow_.kind == Flow::Kind::kChannel ? Place::kChannel
                                                             : Place::kFourRolls;
    return {SourceDescription::Kind::kDroplets, place, {}, given_radii_.size(), 2 * radius_};
}

void Droplets::save(Snapshot& snapshot) const {
    put_block(snapshot, places_, places_.size());
    put_values(snapshot, &steps_, 1);
    record_.save(snapshot);
}

size_t Droplets::load(Context& context, const Snapshot& snapshot, size_t first_block) {
    std::vector<Point> places(given_radii_.size());
    load_values(snapshot, first_block, places.data(), places.size());
    load_values(snapshot, first_block + 1, &steps_, 1);
    record_.load(context, snapshot, first_block + 2);
    place(context, places);
    paint(context);
    return first_block + 2 + FlowRecord::kBlocksOfSnapshot;
}

uint64_t Droplets::hash() const {
    uint64_t hash = mix64(steps_);
    for (const Point& p : places_.download())
        hash = hash_words({hash, std::bit_cast<uint64_t>(p.x), std::bit_cast<uint64_t>(p.y)});
    return hash;
}

}  // namespace flipscope
