#include "labs/particles/particles_drawing.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "compute/launch.h"
#include "compute/primitives.h"
#include "delaunay/torus/pick_torus.h"
#include "labs/between_borders.h"

namespace flipscope {

namespace {

// Numbers of Role::kNumbered, by species: green and blue as in the paper's figures, then others.
constexpr uint32_t kSpeciesColours[kMostSpecies] = {54, 1, 18, 3, 30, 6, 57, 21};
constexpr uint32_t kPieces = 4;       // of an edge of few particles
constexpr uint32_t kRingPoints = 33;  // of the ring in a frozen disc; the first and the last coincide
constexpr double kRing = 0.6;         // its radius, in radii of the disc

constexpr double kSparse = 0.3;    // squares around discs, as part of the box: below it, discs are drawn over the edges
constexpr double kPushLength = 3;  // length of an arrow, in lengths of its push
constexpr double kInner = 0.6;     // of a disc's radius: a click this close means the particle, not an edge

struct MarkDiscs {
    View<const uint8_t> species, overlapping, overlapped;  // the last two may be empty
    View<State> states;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        State state = species[i];
        if (overlapping && overlapping[i]) state = State(state | kOverlaps);
        if (overlapped && overlapped[i]) state = State(state | kWasInOverlap);
        states[i] = state;
    }
};

struct WriteRadii {
    View<const uint8_t> species;
    SpeciesTable table;
    View<double> radii;
    FLIPSCOPE_HD void operator()(uint32_t i) const { radii[i] = table.diameter_of(i, species) / 2; }
};

struct WriteSpeeds {
    View<const Point> moves;
    double dt;
    View<float> scalars;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point m = moves[i];
        scalars[i] = static_cast<float>(sqrt(m.x * m.x + m.y * m.y) / dt);
    }
};

struct WriteOrientations {
    View<const double> orientations;
    View<float> scalars;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        constexpr double kTurn = 2 * 3.14159265358979323846;
        const double a = orientations[i];
        scalars[i] = static_cast<float>(360 * (a / kTurn - floor(a / kTurn)));
    }
};

/// Arrows along forces. Their length shows strengths up to about 1, the force at a distance of one diameter, and stays
/// below `longest`.
struct DrawForces {
    View<const Point> positions, forces;
    double longest;  // world units
    View<Point> ends;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point f = forces[i], p = positions[i];
        const double by = longest / (1 + sqrt(f.x * f.x + f.y * f.y));
        ends[2 * i] = p;
        ends[2 * i + 1] = {p.x + f.x * by, p.y + f.y * by};
    }
};

/// Arrows from the present places along the pushes.
struct DrawPushes {
    View<const Point> positions, pushes;
    View<Point> ends;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point p = positions[i], by = pushes[i];
        ends[2 * i] = p;
        ends[2 * i + 1] = {p.x + kPushLength * by.x, p.y + kPushLength * by.y};
    }
};

/// From the present place back along the displacement, so that no border cuts a trail.
struct DrawTrails {
    View<const Point> positions, displacements;
    View<const Point> past;                                     // (kTrailFrames, n)
    std::array<uint32_t, ParticlesDrawing::kTrailFrames> rows;  // of `past`, oldest first
    uint32_t frames, count;
    View<Point> points;     // (n, frames + 1)
    View<uint32_t> starts;  // (n + 1)
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point p = positions[i], now = displacements[i];
        const uint32_t first = i * (frames + 1);
        starts[i] = first;
        if (i + 1 == count) starts[count] = first + frames + 1;
        for (uint32_t f = 0; f < frames; ++f) {
            const Point then = past[size_t(rows[f]) * count + i];
            points[first + f] = {p.x + (then.x - now.x), p.y + (then.y - now.y)};
        }
        points[first + frames] = p;
    }
};

