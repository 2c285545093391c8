// Parallel insertion on a torus, pass by pass. One round is
//
//   vote → split → link → untangle → (claim → flip → repair) until nothing is illegal → relocate
//
// and rounds go on until no point waits. step() runs one pass; finish() runs them all, without state words and with
// fewer read-backs, and must end in the same state.
#include "delaunay/torus/torus_insertion.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/on_all_cores.h"
#include "delaunay/constructions/order.h"
#include "delaunay/constructions/rounds.h"
#include "delaunay/torus/torus_checks.h"
#include "delaunay/torus/torus_triangulation.h"
#include "delaunay/torus/wrap_points.h"
#include "geometry/bounds.h"
#include "geometry/places.h"
#include "mesh/checks.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

bool holds(double from, double side, double v) { return v >= from && v - from < side; }
bool holds(Point corner, Point sides, Point p) {
    return holds(corner.x, sides.x, p.x) && holds(corner.y, sides.y, p.y);
}

/// The grid is a power of two; a corner too far out for doubles between grid points is on it already.
Point corner_on_grid(const TorusBox& box, Point p) {
    return {std::rint(p.x / box.grid) * box.grid, std::rint(p.y / box.grid) * box.grid};
}

PlacedBox cylinder_for(const Geometry& input, Point sides, bool is_given) {
    const OpenAxis open = sides.x == 0 ? OpenAxis::kX : OpenAxis::kY;
    const auto around = [&](Point p) { return open == OpenAxis::kX ? p.y : p.x; };
    const Bounds bounds = bounds_of(input.points);
    const double circumference = around(sides), low = around(bounds.low), high = around(bounds.high);
    double begin = low + (high - low) / 2 - circumference / 2;
    if (is_given)
        begin = around(input.box_low);
    else if (holds(0, circumference, low) && holds(0, circumference, high))
        begin = 0;
    require_cylinder(input.name, circumference, 0, open);  // before it has a grid
    return fitted_to({TorusBox::of_cylinder(circumference, 0, open), {begin, begin}}, input);
}

std::optional<Point> place_in(const PlacedBox& place, Point p) {
    const auto& [box, corner] = place;
    const std::optional<Point> found = wrap_point(box, {p.x - corner.x, p.y - corner.y});
    return found && (!box.is_cylinder() || box.holds(*found)) ? found : std::nullopt;
}

}  // namespace

bool PlacedBox::holds(Point p) const {
    return (box.open == OpenAxis::kX || flipscope::holds(corner.x, box.sides.x, p.x)) &&
           (box.open == OpenAxis::kY || flipscope::holds(corner.y, box.sides.y, p.y));
}

PlacedBox fitted_to(const PlacedBox& place, const Geometry& input) {
    const OpenAxis open = place.box.open;
    if (open == OpenAxis::kNone) return place;
    const auto along = [&](Point p) { return open == OpenAxis::kX ? p.x : p.y; };
    const Bounds bounds = bounds_of(input.points);
    const double circumference = open == OpenAxis::kX ? place.box.sides.y : place.box.sides.x,
                 extent = along(bounds.high) - along(bounds.low);
    require_cylinder(input.name, circumference, extent, open);
    PlacedBox fitted{TorusBox::of_cylinder(circumference, extent, open), place.corner};
    (open == OpenAxis::kX ? fitted.corner.x : fitted.corner.y) = along(bounds.low);
    fitted.corner = corner_on_grid(fitted.box, fitted.corner);
    fitted.box.extent = fitted.box.on_grid(along(bounds.high) - along(fitted.corner));  // as the highest is rounded
    return fitted;
}

PlacedBox box_for(const Geometry& input, Point sides) {
    const bool is_given = sides.x == 0 && sides.y == 0;
    if (is_given) sides = input.box;
    if ((sides.x == 0) != (sides.y == 0)) return cylinder_for(input, sides, is_given);
    const bool is_known = sides.x != 0;
    if (is_given && is_known) {
        require_box(input.name, sides);
        const TorusBox box = TorusBox::of(sides);
        return {box, corner_on_grid(box, input.box_low)};
    }
    const Bounds bounds = bounds_of(input.points);
    const Point low = bounds.low, high = bounds.high;
    const auto all_within = [&](Point lengths) { return holds({0, 0}, lengths, low) && holds({0, 0}, lengths, high); };
    if (!is_known) {
        const double extent = std::max(high.x - low.x, high.y - low.y), row = std::sqrt(double(input.points.size()));
        const double side = all_within({1, 1}) || extent == 0 ? 1 : std::min(extent * row / (row - 1), 4 * extent);
        sides = {side, side};
    }
    require_box(input.name, sides);
    const TorusBox box = TorusBox::of(sides);
    if (all_within(box.sides)) return {box, {0, 0}};
    return {box, corner_on_grid(box, {low.x + (high.x - low.x) / 2 - box.sides.x / 2,
                                      low.y + (high.y - low.y) / 2 - box.sides.y / 2})};
}

