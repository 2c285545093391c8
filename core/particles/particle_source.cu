#include "particles/particle_source.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/launch.h"
#include "events/sources/source_parts.h"
#include "particles/contact_rows.h"
#include "particles/dynamics.h"

namespace flipscope {

namespace {

struct SeeOnLattice {
    View<const Point> positions;
    Lattice lattice;
    LatticeUnits units;
    View<Point> sites;
    FLIPSCOPE_HD void operator()(uint32_t i) const { sites[i] = lattice.wrapped(units.on_lattice(positions[i])); }
};

class ParticleSource final : public Source {
  public:
    ParticleSource(Context& context, const SourceParameters& parameters, ParticleModel model, ParticleStart start,
                   const std::string& name)
        : name_(name) {
        const Lattice asked = checked_lattice(parameters);
        const Point sides = start.box.lengths();
        const double pixels = std::sqrt(double(asked.width) * asked.height), shape = std::sqrt(sides.x / sides.y);
        const auto along = [](double count) {
            return static_cast<uint32_t>(std::clamp(std::round(count), 8.0, 16384.0));
        };
        const OpenAxis open = start.box.open;
        lattice_ = {along(pixels * shape), along(pixels / shape), {open != OpenAxis::kX, open != OpenAxis::kY}};
        units_.unit = {sides.x / lattice_.width, sides.y / lattice_.height};
        // An integer number of pixels fits between the walls.
        if (open == OpenAxis::kX) units_.origin.x = units_.unit.x / 2;
        if (open == OpenAxis::kY) units_.origin.y = units_.unit.y / 2;
        if (model.force == ForceLaw::kShortRange && model.cutoff > start.box.shorter() / 2) {
            // With a longer one a particle could meet two images of another.
            notes_.push_back({SourceNote::Kind::kCutoffReduced, model.cutoff, start.box.shorter() / 2, 0});
            model.cutoff = start.box.shorter() / 2;
        }
        names_.resize(start.positions.size());
        std::iota(names_.begin(), names_.end(), int64_t(0));
        particles_.set_records_states(false);
        particles_.reset(context, model, std::move(start));
        show(context);
    }
    Lattice lattice() const override { return lattice_; }
    uint64_t steps() const override { return steps_; }
    uint32_t advance(Context& context, uint32_t steps) override {
        if (particles_.count() == 0) steps_ += steps;
        for (uint32_t k = 0; k < steps && particles_.count() > 0 && !trouble(); ++k, ++steps_)
            particles_.finish_round();
        if (steps == 0) return 0;
        graph_ = nullptr;
        show(context);
        return steps;
    }
    std::optional<SourceTrouble> trouble() const override {
        if (!particles_.model().overlaps || particles_.box().is_cylinder()) return {};  // as in the Particles lab
        if (particles_.last_step().rebuilds == 0) return {};
        return SourceTrouble{SourceTrouble::Kind::kTangled, steps_, 0};
    }
    View<const Point> sites() override { return sites_.view(); }
    std::vector<int64_t> names() const override { return names_; }
    bool has_graph() const override { return true; }
    Adjacency& graph(Context& context) override {
        Adjacency& rows = rows_.make(context, particles_.triangulation(), 0);
        graph_ = &rows;
        return rows;
    }
    bool graph_is_closed() const override { return lattice_.periodic.both(); }
    CheckReport check_graph() const override;
    std::vector<SourceNote> notes() const override { return notes_; }
    uint32_t usual_interval() const override { return 100; }
    std::optional<LatticeUnits> units() const override { return units_; }
    SourceDescription description() const override {
        SourceDescription found{SourceDescription::Kind::kParticles};
        found.name = name_;
        found.count = particles_.count();
        found.box = particles_.box().lengths();
        return found;
    }

    /// The number of steps, the number of blocks of the particles' own state, and these blocks.
    void save(Snapshot& snapshot) const override {
        Snapshot own = particles_.save();
        const uint64_t head[2] = {steps_, own.blocks.size()};
        put_values(snapshot, head, 2);
        for (auto& block : own.blocks) snapshot.blocks.push_back(std::move(block));
    }
    size_t load(Context& context, const Snapshot& snapshot, size_t first_block) override {
        uint64_t head[2] = {};
        load_values(snapshot, first_block, head, 2);
        const size_t first = first_block + 1;
        if (head[1] > snapshot.blocks.size() - first)
            throw std::logic_error("a snapshot of another source: it ends within the particles");
        const auto begin = snapshot.blocks.begin() + static_cast<ptrdiff_t>(first);
        Snapshot own;
        own.blocks.assign(begin, begin + static_cast<ptrdiff_t>(head[1]));
        if (own.blocks.size() < 3 || own.blocks[2].size() != particles_.count())
            throw std::logic_error("a snapshot of another source: not of so many particles");
        particles_.load(own);
        steps_ = head[0];
        graph_ = nullptr;
        show(context);
        return first + own.blocks.size();
    }
    uint64_t hash() const override { return hash_words({steps_, particles_.state_hash()}); }

