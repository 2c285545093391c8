#include "delaunay/constructions/subdivision.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "compute/error.h"
#include "compute/primitives.h"
#include "delaunay/constructions/hull.h"
#include "delaunay/constructions/rounds.h"
#include "delaunay/constructions/seed.h"
#include "delaunay/constructions/subdivision_kernels.h"
#include "mesh/checks.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

constexpr uint32_t kMostCandidates = 0xF0000000u;  // after a split: the limit of 32-bit indices and launch strides

/// A longer array is not split: all cells leave, the large ones to the host.
uint64_t most_split(uint32_t points) { return 16 * uint64_t(points) + 65536; }

/// Resizes to at least so many elements, contents lost; grows by more than needed, because the next round needs more.
template <class T>
void make_room(Context& context, Buffer<T>& buffer, size_t count) {
    const bool grows = !buffer.memory() || count * sizeof(T) > buffer.memory()->bytes();
    if (grows && !buffer.empty()) buffer.resize(context, count + count / 8, false);
    buffer.resize(context, count, false);
}

}  // namespace

void Subdivision::reset(Context& context, const InputPoints& input, const SubdivisionOptions& options) {
    begin(context, input);
    context.set_block_size(options.block_size / 32 * 32);
    options_ = options;
    options_.leaf = std::clamp(options.leaf, 3u, kMostByThread);
    state_ = {};
    state_.next = kOrder;
    host_positions_.clear();
}

void Subdivision::finish(const AfterRound& after_round, uint32_t rounds) {
    run_rounds(
        std::vector<int64_t>(kCounters, kNotCounted), {kCells, kCandidates}, after_round,
        [&] { return !done() && !(state_.next == kBroadcast && state_.round >= rounds); },
        [&] { return run(state_.next); });
}

PassResult Subdivision::run(uint32_t pass) {
    context_->throw_if_cancelled();
    host_found_.clear();  // of the last pass, which may have been cancelled
    PassResult result = PassResult::of(pass, kCounters);
    constexpr void (Subdivision::*kRuns[])(PassResult&) = {
        &Subdivision::order, &Subdivision::broadcast, &Subdivision::solve,        &Subdivision::split,
        &Subdivision::leach, &Subdivision::pack,      &Subdivision::find_outside, &Subdivision::join};
    run_from(*this, kRuns, result);
    if (pass == kOrder || pass == kPack) result.ended = Level::kRound;
    if (pass < kOutside) {
        result.counters[kCells] = state_.cells;
        result.counters[kCandidates] = state_.candidates;
    }
    result.close(state_.next, state_.round);
    return result;
}

void Subdivision::order(PassResult&) {
    Context& context = *context_;
    order_input(0);
    if (distinct_ == 0) {
        state_.next = kNone;
        return;
    }
    const bool line =
        distinct_ < 3 || !find_first_triangle(context, mesh_.positions.view(), distinct_, bounds_).found();
    if (line) {
        join_line();
        state_.next = kNone;
        return;
    }
    mesh_.reset(context, distinct_, will_record_states_);
    mesh_.positions.write(mesh_.infinite(), bounds_.low);
    mesh_.inputs.write(mesh_.infinite(), kNone);
    at_border_.fill(context, distinct_, 0);
    total_.resize(context, 1, false);
    sums_.resize(context, kSumCount);
    choose_root();
    points_.resize(context, distinct_, false);
    cell_of_.resize(context, distinct_, false);
    launch(context, "order.candidates", distinct_, StartArray{points_.view(), cell_of_.view()});
    cells_.resize(context, 1, false);
    cells_.write(0, state_.root);
    begins_.resize(context, 1, false);
    ends_.resize(context, 1, false);
    state_.cells = 1;
    state_.candidates = distinct_;
    state_.next = kBroadcast;
}

/// A square centred on all points: 2 s wide, where s is a power of two no less than the larger extent, and with corners
/// that are multiples of s / 4. At this distance few of the points own places of its border.
void Subdivision::choose_root() {
    const double extent = std::max(bounds_.high.x - bounds_.low.x, bounds_.high.y - bounds_.low.y);
    double s = exact::power_of_two(exact::exponent_of(std::max(extent, 0x1p-250)));
    if (s < extent) s *= 2;
    const auto corner = [&](double low, double high) {
        return std::round((low / 2 + high / 2 - s) / (s / 4)) * (s / 4);
    };
    const auto fits = [&](double low, double high) {
        const double begin = corner(low, high), end = begin + 2 * s;
        return std::fabs(begin) < 0x1p51 * s && Cell::is_exact_sum(begin, 2 * s) && begin <= low && end >= high;
    };
    while (!fits(bounds_.low.x, bounds_.high.x) || !fits(bounds_.low.y, bounds_.high.y)) s *= 2;
    state_.root = {{corner(bounds_.low.x, bounds_.high.x), corner(bounds_.low.y, bounds_.high.y)}, 2 * s, 0, 0};
}