struct DrawRings {
    View<const Point> positions, unit;
    View<const uint32_t> frozen;
    View<const uint8_t> species;
    SpeciesTable table;
    View<Point> points;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t particle = frozen[i / kRingPoints];
        const Point p = positions[particle], on = unit[i % kRingPoints];
        const double r = kRing / 2 * table.diameter_of(particle, species);
        points[i] = {p.x + r * on.x, p.y + r * on.y};
    }
};

FLIPSCOPE_HD inline Point edge_vector(const ParticleState& state, uint32_t corner) {
    return state.box.to_image(state.positions[state.triangles[corner]],
                              state.positions[state.triangles[next_corner(corner)]], state.shifts[corner]);
}

/// Marks both ends of every edge along which two discs overlap.
struct MarkOverlapping {
    ParticleState state;
    View<uint8_t> overlapping;
    FLIPSCOPE_HD void operator()(uint32_t e) const {
        const uint32_t corner = state.corner_of[2 * size_t(e)];
        const uint32_t a = state.triangles[corner], b = state.triangles[next_corner(corner)];
        const Point d = edge_vector(state, corner);
        const double touching =
            kTouching / 2 * (state.table.diameter_of(a, state.species) + state.table.diameter_of(b, state.species));
        if (d.x * d.x + d.y * d.y >= touching * touching) return;
        atomic_store(overlapping[a], uint8_t(1));
        atomic_store(overlapping[b], uint8_t(1));
    }
};

/// Every edge as a polyline, by compact(); edges beyond the walls of a channel are left out.
struct SplitEdges {
    ParticleState state;
    View<Point> points;     // (e, pieces + 1) or fewer
    View<uint32_t> starts;  // (e + 1)
    uint32_t edges;
    FLIPSCOPE_HD uint32_t code(uint32_t e) const {
        return !state.box.is_beyond(state.shifts[state.corner_of[2 * size_t(e)]]);
    }
    FLIPSCOPE_HD void emit(uint32_t e, uint32_t rank, uint32_t code) const {
        const uint32_t first = rank * (kPieces + 1);
        starts[e] = first;
        if (e + 1 == edges) starts[edges] = first + code * (kPieces + 1);
        if (code == 0) return;
        const uint32_t corner = state.corner_of[2 * e];
        const Point p = state.positions[state.triangles[corner]], d = edge_vector(state, corner);
        for (uint32_t k = 0; k <= kPieces; ++k) {
            const double part = double(k) / kPieces;
            points[first + k] = {p.x + part * d.x, p.y + part * d.y};
        }
    }
};

/// Counts in value[0] the edges longer than half the box.
struct CountLongEdges {
    ParticleState state;
    FLIPSCOPE_HD void operator()(uint32_t e, BlockSums& sums) const {
        if (state.box.is_beyond(state.shifts[state.corner_of[2 * size_t(e)]])) return;
        const Point d = edge_vector(state, state.corner_of[2 * e]);
        const Point half{state.box.sides.x / 2, state.box.sides.y / 2};
        if (!(d.x < half.x && d.x > -half.x && d.y < half.y && d.y > -half.y)) ++sums.value[0];
    }
};

bool same_diameters(const ParticleModel& model) {
    return std::all_of(model.species.begin(), model.species.end(),
                       [&](const Species& one) { return one.diameter == model.species.front().diameter; });
}

std::string species_name(const ParticleModel& model, size_t k) {
    return model.species.size() == 1 ? "particle" : "species " + std::to_string(k + 1);
}

}  // namespace

