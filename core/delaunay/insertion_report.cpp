// The Build lab's answers: what to draw, what an element is and why, hashes, checks, results, and its whole state to
// save.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>
#include <stdexcept>

#include "delaunay/hull.h"
#include "delaunay/insertion.h"
#include "steps/facts.h"

namespace flipscope {

Scene Insertion::scene() const {
    Scene scene;
    scene.low = bounds_.low;
    scene.high = bounds_.high;
    if (distinct_ == 0) return scene;
    scene.mesh = &mesh_;
    scene.point_count = distinct_;
    if (helper_count()) scene.helper_begin = distinct_;
    scene.path = path_;
    using E = LegendEntry::Element;
    scene.legend = {
        {E::kEdge, kStateCycling, Role::kCycling, "cycling", "This edge flips back and forth without end."},
        {E::kEdge, kStateWon, Role::kWon, "flipped", "It held both its triangles and flipped."},
        {E::kEdge, kStateLost, Role::kLost, "illegal, lost", "Illegal, but another edge took one of its triangles."},
        {E::kEdge, kStateIllegal, Role::kIllegal, "illegal", "The circle through one triangle holds the other's apex."},
        {E::kEdge, kStateInconsistent, Role::kInconsistent, "inconsistent",
         "A flip moved it to another triangle, and it does not know yet."},
        {E::kEdge, kStateSuspect, Role::kSuspect, "suspected", "It can have become illegal and will be tested."},
        {E::kEdge, kStateFresh, Role::kFresh, "new", "Made in this round."},
        {E::kTriangle, kStateFlipped, Role::kFlipped, "flipped", "Turned by the last flip."},
        {E::kTriangle, kStateFresh, Role::kFresh, "split", "Made by a split in this round."},
        {E::kVertex, kStateHelper, Role::kHelper, "supertriangle", "Not a point of the input."},
        {E::kVertex, kStateChosen, Role::kChosen, "chosen", "The point that its triangle takes in next."},
        {E::kVertex, kStateFresh, Role::kFresh, "inserted", "Inserted in this round."},
        {E::kVertex, kStateWaiting, Role::kWaiting, "waiting", "Not inserted yet."},
    };
    return scene;
}

// ---- inspection -----------------------------------------------------------------------------------------------------

namespace {

struct Corner {
    uint32_t id, input;
    bool infinite;
    Point at;
    std::string name;
};

Corner corner_of(const TriangleMesh& mesh, uint32_t v) {
    if (v == mesh.infinite()) return {v, kNone, true, {}, "infinity"};
    const uint32_t input = mesh.inputs.read(v);
    return {v, input, false, mesh.positions.read(v), "point " + std::to_string(input)};
}

}  // namespace

std::vector<Fact> Insertion::inspect(Element element) const {
    std::vector<Fact> facts;
    if (element.id == kNone || distinct_ == 0) return facts;
    if (element.kind == ElementKind::kVertex) {
        if (element.id >= mesh_.infinite()) return facts;
        const Corner v = corner_of(mesh_, element.id);
        const bool helper = element.id >= distinct_;
        facts.push_back({"Point", helper ? "corner of the supertriangle" : std::to_string(v.input),
                         helper ? "not part of the input" : "index in the input, from 0"});
        facts.push_back({"x", format_exactly(v.at.x), "world units, exactly as read"});
        facts.push_back({"y", format_exactly(v.at.y), ""});
        facts.push_back({"Place on the curve", std::to_string(element.id), "its id while building"});
        facts.push_back({"Tie rank", std::to_string(tie_rank(v.input)),
                         "of four points on a circle the one with the highest rank is cut off by the diagonal"});
        return facts;
    }
    if (element.kind == ElementKind::kEdge) {
        if (element.id >= mesh_.edge_count) return facts;
        const uint32_t sides[2] = {mesh_.half_slots.read(2 * element.id), mesh_.half_slots.read(2 * element.id + 1)};
        const Corner from = corner_of(mesh_, mesh_.triangles.read(sides[0]));
        const Corner to = corner_of(mesh_, mesh_.triangles.read(next_slot(sides[0])));
        const Corner left = corner_of(mesh_, mesh_.triangles.read(previous_slot(sides[0])));
        const Corner right = corner_of(mesh_, mesh_.triangles.read(previous_slot(sides[1])));
        facts.push_back({"Edge", std::to_string(element.id), from.name + " to " + to.name});
        if (!from.infinite && !to.infinite)
            facts.push_back(
                {"Length", format_short(std::hypot(from.at.x - to.at.x, from.at.y - to.at.y)), "world units"});
        facts.push_back({"Triangles",
                         std::to_string(triangle_of(sides[0])) + " and " + std::to_string(triangle_of(sides[1])),
                         "with " + left.name + " and " + right.name + " opposite"});
        if (from.infinite || to.infinite || left.infinite || right.infinite) {
            facts.push_back({"On the hull", "yes", "one of its triangles ends at infinity"});
            return facts;
        }
        const int sign = incircle(from.at, to.at, left.at, right.at);
        const double value = incircle_value(from.at, to.at, left.at, right.at);
        facts.push_back({"In-circle",
                         sign > 0   ? "+ (inside)"
                         : sign < 0 ? "\xe2\x88\x92 (outside)"
                                    : "0 (on the circle)",
                         right.name + " against the circle of triangle " + std::to_string(triangle_of(sides[0])) +
                             ", exact sign; in floating point " + format_short(value)});
        const int naive_double = incircle_double(from.at, to.at, left.at, right.at);
        const int naive_float = incircle_float(from.at, to.at, left.at, right.at);
        if (naive_double != sign || naive_float != sign)
            facts.push_back({"Naive predicates",
                             std::string("double: ") + sign_name(naive_double) + ", float: " + sign_name(naive_float),
                             "these would answer differently"});
        const uint32_t ranks[4] = {tie_rank(from.input), tie_rank(to.input), tie_rank(left.input),
                                   tie_rank(right.input)};
        const bool ends = std::max(ranks[0], ranks[1]) > std::max(ranks[2], ranks[3]);
        const bool illegal = sign > 0 || (sign == 0 && ends);
        facts.push_back({"Legal", illegal ? "no: it must flip" : "yes",
                         sign == 0 ? std::string("a tie: the point of the highest rank ") +
                                         (ends ? "is an end of this edge, so the other diagonal cuts it off"
                                               : "is already cut off by this edge")
                                   : ""});
        return facts;
    }
    if (element.id >= mesh_.triangle_count) return facts;
    Corner c[3];
    std::string names;
    for (uint32_t k = 0; k < 3; ++k) {
        c[k] = corner_of(mesh_, mesh_.triangles.read(3 * element.id + k));
        names += (k ? ", " : "") + c[k].name;
    }
    facts.push_back({"Triangle", std::to_string(element.id), names});
    if (c[0].infinite || c[1].infinite || c[2].infinite) return facts;
    const double area = orient2d_value(c[0].at, c[1].at, c[2].at) / 2;
    const double bx = c[1].at.x - c[0].at.x, by = c[1].at.y - c[0].at.y;
    const double cx = c[2].at.x - c[0].at.x, cy = c[2].at.y - c[0].at.y;
    const double b2 = bx * bx + by * by, c2 = cx * cx + cy * cy, ux = (cy * b2 - by * c2) / (4 * area),
                 uy = (bx * c2 - cx * b2) / (4 * area);
    double least = 180;
    for (uint32_t k = 0; k < 3; ++k) {
        const Point p = c[k].at, q = c[(k + 1) % 3].at, r = c[(k + 2) % 3].at;
        const double angle = std::atan2(std::fabs((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)),
                                        (q.x - p.x) * (r.x - p.x) + (q.y - p.y) * (r.y - p.y));
        least = std::min(least, angle * 180 / 3.14159265358979323846);
    }
    facts.push_back({"Area", format_short(area), "world units squared"});
    facts.push_back({"Least angle", format_short(least) + "\xc2\xb0", ""});
    facts.push_back({"Circumcentre", format_short(c[0].at.x + ux) + ", " + format_short(c[0].at.y + uy), "rounded"});
    facts.push_back({"Circumradius", format_short(std::hypot(ux, uy)), "world units"});
    const int turn = orient2d(c[0].at, c[1].at, c[2].at);
    facts.push_back({"Orientation",
                     turn > 0   ? "counter-clockwise"
                     : turn < 0 ? "clockwise: turned over"
                                : "flat",
                     "exact"});
    return facts;
}

Element Insertion::pick(Point place, double radius) const {
    if (distinct_ == 0) return {};
    return pick_element(*context_, mesh_, distinct_, place, radius);
}

// ---- hashes, checks, results ----------------------------------------------------------------------------------------

uint64_t Insertion::state_hash() const {
    Context& context = *context_;
    uint64_t hash = mix64(input_->points.size());
    const uint32_t words[] = {state_.next,      state_.round, state_.iteration, state_.waiting, state_.suspects,
                              state_.triangles, state_.edges, state_.cycling,   distinct_};
    for (const uint32_t word : words) hash = mix64(hash ^ word);
    const auto add = [&](const Buffer<uint32_t>& buffer, size_t count) {
        hash = hash_words(context, buffer.view().first(count), hash);
    };
    if (distinct_) add(mesh_.inputs, distinct_);
    for (const uint32_t v : path_) hash = mix64(hash ^ v);
    if (state_.triangles == 0) return hash;
    add(mesh_.triangles, 3 * size_t(state_.triangles));
    add(mesh_.slot_halves, 3 * size_t(state_.triangles));
    add(mesh_.edges, 2 * size_t(state_.edges));
    add(mesh_.half_slots, 2 * size_t(state_.edges));
    add(waiting_ids_[state_.current], state_.waiting);
    add(waiting_locations_[state_.current], state_.waiting);
    if (state_.suspects) add(suspects_[state_.current_list], state_.suspects);
    return hash;
}

CheckReport Insertion::check() const {
    CheckReport report;
    if (!path_.empty() || distinct_ < 3) {
        report.passed = done();
        report.sentence = report.passed ? "Delaunay: there is no triangle to check" : "not started yet";
        return report;
    }
    report = check_mesh(*context_, mesh_);
    if (state_.waiting) {
        report.passed = false;
        report.sentence = std::to_string(state_.waiting) + " points are not inserted yet; " + report.sentence;
    }
    if (helper_count() && done())
        if (const uint64_t lost = lost_hull_edges()) {
            report.passed = false;
            report.sentence = std::to_string(lost) + (lost == 1 ? " edge" : " edges") +
                              " of the convex hull lost to the finite supertriangle; " + report.sentence;
        }
    return report;
}

uint64_t Insertion::lost_hull_edges() const {
    const std::vector<Point> points = mesh_.positions.download();
    const std::vector<uint32_t> hull = convex_hull({points.begin(), points.begin() + distinct_});
    std::set<std::pair<uint32_t, uint32_t>> missing;
    for (size_t i = 0; i < hull.size(); ++i) {
        const uint32_t a = hull[i], b = hull[(i + 1) % hull.size()];
        missing.insert({std::min(a, b), std::max(a, b)});
    }
    const std::vector<uint32_t> edges = mesh_.edges.download();
    for (size_t e = 0; e < mesh_.edge_count; ++e)
        missing.erase({std::min(edges[2 * e], edges[2 * e + 1]), std::max(edges[2 * e], edges[2 * e + 1])});
    return missing.size();
}

Result Insertion::result() const {
    Result result;
    result.points = input_ ? input_->points.size() : 0;
    if (distinct_ == 0) return result;
    result.duplicates = result.points - distinct_;
    if (!path_.empty() || state_.triangles == 0) {
        result.edges = path_.empty() ? 0 : path_.size() - 1;
        result.hull_edges = result.edges;
        return result;
    }
    const MeshSummary summary = summarise(*context_, mesh_, distinct_);
    result.triangles = summary.triangles;
    result.edges = summary.edges;
    result.hull_edges = summary.hull_edges;
    result.triangulation_hash = summary.hash;
    if (helper_count() && done()) result.lost_hull_edges = lost_hull_edges();
    return result;
}

TriangleSoup Insertion::soup() const {
    TriangleSoup soup;
    if (!input_) return soup;
    soup.points = &input_->points;
    if (distinct_ == 0) return soup;
    const std::vector<uint32_t> inputs = mesh_.inputs.download();
    for (const uint32_t v : path_) soup.path.push_back(inputs[v]);
    if (state_.triangles == 0) return soup;
    const std::vector<uint32_t> corners = mesh_.triangles.download();
    for (size_t t = 0; t < state_.triangles; ++t) {
        const uint32_t a = corners[3 * t], b = corners[3 * t + 1], c = corners[3 * t + 2];
        if (std::max({a, b, c}) < distinct_) soup.triangles.push_back({inputs[a], inputs[b], inputs[c]});
    }
    return soup;
}

// ---- saving and loading ---------------------------------------------------------------------------------------------

namespace {

template <class T>
void put(Snapshot& snapshot, const Buffer<T>& buffer, size_t count) {
    std::vector<std::byte> block(count * sizeof(T));
    buffer.download(reinterpret_cast<T*>(block.data()), count);
    snapshot.blocks.push_back(std::move(block));
}

template <class T>
void take(Context& context, const Snapshot& snapshot, size_t block, Buffer<T>& buffer) {
    const std::vector<std::byte>& bytes = snapshot.blocks.at(block);
    if (bytes.size() > buffer.size() * sizeof(T)) throw std::logic_error("a snapshot of another input");
    if (!bytes.empty()) context.copy(buffer.view().data, bytes.data(), bytes.size());
}

}  // namespace

Snapshot Insertion::save() const {
    if (state_.next != kOrder && state_.next != kVote && !done())
        throw std::logic_error("the build can be saved before the first pass and at the end of a round only");
    Snapshot snapshot;
    std::vector<std::byte> moment(sizeof(Moment));
    std::memcpy(moment.data(), &state_, sizeof(Moment));
    snapshot.blocks.push_back(std::move(moment));
    if (state_.triangles == 0) return snapshot;
    put(snapshot, mesh_.triangles, 3 * size_t(state_.triangles));
    put(snapshot, mesh_.slot_halves, 3 * size_t(state_.triangles));
    put(snapshot, mesh_.edges, 2 * size_t(state_.edges));
    put(snapshot, mesh_.half_slots, 2 * size_t(state_.edges));
    put(snapshot, waiting_ids_[state_.current], state_.waiting);
    put(snapshot, waiting_locations_[state_.current], state_.waiting);
    put(snapshot, suspects_[state_.current_list], state_.suspects);
    put(snapshot, mesh_.edge_states, mesh_.watched() ? state_.edges : 0);
    return snapshot;
}

/// Positions, input indices and buffer sizes do not change after the seed pass, so they need not be saved.
void Insertion::load(const Snapshot& snapshot) {
    Moment moment;
    if (snapshot.blocks.empty() || snapshot.blocks[0].size() != sizeof(Moment))
        throw std::logic_error("not a snapshot of the Build lab");
    std::memcpy(&moment, snapshot.blocks[0].data(), sizeof(Moment));
    seen_.clear();
    state_ = moment;
    if (state_.triangles == 0) {
        mesh_.triangle_count = mesh_.edge_count = 0;
        if (state_.next == kOrder) {
            mesh_.vertex_count = distinct_ = 0;
            path_.clear();
        }
        return;
    }
    mesh_.triangle_count = state_.triangles;
    mesh_.edge_count = state_.edges;
    take(*context_, snapshot, 1, mesh_.triangles);
    take(*context_, snapshot, 2, mesh_.slot_halves);
    take(*context_, snapshot, 3, mesh_.edges);
    take(*context_, snapshot, 4, mesh_.half_slots);
    take(*context_, snapshot, 5, waiting_ids_[state_.current]);
    take(*context_, snapshot, 6, waiting_locations_[state_.current]);
    suspects_[state_.current_list].resize(*context_, state_.suspects, false);
    take(*context_, snapshot, 7, suspects_[state_.current_list]);
    votes_.fill_bytes(0xFF);
    bids_.fill_bytes(0xFF);  // stamps start again from the saved one
    if (mesh_.watched()) {
        mesh_.clear_states();
        take(*context_, snapshot, 8, mesh_.edge_states);
        relocate_marks();
    }
}

}  // namespace flipscope