void TorusInsertion::reset(Context& context, std::shared_ptr<const Geometry> input,
                           const TorusInsertionOptions& options) {
    auto wrapped = std::make_shared<Geometry>();
    wrapped->name = input->name;
    wrapped->level = input->level;
    wrapped->points = input->points;
    const size_t n = input->points.size();
    constexpr size_t kPart = size_t(1) << 16;  // points
    std::atomic<uint64_t> outside{0};
    on_all_cores((n + kPart - 1) / kPart, [&](size_t part) {
        uint64_t of_part = 0;
        for (size_t i = part * kPart; i < std::min(n, (part + 1) * kPart); ++i) {
            const Point p = wrapped->points[i];
            const std::optional<Point> in_box = place_in(options.place, p);
            if (!in_box)
                throw Error(input->name + ": point " + std::to_string(i) + " at " + place_text(p) +
                            (std::isfinite(p.x) && std::isfinite(p.y)
                                 ? " is too far from the " + box_words(options.place.box) + "; choose a larger one"
                                 : " is no place"));
            of_part += !options.place.holds(p);
            wrapped->points[i] = *in_box;
        }
        outside += of_part;
    });
    begin(context, std::move(wrapped));
    context.set_block_size(options.block_size / 32 * 32);
    given_ = std::move(input);
    options_ = options;
    wrapped_ = outside;
    state_ = {};
    state_.next = Insertion::kOrder;
    flips_.reset(context, 0, options_.conflict);
}

void TorusInsertion::finish(const AfterRound& after_round, uint32_t rounds) {
    {
        const MarksMeanwhile marks(*this);
        run_rounds(
            std::vector<int64_t>(Insertion::kCounters, 0), {Insertion::kUninserted}, after_round,
            [&] { return !done() && !(state_.next == Insertion::kVote && state_.round >= rounds); },
            [&] {
                return state_.next == Insertion::kClaim ? flip_all(TorusRule::kDelaunay, Insertion::kRepair)
                                                        : run(state_.next);
            });
    }
    if (mesh_.records_states()) {  // what stepping leaves behind
        mesh_.clear_states();
        rounds_.mark_waiting();
    }
}

PassResult TorusInsertion::run(uint32_t pass) {
    context_->throw_if_cancelled();
    PassResult result = PassResult::of(pass, Insertion::kCounters);
    switch (pass) {
        case Insertion::kOrder:
            order_input(0);
            state_.waiting = distinct_;
            state_.next = distinct_ ? uint32_t(Insertion::kSeed) : kNone;
            result.counters[Insertion::kUninserted] = state_.waiting;
            break;
        case Insertion::kSeed:
            seed(result);
            break;
        case Insertion::kVote:
            ++state_.round;
            state_.iteration = 0;
            rounds_.vote();
            if (marking()) rounds_.mark_chosen();
            result.counters[Insertion::kUninserted] = state_.waiting;
            state_.next = Insertion::kSplit;
            break;
        case Insertion::kSplit:
            result.counters[Insertion::kInserted] = rounds_.split();
            if (marking()) rounds_.mark_split();
            state_.waiting = rounds_.waiting();
            result.counters[Insertion::kUninserted] = state_.waiting;
            state_.next = Insertion::kLink;
            break;
        case Insertion::kLink:
            rounds_.link();
            if (marking()) rounds_.mark_queued();
            state_.next = kUntangle;
            break;
        case kUntangle:
            result = flip_all(TorusRule::kUpright, kUntangle);
            rounds_.queue_again(result.counters[Insertion::kFlipped] > 0);
            if (marking()) rounds_.mark_queued();
            state_.next = flips_.run_state.queued > 0 ? Insertion::kClaim : Insertion::kRelocate;
            break;
        case Insertion::kClaim:
            claim(result);
            break;
        case Insertion::kFlip:
            run_flip(flips_, mesh_view(), false, Insertion::kQueued, result);
            state_.next = Insertion::kRepair;
            break;
        case Insertion::kRepair:
            flips_.repair(mesh_view(), mesh_.edge_count);
            result.ended = Level::kIteration;
            state_.next = flips_.run_state.queued > 0 ? Insertion::kClaim : Insertion::kRelocate;
            break;
        default:
            rounds_.locate();
            if (marking()) {
                mesh_.clear_states();
                rounds_.mark_waiting();
            }
            result.counters[Insertion::kUninserted] = state_.waiting;
            result.ended = Level::kRound;
            state_.next = state_.waiting ? uint32_t(Insertion::kVote) : kNone;
            break;
    }
    const bool flips = pass == Insertion::kClaim || pass == Insertion::kFlip || pass == Insertion::kRepair;
    result.iteration = flips ? state_.iteration : 0;
    result.close(state_.next, state_.round);
    return result;
}

