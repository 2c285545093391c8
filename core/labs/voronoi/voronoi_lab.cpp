// The Voronoi lab, pass by pass. One round is
//
//   colour (as many steps as the method has) → centroids → (corners → link → arrange → compare) → move
//
// and rounds go on while Lloyd's iterations are left and a centre is far enough from its centroid; the last round has
// no move. All but the sites and the obstacles is a function of these two, so a snapshot holds no more, and the rest is
// made again from it. step() runs one pass; finish() runs them with fewer looks at counts, and must end in the same
// state.
#include "labs/voronoi/voronoi_lab.h"

#include <algorithm>
#include <stdexcept>

#include "compute/error.h"
#include "compute/primitives.h"
#include "compute/text.h"
#include "mesh/hash.h"

namespace flipscope {

std::unique_ptr<Lab> make_voronoi_lab() { return std::make_unique<VoronoiLab>(); }

namespace {

struct ShowObstacles {
    View<const uint8_t> obstacles;  // or empty
    View<uint32_t> colours;
    FLIPSCOPE_HD void operator()(uint32_t site) const {
        colours[site] = obstacles && obstacles[site] ? kMaxLink : kNone;
    }
};

}  // namespace

// ---- from input to sites --------------------------------------------------------------------------------------------

void VoronoiLab::reset(Context& context, std::shared_ptr<const Geometry> input) {
    VoronoiStart start = make_voronoi_start(requested_, *input);
    context.set_block_size(static_cast<uint32_t>(requested_.block_size) / 32 * 32);
    context_ = &context;
    input_ = std::move(input);
    start_ = std::move(start);
    now_ = requested_;
    watched_ = wants_states_;
    fast_ = false;
    state_ = {};
    stroke_.reset();
    state_.next = kPlace;
    state_.to_go = static_cast<uint32_t>(now_.lloyd);
    areas_before_.clear();
    log_.clear();
    colouring_.reset(context, start_.lattice);
    graph_.set_watched(watched_);
    graph_.reset(context, start_.lattice);
    lloyd_.reset(context, start_.lattice, start_.density, start_.reach);
    if (!start_.points.empty()) lloyd_.set_points(context, start_.points);
    set_sites({}, {});
    std::vector<float> field = start_.image;
    for (const uint16_t weight : field.empty() ? start_.density : std::vector<uint16_t>{})
        field.push_back(static_cast<float>(1 - weight / kFullWeight));
    field_.upload(context, field.data(), field.size());
    std::vector<Point> places = start_.sites;
    places.insert(places.end(), start_.points.begin(), start_.points.end());
    first_places_.upload(context, places.data(), places.size());
}

/// These sites and no others, of which nothing is known yet. Points in clusters follow them in the mesh.
void VoronoiLab::set_sites(const std::vector<Point>& sites, const std::vector<uint32_t>& names) {
    names_ = names;
    state_.sites = static_cast<uint32_t>(sites.size());
    std::vector<Point> places = sites;
    places.insert(places.end(), start_.points.begin(), start_.points.end());
    mesh_.positions.upload(*context_, places.data(), places.size());
    tints_.upload(*context_, names_.data(), names_.size());
    blank();
}

/// Nothing is coloured, and nothing known of the sites.
void VoronoiLab::blank() {
    const Buffer<uint8_t>& obstacles = colouring_.obstacles();
    launch(*context_, "place.blank", start_.lattice.site_count(),
           ShowObstacles{obstacles.empty() ? View<const uint8_t>{} : obstacles.view(), colouring_.colours().view()});
    graph_.site_states().fill_bytes(0);
    links_.clear(*context_, fixed_vertices(), watched_, mesh_);
    mark_centres();
    exact_.reset();
    comparison_ = {};
    exact_mesh_.vertex_count = exact_mesh_.edge_count = 0;
    state_.made = 0;
    state_.energy = state_.largest_move = 0;
}

// ---- the passes, in the order they run ------------------------------------------------------------------------------

StepResult VoronoiLab::begin_step(uint32_t pass) const {
    StepResult result;
    result.pass = pass;
    result.counters.assign(kCounters, kNotCounted);
    return result;
}

StepResult VoronoiLab::step() {
    if (done()) throw std::logic_error("the Voronoi lab is finished: reset it to start over");
    stroke_.reset();
    return run(state_.next);
}

StepResult VoronoiLab::run(uint32_t pass) {
    context_->throw_if_cancelled();
    StepResult result = begin_step(pass);
    switch (pass) {
        case kPlace:
            place(result);
            break;
        case kObstacles:
            show_obstacles(result);
            break;
        case kColour:
            colour(result);
            break;
        case kCentroids:
            centroids(result);
            break;
        case kCorners:
            corners(result);
            break;
        case kLink:
            link();
            break;
        case kArrange:
            arrange(result);
            break;
        case kCompare:
            compare(result);
            break;
        default:
            move(result);
            break;
    }
    result.next = state_.next;
    result.round = state_.round;
    if (done()) result.ended = Level::kEnd;
    return result;
}

void VoronoiLab::place(StepResult& result) {
    state_.next = start_.obstacles.empty() ? uint32_t(kColour) : uint32_t(kObstacles);
    state_.next_name = start_.next_name;
    areas_before_.clear();
    set_sites(start_.sites, start_.names);
    result.message = start_.message;
    result.counters[kSites] = state_.sites;
    result.ended = Level::kRound;
}

void VoronoiLab::show_obstacles(StepResult& result) {
    state_.next = kColour;
    colouring_.obstacles().upload(*context_, start_.obstacles.data(), start_.obstacles.size());
    blank();
    result.ended = Level::kRound;
}

void VoronoiLab::colour(StepResult& result) {
    if (state_.jumps == 0) {
        ++state_.round;
        colouring_.begin(*context_, method(), sites(), state_.sites);
    }
    bool more = colouring_.steps_left() > 0 && colouring_.step(*context_);
    while (more && fast_) more = colouring_.step(*context_);
    result.iteration = ++state_.jumps;
    result.counters[kSites] = state_.sites;
    if (more) {
        result.ended = Level::kIteration;
        return;
    }
    if (method() == ColouringMethod::kJumpFlooding && !fast_)
        result.counters[kWrong] = static_cast<int64_t>(colouring_.count_errors(*context_));
    state_.jumps = 0;
    state_.made = kColoured | (state_.made & ~uint32_t(kMeasured | kCornered | kLinked | kCompared));
    state_.next = kCentroids;
}

void VoronoiLab::centroids(StepResult& result) {
    if (lloyd_.of_points())
        lloyd_.sum_points(*context_, colouring_.bins().view(), sites(), state_.sites);
    else
        lloyd_.sum(*context_, colouring_.colours().view(), sites(), state_.sites);
    const LloydOutcome outcome = lloyd_.judge(*context_, sites(), state_.sites);
    state_.made |= kMeasured;
    const bool weighed = !lloyd_.of_points() && !lloyd_.density().empty();
    state_.energy = weighed ? outcome.energy / kFullWeight : outcome.energy;
    state_.largest_move = outcome.largest_move;
    state_.move_follows = state_.to_go > 0 && outcome.moved > 0 && outcome.largest_move > now_.tolerance;
    if (!state_.move_follows && state_.to_go > 0) {
        state_.to_go = 0;
        result.message = outcome.moved ? "No site is farther from its centroid than " + format_short(now_.tolerance) +
                                             " lattice units: the iteration ends."
                                       : "Every site is at its centroid: the iteration ends.";
    }
    if (areas_before_.empty()) areas_before_ = areas();
    result.measures = {state_.energy, outcome.largest_move};
    result.counters[kMoved] = outcome.moved;
    result.counters[kEmpty] = outcome.empty;
    state_.next = after_centroids();
}

uint32_t VoronoiLab::after_centroids() const {
    const bool every = now_.graph == int(GraphWhen::kEvery) && !fast_;
    return every || !state_.move_follows ? uint32_t(kCorners) : uint32_t(kMove);
}

void VoronoiLab::corners(StepResult& result) {
    graph_.find_corners(*context_, colouring_.colours().view(), rules());
    state_.made |= kCornered;
    state_.next = kLink;
    if (watched_ && method() == ColouringMethod::kJumpFlooding)  // their number is known since they were coloured
        colouring_.count_errors(*context_, graph_.site_states().view(), kSiteWrongColour);
    if (fast_) return;
    result.counters[kCorner] = graph_.read_corner_count();
    const OddSites odd = count_odd_sites();
    result.counters[kIslands] = static_cast<int64_t>(odd.islands);
    result.counters[kProlonged] = static_cast<int64_t>(odd.prolonged);
}

void VoronoiLab::link() {
    graph_.link(*context_, colouring_.colours().view(), colouring_.bins().view(), state_.sites, rules());
    state_.next = kArrange;
}

void VoronoiLab::arrange(StepResult& result) {
    graph_.arrange(*context_);
    graph_.read_counts(*context_);
    state_.made |= kLinked;
    exact_.reset();
    comparison_ = {};
    if (watched_) {
        exact_mesh_.vertex_count = exact_mesh_.edge_count = 0;
        draw_links();
    }
    result.counters[kLinks] = graph_.adjacency().entry_count / 2;
    state_.next = now_.compare ? uint32_t(kCompare) : after_graph();
    if (!now_.compare) result.ended = Level::kIteration;
}

void VoronoiLab::compare(StepResult& result) {
    hold_against_exact();
    if (!state_.move_follows) list_differences();
    result.notable = !comparison_.errors.empty();
    result.counters[kMissed] = comparison_.missed;
    result.counters[kSpurious] = comparison_.spurious;
    result.counters[kBlocked] = static_cast<int64_t>(comparison_.blocked.size());
    result.ended = Level::kIteration;
    state_.next = after_graph();
}

void VoronoiLab::hold_against_exact() {
    const std::vector<Point> centres = coloured_sites();
    exact_ = exact_graph(*context_, centres, start_.lattice);
    comparison_ = compare_graphs(*exact_, centres, pairs_of(graph_.adjacency()), host_obstacles());
    state_.made |= kCompared;
    if (watched_) draw_comparison();
}

void VoronoiLab::move(StepResult& result) {
    lloyd_.move(*context_, sites(), state_.sites);
    --state_.to_go;
    ++state_.moves;
    state_.move_follows = 0;
    result.ended = Level::kRound;
    state_.next = kColour;
}

void VoronoiLab::finish(const std::function<void(const StepResult&)>& after_round) {
    fast_ = true;
    stroke_.reset();
    StepResult round = begin_step(kColour);
    try {
        while (!done()) {
            const StepResult result = run(state_.next);
            for (size_t k = 0; k < kCounters; ++k)
                if (result.counters[k] != kNotCounted) round.counters[k] = result.counters[k];
            if (!result.measures.empty()) round.measures = result.measures;
            round.message += (round.message.empty() || result.message.empty() ? "" : " ") + result.message;
            if (result.ended < Level::kRound) continue;
            round.pass = result.pass;
            round.next = result.next;
            round.ended = result.ended;
            round.round = result.round;
            if (after_round) after_round(round);
            round = begin_step(kColour);
        }
    } catch (...) {
        fast_ = false;
        throw;
    }
    fast_ = false;
}

// ---- what is drawn --------------------------------------------------------------------------------------------------

void VoronoiLab::draw_links() {
    links_.draw(*context_, start_.lattice, graph_.adjacency(), fixed_vertices(), watched_, mesh_);
    mark_centres();
}

/// Where there are points in clusters, too, their centres must stand out.
void VoronoiLab::mark_centres() {
    if (!watched_ || start_.points.empty()) return;
    std::vector<State> states(mesh_.vertex_count, 0);
    std::fill_n(states.begin(), state_.sites, State(kCentreVertex));
    mesh_.vertex_states.upload(*context_, states.data(), states.size());
}

void VoronoiLab::draw_comparison() {
    const Lattice& lattice = start_.lattice;
    std::vector<Point> places;
    std::vector<State> states;
    const auto draw = [&](const LinkPieces& pieces, State state) {
        for (uint32_t k = 0; k < pieces.count; ++k) {
            places.insert(places.end(), {pieces.from[k], pieces.to[k]});
            states.push_back(state);
        }
    };
    for (const ExactGraph::Piece& piece : exact_->pieces)
        draw(cut_way(lattice, piece.from, {piece.to.x - piece.from.x, piece.to.y - piece.from.y},
                     lattice.wrapped(piece.to)),
             kExactEdge);
    std::vector<std::array<uint32_t, 2>> spurious;
    const std::vector<Point> centres = coloured_sites();
    for (const LinkError& error : comparison_.errors) {
        const auto& [a, b] = error.labels;
        if (!error.missed) {
            spurious.push_back(error.labels);
            continue;
        }
        draw(cut_link(lattice, centres[a], centres[b]), kMissedLink);
    }
    for (const LinkError& error : comparison_.blocked)
        draw(cut_link(lattice, centres[error.labels[0]], centres[error.labels[1]]), kBlockedLink);
    const uint32_t edges = static_cast<uint32_t>(states.size());
    std::vector<uint32_t> ends(places.size());
    for (uint32_t k = 0; k < ends.size(); ++k) ends[k] = k;
    exact_mesh_.reset(*context_, 2 * edges, edges, true);
    exact_mesh_.positions.upload(*context_, places.data(), places.size());
    exact_mesh_.edges.upload(*context_, ends.data(), ends.size());
    exact_mesh_.edge_states.upload(*context_, states.data(), states.size());
    exact_mesh_.edge_count = edges;
    links_.mark(*context_, spurious, kSpuriousLink, mesh_);
}

// ---- small helpers --------------------------------------------------------------------------------------------------

std::vector<Point> VoronoiLab::host_sites() const {
    std::vector<Point> places(state_.sites);
    if (state_.sites) mesh_.positions.download(places.data(), places.size());
    return places;
}

/// The sites as they were when the lattice was coloured: Lloyd's iteration may have moved them since.
std::vector<Point> VoronoiLab::coloured_sites() const {
    std::vector<Point> places(state_.sites);
    if (state_.sites && (state_.made & kColoured))
        context_->copy(places.data(), colouring_.bins().view().centres.data, places.size() * sizeof(Point));
    return places;
}

std::vector<uint8_t> VoronoiLab::host_obstacles() const {
    return colouring_.obstacles().empty() ? std::vector<uint8_t>{} : colouring_.obstacles().download();
}

std::vector<uint64_t> VoronoiLab::areas() const {
    std::vector<uint64_t> areas;
    if (!(state_.made & kMeasured) || state_.sites == 0) return areas;
    std::vector<CellSums> sums(state_.sites);
    lloyd_.sums().download(sums.data(), sums.size());
    for (const CellSums& cell : sums) areas.push_back(cell.area);
    return areas;
}

// ---- hash, saving and loading ---------------------------------------------------------------------------------------

uint64_t VoronoiLab::state_hash() const {
    uint64_t hash = mix64(state_.sites);
    for (const uint32_t word : {state_.next, state_.round, state_.jumps, state_.to_go, state_.moves, state_.made})
        hash = mix64(hash ^ word);
    for (const uint32_t name : names_) hash = mix64(hash ^ name);
    const auto add = [&](const auto& buffer, size_t count) {
        if (count) hash = hash_words(*context_, words_of(buffer, count), hash);
    };
    add(mesh_.positions, state_.sites);
    add(colouring_.colours(), start_.lattice.site_count());
    if (!(state_.made & kLinked)) return hash;
    const Adjacency& graph = graph_.adjacency();
    add(graph.starts, size_t(graph.count) + 1);
    add(graph.neighbours, graph.entry_count);
    return hash;
}

Snapshot VoronoiLab::save() const {
    if (state_.jumps > 0) throw std::logic_error("the Voronoi lab cannot be saved in the middle of a colouring");
    Snapshot snapshot;
    put_values(snapshot, &state_, 1);
    const std::vector<Point> now = host_sites(), then = coloured_sites();
    put_values(snapshot, now.data(), now.size());
    put_values(snapshot, then.data(), then.size());
    put_values(snapshot, names_.data(), names_.size());
    put_block(snapshot, colouring_.obstacles(), colouring_.obstacles().size());
    return snapshot;
}

void VoronoiLab::load(const Snapshot& snapshot) {
    if (snapshot.blocks.size() != 5 ||
        (!snapshot.blocks[4].empty() && snapshot.blocks[4].size() != start_.lattice.site_count()))
        throw std::logic_error("not a snapshot of the Voronoi lab, or one of another input");
    Moment moment;
    take_values(snapshot, 0, &moment, 1);
    for (const size_t places : {1, 2}) require_count<Point>(snapshot, places, moment.sites);
    require_count<uint32_t>(snapshot, 3, moment.sites);
    const std::vector<Point> now = take_vector<Point>(snapshot, 1), then = take_vector<Point>(snapshot, 2);
    const std::vector<uint32_t> names = take_vector<uint32_t>(snapshot, 3);
    const std::vector<uint8_t> obstacles = take_vector<uint8_t>(snapshot, 4);

    state_ = moment;
    stroke_.reset();
    colouring_.obstacles().upload(*context_, obstacles.data(), obstacles.size());
    set_sites(moment.made ? then : now, names);
    fast_ = true;
    try {
        rebuild(moment.made);
    } catch (...) {
        fast_ = false;
        throw;
    }
    fast_ = false;
    state_ = moment;
    if (moment.sites) context_->copy(mesh_.positions.view().data, now.data(), now.size() * sizeof(Point));
}

/// Makes again what was made of the sites: bits of Made.
void VoronoiLab::rebuild(uint32_t made) {
    StepResult ignored = begin_step(kPlace);
    if (made & kColoured) {
        state_.jumps = 0;
        colour(ignored);
    }
    if (made & kMeasured) centroids(ignored);
    if (made & kCornered) corners(ignored);
    if (made & kLinked) {
        link();
        arrange(ignored);
    }
    if (made & kCompared) hold_against_exact();
}

}  // namespace flipscope