Element pick_particle(Context& context, const ParticleState& state, const Probe& probe) {
    const Point p = probe.place;
    const Point sides = state.box.lengths();
    if (state.count() == 0 || !(p.x >= 0 && p.y >= 0 && p.x <= sides.x && p.y <= sides.y)) return {};
    const TorusLinework lines{state.box, state.positions, state.triangles, state.shifts, state.corner_of};
    const NearestElement particle = nearest_vertex(context, lines, p);
    double smallest = state.table.diameters ? state.table.least : INFINITY, largest = state.table.greatest;
    for (const double diameter : state.table.diameter)
        if (diameter > 0 && !state.table.diameters) {  // 0: no such species
            smallest = std::min(smallest, diameter);
            largest = std::max(largest, diameter);
        }
    const double inner = std::max(probe.radius, kInner / 2 * smallest);
    if (particle.id != kNone && particle.distance2 <= inner * inner)
        return {ElementKind::kVertex, particle.id, probe.part};
    const NearestElement edge = nearest_edge(context, lines, p);
    if (edge.id != kNone && edge.distance2 <= probe.radius * probe.radius / 4)
        return {ElementKind::kEdge, edge.id, probe.part};
    if (particle.id != kNone && particle.distance2 <= largest * largest / 4)
        return {ElementKind::kVertex, particle.id, probe.part};
    const uint32_t triangle = holding_triangle(context, lines, p);
    return {ElementKind::kTriangle, triangle, probe.part};
}

void ParticlesDrawing::reset(ParticleColour colour, Point corner) {
    colour_ = colour;
    corner_ = corner;
    count_ = trail_frames_ = trail_count_ = frozen_count_ = 0;
    update_frozen_ = true;
    long_edges_ = false;
    trail_rows_ = {};
    outline_.release();
}

void ParticlesDrawing::draw(Context& context, const ParticleDynamics& dynamics, bool moved, double dt,
                            ParticleMeasures& measures) {
    count_ = dynamics.count();
    if (outline_.empty()) {
        const Point sides = dynamics.box().lengths(), high{corner_.x + sides.x, corner_.y + sides.y};
        const Point corners[4] = {corner_, {high.x, corner_.y}, high, {corner_.x, high.y}};
        outline_.upload(context, corners, 4);
    }
    if (count_ == 0) frozen_count_ = 0;
    if (count_ == 0) return;
    if (moved) draw_discs(context, dynamics);
    if (moved || colour_ == ParticleColour::kOverlaps) mark_discs(context, dynamics);
    if (moved) draw_frozen(context, dynamics);
    write_scalars(context, dynamics, dt, measures);
    if (moved) draw_trails(context, dynamics);
    split_edges(context, dynamics);
    const TriangleMesh& mesh = dynamics.triangulation().mesh();
    if (!mesh.on_cylinder()) return;
    find_corners(context, mesh, edge_corners_);
    copy_edges_between(context, mesh, edge_corners_.view(), edges_);
    copy_triangles_between(context, mesh, triangles_);
}

/// Places of particles in the world.
const Buffer<Point>& ParticlesDrawing::places(const ParticleDynamics& dynamics) const {
    return corner_ == Point{} ? dynamics.triangulation().mesh().positions : places_;
}

/// Draws everything that moves with the particles.
void ParticlesDrawing::draw_discs(Context& context, const ParticleDynamics& dynamics) {
    if (!(corner_ == Point{}))
        place_in_world(context, dynamics.triangulation().mesh().positions.view(count_), corner_, places_);
    const View<const Point> positions = places(dynamics).view(count_);
    const View<const uint8_t> species = dynamics.species().view(count_);
    one_radius_ = same_diameters(dynamics.model()) && dynamics.sizes().empty();
    if (!one_radius_) {
        radii_.resize(context, count_, false);
        launch(context, "draw.radii", count_, WriteRadii{species, dynamics.species_table(), radii_.view()});
    }
    force_arrows_.resize(context, 2 * size_t(count_), false);
    launch(context, "draw.forces", count_,
           DrawForces{positions, dynamics.forces().view(count_), 1.5 * dynamics.model().species.front().diameter,
                      force_arrows_.view()});
    push_arrows_.resize(context, 2 * size_t(count_), false);
    launch(context, "draw.pushes", count_, DrawPushes{positions, dynamics.pushes().view(count_), push_arrows_.view()});
}