void TorusInsertion::seed(PassResult& result) {
    mesh_.reset_torus(*context_, distinct_, will_record_states_, box().open);
    flips_.reset(*context_, 2 * size_t(distinct_), options_.conflict);
    flips_.set_first_blind(1);
    rounds_.seed(*context_, box());
    rounds_.locate();
    if (mesh_.records_states()) rounds_.mark_waiting();
    state_.waiting = rounds_.waiting();
    result.counters[Insertion::kInserted] = 1;
    result.counters[Insertion::kUninserted] = state_.waiting;
    result.ended = Level::kRound;
    state_.next = state_.waiting ? uint32_t(Insertion::kVote) : kNone;
}

void TorusInsertion::claim(PassResult& result) {
    ++state_.iteration;
    const MeshView view = mesh_view();
    const auto claim = [&] { return claim_on_torus(flips_, view, box(), TorusRule::kDelaunay, false); };
    state_.next = Insertion::kFlip;
    if (run_claim(*context_, mesh_, view, Insertion::kQueued, result, claim) > 0) return;
    flips_.leave_candidates();  // nothing to flip, so nothing to repair
    result.ended = Level::kIteration;
    state_.next = Insertion::kRelocate;
}

/// All flip passes by a rule in one go: the same kernels, without a read-back after every pass.
PassResult TorusInsertion::flip_all(TorusRule rule, uint32_t pass) {
    PassResult result = PassResult::of(pass, Insertion::kCounters, 0);
    result.counters[Insertion::kInserted] = result.counters[Insertion::kUninserted] = kNotCounted;
    flip_all_on_torus(flips_, mesh_, box(), rule, [&](const FlipCounts& counts) {
        if (rule == TorusRule::kDelaunay) ++state_.iteration;
        count_flip_pass(counts, Insertion::kQueued, result);
    });
    result.round = state_.round;
    state_.next = Insertion::kRelocate;
    return result;
}

std::optional<Point> TorusInsertion::place_in_box(Point in_world) const { return place_in(options_.place, in_world); }

Point TorusInsertion::place_of_row(size_t row) const {
    const Point given = given_->points[row], in_world = place_of(input_->points[row]);
    const auto near = [&](double a, double b, double side) { return std::fabs(a - b) <= side / 2; };
    const Point sides = box().sides;
    return near(given.x, in_world.x, sides.x) && near(given.y, in_world.y, sides.y) ? given : in_world;
}

std::vector<uint32_t> TorusInsertion::rows() const {
    if (distinct_ == 0) return {};
    std::vector<uint32_t> rows = mesh_.inputs.download();
    rows.resize(distinct_);
    if (!names().empty())
        for (uint32_t& row : rows)
            row = static_cast<uint32_t>(std::lower_bound(names().begin(), names().end(), row) - names().begin());
    return rows;
}