  private:
    void show(Context& context) {
        sites_.resize(context, particles_.count(), false);
        launch(context, "source.show", particles_.count(),
               SeeOnLattice{particles_.triangulation().mesh().positions.view(), lattice_, units_, sites_.view()});
    }

    std::string name_;
    Lattice lattice_;
    LatticeUnits units_;
    uint64_t steps_ = 0;
    std::vector<int64_t> names_;  // 0, 1, 2 …
    std::vector<SourceNote> notes_;
    ParticleDynamics particles_;
    ContactRows rows_;
    const Adjacency* graph_ = nullptr;  // of rows_; nullptr: not made yet
    Buffer<Point> sites_{"sites of particles", Residence::kDrawn};
};

/// Checks that the triangulation is Delaunay, and compares the rows with its edges as sets.
CheckReport ParticleSource::check_graph() const {
    CheckReport report;
    if (const CheckReport found = particles_.triangulation().check(); !found.passed) {
        // The caller does not know its elements.
        report.passed = false;
        report.sentence = found.sentence;
        add_failure(report, {"triangulation", found.sentence, {}, {}, {}});
        return report;
    }
    if (!graph_) return report;
    const TriangleMesh& mesh = particles_.triangulation().mesh();
    const TorusBox& box = particles_.box();
    const std::vector<uint32_t> half_edge_corners = mesh.corner_of.download(), ends = mesh.edges.download();
    const std::vector<ImageShift> shifts = mesh.shifts.download();
    const std::vector<Point> places = mesh.positions.download();
    using Ends = std::pair<uint32_t, uint32_t>;
    std::set<Ends> expected, listed;
    CancelPoll poll;
    for (uint32_t edge = 0; edge < mesh.edge_count; ++edge) {
        poll();
        const uint32_t a = ends[2 * edge], b = ends[2 * edge + 1];
        if (box.is_beyond(shifts[half_edge_corners[2 * edge]])) continue;
        if (a != b) expected.insert({{a, b}, {b, a}});
    }
    const std::vector<uint32_t> starts = graph_->starts.download(), rows = graph_->neighbours.download();
    for (uint32_t a = 0; a < graph_->count; ++a)
        for (uint32_t e = starts[a]; e < starts[a + 1]; ++e) {
            poll();
            listed.insert({a, rows[e]});
        }
    if (listed == expected && starts[graph_->count] == listed.size()) return report;
    report.passed = false;
    report.sentence = "The rows of neighbours are not the edges of the triangulation.";
    const auto seen = [&](uint32_t vertex) {
        const Point at = lattice_.wrapped(units_.on_lattice(places[vertex]));
        return Point3{at.x, at.y, 0};
    };
    const auto differ = [&](const std::set<Ends>& from, const std::set<Ends>& other, const char* says) {
        for (const auto& [a, b] : from)
            if (!other.count({a, b}))
                add_failure(report, {"wrong-contact",
                                     "the contact of particles " + std::to_string(a) + " and " + std::to_string(b) +
                                         " is " + says,
                                     {{ElementKind::kVertex, a}, {ElementKind::kVertex, b}},
                                     {},
                                     {seen(a), seen(b)}});
    };
    differ(listed, expected, "in the rows and no edge");
    differ(expected, listed, "an edge and not in the rows");
    return report;
}

}  // namespace

std::unique_ptr<Source> make_particle_source(Context& context, const SourceParameters& parameters, ParticleModel model,
                                             ParticleStart start, const std::string& name) {
    return std::make_unique<ParticleSource>(context, parameters, std::move(model), std::move(start), name);
}

std::unique_ptr<Source> make_particle_source(Context& context, const SourceParameters& parameters) {
    const std::vector<std::string> names = model_names();
    const std::string& name = names.at(static_cast<size_t>(parameters.config));
    ParticleModel model = named_model(name);
    model.count = static_cast<uint32_t>(parameters.count);
    if (!std::isnan(parameters.density)) model.density = parameters.density;
    if (!std::isnan(parameters.swimming_speed)) model.speed = parameters.swimming_speed;
    if (!std::isnan(parameters.particle_dt)) model.dt = parameters.particle_dt;
    model.spread = parameters.particle_spread;
    model.repulsion = static_cast<RepulsionKind>(parameters.particle_repulsion);
    model.repulsion_strength = parameters.particle_strength;
    model.overlaps = model.repulsion == RepulsionKind::kNone;
    model.shear_rate = parameters.particle_shear_rate;
    model.seed = static_cast<uint64_t>(parameters.seed);
    if ((parameters.box.x > 0) != (parameters.box.y > 0))
        throw Error("a box of particles has two sides, as in box=30x12; borders=periodic_x puts walls along x");
    if (!parameters.periodic.any())
        throw Error("particles move in a periodic box, or with borders=periodic_x or periodic_y between two walls");
    const OpenAxis walls = parameters.periodic.both() ? OpenAxis::kNone
                           : parameters.periodic.x    ? OpenAxis::kY
                                                      : OpenAxis::kX;
    ParticleStart start = make_start(model, parameters.box, walls);
    return make_particle_source(context, parameters, model, std::move(start), name);
}

}  // namespace flipscope