CellsView Subdivision::cells() const {
    return {mesh_.positions.view(), mesh_.inputs.view(), cells_.view(),  begins_.view(),
            ends_.view(),           points_.view(),      cell_of_.view()};
}

CellsView Subdivision::judged() const {
    return {mesh_.positions.view(), mesh_.inputs.view(),  spare_cells_.view(),  spare_begins_.view(),
            spare_ends_.view(),     spare_points_.view(), spare_cell_of_.view()};
}

void Subdivision::broadcast(PassResult&) {
    Context& context = *context_;
    ++state_.round;
    make_room(context, begins_, state_.cells);
    make_room(context, ends_, state_.cells);
    launch(context, "broadcast", state_.candidates,
           BroadcastEnds{cell_of_.view(), begins_.view(), ends_.view(), state_.candidates});
    state_.next = kSolve;
}

void Subdivision::solve(PassResult& result) {
    Context& context = *context_;
    const CellsView at = cells();
    const uint32_t count = state_.cells, candidates = state_.candidates;
    const bool whole = state_.round == 1;  // only the root: it also finds the triangles outside it
    make_room(context, odd_, count);
    odd_.fill_bytes(0);
    make_room(context, verdicts_, count);
    make_room(context, numbers_, count);
    launch(context, "solve.circle", candidates, TestCocircular{at, odd_.view(), options_.leaf});
    sums_.begin();
    launch(context, "solve.judge", count,
           JudgeCells{at, odd_.view(), verdicts_.view(), options_.leaf, options_.patience, !whole,
                      candidates > most_split(distinct_)},
           sums_.view());
    uint64_t sums[2];
    sums_.read(sums, 2);
    const uint32_t before = state_.found, room = 2 * distinct_ - 5;
    if (sums[0] > 0) {
        const SolveCells solver{at,
                                verdicts_.view(),
                                {mesh_.triangles.view().data + 3 * size_t(before), 3 * size_t(room - before)},
                                room - before,
                                whole};
        compact(context, "solve.threes", count, solver, total_.view());
        const uint32_t found = read_total();
        if (found > room - before)
            throw std::logic_error("space subdivision found " + std::to_string(before + found) +
                                   " triangles, where there are at most " + std::to_string(room));
        state_.found += found;
    }
    if (sums[1] > 0) {
        list_.resize(context, sums[1], false);
        compact(context, "solve.list", count, ListLarge{at, verdicts_.view(), list_.view()}, total_.view());
        const std::vector<uint32_t> list = list_.download();
        const std::vector<uint32_t> begins = begins_.download(count), ends = ends_.download(count),
                                    points = points_.download(candidates);
        for (const uint32_t cell : list) {
            const Cell here = cells_.read(cell);
            triangulate_on_host({points.begin() + begins[cell], points.begin() + ends[cell]}, whole ? nullptr : &here,
                                nullptr);
        }
        append_found();
    }
    // Leaving candidates are packed away like leached ones.
    make_room(context, spare_cells_, count);
    compact(context, "solve.cells", count,
            KeepCells{cells_.view(), verdicts_.view(), spare_cells_.view(), numbers_.view()}, total_.view());
    const uint32_t kept = read_total();
    make_room(context, spare_points_, candidates);
    make_room(context, spare_cell_of_, candidates);
    make_room(context, spare_begins_, kept);
    make_room(context, spare_ends_, kept);
    compact(context, "solve.pack", candidates,
            KeepCandidates{at, numbers_.view(), spare_points_.view(), spare_cell_of_.view(), spare_begins_.view(),
                           spare_ends_.view(), at_border_.view(), state_.root, whole},
            total_.view());
    const uint32_t left = read_total();
    swap_arrays();
    state_.judged = count;
    state_.judged_candidates = candidates;
    state_.cells = kept;
    state_.candidates = left;
    result.counters[kLeft] = static_cast<int64_t>(sums[0]);
    result.counters[kByHost] = static_cast<int64_t>(sums[1]);
    result.counters[kFound] = state_.found - before;
    state_.next = kept > 0 ? kSplit : kOutside;
}

void Subdivision::swap_arrays() {
    std::swap(cells_, spare_cells_);
    std::swap(begins_, spare_begins_);
    std::swap(ends_, spare_ends_);
    std::swap(points_, spare_points_);
    std::swap(cell_of_, spare_cell_of_);
}

