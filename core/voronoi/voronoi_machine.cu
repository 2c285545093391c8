#include "voronoi/voronoi_machine.h"

#include <stdexcept>
#include <utility>

#include "compute/launch.h"
#include "compute/work.h"
#include "mesh/hash.h"
#include "voronoi/density.h"
#include "voronoi/obstacles.h"
#include "voronoi/verify_diagram.h"

namespace flipscope {

namespace {

constexpr const char* kPassNames[] = {"place", "obstacles", "colour",  "centroids", "corners",
                                      "link",  "arrange",   "compare", "move",      "edit"};

struct ShowObstacles {
    View<const uint8_t> obstacles;  // or empty
    View<uint32_t> colours;
    FLIPSCOPE_HD void operator()(uint32_t pixel) const {
        colours[pixel] = obstacles && obstacles[pixel] ? kMaxLink : kNone;
    }
};

struct CountObstacles {
    View<const uint8_t> obstacles;
    FLIPSCOPE_HD void operator()(uint32_t pixel, BlockSums& sums) const { sums.value[0] += obstacles[pixel]; }
};

struct CountOddPixels {
    Lattice lattice;
    View<const uint32_t> colours;
    FLIPSCOPE_HD void operator()(uint32_t pixel, BlockSums& sums) const {
        const uint16_t bits = pathologies(read_stencil(lattice, colours, lattice.x_of(pixel), lattice.y_of(pixel)));
        sums.value[0] += (bits & kPixelIsland) != 0;
        sums.value[1] += (bits & kPixelProlonged) != 0;
    }
};

}  // namespace

void VoronoiMachine::reset(Context& context, std::shared_ptr<const VoronoiInput> input, const VoronoiOptions& options,
                           bool records_states) {
    context_ = &context;
    input_ = std::move(input);
    options_ = options;
    records_states_ = records_states;
    state_ = {};
    state_.next = kPlace;
    state_.to_go = options_.lloyd;
    colouring_.reset(context, input_->lattice);
    graph_.set_records_states(records_states_);
    graph_.reset(context, input_->lattice);
    lloyd_.reset(context, input_->lattice, input_->density, input_->reach);
    if (!input_->points.empty()) lloyd_.set_points(context, input_->points);
    set_sites({}, {});
    blank();
}

void VoronoiMachine::set_sites(const std::vector<Point>& sites, const std::vector<uint32_t>& names) {
    names_ = names;
    state_.sites = static_cast<uint32_t>(sites.size());
    sites_.upload(*context_, sites.data(), sites.size());
}

void VoronoiMachine::paint(const std::vector<Point>& path, double radius, bool covers) {
    Buffer<uint8_t>& obstacles = colouring_.obstacles();
    if (obstacles.empty()) obstacles.fill(*context_, input_->lattice.pixel_count(), 0);
    paint_obstacles(*context_, input_->lattice, obstacles, path, radius, covers);
}

void VoronoiMachine::restart() {
    blank();
    state_.jumps = 0;
    state_.move_follows = 0;
    state_.to_go = options_.lloyd;
    state_.next = kColour;
}

/// Clears the colours and all results on the sites.
void VoronoiMachine::blank() {
    const Buffer<uint8_t>& obstacles = colouring_.obstacles();
    launch(*context_, "place.blank", input_->lattice.pixel_count(),
           ShowObstacles{obstacles.empty() ? View<const uint8_t>{} : obstacles.view(), colouring_.colours().view()});
    graph_.pixel_states().fill_bytes(0);
    exact_.reset();
    comparison_ = {};
    state_.made = 0;
    state_.energy = state_.largest_move = 0;
}

PassResult VoronoiMachine::step() {
    if (done()) throw std::logic_error("the Voronoi machine is finished: reset it to start over");
    return run(state_.next, false);
}

PassResult VoronoiMachine::run(uint32_t pass, bool fast) {
    context_->throw_if_cancelled();
    fast_ = fast;
    const WorkStage stage(kPassNames[pass]);
    PassResult result = PassResult::of(pass, kCounters);
    constexpr void (VoronoiMachine::*kRuns[])(PassResult&) = {
        &VoronoiMachine::place,     &VoronoiMachine::show_obstacles, &VoronoiMachine::colour,
        &VoronoiMachine::centroids, &VoronoiMachine::corners,        &VoronoiMachine::link,
        &VoronoiMachine::arrange,   &VoronoiMachine::compare,        &VoronoiMachine::move};
    run_from(*this, kRuns, result);
    result.close(state_.next, state_.round);
    return result;
}

void VoronoiMachine::place(PassResult& result) {
    state_.next = input_->obstacles.empty() ? uint32_t(kColour) : uint32_t(kObstacles);
    state_.next_name = input_->next_name;
    set_sites(input_->sites, input_->names);
    blank();
    result.counters[kSites] = state_.sites;
    result.ended = Level::kRound;
}

void VoronoiMachine::show_obstacles(PassResult& result) {
    state_.next = kColour;
    colouring_.obstacles().upload(*context_, input_->obstacles.data(), input_->obstacles.size());
    blank();
    result.ended = Level::kRound;
}

void VoronoiMachine::colour(PassResult& result) {
    if (state_.jumps == 0) {
        ++state_.round;
        colouring_.begin(*context_, options_.method, sites_.view(), state_.sites);
    }
    bool more = colouring_.steps_left() > 0 && colouring_.step(*context_);
    while (more && fast_) more = colouring_.step(*context_);
    result.iteration = ++state_.jumps;
    result.counters[kSites] = state_.sites;
    if (more) {
        result.ended = Level::kIteration;
        return;
    }
    if (floods() && !fast_) result.counters[kWrong] = static_cast<int64_t>(count_wrong_colours());
    state_.jumps = 0;
    state_.made = kColoured;
    state_.next = kCentroids;
}

void VoronoiMachine::centroids(PassResult& result) {
    if (lloyd_.of_points())
        lloyd_.sum_points(*context_, colouring_.bins().view(), sites_.view(), state_.sites);
    else
        lloyd_.sum(*context_, colouring_.colours().view(), sites_.view(), state_.sites);
    const LloydOutcome outcome = lloyd_.judge(*context_, sites_.view(), state_.sites);
    state_.made |= kMeasured;
    const bool weighed = !lloyd_.of_points() && !lloyd_.density().empty();
    state_.energy = weighed ? outcome.energy / kFullWeight : outcome.energy;
    state_.largest_move = outcome.largest_move;
    state_.move_follows = state_.to_go > 0 && outcome.moved > 0 && outcome.largest_move > options_.tolerance;
    if (!state_.move_follows) state_.to_go = 0;
    result.counters[kMoved] = outcome.moved;
    result.counters[kEmpty] = outcome.empty;
    state_.next = !state_.move_follows || (options_.graph_per_round && !fast_) ? kCorners : kMove;
}

void VoronoiMachine::corners(PassResult& result) {
    graph_.find_corners(*context_, colouring_.colours().view(), options_.rules);
    state_.made |= kCornered;
    state_.next = kLink;
    if (records_states_ && floods())  // their number is known since the colouring
        colouring_.count_errors(*context_, graph_.pixel_states().view(), kPixelWrongColour);
    if (fast_) return;
    result.counters[kCorner] = graph_.read_corner_count();
    const OddPixels odd = count_odd_pixels();
    result.counters[kIslands] = static_cast<int64_t>(odd.islands);
    result.counters[kProlonged] = static_cast<int64_t>(odd.prolonged);
}

void VoronoiMachine::link(PassResult&) {
    graph_.link(*context_, colouring_.colours().view(), colouring_.bins().view(), state_.sites, options_.rules);
    state_.next = kArrange;
}

void VoronoiMachine::arrange(PassResult& result) {
    graph_.arrange(*context_);
    graph_.read_counts(*context_);
    state_.made |= kLinked;
    exact_.reset();
    comparison_ = {};
    result.counters[kLinks] = graph_.adjacency().entry_count / 2;
    state_.next = options_.compare ? uint32_t(kCompare) : after_graph();
    if (!options_.compare) result.ended = Level::kIteration;
}

void VoronoiMachine::compare(PassResult& result) {
    compare_with_exact();
    result.counters[kMissed] = comparison_.missed;
    result.counters[kSpurious] = comparison_.spurious;
    result.counters[kBlocked] = static_cast<int64_t>(comparison_.blocked.size());
    result.ended = Level::kIteration;
    state_.next = after_graph();
}

void VoronoiMachine::compare_with_exact() {
    const std::vector<Point> sites = coloured_sites();
    exact_ = exact_graph(*context_, sites, input_->lattice);
    comparison_ = compare_graphs(*exact_, sites, pairs_of(graph_.adjacency()), host_obstacles());
    state_.made |= kCompared;
}

void VoronoiMachine::move(PassResult& result) {
    lloyd_.move(*context_, sites_.view(), state_.sites);
    --state_.to_go;
    ++state_.moves;
    state_.move_follows = 0;
    result.ended = Level::kRound;
    state_.next = kColour;
}

void VoronoiMachine::finish(const std::function<void(const PassResult&)>& after_round) {
    run_rounds(
        std::vector<int64_t>(kCounters, kNotCounted), {kSites}, after_round, [&] { return !done(); },
        [&] { return run(state_.next, true); });
}

std::vector<Point> VoronoiMachine::host_sites() const { return sites_.download(state_.sites); }

std::vector<Point> VoronoiMachine::coloured_sites() const {
    if (!has(kColoured)) return std::vector<Point>(state_.sites);
    return download(*context_, colouring_.bins().view().sites.first(state_.sites));
}

std::vector<uint64_t> VoronoiMachine::areas() const {
    std::vector<uint64_t> areas;
    if (!has(kMeasured) || state_.sites == 0) return areas;
    for (const CellSums& cell : lloyd_.sums().download(state_.sites)) areas.push_back(cell.area);
    return areas;
}

uint64_t VoronoiMachine::count_obstacles() const {
    const CountObstacles count{colouring_.obstacles().view()};
    return sums_of(*context_, "count.obstacles", input_->lattice.pixel_count(), count).value[0];
}

VoronoiMachine::OddPixels VoronoiMachine::count_odd_pixels() const {
    const CountOddPixels count{input_->lattice, colouring_.colours().view()};
    const BlockSums odd = sums_of(*context_, "count.odd sites", input_->lattice.pixel_count(), count);
    return {odd.value[0], odd.value[1]};
}

uint64_t VoronoiMachine::state_hash() const {
    uint64_t hash =
        hash_words({state_.sites, state_.next, state_.round, state_.jumps, state_.to_go, state_.moves, state_.made});
    for (const uint32_t name : names_) hash = mix64(hash ^ name);
    const auto add = [&](const auto& buffer, size_t count) {
        if (count) hash = hash_words(*context_, words_of(buffer, count), hash);
    };
    add(sites_, state_.sites);
    add(colouring_.colours(), input_->lattice.pixel_count());
    if (!has(kLinked)) return hash;
    const Adjacency& graph = graph_.adjacency();
    add(graph.starts, size_t(graph.count) + 1);
    add(graph.neighbours, graph.entry_count);
    return hash;
}

Snapshot VoronoiMachine::save() const {
    if (state_.jumps > 0) throw std::logic_error("a Voronoi diagram cannot be saved in the middle of a colouring");
    Snapshot snapshot;
    put_values(snapshot, &state_, 1);
    const std::vector<Point> now = host_sites(), then = coloured_sites();
    put_values(snapshot, now.data(), now.size());
    put_values(snapshot, then.data(), then.size());
    put_values(snapshot, names_.data(), names_.size());
    put_block(snapshot, colouring_.obstacles(), colouring_.obstacles().size());
    return snapshot;
}

void VoronoiMachine::load(const Snapshot& snapshot) {
    if (snapshot.blocks.size() < kBlocks ||
        (!snapshot.blocks[4].empty() && snapshot.blocks[4].size() != input_->lattice.pixel_count()))
        throw std::logic_error("not a snapshot of a Voronoi diagram, or one of another input");
    const auto state = load_value<State>(snapshot, 0);
    for (const size_t places : {1, 2}) require_count<Point>(snapshot, places, state.sites);
    require_count<uint32_t>(snapshot, 3, state.sites);
    const std::vector<Point> now = load_vector<Point>(snapshot, 1), then = load_vector<Point>(snapshot, 2);
    const std::vector<uint8_t> obstacles = load_vector<uint8_t>(snapshot, 4);

    state_ = state;
    colouring_.obstacles().upload(*context_, obstacles.data(), obstacles.size());
    set_sites(state.made ? then : now, load_vector<uint32_t>(snapshot, 3));
    blank();
    rebuild(state.made);
    state_ = state;
    sites_.upload(*context_, now.data(), now.size());
}

/// Recomputes results on the sites: bits of Made.
void VoronoiMachine::rebuild(uint32_t made) {
    fast_ = true;
    PassResult ignored = PassResult::of(kPlace, kCounters);
    state_.jumps = 0;
    if (made & kColoured) colour(ignored);
    if (made & kMeasured) centroids(ignored);
    if (made & kCornered) corners(ignored);
    if (made & kLinked) {
        link(ignored);
        arrange(ignored);
    }
    if (made & kCompared) compare_with_exact();
}

CheckReport VoronoiMachine::check() const {
    if (!has(kColoured)) return CheckReport::nothing("nothing is coloured yet");
    CheckReport report;
    const std::vector<Point> sites = coloured_sites();
    verify_colours(*context_, colouring_, state_.sites, floods(), report);
    verify_sites(input_->lattice, host_sites(), report);
    if (!has(kLinked)) return report;
    const Adjacency& graph = graph_.adjacency();
    verify_rows(graph.starts.download(size_t(graph.count) + 1), graph.neighbours.download(graph.entry_count),
                state_.sites, report);
    const ExactGraph exact = exact_ && has(kCompared) ? *exact_ : exact_graph(*context_, sites, input_->lattice);
    const std::vector<uint8_t> obstacles = host_obstacles();
    // The graph of wrong colours guarantees nothing.
    verify_contacts(compare_graphs(exact, sites, pairs_of(graph), obstacles), sites,
                    static_cast<ExactCells>(options_.rules.exact_cells), !floods(), !obstacles.empty(), report);
    return report;
}

}  // namespace flipscope
