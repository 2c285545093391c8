// The Voronoi lab, pass by pass. One round is
//
//   colour (as many steps as the method has) → centroids → (corners → link → arrange → compare) → move
//
// and rounds go on while Lloyd's iterations are left and a site is far enough from its centroid; the last round has
// no move. All but the sites and the obstacles is a function of these two, so a snapshot holds no more, and the rest is
// made again from it. step() runs one pass; finish() runs them with fewer looks at counts, and must end in the same
// state.
#include "labs/voronoi/voronoi_lab.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "compute/array.h"
#include "compute/error.h"
#include "compute/primitives.h"
#include "compute/text.h"
#include "compute/work.h"
#include "geometry/frames.h"
#include "geometry/places.h"
#include "lab/element_links.h"
#include "lab/parameters.h"
#include "labs/voronoi/stencil_inspect.h"
#include "mesh/collect_failures.h"
#include "mesh/hash.h"

namespace flipscope {

std::unique_ptr<Lab> make_voronoi_lab() { return std::make_unique<VoronoiLab>(); }

namespace {

struct ShowObstacles {
    View<const uint8_t> obstacles;  // or empty
    View<uint32_t> colours;
    FLIPSCOPE_HD void operator()(uint32_t pixel) const {
        colours[pixel] = obstacles && obstacles[pixel] ? kMaxLink : kNone;
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
    records_states_ = wants_states_;
    fast_ = false;
    state_ = {};
    stroke_.reset();
    state_.next = kPlace;
    state_.to_go = static_cast<uint32_t>(now_.lloyd);
    areas_before_.clear();
    log_.clear();
    colouring_.reset(context, start_.lattice);
    graph_.set_records_states(records_states_);
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
    numbering_ = 0;
    for (const uint32_t name : names_) numbering_ = mix64(numbering_ ^ name);
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
    launch(*context_, "place.blank", start_.lattice.pixel_count(),
           ShowObstacles{obstacles.empty() ? View<const uint8_t>{} : obstacles.view(), colouring_.colours().view()});
    graph_.pixel_states().fill_bytes(0);
    links_.clear(*context_, fixed_vertices(), records_states_, mesh_);
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
    const WorkStage stage(info().passes[pass].name.c_str());
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
        if (outcome.moved)
            result.message.add("tolerance", "No site is farther from its centroid than " +
                                                format_short(now_.tolerance) + " lattice units: the iteration ends.");
        else
            result.message.add("centroidal", "Every site is at its centroid: the iteration ends.");
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
    if (records_states_ &&
        method() == ColouringMethod::kJumpFlooding)  // their number is known since they were coloured
        colouring_.count_errors(*context_, graph_.pixel_states().view(), kPixelWrongColour);
    if (fast_) return;
    result.counters[kCorner] = graph_.read_corner_count();
    const OddPixels odd = count_odd_pixels();
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
    if (records_states_) {
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
    result.breakpoint_hit = !comparison_.errors.empty();
    result.counters[kMissed] = comparison_.missed;
    result.counters[kSpurious] = comparison_.spurious;
    result.counters[kBlocked] = static_cast<int64_t>(comparison_.blocked.size());
    result.ended = Level::kIteration;
    state_.next = after_graph();
}

void VoronoiLab::hold_against_exact() {
    const std::vector<Point> sites = coloured_sites();
    exact_ = exact_graph(*context_, sites, start_.lattice);
    comparison_ = compare_graphs(*exact_, sites, pairs_of(graph_.adjacency()), host_obstacles());
    state_.made |= kCompared;
    if (records_states_) draw_comparison();
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
            round.message.add(result.message);
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
    links_.draw(*context_, start_.lattice, graph_.adjacency(), fixed_vertices(), records_states_, mesh_);
    mark_centres();
}

/// Where there are points in clusters, too, the cluster centres must stand out.
void VoronoiLab::mark_centres() {
    if (!records_states_ || start_.points.empty()) return;
    std::vector<State> states(mesh_.vertex_count, 0);
    std::fill_n(states.begin(), state_.sites, State(kCentreVertex));
    mesh_.vertex_states.upload(*context_, states.data(), states.size());
}

void VoronoiLab::draw_comparison() {
    const Lattice& lattice = start_.lattice;
    const WorkStage stage("picture of the differences");
    std::vector<Point> places;
    std::vector<State> states;
    RegularLook look;
    const auto draw = [&](const LinkPieces& pieces, State state) {
        look();
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
    const std::vector<Point> sites = coloured_sites();
    for (const LinkError& error : comparison_.errors) {
        const auto& [a, b] = error.labels;
        if (!error.missed) {
            spurious.push_back(error.labels);
            continue;
        }
        draw(cut_link(lattice, sites[a], sites[b]), kMissedLink);
    }
    for (const LinkError& error : comparison_.blocked)
        draw(cut_link(lattice, sites[error.labels[0]], sites[error.labels[1]]), kBlockedLink);
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
        context_->copy(places.data(), colouring_.bins().view().sites.data, places.size() * sizeof(Point));
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
    add(colouring_.colours(), start_.lattice.pixel_count());
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
    put_values(snapshot, areas_before_.data(), areas_before_.size());
    return snapshot;
}

void VoronoiLab::load(const Snapshot& snapshot) {
    if (snapshot.blocks.size() != 6 ||
        (!snapshot.blocks[4].empty() && snapshot.blocks[4].size() != start_.lattice.pixel_count()))
        throw std::logic_error("not a snapshot of the Voronoi lab, or one of another input");
    RunState run_state;
    take_values(snapshot, 0, &run_state, 1);
    for (const size_t places : {1, 2}) require_count<Point>(snapshot, places, run_state.sites);
    require_count<uint32_t>(snapshot, 3, run_state.sites);
    const std::vector<Point> now = take_vector<Point>(snapshot, 1), then = take_vector<Point>(snapshot, 2);
    const std::vector<uint32_t> names = take_vector<uint32_t>(snapshot, 3);
    const std::vector<uint8_t> obstacles = take_vector<uint8_t>(snapshot, 4);
    std::vector<uint64_t> areas_before = take_vector<uint64_t>(snapshot, 5);

    state_ = run_state;
    areas_before_ = std::move(areas_before);
    stroke_.reset();
    colouring_.obstacles().upload(*context_, obstacles.data(), obstacles.size());
    set_sites(run_state.made ? then : now, names);
    fast_ = true;
    try {
        rebuild(run_state.made);
    } catch (...) {
        fast_ = false;
        throw;
    }
    fast_ = false;
    state_ = run_state;
    if (run_state.sites) context_->copy(mesh_.positions.view().data, now.data(), now.size() * sizeof(Point));
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

// ---- manual edits --------------------------------------------------------------------------------------------------

namespace {

constexpr uint32_t kMostSites = 1u << 26;

bool is_stroke(const Edit& edit) { return edit.kind == Edit::Kind::kPaint || edit.kind == Edit::Kind::kWipe; }

/// The places of a stroke, in order.
std::vector<Point> path_of(const Edit& edit) {
    std::vector<Point> path{{edit.place.x, edit.place.y}};
    for (const Point3& place : edit.path) path.push_back({place.x, place.y});
    return path;
}

/// How far the box around these places lies beside the lattice; 0: it does not.
double distance_beside(const Lattice& lattice, const std::vector<Point>& places) {
    const auto by_x = [](Point a, Point b) { return a.x < b.x; };
    const auto by_y = [](Point a, Point b) { return a.y < b.y; };
    const auto [left, right] = std::minmax_element(places.begin(), places.end(), by_x);
    const auto [low, high] = std::minmax_element(places.begin(), places.end(), by_y);
    double beside = 0;
    if (!lattice.periodic.x) beside = std::max({beside, -0.5 - right->x, left->x - (lattice.width - 0.5)});
    if (!lattice.periodic.y) beside = std::max({beside, -0.5 - high->y, low->y - (lattice.height - 0.5)});
    return beside;
}

}  // namespace

StepResult VoronoiLab::edit(const Edit& edit) {
    refuse(edit);  // before anything changes
    StepResult result = begin_step(kEdit), ignored = begin_step(kPlace);
    if (edit.goes_on) {
        if (!stroke_) throw std::logic_error("the Voronoi lab: there is no stroke or drag to go on with");
        state_ = stroke_->run_state;
        areas_before_ = stroke_->areas_before;
    } else {
        stroke_.reset();
        if (state_.next == kPlace) place(ignored);
        if (state_.next == kObstacles) show_obstacles(ignored);
        if (is_stroke(edit) || edit.kind == Edit::Kind::kMoveVertex) stroke_ = BeforeStroke{state_, areas_before_};
    }
    change(edit);
    blank();
    state_.jumps = 0;
    state_.move_follows = 0;
    state_.to_go = static_cast<uint32_t>(now_.lloyd);  // the iteration may go on from here
    state_.next = kColour;
    if (now_.after_edit == int(AfterEdit::kAtOnce)) {
        do {
            const StepResult made = run(state_.next);
            for (size_t k = 0; k < kCounters; ++k)
                if (made.counters[k] != kNotCounted) result.counters[k] = made.counters[k];
            if (!made.measures.empty()) result.measures = made.measures;
            result.breakpoint_hit |= made.breakpoint_hit;
        } while (!done() && state_.next != kMove);
    }
    result.counters[kSites] = state_.sites;
    result.next = state_.next;
    result.round = state_.round;
    result.ended = done() ? Level::kEnd : Level::kRound;
    return result;
}

/// Throws Error with a sentence for what cannot be done.
void VoronoiLab::refuse(const Edit& edit) const {
    using Kind = Edit::Kind;
    if (edit.kind == Kind::kFlipEdge)
        throw Error("Links follow from the cells and cannot be flipped; move a site, and they change.");
    const Lattice& lattice = start_.lattice;
    const uint32_t sites = state_.next == kPlace ? static_cast<uint32_t>(start_.sites.size()) : state_.sites;
    if (edit.kind == Kind::kMoveVertex || edit.kind == Kind::kRemoveVertex) {
        const char* what = edit.kind == Kind::kMoveVertex ? "move" : "remove";
        if (edit.id >= sites && edit.id - sites < lloyd_.point_count())
            throw Error("This is one of the points that are assigned to clusters, and stays; " + std::string(what) +
                        " a cluster centre.");
        if (edit.id >= sites) throw Error("There is no site " + std::to_string(edit.id) + " to " + what + ".");
    }
    if (edit.kind == Kind::kRemoveVertex) return;
    const std::vector<Point> path = path_of(edit);
    const auto is_finite = [](Point p) { return std::isfinite(p.x) && std::isfinite(p.y); };
    if (!std::all_of(path.begin(), path.end(), is_finite) || !(edit.radius >= 0))
        throw Error("Nothing can be done here: the coordinates are no numbers.");
    if (edit.goes_on) return;  // a stroke may leave the lattice, and come back
    const double beside = distance_beside(lattice, path);
    const std::string size =
        "x from 0 to " + std::to_string(lattice.width - 1) + ", y from 0 to " + std::to_string(lattice.height - 1);
    if (edit.kind == Kind::kAddVertex && beside > 0) throw Error("A new site must lie on the lattice: " + size + ".");
    if (edit.kind == Kind::kAddVertex && sites >= kMostSites)
        throw Error("There are " + std::to_string(sites) + " sites already, and no room for another.");
    if (is_stroke(edit) && beside > edit.radius) throw Error("The brush does not touch the lattice: " + size + ".");
    if (edit.kind == Kind::kWipe && without_obstacles()) throw Error("There are no obstacles to wipe away.");
}

bool VoronoiLab::without_obstacles() const {
    return colouring_.obstacles().empty() && (start_.obstacles.empty() || state_.next > kObstacles);
}

void VoronoiLab::change(const Edit& edit) {
    using Kind = Edit::Kind;
    const Point place{edit.end().x, edit.end().y};  // of a drag, where it ends is all that counts
    if (is_stroke(edit)) {
        Buffer<uint8_t>& obstacles = colouring_.obstacles();
        if (obstacles.empty()) {
            obstacles.resize(*context_, start_.lattice.pixel_count(), false);
            obstacles.fill_bytes(0);
        }
        const double most = double(start_.lattice.width) + start_.lattice.height;
        paint_obstacles(*context_, start_.lattice, obstacles, path_of(edit), std::min(edit.radius, most),
                        edit.kind == Kind::kPaint);
        return;
    }
    std::vector<Point> sites = host_sites();
    std::vector<uint32_t> names = names_;
    if (edit.kind == Kind::kMoveVertex) {
        sites[edit.id] = within(place);
    } else if (edit.kind == Kind::kAddVertex) {
        sites.push_back(within(place));
        names.push_back(state_.next_name++);
    } else {
        sites.erase(sites.begin() + edit.id);
        names.erase(names.begin() + edit.id);
    }
    set_sites(sites, names);
}

/// The place of the lattice that is meant: a site dragged past an open border stays at it.
Point VoronoiLab::within(Point place) const {
    const Lattice& lattice = start_.lattice;
    const auto brought = [](double v, double period, bool periodic) {
        return periodic ? v - std::floor(v / period) * period : std::clamp(v, -0.5, period - 0.5);
    };
    return lattice.wrapped(
        {brought(place.x, lattice.width, lattice.periodic.x), brought(place.y, lattice.height, lattice.periodic.y)});
}

// ---- in words: passes, counters, parameters, colours ----------------------------------------------------------------

const LabInfo& voronoi_lab_info() {
    static const LabInfo info = [] {
        LabInfo made{
            "voronoi",
            "Voronoi lab",
            "Colours the pixels of a lattice by their nearest sites, reads the graph of neighbours off the colours, "
            "compares it with the exact one, and moves sites to the centroids of their cells.",
            "After M. Bernaschi, M. Lulli and M. Sbragaglia, GPU based detection of topological changes in Voronoi "
            "diagrams (2016), sections II and III B, with an exact colouring that culls sites by distance, open "
            "borders whose contacts are all found, and the exact diagram drawn over it.",
            {{"place", "The sites are placed on the lattice."},
             {"obstacles", "The pixels of obstacles are marked; no cell will have them."},
             {"colour",
              "Every pixel gets the colour of its nearest site; jump flooding asks pixels at ever shorter distances, "
              "one "
              "jump per step."},
             {"centroids",
              "Sums over the pixels of every cell: its area, its centroid, and its energy, the squared distances of "
              "its "
              "pixels to its site."},
             {"corners",
              "Pixels where the colour changes three times around them, or twice on an open border, are corners of "
              "cells."},
             {"link",
              "At every corner the five conditions determine which colours around it are neighbours of its own. Exact "
              "cells are added: of sites too near to each other for the lattice, or of all."},
             {"arrange", "Each cell's neighbours are sorted, each listed once, and each also in the other's row."},
             {"compare",
              "The exact Delaunay triangulation of the same sites tells which links are missed and which are "
              "spurious."},
             {"move", "Every site moves to the centroid of its cell."},
             {"edit", "A manual edit: a site or an obstacle was changed."}},
            {{"sites", "sites that have cells, or cluster centres", true},
             {"corners", "pixels where cells meet", true},
             {"links", "pairs of neighbours", true},
             {"islands", "pixels with no neighbour of their colour", true},
             {"prolonged", "pixels whose colour crosses the stencil in a single line", true},
             {"missed",
              "exact links in sight that the lattice's graph does not have, though no obstacle lies in the way", true,
              true},
             {"spurious", "links that the exact graph does not have", true, true},
             {"blocked", "exact links that the lattice's graph cannot have: obstacles lie where the cells would touch",
              true},
             {"wrong colours", "pixels that jump flooding left another colour than that of the nearest site", true},
             {"to move", "sites that are not at the centroid of their cell", true},
             {"empty", "cells without a pixel, whose sites stay", true}},
            {{"energy",
              "Squared distances of all pixels, or points, to their sites, times the density, which is at most 1: "
              "equation 1, or the WCSS. No iteration increases it.",
              "lattice units squared"},
             {"largest move", "The greatest distance of a site to the centroid of its cell.", "lattice units"}}};
        made.takes = {InputKind::kPoints, InputKind::kFields, InputKind::kNothing};
        made.detects = "difference";
        made.detects_changes = false;
        made.detects_note =
            "While sites still move they are counted and marked only; those of the last graph are listed.";
        made.breakpoint = "a comparison finds differences";
        made.detection_measures = {
            {"dual length", "Of a missed link: the length of the Voronoi edge on the lattice.", "lattice units"},
            {"shortfall", "Of a spurious link: by how much the Voronoi edge would have to grow before the cells touch.",
             "lattice units"}};
        made.makes_triangles = false;
        made.example = "uniform:300";
        return made;
    }();
    return info;
}

void VoronoiLab::parameters(ParameterVisitor& visitor) { visit_voronoi_parameters(visitor, requested_); }

Scene VoronoiLab::scene() const {
    Scene scene;
    const Lattice& lattice = start_.lattice;
    if (!lattice.pixel_count()) return scene;
    scene.low = {-0.5, -0.5};
    scene.high = {lattice.width - 0.5, lattice.height - 0.5};
    scene.point_count = fixed_vertices();
    const auto on_lattice = [&](const char* id, const char* title, const char* sentence, bool shown) -> LatticeLayer& {
        scene.layers.push_back({id, title, sentence, shown, LatticeLayer{lattice.width, lattice.height}});
        return std::get<LatticeLayer>(scene.layers.back().shape);
    };
    LatticeLayer& cells = on_lattice("cells", "Cells", "The cells in their tints, and the borders between them", true);
    cells.colours = &colouring_.colours();
    cells.names = &tints_;
    cells.wraps = lattice.periodic;
    if (state_.made & kColoured) cells.site_count = std::min(state_.sites, mesh_.vertex_count);
    if (!input_->points.empty() && start_.points.empty()) {
        cells.inputs = &tints_;
        cells.first_places = &first_places_;
    }
    if (start_.units) cells.units = *start_.units;
    // Before anything is made of it, the image itself is what there is to see.
    const bool untouched = state_.made == 0 && state_.moves == 0, unplaced = untouched && state_.sites == 0;
    if (!field_.empty()) {
        const bool image = !start_.image.empty();
        on_lattice("field", image ? "Image" : "Density",
                   image ? "The image, in place of the cells' tints"
                         : "Where sites are drawn to, dark most, in place of the cells' tints",
                   untouched)
            .field = &field_;
        scene.layers.back().scale = {ColourScale::Kind::kImage, image ? "image" : "density, dark most", "", 0, 1};
    }
    LatticeLayer& marks = on_lattice("marks", "Marked pixels", "The pixels that the legend lists", true);
    if (!graph_.pixel_states().empty()) marks.states = &graph_.pixel_states();
    const auto states_of = [](const Buffer<State>& states) { return states.empty() ? nullptr : &states; };
    const auto lines_of = [&](const Linework& lines) {
        return SegmentsLayer{&lines.positions, nullptr, lines.vertex_count,          &lines.edges,
                             lines.edge_count, {},      states_of(lines.edge_states)};
    };
    SegmentsLayer links = lines_of(mesh_);
    // A site that has moved over a periodic border would take its links with it, across the whole picture.
    if (start_.lattice.periodic.any() && !(state_.made & kLinked)) links.count = 0;
    scene.layers.push_back({"links", "Links", "The links between neighbouring cells", true, links});
    if (now_.compare)
        scene.layers.push_back(
            {"overlay", "Overlay", "What else the legend lists, over the links", true, lines_of(exact_mesh_)});
    PointsLayer points{&mesh_.positions, nullptr, std::min(fixed_vertices(), mesh_.vertex_count),
                       states_of(mesh_.vertex_states)};
    if (unplaced) points = {&first_places_, nullptr, static_cast<uint32_t>(first_places_.size())};
    if (unplaced) scene.point_count = points.count;
    scene.layers.push_back({"points", "Points", "The sites of the cells", true, points});
    if (unplaced) scene.layers.back().role = Role::kWaiting;
    using E = LegendEntry::Element;
    const bool obstacles = !colouring_.obstacles().empty();
    std::string why_missed = "In the exact graph, but not in the lattice's.";
    if (obstacles) why_missed = "In the exact graph, but not in the lattice's, though no obstacle lies in the way.";
    if (obstacles && !now_.rules.obstacles_end)
        why_missed += " An edge that ends at obstacles on both sides is found with \"Obstacles are borders\" only.";
    std::vector<LegendEntry> legend = {
        {E::kEdge, 0, Role::kPlain, "link", "Two cells that touch."},
        {E::kEdge, kMissedLink, Role::kMissed, "missed link", why_missed},
        {E::kEdge, kSpuriousLink, Role::kSpurious, "spurious link",
         "In the lattice's graph, but not in the exact one."},
    };
    if (obstacles)
        legend.push_back({E::kEdge, kBlockedLink, Role::kBlocked, "blocked link",
                          "In the exact graph, but obstacles lie where the cells would touch: no " +
                              format_short(kLeastContact) +
                              " lattice units of the Voronoi edge are free. Not counted as missed."});
    legend.push_back({E::kEdge, kExactEdge, Role::kExact, "exact Voronoi edge",
                      "From the Delaunay triangulation of the same sites."});
    if (method() == ColouringMethod::kJumpFlooding)
        legend.push_back({E::kPixel, kPixelWrongColour, Role::kSpurious, "wrong colour",
                          "Another site is nearer: jump flooding did not bring its colour here."});
    legend.insert(legend.end(),
                  {{E::kPixel, kPixelIsland, Role::kOdd, "island", "No pixel around it has its colour."},
                   {E::kPixel, kPixelProlonged, Role::kProlonged, "prolonged",
                    "Its colour crosses the stencil in a single line."},
                   {E::kPixel, kPixelCorner, Role::kCorner, "corner", "Cells meet here: links are searched for."}});
    if (unplaced) legend.push_back({E::kVertex, 0, Role::kWaiting, "not placed yet", "The first pass places it."});
    if (lloyd_.of_points())
        legend.push_back({E::kVertex, kCentreVertex, Role::kChosen, "cluster centre",
                          "The other points are assigned to clusters around it."});
    scene.set_legend(legend);
    return scene;
}

// ---- what is told of an element -------------------------------------------------------------------------------------

Element VoronoiLab::pick(const Probe& probe) const {
    const Lattice& lattice = start_.lattice;
    if (!lattice.pixel_count()) return {};
    if (mesh_.vertex_count > 0) {
        const Element found = pick_element(*context_, mesh_, fixed_vertices(), probe);
        if (found.id != kNone) return found;
    }
    const double x = std::floor(probe.place.x + 0.5), y = std::floor(probe.place.y + 0.5);
    if (!(x >= 0 && y >= 0 && x < lattice.width && y < lattice.height)) return {};
    return {ElementKind::kPixel, lattice.pixel(static_cast<uint32_t>(x), static_cast<uint32_t>(y)), probe.part};
}

SeenGraph VoronoiLab::seen_graph() const {
    const Adjacency& graph = graph_.adjacency();
    return {start_.lattice,
            graph.starts,
            graph.neighbours,
            mesh_.positions,
            links_,
            mesh_.edge_count,
            [this](uint32_t label) { return std::to_string(names_[label]); }};
}

Report VoronoiLab::inspect(Element element) const {
    Report report;
    if (element.id == kNone) return report;
    if (element.kind == ElementKind::kPixel && element.id < start_.lattice.pixel_count()) {
        inspect_pixel(element.id, report);
        return report;
    }
    Properties properties;
    if (element.kind == ElementKind::kVertex && element.id < state_.sites)
        inspect_site(element.id, properties, report.highlights);
    if (element.kind == ElementKind::kVertex && element.id >= state_.sites && element.id < fixed_vertices())
        inspect_point(element.id - state_.sites, properties);
    if (element.kind == ElementKind::kEdge && element.id < mesh_.edge_count)
        inspect_link(element.id, properties, report.highlights);
    report.add(std::move(properties));
    return report;
}

void VoronoiLab::inspect_pixel(uint32_t pixel, Report& report) const {
    const Lattice& lattice = start_.lattice;
    Properties properties;
    if (state_.made & kColoured) {
        describe_stencil(inspect_stencil(lattice, colouring_.colours(), coloured_sites(), pixel, now_.rules),
                         now_.rules, report, [this](uint32_t label) { return seen_graph().link(label); });
        const uint32_t colour = colouring_.colours().read(pixel);
        if (colour < state_.sites) {
            const double distance = std::sqrt(lattice.squared_distance(coloured_sites()[colour], lattice.place(pixel)));
            properties.list.push_back(
                {"Nearest site", site_name(colour), {}, {{site_name(colour), {ElementKind::kVertex, colour}}}});
            properties.add("Distance", Value(distance, "lattice units"), "to that site");
        }
    } else {
        properties.add("Pixel", std::vector<int64_t>{lattice.x_of(pixel), lattice.y_of(pixel)}, "not coloured yet");
    }
    if (!lloyd_.density().empty())
        properties.add("Density", lloyd_.density().read(pixel) / kFullWeight,
                       "its weight in centroids and energy, at most 1");
    report.add(std::move(properties));
}

void VoronoiLab::inspect_site(uint32_t label, Properties& properties, std::vector<Highlight>& highlights) const {
    const Point at = mesh_.positions.read(label);
    properties.add(lloyd_.of_points() ? "Cluster centre" : "Site", names_[label],
                   "label " + std::to_string(label) + "; where distances are equal the lowest label has the pixel");
    properties.add("x, y", Value(at, "lattice units"));
    if (start_.units) properties.add("In the input", in_input_units(start_.as_given(at), start_.units->unit));
    if (state_.made & kLinked) explain_site(seen_graph(), label, properties, highlights);
    if (state_.made & kMeasured) {
        CellSums cell;
        lloyd_.sums().download(&cell, 1, label);
        const Point then = coloured_sites()[label], centroid = lloyd_.centroid(cell, then);
        if (lloyd_.of_points()) {
            properties.add("Cluster", Value::count(cell.area, "point", "points"), "nearest to this cluster centre");
            const std::vector<uint32_t> clusters = lloyd_.clusters().download();
            std::vector<Link> points;
            for (uint32_t point = 0; point < lloyd_.point_count(); ++point)
                if (clusters[point] == label)
                    points.push_back({std::to_string(point), {ElementKind::kVertex, state_.sites + point}});
            add_cut_links("Points", std::move(points), properties, "of the cluster, by their indices in the input");
        } else {
            properties.add("Cell", Value::count(cell.area, "pixel", "pixels"),
                           cell.area == 0 ? "no pixel is nearest to it"
                                          : "the area of its cell, as a pixel is one lattice unit squared");
            if (start_.units && cell.area > 0)
                properties.add("Area in the input", Value::exactly(double(cell.area) * std::fabs(start_.units->unit.x *
                                                                                                 start_.units->unit.y),
                                                                   "units of the input, squared"));
        }
        if (!lloyd_.density().empty() && !lloyd_.of_points())
            properties.add("Weight", double(cell.weight) / kFullWeight, "the sum of its pixels' densities");
        if (cell.weight) {
            properties.add("Centroid", Value(centroid, "lattice units"),
                           format_short(std::sqrt(start_.lattice.squared_distance(then, centroid))) +
                               " lattice units from the site of the cell");
            highlights.push_back({Highlight::Kind::kPoint,
                                  {{centroid.x, centroid.y, 0}},
                                  0,
                                  Role::kMoved,
                                  "centroid of the cell of " + site_name(label)});
        }
    }
    if (state_.made & kLinked && state_.made & kCompared) tell_differences(label, properties, highlights);
}

/// How its links differ from those of the exact graph.
void VoronoiLab::tell_differences(uint32_t label, Properties& properties, std::vector<Highlight>& highlights) const {
    const SeenGraph graph = seen_graph();
    if (const uint32_t first = exact_->representatives[label]; first != label) {
        properties.list.push_back({"Coincident",
                                   site_name(first),
                                   "at the same position has the cell: the lowest label represents all there",
                                   {{site_name(first), {ElementKind::kVertex, first}}}});
        return;
    }
    std::vector<uint32_t> missed, spurious, blocked;
    for (const LinkError& error : comparison_.errors)
        for (const uint32_t k : {0u, 1u})
            if (error.labels[k] == label) (error.missed ? missed : spurious).push_back(error.labels[1 - k]);
    for (const LinkError& error : comparison_.blocked)
        for (const uint32_t k : {0u, 1u})
            if (error.labels[k] == label) blocked.push_back(error.labels[1 - k]);
    const Point at = mesh_.positions.read(label);
    const auto tell = [&](const char* name, const std::vector<uint32_t>& to, Role role, const char* why) {
        properties.list.push_back({name, to.size(), why, graph.links(to)});
        for (const uint32_t other : to)
            highlight_link(start_.lattice, at, mesh_.positions.read(other), role, "to " + site_name(other), highlights);
    };
    tell("Missed links", missed, Role::kMissed,
         missed.empty() ? "none of the exact graph's in sight" : "that the exact graph has, in sight");
    tell("Spurious links", spurious, Role::kSpurious, spurious.empty() ? "" : "that the exact graph does not have");
    if (!blocked.empty()) tell("Blocked links", blocked, Role::kBlocked, "obstacles lie where the cells would touch");
}

void VoronoiLab::inspect_point(uint32_t point, Properties& properties) const {
    properties.add("Point", point, "index in the input, from 0");
    const Point at = mesh_.positions.read(state_.sites + point);
    properties.add("x, y", Value(at, "lattice units"));
    if (start_.units) properties.add("In the input", in_input_units(start_.as_given(at), start_.units->unit));
    if (!(state_.made & kMeasured)) return;
    const uint32_t label = lloyd_.clusters().read(point);
    if (label >= state_.sites) return;
    const double distance = std::sqrt(start_.lattice.squared_distance(coloured_sites()[label], at));
    properties.list.push_back(
        {"Cluster",
         names_[label],
         "its cluster centre was " + format_short(distance) + " lattice units away when the clusters were made",
         {seen_graph().link(label)}});
}

void VoronoiLab::inspect_link(uint32_t edge, Properties& properties, std::vector<Highlight>& highlights) const {
    const auto [a, b] = links_.link(edge);
    if (std::max(a, b) >= state_.sites) return;
    const std::vector<Point> sites = coloured_sites();
    properties.add("Link", site_name(a) + " to " + site_name(b));
    if (state_.made & kLinked) explain_link(seen_graph(), edge, properties, highlights);
    properties.add("Length", Value(std::sqrt(start_.lattice.squared_distance(sites[a], sites[b])), "lattice units"));
    if (!(state_.made & kCompared)) return;
    if (const uint32_t found = exact_->find(a, b); found != kNone) {
        properties.add("In the exact graph", true,
                       exact_->in_sight[found] ? "" : "but the Voronoi edge lies outside the lattice");
        properties.add("Voronoi edge", Value(exact_->dual_lengths[found], "lattice units"),
                       "its length on the lattice");
        for (const ExactGraph::Piece& piece : exact_->pieces)
            if (piece.edge == found)
                highlights.push_back({Highlight::Kind::kLine,
                                      {{piece.from.x, piece.from.y, 0}, {piece.to.x, piece.to.y, 0}},
                                      0,
                                      Role::kExact,
                                      "Voronoi edge between the two"});
        return;
    }
    const std::array<uint32_t, 2> pair{std::min(a, b), std::max(a, b)};
    const auto error = std::find_if(comparison_.errors.begin(), comparison_.errors.end(),
                                    [&](const LinkError& e) { return !e.missed && e.labels == pair; });
    properties.add("In the exact graph", false, "spurious: the two cells touch on the lattice only");
    if (error != comparison_.errors.end())
        properties.add("Shortfall", Value(error->shortfall, "lattice units"),
                       "by which their Voronoi edge would have to grow before they touch");
}

// ---- the list of differences ----------------------------------------------------------------------------------------

/// Appends those of this comparison. Where the log has them already, because the user went back and came again, what
/// follows them stays.
void VoronoiLab::list_differences() {
    const std::vector<Point> sites = coloured_sites();
    const WorkStage stage("list of differences");
    std::vector<Detection> fresh;
    RegularLook look;
    for (const LinkError& error : comparison_.errors) {
        look();
        const auto [a, b] = error.labels;
        const Point d = start_.lattice.difference(sites[a], sites[b]);
        Detection detection;
        detection.time = detection.round = state_.round;
        detection.kind = std::string(error.missed ? "missed" : "spurious") + (error.at_border ? " at the border" : "");
        detection.place = start_.lattice.wrapped({sites[a].x + d.x / 2, sites[a].y + d.y / 2});
        detection.vertices = {names_[a], names_[b]};
        detection.measures = {error.missed ? error.dual_length : std::nan(""),
                              error.missed ? std::nan("") : error.shortfall};
        fresh.push_back(std::move(detection));
    }
    const auto same = [](const Detection& f, const Detection& g) {
        return f.round == g.round && f.kind == g.kind && f.place == g.place && f.vertices == g.vertices;
    };
    const size_t end = state_.found + fresh.size();
    if (log_.size() < end || !std::equal(fresh.begin(), fresh.end(), log_.begin() + ptrdiff_t(state_.found), same)) {
        log_.resize(state_.found);
        log_.insert(log_.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
    }
    state_.found = end;
}

std::vector<Detection> VoronoiLab::detections(size_t first) const {
    if (first >= state_.found) return {};
    std::vector<Detection> detections{log_.begin() + ptrdiff_t(first), log_.begin() + ptrdiff_t(state_.found)};
    if (start_.units)
        for (Detection& detection : detections) detection.given = start_.as_given(detection.place);
    return detections;
}

Report VoronoiLab::report_of_detection(size_t index) const {
    if (!(state_.made & kCompared) || state_.move_follows || index >= state_.found) return {};
    const size_t first = state_.found - comparison_.errors.size();
    if (index < first) return {};  // of cells that are no more
    const LinkError& error = comparison_.errors[index - first];
    const Lattice& lattice = start_.lattice;
    const std::vector<Point> sites = coloured_sites();
    const Point origin = sites[error.labels[0]], d = lattice.difference(origin, sites[error.labels[1]]);
    const Point middle{origin.x + d.x / 2, origin.y + d.y / 2};
    const double reach = std::max(0.9 * std::sqrt(d.x * d.x + d.y * d.y), 4.0);
    const auto seen = [&](Point p) {
        const Point from = lattice.difference(middle, p);
        return Point{middle.x + from.x, middle.y + from.y};
    };
    Diagram diagram;
    diagram.title = error.missed ? "A missed link" : "A spurious link";
    diagram.sentence =
        error.missed ? "The two cells touch along " + format_short(error.dual_length) + " lattice units" +
                           (error.free_length < error.dual_length
                                ? ", " + format_short(error.free_length) + " of them in one piece without obstacles"
                                : "") +
                           ", which the lattice's colours do not show."
                     : "The two cells touch on the lattice, but their Voronoi edge would have to grow by " +
                           format_short(error.shortfall) + " lattice units before they touch.";
    diagram.low = {middle.x - reach, middle.y - reach};
    diagram.high = {middle.x + reach, middle.y + reach};
    using Kind = Diagram::Shape::Kind;
    for (const ExactGraph::Piece& piece : exact_->pieces) {
        const Point from = seen(piece.from);
        const Point to{from.x + piece.to.x - piece.from.x, from.y + piece.to.y - piece.from.y};
        if (std::min(from.x, to.x) <= diagram.high.x && std::max(from.x, to.x) >= diagram.low.x &&
            std::min(from.y, to.y) <= diagram.high.y && std::max(from.y, to.y) >= diagram.low.y)
            diagram.shapes.push_back({Kind::kLine, {from, to}, Role::kExact, kNone, ""});
    }
    diagram.shapes.push_back({Kind::kLine,
                              {origin, {origin.x + d.x, origin.y + d.y}},
                              error.missed ? Role::kMissed : Role::kSpurious,
                              kNone,
                              ""});
    for (uint32_t label = 0; label < sites.size(); ++label) {
        const Point p = seen(sites[label]);
        if (p.x >= diagram.low.x && p.x <= diagram.high.x && p.y >= diagram.low.y && p.y <= diagram.high.y)
            diagram.shapes.push_back({Kind::kPoint, {p}, Role::kPlain, kNone, std::to_string(names_[label])});
    }
    Report report;
    report.add({std::move(diagram)});
    return report;
}

// ---- check, results and arrays --------------------------------------------------------------------------------------

namespace {

constexpr uint64_t kMostDistances = 30'000'000;  // of the check by brute force; of a larger lattice rows are sampled
constexpr uint32_t kAreaBins = 40, kDegreeBins = 16;

/// Asks all sites, in every so-manieth row. Sums up the pixels that have another colour.
struct FindWrongColour : FailureTest {
    Lattice lattice;
    View<const uint32_t> colours;
    View<const uint8_t> obstacles;  // or empty
    View<const Point> sites;
    uint32_t count, stride;  // sites; rows to the next one
    FLIPSCOPE_HD uint32_t element(uint32_t i) const {
        return lattice.pixel(i % lattice.width, i / lattice.width * stride);
    }
    FLIPSCOPE_HD bool operator()(uint32_t i) const {
        const uint32_t pixel = element(i);
        ExactNearest nearest;
        for (uint32_t c = 0; c < count; ++c) nearest.consider(lattice, lattice.place(pixel), sites[c], c);
        return colours[pixel] != (obstacles && obstacles[pixel] ? kMaxLink : nearest.label);
    }
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const { sums.value[0] += (*this)(i); }
};

CheckFailure wrong_colour(const Lattice& lattice, uint32_t pixel) {
    const uint32_t x = lattice.x_of(pixel), y = lattice.y_of(pixel);
    return {"wrong-colour",
            "pixel (" + std::to_string(x) + ", " + std::to_string(y) + ") has another colour than its nearest site's",
            {{ElementKind::kPixel, pixel}},
            {},
            {{double(x), double(y), 0}}};
}

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

void add(std::string& sentence, const std::string& more) { sentence += (sentence.empty() ? "" : "; ") + more; }

std::vector<uint64_t> counted(const std::vector<uint64_t>& values, double low, double high, uint32_t bins) {
    std::vector<uint64_t> counts(bins, 0);
    for (const uint64_t value : values) {
        const double at = (double(value) - low) / (high - low) * bins;
        ++counts[std::min<uint32_t>(at > 0 ? static_cast<uint32_t>(std::min(at, 1e9)) : 0, bins - 1)];
    }
    return counts;
}

}  // namespace

CheckReport VoronoiLab::check() const {
    CheckReport report;
    if (!(state_.made & kColoured)) {
        report.passed = report.checked = false;
        report.sentence = "nothing is coloured yet";
        return report;
    }
    check_colours(report);
    check_sites(report);
    if (!(state_.made & kLinked)) return report;
    check_rows(report);
    const ExactGraph exact =
        exact_ && (state_.made & kCompared) ? *exact_ : exact_graph(*context_, coloured_sites(), start_.lattice);
    const std::vector<uint8_t> obstacles = host_obstacles();
    const GraphComparison comparison = compare_graphs(exact, coloured_sites(), pairs_of(graph_.adjacency()), obstacles);
    const bool all = now_.rules.exact_cells != int(ExactCells::kNone);
    const uint32_t missed_long = count_missed_contacts(comparison, ExactCells(now_.rules.exact_cells));
    // The rules alone promise nothing, nor does a graph of colours that are wrong.
    const bool promised = all && method() != ColouringMethod::kJumpFlooding;
    report.passed = report.passed && !(promised && missed_long > 0);
    if (promised && missed_long > 0) list_missed_contacts(comparison, report);
    add(report.sentence,
        std::to_string(comparison.links) + " links, " + std::to_string(comparison.exact_links) +
            " in the exact graph, " + std::to_string(comparison.missed) + " missed (" + std::to_string(missed_long) +
            " of them inside, " + (obstacles.empty() ? "" : "clear of obstacles, ") +
            (all ? "" : "between cells that have pixels, ") + "with a Voronoi edge of " + format_short(kLeastContact) +
            " lattice units or more" +
            (promised && missed_long > 0 ? ", where exact cells guarantee that there are none" : "") + "), " +
            std::to_string(comparison.spurious) + " spurious" +
            (comparison.blocked.empty() ? ""
                                        : ", " + std::to_string(comparison.blocked.size()) + " blocked by obstacles"));
    return report;
}

void VoronoiLab::list_missed_contacts(const GraphComparison& comparison, CheckReport& report) const {
    const std::vector<Point> sites = coloured_sites();
    for (const LinkError& error : comparison.errors) {
        if (!breaks_promise(error, ExactCells(now_.rules.exact_cells))) continue;
        const auto [a, b] = error.labels;
        add_failure(report,
                    {"missed-link",
                     "the link of sites " + std::to_string(a) + " and " + std::to_string(b) +
                         " is missed, along a Voronoi edge of " + format_short(error.dual_length) + " lattice units",
                     {},
                     {a, b},
                     {{sites[a].x, sites[a].y, 0}, {sites[b].x, sites[b].y, 0}},
                     error.dual_length});
    }
}

void VoronoiLab::check_colours(CheckReport& report) const {
    const Lattice& lattice = start_.lattice;
    const uint64_t distances = uint64_t(lattice.pixel_count()) * std::max(state_.sites, 1u);
    const uint32_t stride =
        static_cast<uint32_t>(std::min<uint64_t>((distances + kMostDistances - 1) / kMostDistances, lattice.height));
    const uint32_t rows = (lattice.height + stride - 1) / stride;
    Buffer<uint64_t> block_sums("block sums");
    block_sums.resize(*context_, kSumCount);
    block_sums.fill_bytes(0);
    const Buffer<uint8_t>& obstacles = colouring_.obstacles();
    const FindWrongColour find{{},
                               lattice,
                               colouring_.colours().view(),
                               obstacles.empty() ? View<const uint8_t>{} : obstacles.view(),
                               colouring_.bins().view().sites,
                               state_.sites,
                               stride};
    launch(*context_, "check.colours", lattice.width * rows, find, block_sums.view());
    const uint64_t wrong = block_sums.read(0);
    const bool flooded = method() == ColouringMethod::kJumpFlooding;
    if (wrong > 0 && !flooded) {
        for (const uint32_t pixel :
             collect_ids(*context_, "check.list colours", lattice.width * rows, find, kMostFailures))
            report.failures.push_back(wrong_colour(lattice, pixel));
        report.failure_count += wrong;
    }
    report.passed = report.passed && (wrong == 0 || flooded);
    const std::string where = stride == 1 ? "all pixels" : "the pixels of " + std::to_string(rows) + " rows";
    add(report.sentence, wrong == 0 ? "Voronoi: " + where + " have the colour of the nearest site"
                                    : std::to_string(wrong) + " of " + where +
                                          " have another colour than that of the nearest site" +
                                          (flooded ? ", as jump flooding leaves them" : ""));
}

void VoronoiLab::check_sites(CheckReport& report) const {
    const Lattice& lattice = start_.lattice;
    const char* const left_it = lattice.periodic.both() ? " left the torus" : " left the cylinder";
    uint64_t lost = 0, outside = 0;
    int64_t number = -1;
    for (const Point& p : host_sites()) {
        ++number;
        const bool inside_x =
            lattice.periodic.x ? p.x >= 0 && p.x < lattice.width : p.x >= -0.5 && p.x <= lattice.width - 0.5;
        const bool inside_y =
            lattice.periodic.y ? p.y >= 0 && p.y < lattice.height : p.y >= -0.5 && p.y <= lattice.height - 0.5;
        const bool left = !std::isfinite(p.x) || !std::isfinite(p.y) || (lattice.periodic.x && !inside_x) ||
                          (lattice.periodic.y && !inside_y);
        lost += left;
        if (left) add_failure(report, {"lost-site", "site " + std::to_string(number) + left_it, {}, {number}, {}});
        outside += !inside_x || !inside_y;
    }
    if (lost) {
        report.passed = false;
        add(report.sentence, count_text(lost, "site has", "sites have") + left_it);
    } else if (outside) {
        add(report.sentence, count_text(outside, "site lies", "sites lie") + " outside the lattice");
    }
}

/// Rows ascending, without repetitions, and symmetric.
void VoronoiLab::check_rows(CheckReport& report) const {
    const Adjacency& graph = graph_.adjacency();
    std::vector<uint32_t> starts(size_t(graph.count) + 1), entries(graph.entry_count);
    graph.starts.download(starts.data(), starts.size());
    graph.neighbours.download(entries.data(), entries.size());
    uint32_t broken_at = kNone;
    uint64_t broken = graph.count != state_.sites || starts[0] != 0 || starts[graph.count] != entries.size();
    for (uint32_t a = 0; broken == 0 && a < graph.count; ++a)
        for (uint32_t i = starts[a]; i < starts[a + 1]; ++i) {
            const uint32_t b = entries[i];
            broken += b >= graph.count || b == a || (i > starts[a] && entries[i - 1] >= b);
            if (b < graph.count)
                broken += !std::binary_search(entries.begin() + starts[b], entries.begin() + starts[b + 1], a);
            if (broken > 0 && report.failures.size() < kMostFailures && broken_at != a) {
                broken_at = a;
                add_failure(report,
                            {"broken-row",
                             "the row of neighbours of site " + std::to_string(a) + " is not ascending and symmetric",
                             {},
                             {a},
                             {}});
            }
        }
    if (broken && broken_at == kNone)
        add_failure(report, {"broken-row", "the rows of neighbours do not fit the sites", {}, {}, {}});
    report.broken_references += broken;
    if (broken == 0) return;
    report.passed = false;
    add(report.sentence,
        "the rows of the graph are not ascending and symmetric, in " + count_text(broken, "place", "places"));
}

Result VoronoiLab::result() const {
    Result result;
    result.points = input_ && !input_->points.empty() ? input_->points.size() : state_.sites;
    const auto tell = [&](const char* name, const char* unit, double value) {
        result.numbers.add_number(name, unit, value);
    };
    if (start_.units)
        result.lattice = {start_.lattice.width, start_.lattice.height, start_.lattice.periodic, *start_.units};
    tell("sites", "", state_.sites);
    if (state_.made & kLinked) {
        result.edges = graph_.adjacency().entry_count / 2;
        tell("links", "", double(result.edges));
    }
    if (state_.made & kCompared) {
        tell("missed links", "", comparison_.missed);
        tell("spurious links", "", comparison_.spurious);
        if (!colouring_.obstacles().empty()) tell("blocked links", "", double(comparison_.blocked.size()));
    }
    tell("pixels", "", start_.lattice.pixel_count());
    if (!colouring_.obstacles().empty()) tell("obstacle pixels", "", double(count_obstacles()));
    tell("Lloyd iterations", "", state_.moves);
    if (state_.made & kMeasured) {
        const std::vector<uint64_t> sizes = areas();
        tell("empty cells", "", double(std::count(sizes.begin(), sizes.end(), 0u)));
        tell("energy", "lattice units squared", state_.energy);
        if (lloyd_.of_points() && start_.scale != 1)
            tell("energy in the input's units", "", state_.energy / (start_.scale * start_.scale));
        tell("largest move", "lattice units", state_.largest_move);
    }
    if (method() == ColouringMethod::kJumpFlooding && (state_.made & kColoured))
        tell("wrong colours", "", double(colouring_.count_errors(*context_)));
    if (!(state_.made & kLinked)) return result;
    tell("corners", "", graph_.read_corner_count());
    const OddPixels odd = count_odd_pixels();
    tell("islands", "", double(odd.islands));
    tell("prolonged", "", double(odd.prolonged));
    if (state_.sites) tell("mean neighbours", "", 2 * double(result.edges) / state_.sites);
    if (!(state_.made & kCompared)) return result;
    tell("exact links", "", comparison_.exact_links);
    tell("longest missed Voronoi edge", "lattice units", comparison_.longest_missed);
    return result;
}

uint64_t VoronoiLab::count_obstacles() const {
    Buffer<uint64_t> block_sums("block sums");
    block_sums.resize(*context_, kSumCount);
    block_sums.fill_bytes(0);
    launch(*context_, "count.obstacles", start_.lattice.pixel_count(), CountObstacles{colouring_.obstacles().view()},
           block_sums.view());
    return block_sums.read(0);
}

VoronoiLab::OddPixels VoronoiLab::count_odd_pixels() const {
    Buffer<uint64_t> block_sums("block sums");
    block_sums.resize(*context_, kSumCount);
    block_sums.fill_bytes(0);
    launch(*context_, "count.odd sites", start_.lattice.pixel_count(),
           CountOddPixels{start_.lattice, colouring_.colours().view()}, block_sums.view());
    return {block_sums.read(0), block_sums.read(1)};
}

Report VoronoiLab::statistics() const {
    Report made;
    const std::vector<uint64_t> now = areas();
    if (now.empty()) return made;
    const bool points = lloyd_.of_points();
    const double content = points ? lloyd_.point_count() : start_.lattice.pixel_count();
    const double high = std::max(4.0 * content / double(std::max<size_t>(start_.sites.size(), 1)), 1.0);
    Distribution sizes;
    sizes.name = points ? "cluster sizes" : "cell areas";
    sizes.sentence = points ? "The number of points in each cluster; the last bin has all larger ones, too."
                            : "The number of pixels in each cell; the last bin has all larger ones, too.";
    sizes.unit = points ? "points" : "pixels";
    sizes.high = high;
    sizes.before = as_counts(counted(areas_before_, 0, high, kAreaBins));
    sizes.now = as_counts(counted(now, 0, high, kAreaBins));
    sizes.before_name = "first round";
    made.add(std::move(sizes));
    if (!(state_.made & kLinked)) return made;

    const auto degrees = [&](const std::vector<std::array<uint32_t, 2>>& links) {
        std::vector<uint64_t> counts(state_.sites, 0);
        for (const auto& link : links)
            for (const uint32_t label : link) ++counts[label];
        return as_counts(counted(counts, 0, kDegreeBins, kDegreeBins));
    };
    Distribution neighbours;
    neighbours.name = "neighbours";
    neighbours.sentence =
        "The number of cells that each cell is linked to: 6 on average far from borders. Beside it the exact graph on "
        "the lattice.";
    neighbours.high = kDegreeBins;
    neighbours.now = degrees(pairs_of(graph_.adjacency()));
    neighbours.now_name = "lattice";
    neighbours.before_name = "exact";
    if (state_.made & kCompared) {
        std::vector<std::array<uint32_t, 2>> in_sight;
        for (size_t e = 0; e < exact_->edges.size(); ++e)
            if (exact_->in_sight[e]) in_sight.push_back(exact_->edges[e]);
        neighbours.before = degrees(in_sight);
    }
    made.add(std::move(neighbours));
    return made;
}

std::vector<ArrayInfo> VoronoiLab::arrays() const {
    return {
        {"colours", "(height, width) the label of each pixel's nearest site; 2004318071 is an obstacle"},
        {"obstacles", "(height, width) 1 where an obstacle is, else 0"},
        {"density", "(height, width) the weight of each pixel, 1 to 65535, which is a density of 1; all 1: uniform"},
        {"sites",
         "(sites, 2) x and y, in the units of the input where its points were scaled, else lattice units; the row is "
         "the label"},
        {"names", "(sites) what stays the same of each label over time: index in the input, or running number"},
        {"areas", "(sites) pixels in each cell, or points in each cluster"},
        {"links", "(links, 2) labels of cells that are neighbours, the lower first"},
        {"exact_links",
         "(links, 2) labels of the exact Delaunay edges of the whole plane, torus or cylinder, the lower first"},
        {"clusters",
         "(points) the label of the cluster that each belongs to: its nearest site; nothing unless data=points"}};
}

Array VoronoiLab::array(const std::string& name) const {
    using Type = Array::Type;
    const std::vector<size_t> lattice{start_.lattice.height, start_.lattice.width};
    const size_t pixel_count = start_.lattice.pixel_count();
    const auto pairs = [](const std::vector<std::array<uint32_t, 2>>& links) {
        std::vector<uint32_t> flat;
        for (const auto& link : links) flat.insert(flat.end(), link.begin(), link.end());
        return make_array(Type::kUint32, {links.size(), 2}, flat);
    };
    if (name == "colours") return make_array(Type::kUint32, lattice, colouring_.colours().download());
    if (name == "obstacles") {
        const std::vector<uint8_t> marks = colouring_.obstacles().download();
        std::vector<uint32_t> values(marks.begin(), marks.end());
        values.resize(pixel_count, 0);
        return make_array(Type::kUint32, lattice, values);
    }
    if (name == "density") {
        std::vector<uint32_t> values(start_.density.begin(), start_.density.end());
        values.resize(pixel_count, 1);
        return make_array(Type::kUint32, lattice, values);
    }
    if (name == "sites") {
        std::vector<Point> places = host_sites();
        for (Point& at : places) at = start_.as_given(at);
        return make_array(Type::kFloat64, {state_.sites, 2}, places);
    }
    if (name == "names") return make_array(Type::kUint32, {names_.size()}, names_);
    if (name == "areas") {
        const std::vector<uint64_t> sizes = areas();
        return make_array(Type::kInt64, {sizes.size()}, sizes);
    }
    const bool linked = state_.made & kLinked;
    if (name == "links") return pairs(linked ? pairs_of(graph_.adjacency()) : std::vector<std::array<uint32_t, 2>>{});
    if (name == "exact_links")
        return pairs(exact_ && (state_.made & kCompared) ? exact_->edges
                                                         : exact_graph(*context_, host_sites(), start_.lattice).edges);
    if (name == "clusters") {
        const std::vector<uint32_t> labels =
            lloyd_.of_points() ? lloyd_.clusters().download() : std::vector<uint32_t>();
        return make_array(Type::kUint32, {labels.size()}, labels);
    }
    throw std::logic_error("the Voronoi lab has no array \"" + name + "\"");
}

TriangleSoup VoronoiLab::soup() const {
    TriangleSoup soup;
    soup_points_ = host_sites();
    soup.points = &soup_points_;
    return soup;
}

}  // namespace flipscope