void Subdivision::split(PassResult& result) {
    Context& context = *context_;
    const uint64_t copies = 4 * uint64_t(state_.candidates);
    if (copies > kMostCandidates)
        throw Error(input_->name + ": round " + std::to_string(state_.round) + " of the subdivision would make " +
                    std::to_string(copies) + " copies of candidates, and an array holds " +
                    std::to_string(kMostCandidates) + "; fewer points, or a patience above 0, make fewer");
    const auto candidates = static_cast<uint32_t>(copies);
    const CellsView at = cells();
    make_room(context, spare_cells_, 4 * size_t(state_.cells));
    make_room(context, spare_begins_, 4 * size_t(state_.cells));
    make_room(context, spare_ends_, 4 * size_t(state_.cells));
    make_room(context, spare_points_, candidates);
    make_room(context, spare_cell_of_, candidates);
    launch(context, "split.cells", state_.cells,
           SplitCells{at, spare_cells_.view(), spare_begins_.view(), spare_ends_.view()});
    launch(context, "split.copy", state_.candidates, SplitCandidates{at, spare_points_.view(), spare_cell_of_.view()});
    swap_arrays();
    state_.judged = 0;
    state_.cells *= 4;
    state_.candidates = candidates;
    result.counters[kCopied] = candidates;
    state_.next = kLeach;
}

void Subdivision::leach(PassResult&) {
    Context& context = *context_;
    const CellsView at = cells();
    make_room(context, numbers_, state_.cells);
    compact(context, "leach.wide", state_.cells, NumberWide{at, numbers_.view()}, total_.view());
    if (const uint32_t wide = read_total()) {
        make_room(context, least_, wide);
        least_.fill_bytes(0xFF);
        make_room(context, central_, wide);
        central_.fill_bytes(0xFF);
        launch(context, "leach.distance", state_.candidates, FindCentral{at, numbers_.view(), least_.view(), {}});
        launch(context, "leach.central", state_.candidates,
               FindCentral{at, numbers_.view(), central_.view(), least_.view()});
    }
    make_room(context, stays_, state_.candidates);
    launch(context, "leach", state_.candidates, Leach{at, numbers_.view(), central_.view(), stays_.view()});
    state_.next = kPack;
}

void Subdivision::pack(PassResult& result) {
    Context& context = *context_;
    make_room(context, spare_points_, state_.candidates);
    make_room(context, spare_cell_of_, state_.candidates);
    compact(context, "pack", state_.candidates,
            PackCandidates{points_.view(), cell_of_.view(), stays_.view(), spare_points_.view(), spare_cell_of_.view()},
            total_.view());
    const uint32_t left = read_total();
    std::swap(points_, spare_points_);
    std::swap(cell_of_, spare_cell_of_);
    result.counters[kRemoved] = state_.candidates - left;
    state_.candidates = left;
    state_.next = kBroadcast;
}

/// A point with a Voronoi vertex outside the root owns a place of the root's border, too: its Voronoi cell is convex,
/// and the point itself is inside. So it was a candidate of a cell at the border when that left. The point nearest to a
/// place outside is one that owns places there. Hence these points alone determine the missing triangles.
void Subdivision::find_outside(PassResult& result) {
    Context& context = *context_;
    const uint32_t before = state_.found;
    list_.resize(context, distinct_, false);
    compact(context, "outside.list", distinct_, ListMarked{at_border_.view(), list_.view()}, total_.view());
    std::vector<uint32_t> vertices = list_.download(read_total());
    result.counters[kByHost] = static_cast<int64_t>(vertices.size());
    if (vertices.size() >= 3) triangulate_on_host(std::move(vertices), nullptr, &state_.root);
    append_found();
    result.counters[kFound] = state_.found - before;
    state_.judged = 0;
    state_.next = kJoin;
}