TriangleSoup TorusInsertion::soup() const {
    TriangleSoup soup;
    if (!input_) return soup;
    const std::vector<Point>& in_box = input_->points;
    unfolded_points_.clear();
    for (size_t row = 0; row < in_box.size(); ++row) unfolded_points_.push_back(place_of_row(row));
    soup.points = &unfolded_points_;
    soup.level = input_->level;
    if (distinct_ == 0 || mesh_.triangle_count == 0) return soup;

    const std::vector<uint32_t> row_of = rows();
    const std::vector<uint32_t> corners = mesh_.triangles.download(3 * size_t(mesh_.triangle_count));
    const std::vector<ImageShift> images = corner_images(mesh_);
    const Point sides = box().sides;
    std::map<std::tuple<uint32_t, int, int>, uint32_t> copies;  // (row, image): index of the point
    // How many sides three times a centre of mass lies off: sums of three such numbers are exact.
    const auto sides_off = [&](double thrice, double side) {
        return static_cast<int>(std::floor(thrice / (3 * side)));
    };
    const auto is_beyond = [&](size_t t) {
        return box().is_beyond(images[3 * t + 1]) || box().is_beyond(images[3 * t + 2]);
    };
    soup.triangles.reserve(mesh_.triangle_count);
    CancelPoll poll;
    for (size_t t = 0; t < mesh_.triangle_count; ++t) {
        poll();
        if (is_beyond(t)) continue;
        Point thrice;
        for (size_t k = 0; k < 3; ++k) {
            const Point p = box().image(in_box[row_of[corners[3 * t + k]]], images[3 * t + k]);
            thrice.x += p.x;
            thrice.y += p.y;
        }
        const int x = sides_off(thrice.x, sides.x), y = sides_off(thrice.y, sides.y);
        std::array<uint32_t, 3> triangle;
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t row = row_of[corners[3 * t + k]];
            const int by_x = images[3 * t + k].x - x, by_y = images[3 * t + k].y - y;
            triangle[k] = row;
            if (by_x == 0 && by_y == 0) continue;
            const auto [copy, fresh] =
                copies.try_emplace({row, by_x, by_y}, static_cast<uint32_t>(unfolded_points_.size()));
            if (fresh)
                unfolded_points_.push_back(place_of({in_box[row].x + sides.x * by_x, in_box[row].y + sides.y * by_y}));
            triangle[k] = copy->second;
        }
        soup.triangles.push_back(triangle);
    }
    return soup;
}

uint64_t TorusInsertion::state_hash() const {
    uint64_t hash = hash_words({state_.next, state_.round, state_.waiting, flips_.run_state.queued}, mesh_hash());
    if (mesh_.triangle_count == 0) return hash;
    hash = hash_words({hash_shifts(*context_, mesh_), rounds_.hash()}, hash);
    const uint32_t queued = flips_.worklist_size();
    return queued ? hash_words(*context_, words_of(flips_.worklist(), queued), hash) : hash;
}

static constexpr size_t kRunBlocks = 3;  // the run's state, shifts and the worklist

Snapshot TorusInsertion::save() const {
    if (state_.next != Insertion::kOrder && state_.next != Insertion::kVote && !done())
        throw std::logic_error("an insertion can be saved before the first pass and at the end of a round only");
    Snapshot snapshot;
    RunState run_state = state_;
    run_state.flips = flips_.run_state;
    put_values(snapshot, &run_state, 1);
    put_block(snapshot, mesh_.shifts, 3 * size_t(mesh_.triangle_count));
    put_block(snapshot, flips_.worklist(), flips_.worklist_size());
    save_mesh(snapshot);
    if (mesh_.triangle_count) rounds_.save(snapshot);
    return snapshot;
}

void TorusInsertion::load(const Snapshot& snapshot, size_t beside) {
    const size_t corners = load_vector<ImageShift>(snapshot, 1).size();
    const size_t blocks = kRunBlocks + kMeshBlocks + beside + (corners ? TorusRounds::kBlocks : 0);
    const auto run_state = load_run_state<RunState>(snapshot, blocks, "an insertion on a torus");
    require_mesh_fits(snapshot, kRunBlocks);
    require_count<uint32_t>(snapshot, kRunBlocks + 2, corners);
    require_count<uint32_t>(snapshot, 2, run_state.flips.all ? 0 : run_state.flips.queued);
    if (corners) {
        require_fits(snapshot, 1, mesh_.shifts);
        require_below<uint32_t>(snapshot, kRunBlocks + kMeshBlocks + 1, mesh_.positions.size());  // waiting vertices
        require_below<uint32_t>(snapshot, kRunBlocks + kMeshBlocks + 2, corners / 3);             // their triangles
        rounds_.load(snapshot, kRunBlocks + kMeshBlocks);
    }
    state_ = run_state;
    flips_.restore_run(state_.flips);
    load_mesh(snapshot, kRunBlocks);
    if (corners == 0) return;
    load_block(*context_, snapshot, 1, mesh_.shifts);
    flips_.restore_list(snapshot, 2);
    if (mesh_.records_states()) rounds_.mark_waiting();
}

}  // namespace flipscope