/// Overlaps are found along edges, so flips can reveal some.
void ParticlesDrawing::mark_discs(Context& context, const ParticleDynamics& dynamics) {
    const View<const uint8_t> species = dynamics.species().view(count_);
    disc_states_.resize(context, count_, false);
    if (colour_ != ParticleColour::kOverlaps) {
        launch(context, "draw.discs", count_, MarkDiscs{species, {}, {}, disc_states_.view()});
        return;
    }
    const ParticleState state = particle_state(dynamics.triangulation(), species, dynamics.species_table());
    overlapping_.fill(context, count_, 0);
    launch(context, "draw.overlaps", state.edge_count(), MarkOverlapping{state, overlapping_.view()});
    launch(context, "draw.discs", count_,
           MarkDiscs{species, overlapping_.view(count_), dynamics.overlapped().view(count_), disc_states_.view()});
}

void ParticlesDrawing::write_scalars(Context& context, const ParticleDynamics& dynamics, double dt,
                                     ParticleMeasures& measures) {
    using Quantity = ParticleMeasures::Quantity;
    if (colour_ == ParticleColour::kSpecies || colour_ == ParticleColour::kOverlaps) return;
    scalars_.resize(context, count_, false);
    switch (colour_) {
        case ParticleColour::kSpeed:
            launch(context, "draw.speeds", count_, WriteSpeeds{dynamics.moves().view(count_), dt, scalars_.view()});
            return;
        case ParticleColour::kOrientation:
            launch(context, "draw.orientations", count_,
                   WriteOrientations{dynamics.orientations().view(count_), scalars_.view()});
            return;
        default:
            break;
    }
    measures.measure(
        context, particle_state(dynamics.triangulation(), dynamics.species().view(count_), dynamics.species_table()));
    const Quantity quantity = colour_ == ParticleColour::kDegree      ? Quantity::kDegree
                              : colour_ == ParticleColour::kBondOrder ? Quantity::kBondOrder
                                                                      : Quantity::kClusterSize;
    measures.write_scalars(context, quantity, scalars_);
}

/// Frames on the device keep their rows: a continued trail uploads only its newest frame.
void ParticlesDrawing::set_trails(Context& context, const ParticleFrames& frames) {
    const size_t used = std::min<size_t>(frames.size(), kTrailFrames);
    const ParticleFrames wanted(frames.end() - static_cast<ptrdiff_t>(used), frames.end());
    const size_t count = used ? wanted.back()->displacements.size() : 0;
    if (count != trail_count_) trail_rows_ = {};
    trail_count_ = static_cast<uint32_t>(count);
    trail_frames_ = static_cast<uint32_t>(used);
    trail_places_.resize(context, kTrailFrames * count, false);
    const auto row_of = [&](const auto& frame) {
        return static_cast<uint32_t>(std::find(trail_rows_.begin(), trail_rows_.end(), frame) - trail_rows_.begin());
    };
    for (auto& held : trail_rows_)
        if (std::find(wanted.begin(), wanted.end(), held) == wanted.end()) held.reset();
    for (size_t f = 0; f < used; ++f) {
        uint32_t& row = trail_order_[f] = row_of(wanted[f]);
        if (row < kTrailFrames) continue;
        row = row_of(nullptr);
        context.copy(trail_places_.view().data + row * count, wanted[f]->displacements.data(), count * sizeof(Point));
        trail_rows_[row] = wanted[f];
    }
}

void ParticlesDrawing::draw_trails(Context& context, const ParticleDynamics& dynamics) {
    if (trail_count_ != count_) trail_frames_ = 0;
    if (trail_frames_ == 0) return;
    trail_points_.resize(context, size_t(count_) * (trail_frames_ + 1), false);
    trail_starts_.resize(context, size_t(count_) + 1, false);
    launch(context, "draw.trails", count_,
           DrawTrails{places(dynamics).view(count_), dynamics.displacements().view(count_), trail_places_.view(),
                      trail_order_, trail_frames_, count_, trail_points_.view(), trail_starts_.view()});
}