void Subdivision::join(PassResult&) {
    Context& context = *context_;
    const uint32_t triangles = state_.found, corners = 3 * triangles, room = 3 * distinct_ - 3;
    const int bits = std::bit_width(distinct_);
    Buffer<uint64_t> keys("edge keys");
    Buffer<uint32_t> sorted("sorted corners"), hull("hull corners"), hull_of("hull corners of vertices");
    keys.resize(context, corners, false);
    sorted.resize(context, corners, false);
    launch(context, "join.name", corners, NameCorners{mesh_.triangles.view(), keys.view(), sorted.view(), bits});
    sort_by_key(context, "join.sort", keys, sorted, 2 * bits);
    const SortedCorners by_edge{keys.view(), sorted.view(), corners};
    compact(context, "join.edges", corners, NumberEdges{by_edge, mesh_.view(), room}, total_.view());
    const uint32_t edges = read_total();
    hull.resize(context, corners, false);
    hull_of.resize(context, distinct_, false);
    compact(context, "join.hull", corners, ListHull{by_edge, mesh_.triangles.view(), hull.view(), hull_of.view()},
            total_.view());
    const uint32_t ghosts = read_total();
    if (triangles + uint64_t(ghosts) != 2 * uint64_t(distinct_) - 2 || edges + uint64_t(ghosts) != room)
        throw std::logic_error("space subdivision: " + std::to_string(triangles) + " triangles, " +
                               std::to_string(edges) + " edges and " + std::to_string(ghosts) +
                               " of them on the hull are no triangulation of " + std::to_string(distinct_) + " points");
    launch(context, "join.ghosts", ghosts, MakeGhosts{mesh_.view(), hull.view(), hull_of.view(), triangles, edges});
    mesh_.triangle_count = triangles + ghosts;
    mesh_.edge_count = edges + ghosts;
    state_.next = kNone;
}

void Subdivision::take_host_copies() {
    if (!host_positions_.empty()) return;
    host_positions_ = mesh_.positions.download();
    host_inputs_ = mesh_.inputs.download();
}

bool Subdivision::wants_triangle(const uint32_t* corners, const Cell* inside, const Cell* outside) const {
    const Cell* const cell = inside ? inside : outside;
    if (!cell) return true;
    const bool holds =
        cell->holds_circumcentre(host_positions_[corners[0]], host_positions_[corners[1]], host_positions_[corners[2]]);
    return holds == (inside != nullptr);
}

void Subdivision::append_found() {
    const size_t more = host_found_.size() / 3, room = 2 * size_t(distinct_) - 5;
    if (state_.found + more > room)
        throw std::logic_error("space subdivision found " + std::to_string(state_.found + more) +
                               " triangles, where there are at most " + std::to_string(room));
    if (more)
        context_->copy(mesh_.triangles.view().data + 3 * size_t(state_.found), host_found_.data(),
                       host_found_.size() * sizeof(uint32_t));
    state_.found += static_cast<uint32_t>(more);
}

void Subdivision::triangulate_on_host(std::vector<uint32_t> vertices, const Cell* inside, const Cell* outside) {
    take_host_copies();
    const auto place = [&](uint32_t v) { return host_positions_[v]; };
    const auto input = [&](uint32_t v) { return host_inputs_[v]; };
    const size_t count = vertices.size();
    CancelPoll poll;
    const Point a = place(vertices.front()), b = place(vertices[count / 2]), c = place(vertices.back());
    bool cocircular = orient2d(a, b, c) != 0;
    for (size_t i = 0; i < count && cocircular; ++i) {
        poll();
        cocircular = incircle(a, b, c, place(vertices[i])) == 0;
    }
    if (cocircular) {
        // Of cocircular points the diagonal cuts off the one of the highest rank, and so on for the others.
        std::vector<Point> places(count);
        for (size_t i = 0; i < count; ++i) places[i] = place(vertices[i]);
        std::vector<uint32_t> polygon = convex_hull(places);
        for (uint32_t& corner : polygon) corner = vertices[corner];
        if (const uint32_t three[] = {polygon[0], polygon[1], polygon[2]}; !wants_triangle(three, inside, outside))
            return;
        std::vector<uint32_t> next(count), previous(count), by_rank(count);
        for (uint32_t i = 0; i < count; ++i) {
            next[i] = i + 1 < count ? i + 1 : 0;
            previous[next[i]] = i;
            by_rank[i] = i;
        }
        sort_or_cancel(by_rank.begin(), by_rank.end(), [&](uint32_t one, uint32_t other) {
            return perturbation_rank(input(polygon[one])) > perturbation_rank(input(polygon[other]));
        });
        for (size_t i = 0; i + 2 < count; ++i) {
            poll();
            const uint32_t ear = by_rank[i], before = previous[ear], after = next[ear];
            host_found_.insert(host_found_.end(), {polygon[before], polygon[ear], polygon[after]});
            next[before] = after;
            previous[after] = before;
        }
        return;
    }
    Context* context = context_;
    if (context->on_cuda()) {
        if (!host_context_) host_context_ = std::make_unique<Context>(DeviceRequest::kCpu, 1);
        // It only polls the flag, but could be told to set it.
        host_context_->set_cancel_flag(const_cast<CancelFlag&>(context->cancel_flag()));
        context = host_context_.get();
    }
    sort_or_cancel(vertices.begin(), vertices.end(),
                   [&](uint32_t one, uint32_t other) { return input(one) < input(other); });
    auto geometry = std::make_shared<Geometry>();
    std::vector<uint32_t> names;
    for (const uint32_t v : vertices) {
        geometry->points.push_back(place(v));
        names.push_back(input(v));
    }
    serial_.set_records_states(false);
    serial_.reset(*context, std::move(geometry));
    serial_.name_points(names);
    serial_.finish({});
    const TriangleMesh& mesh = serial_.mesh();
    const std::vector<uint32_t> corners = mesh.triangles.download(), inputs = mesh.inputs.download();
    for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
        poll();
        uint32_t three[3];
        bool finite = true;
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t v = corners[3 * size_t(t) + k];
            finite = finite && v < serial_.distinct();
            if (!finite) break;
            three[k] = vertices[lower_bound<size_t>(names.data(), 0, names.size(), inputs[v])];
        }
        if (finite && wants_triangle(three, inside, outside))
            host_found_.insert(host_found_.end(), std::begin(three), std::end(three));
    }
}

