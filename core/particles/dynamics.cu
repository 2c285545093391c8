#include "particles/dynamics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "compute/append.h"
#include "compute/error.h"
#include "compute/gather.h"
#include "compute/launch.h"
#include "compute/launch_on_cuda.h"
#include "geometry/places.h"
#include "particles/dynamics_kernels.h"
#include "particles/push_in_one_cluster.h"

namespace flipscope {

namespace {

using Rule = TorusTriangulation::Rule;

// Up to this many pairs, pushes run in one CUDA launch. Where there are few particles, launches take most of a step.
uint32_t few_pairs(uint32_t count) { return count <= 65536 ? std::min(2048u, count / 2) : 1024; }
// With more pairs, kernels run over all particles and edges instead of those of pairs.
uint32_t many_pairs(const Context& context, uint32_t count) {
    return context.on_cuda() ? std::max(count / 32, few_pairs(count)) : count / 32;
}
// Flipped edges stay on the list of pairs even if they no longer overlap.
constexpr uint32_t kRoomForPair = 2;

/// Offsets in `counts_` of the kernels' sums.
enum Sums : size_t { kOfIntegrate, kOfFind, kOfPush, kOfMeasure, kOfLook, kSums };

/// The least and the largest diameter of the species, or with sizes those of all particles; world units.
Point range_of(const ParticleModel& model, const std::vector<uint8_t>& species, const std::vector<double>& sizes) {
    Point range{INFINITY, 0};
    const auto add = [&](double diameter) { range = {std::min(range.x, diameter), std::max(range.y, diameter)}; };
    for (size_t i = 0; i < sizes.size(); ++i) add(model.species[species[i]].diameter * sizes[i]);
    for (size_t s = 0; s < model.species.size() && sizes.empty(); ++s) add(model.species[s].diameter);
    return range;
}

}  // namespace

/// All counts of the kernels in a time step; the host computes differences.
struct ParticleDynamics::Counts {
    BlockSums sums[kSums];
    PushesInCluster cluster;
    static constexpr size_t words(size_t bytes) { return bytes / sizeof(uint64_t); }
};

View<uint64_t> ParticleDynamics::sums(size_t which) const {
    return {counts_.view().data + which * kSumCount, kSumCount};
}
BlockSums ParticleDynamics::read_sums(size_t which) const {
    BlockSums sums;
    counts_.read(sums.value, kSumCount, which * kSumCount);
    return sums;
}

SpeciesTable ParticleDynamics::species_table() const {
    SpeciesTable table = table_of(model_);
    table.diameters = discs().each;
    table.least = range_.x;
    table.greatest = range_.y;
    return table;
}
std::vector<double> ParticleDynamics::diameters() const {
    std::vector<double> diameters;
    diameters.reserve(count_);
    for (const uint8_t species : species_.download(count_))
        diameters.push_back(model_.species[species].diameter * size(static_cast<uint32_t>(diameters.size())));
    return diameters;
}
/// `sizes`: (n) or empty.
void ParticleDynamics::take_sizes(std::vector<double> sizes) {
    sizes_ = std::move(sizes);
    update_diameters();
}
void ParticleDynamics::update_diameters() {
    range_ = range_of(model_, sizes_.empty() ? std::vector<uint8_t>{} : species_.download(count_), sizes_);
    if (has_one_diameter()) return;
    const std::vector<double> now = diameters();
    diameters_.upload(*context_, now.data(), now.size());
}

/// Discs near the walls of a channel move with them.
void ParticleDynamics::hold_to_walls() {
    if (!box().is_cylinder() || model_.shear_rate == 0 || count_ == 0) return;
    const double reach = largest();
    std::vector<uint8_t> frozen;
    for (const Point p : triangulation_.mesh().positions.download(count_)) {
        const double v = across_channel(box(), p);
        const bool is_near = distance_to_wall(box(), p) <= reach, is_low = v < box().extent / 2;
        frozen.push_back(uint8_t(is_near ? is_low ? kOnLowWall : kOnHighWall : 0));
    }
    frozen_.upload(*context_, frozen.data(), frozen.size());
    may_be_frozen_ = true;
}

template <class Self, class Visit>
void ParticleDynamics::for_points(Self& self, const Visit& visit) {
    for (auto* each : {&self.forces_, &self.displacements_, &self.moves_, &self.pushes_}) visit(*each);
}

void ParticleDynamics::make_buffers() {
    const auto make = [&](auto& buffer) { buffer.fill(*context_, count_, 0); };
    make(frozen_);
    make(overlapped_);
    for_points(*this, make);
    counts_.resize(*context_, Counts::words(sizeof(Counts)));
    make_scratch();
}

/// Buffers whose values do not last from one motion to the next.
void ParticleDynamics::make_scratch() {
    pairs_.resize(*context_, kRoomForPair * (many_pairs(*context_, count_) + 1), false);
    moved_.fill(*context_, count_, 0);
    sides_.fill(*context_, count_, 0);
    push_sums_.fill(*context_, 2 * size_t(count_), 0);
}

void ParticleDynamics::reset(Context& context, const ParticleModel& model, ParticleStart start) {
    check_model(model);
    const double largest = range_of(model, start.species, start.sizes).y;
    require_fits_between_walls(largest, start.box);
    PairForces forces;
    const auto count = static_cast<uint32_t>(start.positions.size());
    forces.reset(context, start.box, model, count, largest);
    TorusTriangulation triangulation;
    triangulation.build(context, start.box, start.positions, will_record_states_);
    triangulation.number_along_vertices();
    context_ = &context;
    model_ = model;
    count_ = count;
    triangulation_ = std::move(triangulation);
    pair_forces_ = std::move(forces);
    species_.upload(context, start.species.data(), count);
    orientations_.upload(context, start.orientations.data(), count);
    take_sizes(std::move(start.sizes));
    make_buffers();
    state_ = {};
    summary_ = {};
    found_ahead_.reset();
    moved_far_.reset();
    may_be_frozen_ = false;
    hold_to_walls();
    state_.next = count ? kForces : kNone;
}

void ParticleDynamics::change_model(const ParticleModel& model) {
    check_model(model);
    if (model.species.size() != model_.species.size())
        throw Error("there are " + std::to_string(model_.species.size()) + " species, and a change of them has " +
                    std::to_string(model.species.size()) + "; start over to have more or fewer");
    const auto [least, largest] =
        range_of(model, sizes_.empty() ? std::vector<uint8_t>{} : species_.download(count_), sizes_);
    check_diameters(model, least, largest);
    require_fits_between_walls(largest, box());
    PairForces forces;
    forces.reset(*context_, box(), model, count_, largest);
    pair_forces_ = std::move(forces);
    moved_far_.reset();
    model_ = model;
    update_diameters();
}

PassResult ParticleDynamics::step() {
    if (state_.next == kNone) throw std::logic_error("there is no particle, so there is no pass to run");
    if (state_.next == kForces) triangulation_.clear_states();
    return run(state_.next);
}

PassResult ParticleDynamics::run(uint32_t pass) {
    context_->throw_if_cancelled();
    if (pass == kForces) {
        ++state_.round;
        state_.iteration = 0;
        state_.found = state_.pushed = state_.capped = 0;
        state_.held = 0;
        state_.step = {};
        state_.step.round = state_.round;
        counts_.begin();
    }
    PassResult result = PassResult::of(pass, kCounters);
    switch (pass) {
        case kForces:
            pair_forces_.compute(triangulation_.mesh().positions.view(), species_.view(), forces_.view(),
                                 std::exchange(moved_far_, std::nullopt), discs().each);
            state_.next = kIntegrate;
            break;
        case kIntegrate:
            integrate(result);
            break;
        case kUntangle:
            untangle(result);
            break;
        case kClaim:
            claim(result);
            break;
        case kFlip:
            flip(result);
            break;
        case kRepair:
            triangulation_.repair();
            result.ended = Level::kIteration;
            state_.next = kClaim;
            break;
        case kPush:
            if (push(result, Following::kAlone)) {
                launch_push_all();
                state_.inverted = static_cast<uint32_t>(triangulation_.follow(motion_, true));
                count_pushed(result, read_sums(kOfPush));
            }
            break;
        case kMeasure:
            measure(result);
            break;
        default:
            throw std::logic_error("particles: no pass " + std::to_string(pass));
    }
    result.next = state_.next;
    result.round = static_cast<uint32_t>(state_.round);
    result.iteration = state_.iteration;
    return result;
}

/// Whether moves and displacements still lack the motion of this step.
bool ParticleDynamics::is_moving() const { return state_.next >= kUntangle && state_.next <= kMeasure; }

const Buffer<Point>& ParticleDynamics::displacements() const {
    return is_moving() ? add_motion(displacements_.view(), displacements_now_) : displacements_;
}
const Buffer<Point>& ParticleDynamics::moves() const { return is_moving() ? add_motion({}, moves_now_) : moves_; }

const Buffer<Point>& ParticleDynamics::add_motion(View<const Point> displacements, Buffer<Point>& sums) const {
    sums.resize(*context_, count_, false);
    launch(*context_, "motion.now", count_, AddMotion{displacements, moves_.view(), pushes_.view(), sums.view()});
    return sums;
}

Walls ParticleDynamics::walls() const { return Walls::of(box(), discs()); }

template <class Box>
MoveParticle<Box> ParticleDynamics::move_particles(const Box& box) {
    return {box, walls(), triangulation_.positions().view(), sides_.view(), moved_.view()};
}

void ParticleDynamics::launch_integrate() {
    const uint64_t key = mix64(mix64(model_.seed) ^ state_.round);
    with_static_box(box(), [&]<class Box>(const Box& known) {
        launch(*context_, "integrate", count_,
               Integrate<Box>{move_particles(known), forces_.view(), orientations_.view(), frozen_if_any(),
                              overlapped_.view(), moves_.view(), pushes_.view(),
                              box().is_cylinder() ? model_.shear_rate * model_.dt : 0, model_.dt,
                              std::sqrt(model_.diffusion * model_.dt), model_.speed,
                              std::sqrt(2 * model_.rotation * model_.dt), model_.noise == NoiseTails::kRerolled, key},
               sums(kOfIntegrate));
    });
}

void ParticleDynamics::integrate(PassResult& result) {
    launch_integrate();
    state_.inverted = static_cast<uint32_t>(triangulation_.follow({moved_.view(), sides_.view(), true}, true));
    state_.step.cut = read_sums(kOfIntegrate).value[0];
    result.counters[kCut] = static_cast<int64_t>(state_.step.cut);
    state_.next = kUntangle;
}

/// One flip pass of untangling; without flips it proceeds to the next stage.
void ParticleDynamics::untangle(PassResult& result) {
    if (!state_.untangling) result.counters[kInverted] = state_.inverted;
    if (state_.inverted) {
        state_.untangling = triangulation_.claim(Rule::kUpright).illegal > 0;
        if (state_.untangling) {
            const FlipCounts flipped = triangulation_.flip();
            triangulation_.repair();
            state_.inverted = static_cast<uint32_t>(triangulation_.count_inverted());
            result.counters[kGranted] = static_cast<int64_t>(flipped.granted);
            result.counters[kDeferred] = static_cast<int64_t>(flipped.deferred);
            state_.flips += flipped.granted;
            state_.step.flips += flipped.granted;
            ++state_.step.flip_passes;
            ++state_.iteration;
            result.ended = Level::kIteration;
            return;  // repeat
        }
        rebuild();
        result.counters[kRebuilt] = 1;
        after_legal();
        return;
    }
    if (state_.untangling) triangulation_.queue_all();
    state_.untangling = 0;
    state_.next = kClaim;
}

void ParticleDynamics::claim(PassResult& result) {
    const FlipCounts claimed = triangulation_.claim(Rule::kDelaunay);
    result.counters[kTested] = static_cast<int64_t>(claimed.queued);
    result.counters[kIllegal] = static_cast<int64_t>(claimed.illegal);
    if (claimed.illegal) {
        ++state_.iteration;
        state_.next = kFlip;
    } else {
        after_legal();
    }
}

void ParticleDynamics::flip(PassResult& result) {
    const FlipCounts flipped = triangulation_.flip();
    result.counters[kGranted] = static_cast<int64_t>(flipped.granted);
    result.counters[kDeferred] = static_cast<int64_t>(flipped.deferred);
    state_.flips += flipped.granted;
    state_.step.flips += flipped.granted;
    ++state_.step.flip_passes;
    state_.next = kRepair;
}

void ParticleDynamics::after_legal() { state_.next = model_.overlaps ? kPush : kMeasure; }

void ParticleDynamics::rebuild() {
    triangulation_.rebuild();
    triangulation_.number_along_vertices();
    state_.rebuilt = 1;
    ++state_.rebuilds;
    ++state_.step.rebuilds;
}

/// Whether it suffices to test edges near the particles of the last push. After a rebuild all edges are new.
bool ParticleDynamics::finds_near() const { return state_.step.pushes > 0 && !motion_.all && !state_.rebuilt; }
/// If a disc overlaps another one of its size, it also overlaps its nearest neighbour, along a Delaunay edge. So a disc
/// that no push moved overlaps at most a disc that one did.
bool ParticleDynamics::has_one_diameter() const {
    if (!sizes_.empty()) return false;
    for (const Species& one : model_.species)
        if (one.diameter != model_.species.front().diameter) return false;
    return true;
}

Diameters ParticleDynamics::discs() const {
    return {has_one_diameter() ? View<const double>{} : diameters_.view(), model_.species.front().diameter};
}
View<const uint8_t> ParticleDynamics::frozen_if_any() const {
    return may_be_frozen_ ? frozen_.view() : View<const uint8_t>{};
}

/// A push is at most the largest diameter, since δ is at most 1.
PushSums ParticleDynamics::push_sums() const {
    const double unit = PushSums::unit_for(largest(), count_, box());
    return {push_sums_.view(), unit, 1 / unit};
}
OverlapRule ParticleDynamics::overlap_rule() const {
    const double touching = largest() * kTouching;
    return {discs(), frozen_if_any(), push_sums(), model_.delta, touching * touching};
}
FindOverlaps ParticleDynamics::find_overlaps(View<const uint32_t> edges) const {
    return {overlap_rule(), edges, triangulation_.mesh().view(), box()};
}
/// Tests edges near moved particles or, after launch_follow_all(), flipped ones. Lists overlapping pairs,
/// listed_total() of them.
void ParticleDynamics::launch_find(const TorusTriangulation::Ahead& near) {
    const View<uint32_t> total = triangulation_.listed_total();
    const View<uint64_t> sums = triangulation_.guest_sums();
    if (near.before)
        launch(*context_, "push.find", near.extent,
               FindFlipped{overlap_rule(), triangulation_.mesh().view(), box(), near.near, near.before, pairs_.view(),
                           total},
               sums);
    else
        append_unordered(*context_, "push.find", near.extent, ListOverlaps{find_overlaps(near.near), pairs_.view()},
                         total, sums, true);
}

TorusTriangulation::Ahead ParticleDynamics::launch_follow_all(const TorusTriangulation::Motion& motion) {
    const FollowTriangles<> follow = triangulation_.begin_follow(motion);
    const uint32_t count = triangulation_.mesh().triangle_count;
    with_static_box(box(), [&]<class Box>(const Box& known) {
        if (model_.overlaps)
            launch_gathered(*context_, "follow.all", count,
                            FollowAndFind<Box>{follow.in(known), overlap_rule(), pairs_.view()}, follow.illegal,
                            triangulation_.listed_total(), triangulation_.guest_sums());
        else
            launch_gathered(*context_, "follow.all", count, follow.in(known), follow.illegal, {}, {});
    });
    return triangulation_.launch_follow(follow, motion.likely_illegal);
}
TorusTriangulation::Ahead ParticleDynamics::launch_follow_stars(const TorusTriangulation::Motion& motion) {
    const double length = model_.overlaps ? largest() : 0;
    const auto ends = static_cast<uint32_t>(2 * state_.step.overlapping_left);
    return triangulation_.launch_follow_stars(ends, motion.likely_illegal, length);
}

/// The number of overlapping pairs, and of frozen ones among them; their pushes are in push_sums_.
ParticleDynamics::Found ParticleDynamics::find(Following following) {
    if (found_ahead_) return *std::exchange(found_ahead_, std::nullopt);
    const View<const uint32_t> edges = finds_near() ? triangulation_.near_edges() : View<const uint32_t>{};
    const uint32_t count = edges ? static_cast<uint32_t>(edges.count) : triangulation_.mesh().edge_count;
    uint32_t listed = 0;
    if (following == Following::kAlong) {
        const View<uint32_t> total = triangulation_.listed_total();
        context_->fill(total.data, 0, sizeof(uint32_t));
        append_unordered(*context_, "push.find", count, ListOverlaps{find_overlaps(edges), pairs_.view()}, total,
                         sums(kOfFind), true);
        context_->copy(&listed, total.data, sizeof(uint32_t));
    } else {
        launch(*context_, "push.find", count, find_overlaps(edges), sums(kOfFind));
    }
    const BlockSums sums = read_sums(kOfFind);
    const Found found{sums.value[0] - state_.found, static_cast<uint32_t>(sums.value[1]) - state_.held, listed};
    state_.found = sums.value[0];
    state_.held = static_cast<uint32_t>(sums.value[1]);
    return found;
}

/// Finds all overlapping pairs. Returns them if they must be pushed, which the caller does according to motion_;
/// nullopt if there are none, or no more rounds are allowed.
std::optional<ParticleDynamics::Found> ParticleDynamics::push(PassResult& result, Following following) {
    const Found found = find(following);
    result.counters[kOverlapping] = static_cast<int64_t>(found.pairs);
    if (state_.step.pushes == 0) state_.step.overlapping_first = found.pairs;
    state_.step.overlapping_left = found.pairs;
    state_.step.overlapping_held = found.held;
    result.ended = Level::kIteration;
    ++state_.iteration;
    if (found.pairs == found.held || state_.step.pushes >= model_.most_pushes) {  // two frozen particles are not pushed
        if (found.pairs) launch(*context_, "push.leave", count_, LeaveOverlaps{push_sums(), overlapped_.view()});
        state_.next = kMeasure;
        return std::nullopt;
    }
    const bool needs_all =
        found.pairs > many_pairs(*context_, count_) || found.listed > pairs_.size() || !has_one_diameter();
    motion_ = {moved_.view(), sides_.view(), needs_all, illegal_ahead_};
    ++state_.step.pushes;
    ++state_.pushes;
    state_.rebuilt = 0;
    state_.next = kUntangle;
    return found;
}

template <class Box>
PushApart<Box> ParticleDynamics::push_apart(const Box& box) {
    return {move_particles(box), push_sums(), pushes_.view(), overlapped_.view(), discs(), model_.cap};
}
void ParticleDynamics::launch_push_all() {
    with_static_box(box(), [&]<class Box>(const Box& known) {
        const PushApart<Box> kernel = push_apart(known);
        launch(*context_, "push.apart", count_, kernel, sums(kOfPush));
    });
}
/// Moves the particles listed in pairs_, and updates the triangulation.
void ParticleDynamics::launch_push_listed(uint32_t listed) {
    const MovedStars stars = triangulation_.begin_stars();
    with_static_box(box(), [&]<class Box>(const Box& known) {
        launch(*context_, "push.pairs", 2 * listed, PushPairs<Box>{push_apart(known), stars, pairs_.view()},
               sums(kOfPush));
    });
}

/// Reports the particles pushed since the last report.
void ParticleDynamics::count_pushed(PassResult& result, const BlockSums& sums) {
    result.counters[kPushed] = static_cast<int64_t>(sums.value[0] - state_.pushed);
    result.counters[kCapped] = static_cast<int64_t>(sums.value[1] - state_.capped);
    state_.pushed = sums.value[0];
    state_.capped = sums.value[1];
}

/// Also measures the distances that the next forces pass needs.
void ParticleDynamics::launch_measure(const Extent& extent) {
    launch(*context_, "measure", extent,
           MeasureMotion{overlapped_.view(), pushes_.view(), displacements_.view(), moves_.view()}, sums(kOfMeasure));
    pair_forces_.look(triangulation_.mesh().positions.view(), species_.view(), extent, sums(kOfLook));
}

void ParticleDynamics::measure(PassResult& result) {
    BlockSums all[kSums];  // including sums that finish_round() has not read yet
    launch_measure(count_);
    counts_.read(all[0].value, kSums * kSumCount);
    end_step(result, all);
}

void ParticleDynamics::end_step(PassResult& result, const BlockSums* all) {
    state_.step.cut = all[kOfIntegrate].value[0];
    if (all[kOfPush].value[0] > state_.pushed) count_pushed(result, all[kOfPush]);
    const BlockSums& measured = all[kOfMeasure];
    state_.step.mean_squared_displacement = static_cast<double>(measured.value[0]) / MeasureMotion::kSquares / count_;
    state_.step.mean_speed = static_cast<double>(measured.value[1]) / MeasureMotion::kLengths / count_ / model_.dt;
    moved_far_ = all[kOfLook].value[0] > 0;
    summary_ = state_.step;
    result.ended = Level::kRound;
    state_.next = kForces;
}

PassResult ParticleDynamics::finish_round() {
    if (state_.next == kNone) throw std::logic_error("there is no particle, so there is no step to run");
    PassResult round = PassResult::of(kMeasure, kCounters);
    const auto add = [&](Counter counter, uint64_t count) {
        int64_t& sum = round.counters[counter];
        sum = (sum == kNotCounted ? 0 : sum) + static_cast<int64_t>(count);
    };
    const auto book = [&](const TorusTriangulation::Flipped& flipped) {
        if (flipped.flips) add(kGranted, flipped.flips), add(kDeferred, flipped.deferred);
        state_.flips += flipped.flips;
        state_.step.flips += flipped.flips;
        state_.step.flip_passes += flipped.passes;
        state_.iteration += flipped.passes;
    };
    const auto book_legal = [&](const TorusTriangulation::Flipped& flipped) {
        add(kTested, flipped.tested);
        add(kIllegal, flipped.illegal);
        book(flipped);
        after_legal();
    };
    // Everything that usually follows a motion, up to the next search for overlaps, with one read-back by the host.
    const auto follow = [&](const TorusTriangulation::Motion& motion) {
        const TorusTriangulation::Ahead ahead = motion.all ? launch_follow_all(motion) : launch_follow_stars(motion);
        if (model_.overlaps) launch_find(ahead);
        TorusTriangulation::Followed followed = triangulation_.end_follow();
        state_.inverted = static_cast<uint32_t>(followed.inverted);
        if (state_.inverted) {
            if (motion.all) push_sums_.fill_bytes(0);  // pushes found before any flip
            motion_.all = true;                        // all edges must be tested again
            state_.next = kUntangle;
            return;
        }
        add(kInverted, 0);
        illegal_ahead_ = followed.flipped.illegal;
        book_legal(followed.flipped);
        if (!model_.overlaps) return;
        if (!followed.settled) {
            launch_find(triangulation_.near_now());
            triangulation_.read_guest_sums(followed);
        }
        found_ahead_ = Found{followed.guest_sums[0], static_cast<uint32_t>(followed.guest_sums[1]), followed.listed};
    };
    // Pushes of few pairs, with everything after them, until there are none to push, or many. Usually none overlap
    // then, and the step has been measured already.
    std::optional<Counts> measured;
    [[maybe_unused]] bool pushed_in_cluster = false;
    [[maybe_unused]] const auto push_in_cluster = [&]([[maybe_unused]] uint32_t pairs) {
#if defined(__CUDACC__)
        const uint32_t most = std::min(PushesInCluster::kMost, 1 + model_.most_pushes - state_.step.pushes);
        const StarsInCluster stars = triangulation_.begin_stars_in_cluster(largest(), most);
        auto* const words = &reinterpret_cast<Counts*>(counts_.view().data)->cluster;
        if (std::exchange(pushed_in_cluster, true)) context_->fill(words, 0, sizeof *words);
        with_static_box(box(), [&]<class Box>(const Box& known) {
            launch_cluster_on_cuda(*context_, "push.few", 2 * pairs,
                                   context_->forms_clusters() ? detail::kBlocksInCluster : 1,
                                   detail::kThreadsInClusterBlock, &push_in_one_cluster<Box>, push_apart(known), stars,
                                   ListOverlaps{find_overlaps(stars.near), pairs_.view()}, pairs, few_pairs(count_),
                                   most, sums(kOfPush).data, words);
        });
        Extent extent(count_);
        extent.stops[0] = reinterpret_cast<const uint32_t*>(&words->totals.pairs);  // few: their low words
        extent.stops[1] = reinterpret_cast<const uint32_t*>(&words->totals.inverted);
        launch_measure(extent);
        Counts counts;
        counts_.read(reinterpret_cast<uint64_t*>(&counts), Counts::words(offsetof(Counts, cluster.counts)));
        const PushesInCluster::Totals& totals = counts.cluster.totals;
        triangulation_.end_stars_in_cluster(static_cast<uint32_t>(totals.stamp), totals.inverted > 0);
        const auto further = static_cast<uint32_t>(totals.pushes - 1);  // the first one is counted already
        state_.step.pushes += further;
        state_.pushes += further;
        state_.iteration += further;
        if (further) add(kOverlapping, totals.further_pairs);
        if (further || !totals.inverted) {
            add(kInverted, 0);
            book_legal({static_cast<uint32_t>(totals.passes), totals.flips[0], totals.tests[0] + totals.tests[2],
                        totals.flips[0] + totals.flips[1], totals.flips[1]});
        }
        if (totals.inverted) {
            state_.inverted = static_cast<uint32_t>(totals.inverted / 3);
            motion_.all = true;
            state_.next = kUntangle;
            return;
        }
        illegal_ahead_ = 0;  // few
        found_ahead_ = Found{totals.pairs, static_cast<uint32_t>(totals.held), static_cast<uint32_t>(totals.pairs)};
        if (totals.pairs == 0) measured = counts;
#endif
    };
    triangulation_.clear_states();
    const bool integrates = state_.next <= kIntegrate;
    for (;;) {
        PassResult result = PassResult::of(state_.next, kCounters);
        context_->throw_if_cancelled();
        if (state_.next == kIntegrate) {
            launch_integrate();
            follow({moved_.view(), sides_.view(), true, illegal_after_integration_});
            illegal_after_integration_ = illegal_ahead_;
        } else if (state_.next == kPush) {
            const std::optional<Found> found = push(result, Following::kAlong);
            if (found && !motion_.all && found->listed <= few_pairs(count_) && context_->on_cuda()) {
                push_in_cluster(found->listed);
            } else if (found) {
                if (motion_.all)
                    launch_push_all();
                else
                    launch_push_listed(found->listed);
                follow(motion_);
            }
        } else if (state_.next == kUntangle || state_.next == kClaim) {
            bool upright = true;
            if (state_.next == kUntangle) {
                if (!state_.untangling) add(kInverted, state_.inverted);
                if (state_.inverted) book(triangulation_.flip_all(Rule::kUpright));
                if (state_.inverted && triangulation_.count_inverted()) {
                    rebuild();
                    add(kRebuilt, 1);
                    upright = false;
                } else if (state_.inverted || state_.untangling) {
                    triangulation_.queue_all();
                }
                state_.inverted = state_.untangling = 0;
            }
            if (upright)
                book_legal(triangulation_.flip_all(Rule::kDelaunay));
            else
                after_legal();
        } else if (state_.next == kMeasure && measured) {
            end_step(result, measured->sums);
        } else {
            result = run(state_.next);
        }
        for (size_t k = 0; k < kCounters; ++k)
            if (result.counters[k] != kNotCounted) add(static_cast<Counter>(k), uint64_t(result.counters[k]));
        if (result.ended < Level::kRound) continue;
        if (integrates) add(kCut, state_.step.cut);
        round.next = state_.next;
        round.ended = result.ended;
        round.round = static_cast<uint32_t>(state_.round);
        round.iteration = state_.iteration;
        return round;
    }
}

uint64_t ParticleDynamics::state_hash() const {
    if (count_ == 0) return 0;
    uint64_t hash = triangulation_.state_hash();
    hash = hash_words(*context_, words_of(orientations_, count_), hash);
    for_points(*this, [&](const Buffer<Point>& each) { hash = hash_words(*context_, words_of(each, count_), hash); });
    if (box().is_cylinder()) hash = mix64(mix64(hash ^ uint64_t(box().open)) ^ std::bit_cast<uint64_t>(box().extent));
    const BlockSums frozen = sums_of(*context_, "hash.frozen", count_, SumFrozen{frozen_.view()});
    if (const uint64_t sum = frozen.value[0]) hash = mix64(hash ^ sum);
    if (!sizes_.empty()) hash = hash_words(*context_, words_of(diameters_, count_), hash);
    return mix64(mix64(hash ^ state_.next) ^ state_.round);
}

Snapshot ParticleDynamics::save() const {
    if (state_.next != kForces && state_.next != kNone)
        throw std::logic_error("particles are saved between time steps, not within one");
    Snapshot snapshot;
    put_values(snapshot, &state_, 1);
    put_values(snapshot, &summary_, 1);
    put_block(snapshot, species_, count_);
    put_block(snapshot, frozen_, count_);
    put_block(snapshot, orientations_, count_);
    for_points(*this, [&](const Buffer<Point>& each) { put_block(snapshot, each, count_); });
    put_block(snapshot, overlapped_, count_);
    triangulation_.save(snapshot);
    if (!sizes_.empty()) put_values(snapshot, sizes_.data(), sizes_.size());
    return snapshot;
}

void ParticleDynamics::load(const Snapshot& snapshot) {
    const auto state = load_value<RunState>(snapshot, 0);
    const auto summary = load_value<StepSummary>(snapshot, 1);
    const std::vector<uint8_t> species = load_vector<uint8_t>(snapshot, 2);
    const size_t count = species.size();
    require_below<uint8_t>(snapshot, 2, model_.species.size());
    require_count<uint8_t>(snapshot, 3, count);
    require_count<double>(snapshot, 4, count);
    for (const size_t k : {5, 6, 7, 8}) require_count<Point>(snapshot, k, count);
    require_count<uint8_t>(snapshot, 9, count);
    require_count<Point>(snapshot, 11, count);
    constexpr size_t kSizes = 17;
    std::vector<double> sizes;
    if (snapshot.blocks.size() > kSizes) sizes = load_vector<double>(snapshot, kSizes);
    if (!sizes.empty()) require_count<double>(snapshot, kSizes, count);
    triangulation_.load(*context_, snapshot, 10, box(), triangulation_.mesh().records_states());
    const bool other_count = count != count_;
    const double largest_before = largest();
    count_ = static_cast<uint32_t>(count);
    make_buffers();
    species_.upload(*context_, species.data(), count);
    take_sizes(std::move(sizes));
    if (other_count || largest() != largest_before) pair_forces_.reset(*context_, box(), model_, count_, largest());
    orientations_.resize(*context_, count, false);
    load_block(*context_, snapshot, 3, frozen_);
    const std::vector<uint8_t> frozen = load_vector<uint8_t>(snapshot, 3);
    may_be_frozen_ = std::any_of(frozen.begin(), frozen.end(), [](uint8_t one) { return one != 0; });
    load_block(*context_, snapshot, 4, orientations_);
    size_t block = 5;
    for_points(*this, [&](Buffer<Point>& each) { load_block(*context_, snapshot, block++, each); });
    load_block(*context_, snapshot, 9, overlapped_);
    state_ = state;
    summary_ = summary;
    found_ahead_.reset();
    moved_far_.reset();
}

void ParticleDynamics::require_rest() const {
    if (state_.next != kForces && state_.next != kNone)
        throw Error("particles can be changed between time steps only; finish the step first");
}

/// The final place of a particle of this species put at `place`: wrapped into the box, and clamped between the walls of
/// a channel.
Point ParticleDynamics::free_place(Point place, uint8_t species, uint32_t except) const {
    const double diameter = model_.species[species].diameter * (except == kNone ? 1 : size(except));
    if (!std::isfinite(place.x) || !std::isfinite(place.y))
        throw Error("a particle cannot be at " + place_text(place) + "; both coordinates must be finite");
    const auto near_box = [&](double v, double side, OpenAxis axis) {
        return box().open == axis ? std::clamp(v, 0.0, box().extent) : v - std::floor(v / side) * side;
    };
    const Point on_grid = box().on_grid(
        Point{near_box(place.x, box().sides.x, OpenAxis::kX), near_box(place.y, box().sides.y, OpenAxis::kY)});
    const Walls walls = Walls::of(box(), {{}, diameter});
    const Point p = walls.between(0, box().wrapped(on_grid));
    const std::vector<Point> places = triangulation_.mesh().positions.download();
    for (uint32_t i = 0; i < places.size(); ++i)
        if (i != except && places[i] == p)
            throw Error("particle " + std::to_string(i) + " is at " + place_text(p) +
                        " already; two cannot be at one place");
    return p;
}

void ParticleDynamics::require_particle(uint32_t id) const {
    if (id >= count_)
        throw Error("there is no particle " + std::to_string(id) +
                    (count_ ? "; the last one is " + std::to_string(count_ - 1) : "; there are no particles"));
}

void ParticleDynamics::move_particle(uint32_t id, Point place) {
    require_particle(id);
    require_rest();
    const Point to = free_place(place, species_.read(id), id), from = triangulation_.mesh().positions.read(id);
    const Point by = box().shortest(from, to);
    const auto sides = [](double at, double step, double end, double side) {
        return static_cast<int8_t>(std::lrint((end - (at + step)) / side));
    };
    const ImageShift across{sides(from.x, by.x, to.x, box().sides.x), sides(from.y, by.y, to.y, box().sides.y)};
    moved_far_.reset();
    triangulation_.positions().write(id, to);
    sides_.fill_bytes(0);
    sides_.write(id, across);
    moved_.fill_bytes(0);
    moved_.write(id, kVertexMoved | kVertexCrossed);
    if (triangulation_.follow({moved_.view(), sides_.view()}, false)) {
        triangulation_.flip_all(Rule::kUpright);
        if (triangulation_.count_inverted()) {
            rebuild();
            return;
        }
        triangulation_.queue_all();
    }
    triangulation_.flip_all(Rule::kDelaunay);
}

void ParticleDynamics::freeze_particle(uint32_t id, bool frozen) {
    require_particle(id);
    require_rest();
    frozen_.write(id, frozen);
    may_be_frozen_ = true;
}

bool ParticleDynamics::is_frozen(uint32_t id) const { return id < count_ && frozen_.read(id) != 0; }

/// `places` with one particle more or fewer, and `change(values)` of every other array likewise.
template <class Change>
void ParticleDynamics::change_all(std::vector<Point> places, const Change& change) {
    TorusTriangulation triangulation;
    triangulation.build(*context_, box(), places, triangulation_.mesh().records_states());
    triangulation.number_along_vertices();
    triangulation_ = std::move(triangulation);
    const auto remake = [&](auto& buffer) {
        auto values = buffer.download();
        change(values);
        buffer.upload(*context_, values.data(), values.size());
    };
    remake(species_);
    remake(frozen_);
    remake(overlapped_);
    remake(orientations_);
    for_points(*this, remake);
    if (!sizes_.empty()) {
        change(sizes_);
        if (sizes_.size() > count_) sizes_.back() = 1;
    }
    count_ = static_cast<uint32_t>(places.size());
    take_sizes(std::move(sizes_));
    make_scratch();
    pair_forces_.reset(*context_, box(), model_, count_, largest());
    moved_far_.reset();
    state_.next = count_ ? kForces : kNone;
}

uint32_t ParticleDynamics::add_particle(Point place, uint8_t species) {
    if (species >= model_.species.size())
        throw Error("there is no species " + std::to_string(species + 1) + "; there are " +
                    std::to_string(model_.species.size()));
    require_rest();
    std::vector<Point> places = triangulation_.mesh().positions.download();
    places.push_back(free_place(place, species, kNone));
    change_all(std::move(places), [](auto& values) { values.push_back({}); });
    species_.write(count_ - 1, species);
    update_diameters();
    pair_forces_.reset(*context_, box(), model_, count_, largest());
    orientations_.write(count_ - 1, orientation_at_first(model_, count_ - 1));
    return count_ - 1;
}

void ParticleDynamics::remove_particle(uint32_t id) {
    require_particle(id);
    require_rest();
    const auto take_away = [id](auto& values) {
        values[id] = values.back();
        values.pop_back();
    };
    std::vector<Point> places = triangulation_.mesh().positions.download();
    take_away(places);
    change_all(std::move(places), take_away);
}

}  // namespace flipscope