void ParticlesDrawing::draw_frozen(Context& context, const ParticleDynamics& dynamics) {
    if (std::exchange(update_frozen_, false)) {
        std::vector<uint8_t> is_frozen = dynamics.frozen().download(count_);
        std::vector<uint32_t> frozen, starts{0};
        for (uint32_t i = 0; i < count_; ++i) {
            if (!is_frozen[i]) continue;
            frozen.push_back(i);
            starts.push_back(starts.back() + kRingPoints);
        }
        frozen_count_ = static_cast<uint32_t>(frozen.size());
        frozen_.upload(context, frozen.data(), frozen.size());
        ring_starts_.upload(context, starts.data(), starts.size());
        if (unit_ring_.empty()) {
            std::vector<Point> unit;
            for (uint32_t k = 0; k < kRingPoints; ++k) {
                const double turn = 2 * std::numbers::pi * (k % (kRingPoints - 1)) / (kRingPoints - 1);
                unit.push_back({std::cos(turn), std::sin(turn)});
            }
            unit_ring_.upload(context, unit.data(), unit.size());
        }
    }
    if (frozen_count_ == 0) return;
    rings_.resize(context, size_t(frozen_count_) * kRingPoints, false);
    launch(context, "draw.rings", frozen_count_ * kRingPoints,
           DrawRings{places(dynamics).view(count_), unit_ring_.view(), frozen_.view(), dynamics.species().view(count_),
                     dynamics.species_table(), rings_.view()});
}

void ParticlesDrawing::split_edges(Context& context, const ParticleDynamics& dynamics) {
    long_edges_ = false;
    if (count_ > kFew) return;
    ParticleState state =
        particle_state(dynamics.triangulation(), dynamics.species().view(count_), dynamics.species_table());
    state.positions = places(dynamics).view(count_);
    const uint32_t edges = state.edge_count();
    long_edges_ = sums_of(context, "draw.long edges", edges, CountLongEdges{state}).value[0] > 0;
    if (!long_edges_) return;
    edge_pieces_.resize(context, size_t(edges) * (kPieces + 1), false);
    piece_starts_.resize(context, size_t(edges) + 1, false);
    Buffer<uint32_t> total("edges in pieces");
    total.resize(context, 1);
    compact(context, "draw.edges", edges, SplitEdges{state, edge_pieces_.view(), piece_starts_.view(), edges},
            total.view());
}

std::vector<LegendEntry> ParticlesDrawing::disc_legend(const ParticleModel& model) const {
    using E = LegendEntry::Element;
    std::vector<LegendEntry> legend;
    if (colour_ == ParticleColour::kOverlaps) {
        legend.push_back({E::kVertex, kOverlaps, Role::kFailed, "overlaps",
                          "It overlaps another particle now: the next push moves them apart."});
        legend.push_back({E::kVertex, kWasInOverlap, Role::kFailed, "overlapped in this step",
                          "It overlapped another particle after the last motion, and was pushed apart from it.", 0.7f});
    }
    for (size_t k = 0; k < model.species.size(); ++k) {
        LegendEntry entry{E::kVertex, State(k), Role::kNumbered, species_name(model, k),
                          "A particle of this species, in its true size."};
        entry.mask = kSpeciesMask;
        entry.number = kSpeciesColours[k];
        legend.push_back(entry);
    }
    return legend;
}