uint64_t Subdivision::state_hash() const {
    uint64_t hash = hash_words({state_.next, state_.round, state_.cells, state_.candidates, state_.found}, mesh_hash());
    const auto add = [&](const auto& buffer, size_t count) {
        if (count) hash = hash_words(*context_, words_of(buffer, count), hash);
    };
    if (state_.next == kOrder || done()) return hash;
    add(cells_, state_.cells);
    add(points_, state_.candidates);
    add(cell_of_, state_.candidates);
    add(mesh_.triangles, 3 * size_t(state_.found));
    add(at_border_, distinct_);
    if (state_.next >= kSolve && state_.next <= kLeach) {
        add(begins_, state_.cells);
        add(ends_, state_.cells);
    }
    if (state_.next == kPack) add(stays_, state_.candidates);
    return hash;
}

Snapshot Subdivision::save() const {
    if (state_.next != kOrder && state_.next != kBroadcast && !done())
        throw std::logic_error(
            "space subdivision can be saved before the first pass, between two rounds and at the end only");
    Snapshot snapshot;
    put_values(snapshot, &state_, 1);
    save_mesh(snapshot);
    const bool amid = state_.next == kBroadcast;
    put_block(snapshot, mesh_.triangles, amid ? 3 * size_t(state_.found) : 0);
    put_block(snapshot, cells_, amid ? state_.cells : 0);
    put_block(snapshot, points_, amid ? state_.candidates : 0);
    put_block(snapshot, cell_of_, amid ? state_.candidates : 0);
    put_block(snapshot, at_border_, amid ? distinct_ : 0);
    return snapshot;
}

void Subdivision::load(const Snapshot& snapshot, size_t beside) {
    const auto run_state = load_run_state<RunState>(snapshot, 1 + kMeshBlocks + kOwnBlocks + beside,
                                                    "a triangulation by space subdivision");
    require_mesh_fits(snapshot, 1);
    const bool amid = run_state.next == kBroadcast;
    const size_t own = 1 + kMeshBlocks, candidates = amid ? run_state.candidates : 0;
    require_count<uint32_t>(snapshot, own, amid ? 3 * size_t(run_state.found) : 0);
    require_count<Cell>(snapshot, own + 1, amid ? run_state.cells : 0);
    require_count<uint32_t>(snapshot, own + 2, candidates);
    require_count<uint32_t>(snapshot, own + 3, candidates);
    require_count<uint32_t>(snapshot, own + 4, amid ? at_border_.size() : 0);
    require_fits(snapshot, own, mesh_.triangles);
    if (amid) {
        require_below<uint32_t>(snapshot, own, at_border_.size());
        require_below<uint32_t>(snapshot, own + 2, at_border_.size());
        require_below<uint32_t>(snapshot, own + 3, run_state.cells);
    }
    Context& context = *context_;
    state_ = run_state;
    load_mesh(snapshot, 1);
    if (!amid) return;
    cells_.resize(context, state_.cells, false);
    points_.resize(context, state_.candidates, false);
    cell_of_.resize(context, state_.candidates, false);
    load_block(context, snapshot, own, mesh_.triangles);
    load_block(context, snapshot, own + 1, cells_);
    load_block(context, snapshot, own + 2, points_);
    load_block(context, snapshot, own + 3, cell_of_);
    load_block(context, snapshot, own + 4, at_border_);
}

}  // namespace flipscope