ColourScale ParticlesDrawing::scale(const ParticleDynamics& dynamics, uint32_t count) const {
    const ParticleModel& model = dynamics.model();
    using Kind = ColourScale::Kind;
    switch (colour_) {
        case ParticleColour::kSpeed: {
            const double noise = std::sqrt(model.diffusion / model.dt);
            const double wall = std::fabs(model.shear_rate) * dynamics.box().extent / 2;
            return {Kind::kSequential, "speed", "world units per time", 0,
                    std::max(model.speed + 3 * noise + wall, 1e-9)};
        }
        case ParticleColour::kOrientation:
            return {Kind::kCyclic, "orientation", "°", 0, 360};
        case ParticleColour::kDegree:
            return {Kind::kDiverging, "Delaunay neighbours", "", 3, 9};
        case ParticleColour::kCluster:
            return {Kind::kSequential, "particles in the cluster", "", 1, std::max(2.0, double(count)), true};
        default:
            return {Kind::kSequential, "|\xCF\x88\xE2\x82\x86|", "", 0, 1};
    }
}

void ParticlesDrawing::add_layers(const ParticleDynamics& dynamics, Scene& scene) const {
    if (outline_.empty()) return;  // nothing drawn: states are not recorded
    using E = LegendEntry::Element;
    const TriangleMesh& mesh = dynamics.triangulation().mesh();
    const OpenAxis open = dynamics.box().open;
    const bool has_walls = open != OpenAxis::kNone;
    if (count_ > 0) scene.mesh = &mesh;
    const ParticleModel& model = dynamics.model();
    const PeriodicBox box{corner_, dynamics.box().periods(), dynamics.box().extent};
    const Buffer<Point>& places = this->places(dynamics);
    const bool many = count_ > 3000;  // edges would cover the discs
    const double diameter = model.species.empty() ? 1 : model.species.front().diameter;
    const bool sparse = count_ * diameter * diameter < kSparse * dynamics.box().area();
    const auto add = [&](const char* id, const char* title, const char* sentence, bool shown, auto shape) -> Layer& {
        scene.layers.push_back({id, title, sentence, shown, std::move(shape)});
        scene.layers.back().periodic = box;
        return scene.layers.back();
    };

    const bool filled = count_ > 0 && !long_edges_;
    add("triangles", "Triangles", "The triangles' insides", true,
        TrianglesLayer{&places, nullptr, count_, has_walls ? &triangles_ : &mesh.triangles,
                       filled ? mesh.triangle_count : 0, states_or_none(mesh.triangle_states)})
        .legend = {{E::kTriangle, kStateLocked, Role::kLocked, "locked", "Granted to an edge that will flip."},
                   {E::kTriangle, kStateIllegal, Role::kIllegal, "inverted",
                    "Moving its particles made it clockwise: flips must undo that."},
                   {E::kTriangle, kStateFlipped, Role::kFlipped, "flipped", "Rotated by the last flip."}};

    add("trails", "Trails", "The last recorded places of each particle; record=off records none", true,
        PolylinesLayer{&trail_points_, trail_frames_ ? count_ * (trail_frames_ + 1) : 0, &trail_starts_,
                       trail_frames_ ? count_ : 0, nullptr, true})
        .role = Role::kMoved;

    const std::vector<LegendEntry> of_edges = {
        {E::kEdge, kStateFlipped, Role::kFlipped, "flipped", "It is the other diagonal of its two triangles now."},
        {E::kEdge, kStateGranted, Role::kGranted, "granted", "Illegal, and both its claims are granted: it will flip."},
        {E::kEdge, kStateDeferred, Role::kDeferred, "deferred",
         "Illegal, but another edge was granted one of its triangles."},
        {E::kEdge, kStateIllegal, Role::kIllegal, "illegal", "Not Delaunay: it must flip."},
        {E::kEdge, kStateStale, Role::kStale, "stale incidence", "Its references are out of date until the repair."},
        {E::kEdge, kStateQueued, Role::kQueued, "queued", "It may have become illegal and will be tested."},
        // Other edges may lie over discs, and must not hide them. The mask excludes the bit that a check may set.
        {E::kEdge, 0, Role::kPlain, "", "", 0.45f, State(~kStateFailed)}};
    const auto add_edges = [&] {
        if (long_edges_)
            add("edges", "Edges", "The edges of the Delaunay triangulation", true,
                PolylinesLayer{&edge_pieces_, mesh.edge_count * (kPieces + 1), &piece_starts_, mesh.edge_count,
                               states_or_none(mesh.edge_states)})
                .legend = of_edges;
        else
            add("edges", "Edges", "The edges of the Delaunay triangulation", !many,
                SegmentsLayer{&places,
                              nullptr,
                              count_,
                              has_walls ? &edges_ : &mesh.edges,
                              count_ ? mesh.edge_count : 0,
                              {},
                              states_or_none(mesh.edge_states)})
                .legend = of_edges;
    };
    // Small discs lie over the edges, which would hide them.
    if (sparse) add_edges();

    DiscsLayer discs{count_ ? &places : nullptr, count_};
    discs.radius = model.species.empty() ? 0.5 : model.species.front().diameter / 2;
    if (!one_radius_) discs.radii = &radii_;
    if (model.speed > 0) discs.orientations = &dynamics.orientations();
    discs.states = states_or_none(disc_states_);
    Layer& particles = add("particles", "Particles",
                           model.speed > 0 ? "Particles as discs in true size, with the direction they swim in"
                                           : "Particles as discs in true size",
                           true, discs);
    if (colour_ == ParticleColour::kSpecies || colour_ == ParticleColour::kOverlaps) {
        particles.legend = disc_legend(model);
    } else {
        particles.scalars = &scalars_;
        particles.scale = scale(dynamics, count_);
    }

    add("frozen", "Frozen",
        "A ring in each particle that stays where it is, or moves with a wall, until it is released", true,
        PolylinesLayer{&rings_, frozen_count_ * kRingPoints, &ring_starts_, frozen_count_, nullptr})
        .role = Role::kChosen;

    if (!sparse) add_edges();

    const auto arrows = [&](const Buffer<Point>& ends) {
        SegmentsLayer layer{count_ ? &ends : nullptr, nullptr, 2 * count_};
        layer.count = count_;
        layer.arrows = true;
        return layer;
    };
    const auto of_all = [](Layer& layer, Role role, const char* name) {
        layer.role = role;
        layer.legend = {{E::kEdge, 0, role, name, layer.sentence}};
    };
    of_all(add("forces", "Forces", "The force on each particle (equation 2); long arrows stay below 1.5 diameters",
               false, arrows(force_arrows_)),
           Role::kForce, "force");
    of_all(add("pushes", "Pushes", "All pushes of this step together; arrows are three times as long", false,
               arrows(push_arrows_)),
           Role::kMoved, "pushed");
    scene.layers.push_back({kImagesLayer, "Periodic images",
                            "Elements that cross the border of the box are drawn on the other side, too", true,
                            LabelsLayer{}});
    SegmentsLayer outline{&outline_, nullptr, 4};
    const std::vector<uint32_t> sides_across = {1, 2, 3, 0},
                                sides_along = {0, 1, 2, 3};  // the sides left and right; the others
    outline.few_ends = open == OpenAxis::kY   ? sides_across
                       : open == OpenAxis::kX ? sides_along
                                              : std::vector<uint32_t>{0, 1, 1, 2, 2, 3, 3, 0};
    scene.layers.push_back(
        {"box", "Box", "The periodic box: what leaves it on one side returns on the other", true, outline});
    scene.layers.back().role = has_walls ? Role::kHelper : Role::kExact;
    if (!has_walls) return;
    outline.few_ends = open == OpenAxis::kY ? sides_along : sides_across;
    scene.layers.push_back(
        {"walls", "Walls", "The walls of the channel, which discs touch and do not pass", true, outline});
    of_all(scene.layers.back(), Role::kObstacle, "wall");
}

}  // namespace flipscope
