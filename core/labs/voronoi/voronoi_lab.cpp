// The Voronoi lab: the passes of VoronoiMachine, their explanations, and the scene: sites on a lattice, their digital
// Voronoi diagram, its graph of neighbours beside the exact one, and Lloyd's iteration towards a centroidal diagram,
// after Bernaschi, Lulli and Sbragaglia (2016), sections II and III B.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compute/array.h"
#include "compute/error.h"
#include "compute/text.h"
#include "compute/work.h"
#include "geometry/bounds.h"
#include "lab/element_links.h"
#include "lab/lab.h"
#include "labs/voronoi/link_drawing.h"
#include "labs/voronoi/site_links.h"
#include "labs/voronoi/stencil_inspect.h"
#include "labs/voronoi/voronoi_start.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

enum VertexBit : State { kCentreVertex = 1 << 0 };
enum EdgeBit : State { kSpuriousLink = 1 << 0, kExactEdge = 1 << 1, kMissedLink = 1 << 2, kBlockedLink = 1 << 3 };

class VoronoiLab final : public Lab,
                         public Inspectable,
                         public Editable,
                         public Checkable,
                         public Detector,
                         public Measurable,
                         public Exporter {
  public:
    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override { visit_voronoi_parameters(visitor, requested_); }
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;
    void set_records_states(bool records_states) override { will_record_states_ = records_states; }

    bool done() const override { return machine_.done(); }
    uint32_t next_pass() const override { return machine_.next_pass(); }
    StepResult step() override;
    void finish(const std::function<void(const StepResult&)>& after_round) override;

    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override;
    uint64_t numbering() const override { return numbering_; }
    StepResult edit(const Edit& edit) override;
    Report statistics() const override;
    /// The differences between the lattice's graph and the exact one after every last round, one detection each.
    std::vector<Detection> detections(size_t first) const override;
    size_t detection_count() const override { return found_; }
    Report report_of_detection(size_t index) const override;
    std::vector<ArrayInfo> arrays() const override;
    Array array(const std::string& name) const override;
    std::optional<ArrayView> array_in_place(const std::string& name) const override;

    uint64_t state_hash() const override { return machine_.state_hash(); }
    CheckReport check() const override { return machine_.check(); }
    Result result() const override;
    TriangleSoup soup() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot) override;

  private:
    /// The state before a stroke of the brush; the continued stroke starts from it again.
    struct BeforeStroke {
        VoronoiMachine::State state;
        std::vector<uint64_t> areas_before;
        uint64_t found;
    };

    const VoronoiMachine::State& state() const { return machine_.state(); }
    const VoronoiStart& start() const { return *start_; }
    StepResult run();
    StepResult result_of(const PassResult& pass, uint32_t to_go);

    // Vertices of the mesh: first the sites, then points put into clusters, then places where links are cut.
    uint32_t fixed_vertices() const { return state().sites + machine_.lloyd().point_count(); }
    void draw();
    void draw_pass(uint32_t pass);
    void draw_sites(const std::vector<Point>& sites);
    void draw_nothing();
    void draw_links();
    void draw_comparison();
    void move_sites();
    void mark_centres();
    void list_differences();
    std::string site_name(uint32_t label) const { return "site " + std::to_string(machine_.names()[label]); }
    Link site_link(uint32_t label) const { return {site_name(label), {ElementKind::kVertex, label}}; }

    // manual edits
    void refuse(const Edit& edit) const;
    void change(const Edit& edit);
    bool without_obstacles() const;
    Point within(Point place) const;

    // reports on an element
    GraphView graph_view() const;
    void inspect_site(uint32_t label, Properties& properties, std::vector<Highlight>& highlights) const;
    void describe_differences(uint32_t label, Properties& properties, std::vector<Highlight>& highlights) const;
    void inspect_point(uint32_t point, Properties& properties) const;
    void inspect_link(uint32_t edge, Properties& properties, std::vector<Highlight>& highlights) const;
    void inspect_pixel(uint32_t pixel, Report& report) const;

    Context* context_ = nullptr;
    std::shared_ptr<const Geometry> input_;
    VoronoiParameters requested_, now_;  // as set by the user; as of the last reset
    bool will_record_states_ = true, records_states_ = true;
    std::shared_ptr<const VoronoiStart> start_ = std::make_shared<VoronoiStart>();
    VoronoiMachine machine_;
    uint64_t numbering_ = 0;  // hash of the names: changes when a label means another site
    Linework mesh_;           // sites and links
    LinkDrawing links_;       // the link of each edge of the mesh
    Linework exact_mesh_;     // exact Voronoi edges and missed links, over the mesh
    Buffer<uint32_t> tints_{"names of sites", Residence::kDrawn};
    // Shown before the first pass: the image or the density, and the sites and points.
    Buffer<float> field_{"field of the start", Residence::kDrawn};  // (h, w) 0 … 1, dark attracts; or empty
    Buffer<Point> first_places_{"places of the start", Residence::kDrawn};
    std::vector<uint64_t> areas_before_;  // of the first round, for the histogram
    std::vector<Detection> log_;          // also later ones, after going back
    uint64_t found_ = 0;                  // differences listed so far
    std::optional<BeforeStroke> stroke_;  // until anything else happens
    mutable std::vector<Point> soup_points_;
};

VoronoiOptions options_of(const VoronoiParameters& parameters) {
    return {static_cast<ColouringMethod>(parameters.method), parameters.rules,
            static_cast<uint32_t>(parameters.lloyd),         parameters.tolerance,
            parameters.graph == int(GraphWhen::kEvery),      parameters.compare};
}

void VoronoiLab::reset(Context& context, std::shared_ptr<const Geometry> input) {
    start_ = std::make_shared<const VoronoiStart>(make_voronoi_start(requested_, *input));
    context.set_block_size(static_cast<uint32_t>(requested_.block_size) / 32 * 32);
    context_ = &context;
    input_ = std::move(input);
    now_ = requested_;
    records_states_ = will_record_states_;
    stroke_.reset();
    areas_before_.clear();
    log_.clear();
    found_ = 0;
    machine_.reset(context, start_, options_of(now_), records_states_);
    draw_sites({});
    std::vector<float> field = start().image;
    for (const uint16_t weight : field.empty() ? start().density : std::vector<uint16_t>{})
        field.push_back(static_cast<float>(1 - weight / kFullWeight));
    field_.upload(context, field.data(), field.size());
    std::vector<Point> places = start().sites;
    places.insert(places.end(), start().points.begin(), start().points.end());
    first_places_.upload(context, places.data(), places.size());
}

StepResult VoronoiLab::step() {
    stroke_.reset();
    return run();
}

StepResult VoronoiLab::run() {
    const uint32_t to_go = state().to_go;
    const PassResult pass = machine_.step();
    draw_pass(pass.pass);
    StepResult result = result_of(pass, to_go);
    if (pass.pass != VoronoiMachine::kCompare) return result;
    if (!state().move_follows) list_differences();
    result.breakpoint_hit = !machine_.comparison().errors.empty();
    return result;
}

void VoronoiLab::finish(const std::function<void(const StepResult&)>& after_round) {
    stroke_.reset();
    if (done()) return;
    uint32_t to_go = state().to_go;
    machine_.finish([&](const PassResult& round) {
        const StepResult result = result_of(round, std::exchange(to_go, state().to_go));
        if (done() && now_.compare) list_differences();
        if (after_round) after_round(result);
    });
    draw();
}

/// Result of a pass or a round, with its messages. `to_go`: iterations left before it.
StepResult VoronoiLab::result_of(const PassResult& pass, uint32_t to_go) {
    StepResult result = pass;
    const int64_t moved = pass.counters[VoronoiMachine::kMoved];
    if (pass.pass == VoronoiMachine::kPlace) result.message = start().message;
    if (moved == kNotCounted) return result;
    if (pass.pass != VoronoiMachine::kMove && to_go > 0 && state().to_go == 0) {
        if (moved)
            result.message.add("tolerance", "No site is farther from its centroid than " +
                                                format_short(now_.tolerance) + " lattice units: the iteration ends.");
        else
            result.message.add("centroidal", "Every site is at its centroid: the iteration ends.");
    }
    if (areas_before_.empty()) areas_before_ = machine_.areas();
    result.measures = {state().energy, state().largest_move};
    return result;
}

Snapshot VoronoiLab::save() const {
    Snapshot snapshot = machine_.save();
    put_values(snapshot, areas_before_.data(), areas_before_.size());
    put_values(snapshot, &found_, 1);
    return snapshot;
}

void VoronoiLab::load(const Snapshot& snapshot) {
    constexpr size_t kFirst = VoronoiMachine::kBlocks;
    if (snapshot.blocks.size() != kFirst + 2)
        throw std::logic_error("not a snapshot of the Voronoi lab, or one of another input");
    std::vector<uint64_t> areas_before = load_vector<uint64_t>(snapshot, kFirst);
    const auto found = load_value<uint64_t>(snapshot, kFirst + 1);
    machine_.load(snapshot);
    areas_before_ = std::move(areas_before);
    found_ = found;
    stroke_.reset();
    draw();
}

/// Draws a state that was not reached pass by pass.
void VoronoiLab::draw() {
    draw_sites(state().made ? machine_.coloured_sites() : machine_.host_sites());
    if (machine_.has(VoronoiMachine::kLinked)) draw_pass(VoronoiMachine::kArrange);
    if (machine_.has(VoronoiMachine::kCompared)) draw_pass(VoronoiMachine::kCompare);
    move_sites();
}

void VoronoiLab::draw_pass(uint32_t pass) {
    if (pass == VoronoiMachine::kPlace) draw_sites(start().sites);
    if (pass == VoronoiMachine::kObstacles) draw_nothing();
    if (pass == VoronoiMachine::kArrange && records_states_) draw_links();
    if (pass == VoronoiMachine::kCompare && records_states_) draw_comparison();
    if (pass == VoronoiMachine::kMove) move_sites();
}

/// Draws sites without any further results.
void VoronoiLab::draw_sites(const std::vector<Point>& sites) {
    numbering_ = 0;
    for (const uint32_t name : machine_.names()) numbering_ = mix64(numbering_ ^ name);
    std::vector<Point> places = sites;
    places.insert(places.end(), start().points.begin(), start().points.end());
    mesh_.positions.upload(*context_, places.data(), places.size());
    tints_.upload(*context_, machine_.names().data(), machine_.names().size());
    draw_nothing();
}

void VoronoiLab::draw_nothing() {
    links_.clear(*context_, fixed_vertices(), records_states_, mesh_);
    mark_centres();
    exact_mesh_.vertex_count = exact_mesh_.edge_count = 0;
}

void VoronoiLab::draw_links() {
    exact_mesh_.vertex_count = exact_mesh_.edge_count = 0;
    links_.draw(*context_, start().lattice, machine_.graph().adjacency().view(), fixed_vertices(), records_states_,
                mesh_);
    mark_centres();
}

void VoronoiLab::move_sites() {
    if (state().sites)
        context_->copy(mesh_.positions.view().data, machine_.sites().view().data, state().sites * sizeof(Point));
}

/// If points are put into clusters, the cluster centres must stand out.
void VoronoiLab::mark_centres() {
    if (!records_states_ || start().points.empty()) return;
    std::vector<State> states(mesh_.vertex_count, 0);
    std::fill_n(states.begin(), state().sites, State(kCentreVertex));
    mesh_.vertex_states.upload(*context_, states.data(), states.size());
}

void VoronoiLab::draw_comparison() {
    const Lattice& lattice = start().lattice;
    const WorkStage stage("picture of the differences");
    std::vector<Point> places;
    std::vector<State> states;
    CancelPoll poll;
    const auto draw = [&](const LinkPieces& pieces, State state) {
        poll();
        for (uint32_t k = 0; k < pieces.count; ++k) {
            places.insert(places.end(), {pieces.from[k], pieces.to[k]});
            states.push_back(state);
        }
    };
    for (const ExactGraph::Piece& piece : machine_.exact()->pieces)
        draw(cut_way(lattice, piece.from, {piece.to.x - piece.from.x, piece.to.y - piece.from.y},
                     lattice.wrapped(piece.to)),
             kExactEdge);
    std::vector<std::array<uint32_t, 2>> spurious;
    const std::vector<Point> sites = machine_.coloured_sites();
    for (const LinkError& error : machine_.comparison().errors) {
        const auto& [a, b] = error.labels;
        if (!error.missed) {
            spurious.push_back(error.labels);
            continue;
        }
        draw(cut_link(lattice, sites[a], sites[b]), kMissedLink);
    }
    for (const LinkError& error : machine_.comparison().blocked)
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

constexpr uint32_t kMostSites = 1u << 26;

bool is_stroke(const Edit& edit) { return edit.kind == Edit::Kind::kPaint || edit.kind == Edit::Kind::kWipe; }

/// The places of a stroke, in order.
std::vector<Point> path_of(const Edit& edit) {
    std::vector<Point> path{{edit.place.x, edit.place.y}};
    for (const Point3& place : edit.path) path.push_back({place.x, place.y});
    return path;
}

/// Distance of the box around these places from the lattice; 0: they overlap.
double distance_beside(const Lattice& lattice, const std::vector<Point>& places) {
    const auto [low, high] = bounds_of(places);
    double beside = 0;
    if (!lattice.periodic.x) beside = std::max({beside, -0.5 - high.x, low.x - (lattice.width - 0.5)});
    if (!lattice.periodic.y) beside = std::max({beside, -0.5 - high.y, low.y - (lattice.height - 0.5)});
    return beside;
}

StepResult VoronoiLab::edit(const Edit& edit) {
    refuse(edit);  // throws before anything changes
    StepResult result;
    result.pass = VoronoiMachine::kEdit;
    result.counters.assign(VoronoiMachine::kCounters, kNotCounted);
    if (edit.goes_on) {
        if (!stroke_) throw std::logic_error("the Voronoi lab: there is no stroke or drag to go on with");
        machine_.set_state(stroke_->state);
        areas_before_ = stroke_->areas_before;
        found_ = stroke_->found;
    } else {
        stroke_.reset();
        while (next_pass() <= VoronoiMachine::kObstacles) run();
        if (is_stroke(edit) || edit.kind == Edit::Kind::kMoveVertex)
            stroke_ = BeforeStroke{state(), areas_before_, found_};
    }
    change(edit);
    machine_.restart();  // the iteration may continue from here
    if (now_.after_edit == int(AfterEdit::kAtOnce)) {
        do {
            const StepResult made = run();
            for (size_t k = 0; k < VoronoiMachine::kCounters; ++k)
                if (made.counters[k] != kNotCounted) result.counters[k] = made.counters[k];
            if (!made.measures.empty()) result.measures = made.measures;
            result.breakpoint_hit |= made.breakpoint_hit;
        } while (!done() && next_pass() != VoronoiMachine::kMove);
    }
    result.counters[VoronoiMachine::kSites] = state().sites;
    result.next = next_pass();
    result.round = state().round;
    result.ended = done() ? Level::kEnd : Level::kRound;
    return result;
}

/// Throws Error with a sentence for an impossible edit.
void VoronoiLab::refuse(const Edit& edit) const {
    using Kind = Edit::Kind;
    if (edit.kind == Kind::kFlipEdge)
        throw Error("Links follow from the cells and cannot be flipped; move a site, and they change.");
    const Lattice& lattice = start().lattice;
    const uint32_t sites =
        state().next == VoronoiMachine::kPlace ? static_cast<uint32_t>(start().sites.size()) : state().sites;
    if (edit.kind == Kind::kMoveVertex || edit.kind == Kind::kRemoveVertex) {
        const char* what = edit.kind == Kind::kMoveVertex ? "move" : "remove";
        if (edit.id >= sites && edit.id - sites < machine_.lloyd().point_count())
            throw Error("This is one of the points that are assigned to clusters, and stays; " + std::string(what) +
                        " a cluster centre.");
        if (edit.id >= sites) throw Error("There is no site " + std::to_string(edit.id) + " to " + what + ".");
    }
    if (edit.kind == Kind::kRemoveVertex) return;
    const std::vector<Point> path = path_of(edit);
    const auto is_finite = [](Point p) { return std::isfinite(p.x) && std::isfinite(p.y); };
    if (!std::all_of(path.begin(), path.end(), is_finite) || !(edit.radius >= 0))
        throw Error("Nothing can be done here: the coordinates are no numbers.");
    if (edit.goes_on) return;  // a stroke may leave the lattice and return
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
    return machine_.colouring().obstacles().empty() &&
           (start().obstacles.empty() || state().next > VoronoiMachine::kObstacles);
}

void VoronoiLab::change(const Edit& edit) {
    using Kind = Edit::Kind;
    const Point place{edit.end().x, edit.end().y};  // only the end of a drag counts
    if (is_stroke(edit)) {
        const double most = double(start().lattice.width) + start().lattice.height;
        machine_.paint(path_of(edit), std::min(edit.radius, most), edit.kind == Kind::kPaint);
        return draw_nothing();
    }
    std::vector<Point> sites = machine_.host_sites();
    std::vector<uint32_t> names = machine_.names();
    if (edit.kind == Kind::kMoveVertex) {
        sites[edit.id] = within(place);
    } else if (edit.kind == Kind::kAddVertex) {
        sites.push_back(within(place));
        names.push_back(machine_.take_name());
    } else {
        sites.erase(sites.begin() + edit.id);
        names.erase(names.begin() + edit.id);
    }
    machine_.set_sites(sites, names);
    draw_sites(sites);
}

/// The place on the lattice: a site dragged past an open border stays at the border.
Point VoronoiLab::within(Point place) const {
    const Lattice& lattice = start().lattice;
    const auto brought = [](double v, double period, bool periodic) {
        return periodic ? v - std::floor(v / period) * period : std::clamp(v, -0.5, period - 0.5);
    };
    return lattice.wrapped(
        {brought(place.x, lattice.width, lattice.periodic.x), brought(place.y, lattice.height, lattice.periodic.y)});
}

Scene VoronoiLab::scene() const {
    Scene scene;
    const Lattice& lattice = start().lattice;
    if (!lattice.pixel_count()) return scene;
    scene.low = {-0.5, -0.5};
    scene.high = {lattice.width - 0.5, lattice.height - 0.5};
    scene.point_count = fixed_vertices();
    const auto on_lattice = [&](const char* id, const char* title, const char* sentence, bool shown) -> LatticeLayer& {
        scene.layers.push_back({id, title, sentence, shown, LatticeLayer{lattice.width, lattice.height}});
        return std::get<LatticeLayer>(scene.layers.back().shape);
    };
    LatticeLayer& cells = on_lattice("cells", "Cells", "The cells in their tints, and the borders between them", true);
    cells.colours = &machine_.colouring().colours();
    cells.names = &tints_;
    cells.wraps = lattice.periodic;
    if (machine_.has(VoronoiMachine::kColoured)) cells.site_count = std::min(state().sites, mesh_.vertex_count);
    if (!input_->points.empty() && start().points.empty()) {
        cells.inputs = &tints_;
        cells.first_places = &first_places_;
    }
    if (start().units) cells.units = *start().units;
    // Before the first pass the picture shows the image itself.
    const bool untouched = state().made == 0 && state().moves == 0, unplaced = untouched && state().sites == 0;
    if (!field_.empty()) {
        const bool image = !start().image.empty();
        on_lattice("field", image ? "Image" : "Density",
                   image ? "The image, in place of the cells' tints"
                         : "Where sites are drawn to, dark most, in place of the cells' tints",
                   untouched)
            .field = &field_;
        scene.layers.back().scale = {ColourScale::Kind::kImage, image ? "image" : "density, dark most", "", 0, 1};
    }
    LatticeLayer& marks = on_lattice("marks", "Marked pixels", "The pixels that the legend lists", true);
    if (!machine_.graph().pixel_states().empty()) marks.states = &machine_.graph().pixel_states();
    SegmentsLayer links = segments_of(mesh_);
    // The links of a site that has crossed a periodic border would span the whole picture.
    if (start().lattice.periodic.any() && !machine_.has(VoronoiMachine::kLinked)) links.count = 0;
    scene.layers.push_back({"links", "Links", "The links between neighbouring cells", true, links});
    if (now_.compare)
        scene.layers.push_back({"overlay", "Overlay", "Further marks that the legend lists, over the links", true,
                                segments_of(exact_mesh_)});
    PointsLayer points = points_of(mesh_, fixed_vertices());
    if (unplaced) points = {&first_places_, nullptr, static_cast<uint32_t>(first_places_.size())};
    if (unplaced) scene.point_count = points.count;
    scene.layers.push_back({"points", "Points", "The sites of the cells", true, points});
    if (unplaced) scene.layers.back().role = Role::kWaiting;
    using E = LegendEntry::Element;
    const bool obstacles = !machine_.colouring().obstacles().empty();
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
    if (machine_.options().method == ColouringMethod::kJumpFlooding)
        legend.push_back({E::kPixel, kPixelWrongColour, Role::kSpurious, "wrong colour",
                          "Another site is nearer: jump flooding did not bring its colour here."});
    add_pixel_legend(legend);
    if (unplaced) legend.push_back({E::kVertex, 0, Role::kWaiting, "not placed yet", "The first pass places it."});
    if (machine_.lloyd().of_points())
        legend.push_back({E::kVertex, kCentreVertex, Role::kChosen, "cluster centre",
                          "The other points are assigned to clusters around it."});
    scene.set_legend(legend);
    return scene;
}

Element VoronoiLab::pick(const Probe& probe) const {
    if (!start().lattice.pixel_count()) return {};
    return pick_on_lattice(*context_, mesh_, fixed_vertices(), start().lattice, probe);
}

GraphView VoronoiLab::graph_view() const {
    const Adjacency& graph = machine_.graph().adjacency();
    return {start().lattice,
            graph.starts,
            graph.neighbours,
            mesh_.positions,
            links_,
            mesh_.edge_count,
            [this](uint32_t label) { return std::to_string(machine_.names()[label]); }};
}

Report VoronoiLab::inspect(Element element) const {
    Report report;
    if (element.id == kNone) return report;
    if (element.kind == ElementKind::kPixel && element.id < start().lattice.pixel_count()) {
        inspect_pixel(element.id, report);
        return report;
    }
    Properties properties;
    if (element.kind == ElementKind::kVertex && element.id < state().sites)
        inspect_site(element.id, properties, report.highlights);
    if (element.kind == ElementKind::kVertex && element.id >= state().sites && element.id < fixed_vertices())
        inspect_point(element.id - state().sites, properties);
    if (element.kind == ElementKind::kEdge && element.id < mesh_.edge_count)
        inspect_link(element.id, properties, report.highlights);
    report.add(std::move(properties));
    return report;
}

void VoronoiLab::inspect_pixel(uint32_t pixel, Report& report) const {
    const Lattice& lattice = start().lattice;
    Properties properties;
    if (machine_.has(VoronoiMachine::kColoured)) {
        describe_stencil(
            inspect_stencil(lattice, machine_.colouring().colours(), machine_.coloured_sites(), pixel, now_.rules),
            now_.rules, report, [this](uint32_t label) { return graph_view().link(label); });
        const uint32_t colour = machine_.colouring().colours().read(pixel);
        if (colour < state().sites) {
            const double distance =
                std::sqrt(lattice.squared_distance(machine_.coloured_sites()[colour], lattice.place(pixel)));
            properties.add("Nearest site", site_name(colour), "", {site_link(colour)});
            properties.add("Distance", Value(distance, "lattice units"), "to that site");
        }
    } else {
        properties.add("Pixel", std::vector<int64_t>{lattice.x_of(pixel), lattice.y_of(pixel)}, "not coloured yet");
    }
    if (!machine_.lloyd().density().empty())
        properties.add("Density", machine_.lloyd().density().read(pixel) / kFullWeight,
                       "its weight in centroids and energy, at most 1");
    report.add(std::move(properties));
}

void VoronoiLab::inspect_site(uint32_t label, Properties& properties, std::vector<Highlight>& highlights) const {
    const Point at = mesh_.positions.read(label);
    properties.add(machine_.lloyd().of_points() ? "Cluster centre" : "Site", machine_.names()[label],
                   "label " + std::to_string(label) + "; where distances are equal the lowest label has the pixel");
    properties.add("x, y", Value(at, "lattice units"));
    if (start().units) properties.add("In the input", in_input_units(start().as_given(at), start().units->unit));
    if (machine_.has(VoronoiMachine::kLinked)) explain_site(graph_view(), label, properties, highlights);
    if (machine_.has(VoronoiMachine::kMeasured)) {
        const CellSums cell = machine_.lloyd().sums().read(label);
        const Point then = machine_.coloured_sites()[label], centroid = machine_.lloyd().centroid(cell, then);
        if (machine_.lloyd().of_points()) {
            properties.add("Cluster", Value::count(cell.area, "point", "points"), "nearest to this cluster centre");
            const std::vector<uint32_t> clusters = machine_.lloyd().clusters().download();
            std::vector<Link> points;
            for (uint32_t point = 0; point < machine_.lloyd().point_count(); ++point)
                if (clusters[point] == label)
                    points.push_back({std::to_string(point), {ElementKind::kVertex, state().sites + point}});
            add_cut_links("Points", std::move(points), properties, "of the cluster, by their indices in the input");
        } else {
            properties.add("Cell", Value::count(cell.area, "pixel", "pixels"),
                           cell.area == 0 ? "no pixel is nearest to it"
                                          : "the area of its cell, as a pixel is one lattice unit squared");
            if (start().units && cell.area > 0)
                properties.add("Area in the input", Value::exactly(double(cell.area) * std::fabs(start().units->unit.x *
                                                                                                 start().units->unit.y),
                                                                   "units of the input, squared"));
        }
        if (!machine_.lloyd().density().empty() && !machine_.lloyd().of_points())
            properties.add("Weight", double(cell.weight) / kFullWeight, "the sum of its pixels' densities");
        if (cell.weight) {
            properties.add("Centroid", Value(centroid, "lattice units"),
                           format_short(std::sqrt(start().lattice.squared_distance(then, centroid))) +
                               " lattice units from the site of the cell");
            highlights.push_back(Highlight::point({centroid.x, centroid.y, 0}, Role::kMoved,
                                                  "centroid of the cell of " + site_name(label)));
        }
    }
    if (machine_.has(VoronoiMachine::kLinked) && machine_.has(VoronoiMachine::kCompared))
        describe_differences(label, properties, highlights);
}

/// Describes how the links of this cell differ from those of the exact graph.
void VoronoiLab::describe_differences(uint32_t label, Properties& properties,
                                      std::vector<Highlight>& highlights) const {
    const GraphView graph = graph_view();
    if (const uint32_t first = machine_.exact()->representatives[label]; first != label) {
        properties.add("Coincident", site_name(first),
                       "at the same position has the cell: the lowest label represents all there", {site_link(first)});
        return;
    }
    std::vector<uint32_t> missed, spurious, blocked;
    for (const LinkError& error : machine_.comparison().errors)
        for (const uint32_t k : {0u, 1u})
            if (error.labels[k] == label) (error.missed ? missed : spurious).push_back(error.labels[1 - k]);
    for (const LinkError& error : machine_.comparison().blocked)
        for (const uint32_t k : {0u, 1u})
            if (error.labels[k] == label) blocked.push_back(error.labels[1 - k]);
    const Point at = mesh_.positions.read(label);
    const auto tell = [&](const char* name, const std::vector<uint32_t>& to, Role role, const char* why) {
        properties.add(name, to.size(), why, graph.links(to));
        for (const uint32_t other : to)
            highlight_link(start().lattice, at, mesh_.positions.read(other), role, "to " + site_name(other),
                           highlights);
    };
    tell("Missed links", missed, Role::kMissed,
         missed.empty() ? "none of the exact graph's in sight" : "that the exact graph has, in sight");
    tell("Spurious links", spurious, Role::kSpurious, spurious.empty() ? "" : "that the exact graph does not have");
    if (!blocked.empty()) tell("Blocked links", blocked, Role::kBlocked, "obstacles lie where the cells would touch");
}

void VoronoiLab::inspect_point(uint32_t point, Properties& properties) const {
    properties.add("Point", point, "index in the input, from 0");
    const Point at = mesh_.positions.read(state().sites + point);
    properties.add("x, y", Value(at, "lattice units"));
    if (start().units) properties.add("In the input", in_input_units(start().as_given(at), start().units->unit));
    if (!machine_.has(VoronoiMachine::kMeasured)) return;
    const uint32_t label = machine_.lloyd().clusters().read(point);
    if (label >= state().sites) return;
    const double distance = std::sqrt(start().lattice.squared_distance(machine_.coloured_sites()[label], at));
    properties.add(
        "Cluster", machine_.names()[label],
        "its cluster centre was " + format_short(distance) + " lattice units away when the clusters were made",
        {graph_view().link(label)});
}

void VoronoiLab::inspect_link(uint32_t edge, Properties& properties, std::vector<Highlight>& highlights) const {
    const auto [a, b] = links_.link(edge);
    if (std::max(a, b) >= state().sites) return;
    const std::vector<Point> sites = machine_.coloured_sites();
    properties.add("Link", site_name(a) + " to " + site_name(b));
    if (machine_.has(VoronoiMachine::kLinked)) explain_link(graph_view(), edge, properties, highlights);
    properties.add("Length", Value(std::sqrt(start().lattice.squared_distance(sites[a], sites[b])), "lattice units"));
    if (!machine_.has(VoronoiMachine::kCompared)) return;
    if (const uint32_t found = machine_.exact()->find(a, b); found != kNone) {
        properties.add("In the exact graph", true,
                       machine_.exact()->in_sight[found] ? "" : "but the Voronoi edge lies outside the lattice");
        properties.add("Voronoi edge", Value(machine_.exact()->dual_lengths[found], "lattice units"),
                       "its length on the lattice");
        for (const ExactGraph::Piece& piece : machine_.exact()->pieces)
            if (piece.edge == found)
                highlights.push_back(Highlight::line({piece.from.x, piece.from.y, 0}, {piece.to.x, piece.to.y, 0},
                                                     Role::kExact, "Voronoi edge between the two"));
        return;
    }
    const std::array<uint32_t, 2> pair{std::min(a, b), std::max(a, b)};
    const auto error = std::find_if(machine_.comparison().errors.begin(), machine_.comparison().errors.end(),
                                    [&](const LinkError& e) { return !e.missed && e.labels == pair; });
    properties.add("In the exact graph", false, "spurious: the two cells touch on the lattice only");
    if (error != machine_.comparison().errors.end())
        properties.add("Shortfall", Value(error->shortfall, "lattice units"),
                       "by which their Voronoi edge would have to grow before they touch");
}

/// Appends the differences of this comparison. If the log already has them, because the user went back, later entries
/// stay.
void VoronoiLab::list_differences() {
    const std::vector<Point> sites = machine_.coloured_sites();
    const WorkStage stage("list of differences");
    std::vector<Detection> fresh;
    CancelPoll poll;
    for (const LinkError& error : machine_.comparison().errors) {
        poll();
        const auto [a, b] = error.labels;
        const Point d = start().lattice.difference(sites[a], sites[b]);
        Detection detection;
        detection.time = detection.round = state().round;
        detection.kind = std::string(error.missed ? "missed" : "spurious") + (error.at_border ? " at the border" : "");
        detection.place = start().lattice.wrapped({sites[a].x + d.x / 2, sites[a].y + d.y / 2});
        detection.vertices = {machine_.names()[a], machine_.names()[b]};
        detection.measures = {error.missed ? error.dual_length : std::nan(""),
                              error.missed ? std::nan("") : error.shortfall};
        fresh.push_back(std::move(detection));
    }
    const auto same = [](const Detection& f, const Detection& g) {
        return f.round == g.round && f.kind == g.kind && f.place == g.place && f.vertices == g.vertices;
    };
    const size_t end = found_ + fresh.size();
    if (log_.size() < end || !std::equal(fresh.begin(), fresh.end(), log_.begin() + ptrdiff_t(found_), same)) {
        log_.resize(found_);
        log_.insert(log_.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
    }
    found_ = end;
}

std::vector<Detection> VoronoiLab::detections(size_t first) const {
    if (first >= found_) return {};
    std::vector<Detection> detections{log_.begin() + ptrdiff_t(first), log_.begin() + ptrdiff_t(found_)};
    if (start().units)
        for (Detection& detection : detections) detection.given = start().as_given(detection.place);
    return detections;
}

Report VoronoiLab::report_of_detection(size_t index) const {
    if (!machine_.has(VoronoiMachine::kCompared) || state().move_follows || index >= found_) return {};
    const size_t first = found_ - machine_.comparison().errors.size();
    if (index < first) return {};  // its cells no longer exist
    const LinkError& error = machine_.comparison().errors[index - first];
    const Lattice& lattice = start().lattice;
    const std::vector<Point> sites = machine_.coloured_sites();
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
    diagram.show_around(middle, reach);
    for (const ExactGraph::Piece& piece : machine_.exact()->pieces) {
        const Point from = seen(piece.from);
        const Point to{from.x + piece.to.x - piece.from.x, from.y + piece.to.y - piece.from.y};
        if (std::min(from.x, to.x) <= diagram.high.x && std::max(from.x, to.x) >= diagram.low.x &&
            std::min(from.y, to.y) <= diagram.high.y && std::max(from.y, to.y) >= diagram.low.y)
            diagram.add_line(from, to, Role::kExact);
    }
    diagram.add_line(origin, {origin.x + d.x, origin.y + d.y}, error.missed ? Role::kMissed : Role::kSpurious);
    for (uint32_t label = 0; label < sites.size(); ++label) {
        const Point p = seen(sites[label]);
        if (diagram.shows(p)) diagram.add_point(p, Role::kPlain, std::to_string(machine_.names()[label]));
    }
    Report report;
    report.add({std::move(diagram)});
    return report;
}

constexpr uint32_t kAreaBins = 40, kDegreeBins = 16;

std::vector<uint64_t> counted(const std::vector<uint64_t>& values, double low, double high, uint32_t bins) {
    std::vector<uint64_t> counts(bins, 0);
    for (const uint64_t value : values) {
        const double at = (double(value) - low) / (high - low) * bins;
        ++counts[std::min<uint32_t>(at > 0 ? static_cast<uint32_t>(std::min(at, 1e9)) : 0, bins - 1)];
    }
    return counts;
}

Result VoronoiLab::result() const {
    Result result;
    result.points = input_ && !input_->points.empty() ? input_->points.size() : state().sites;
    const auto tell = [&](const char* name, const char* unit, double value) {
        result.numbers.add_number(name, unit, value);
    };
    if (start().units)
        result.lattice = {start().lattice.width, start().lattice.height, start().lattice.periodic, *start().units};
    tell("sites", "", state().sites);
    if (machine_.has(VoronoiMachine::kLinked)) {
        result.edges = machine_.graph().adjacency().entry_count / 2;
        tell("links", "", double(result.edges));
    }
    if (machine_.has(VoronoiMachine::kCompared)) {
        tell("missed links", "", machine_.comparison().missed);
        tell("spurious links", "", machine_.comparison().spurious);
        if (!machine_.colouring().obstacles().empty())
            tell("blocked links", "", double(machine_.comparison().blocked.size()));
    }
    tell("pixels", "", start().lattice.pixel_count());
    if (!machine_.colouring().obstacles().empty()) tell("obstacle pixels", "", double(machine_.count_obstacles()));
    tell("Lloyd iterations", "", state().moves);
    if (machine_.has(VoronoiMachine::kMeasured)) {
        const std::vector<uint64_t> sizes = machine_.areas();
        tell("empty cells", "", double(std::count(sizes.begin(), sizes.end(), 0u)));
        tell("energy", "lattice units squared", state().energy);
        if (machine_.lloyd().of_points() && start().scale != 1)
            tell("energy in the input's units", "", state().energy / (start().scale * start().scale));
        tell("largest move", "lattice units", state().largest_move);
    }
    if (machine_.options().method == ColouringMethod::kJumpFlooding && machine_.has(VoronoiMachine::kColoured))
        tell("wrong colours", "", double(machine_.count_wrong_colours()));
    if (!machine_.has(VoronoiMachine::kLinked)) return result;
    tell("corners", "", machine_.graph().read_corner_count());
    const VoronoiMachine::OddPixels odd = machine_.count_odd_pixels();
    tell("islands", "", double(odd.islands));
    tell("prolonged", "", double(odd.prolonged));
    if (state().sites) tell("mean neighbours", "", 2 * double(result.edges) / state().sites);
    if (!machine_.has(VoronoiMachine::kCompared)) return result;
    tell("exact links", "", machine_.comparison().exact_links);
    tell("longest missed Voronoi edge", "lattice units", machine_.comparison().longest_missed);
    return result;
}

Report VoronoiLab::statistics() const {
    Report made;
    const std::vector<uint64_t> now = machine_.areas();
    if (now.empty()) return made;
    const bool points = machine_.lloyd().of_points();
    const double content = points ? machine_.lloyd().point_count() : start().lattice.pixel_count();
    const double high = std::max(4.0 * content / double(std::max<size_t>(start().sites.size(), 1)), 1.0);
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
    if (!machine_.has(VoronoiMachine::kLinked)) return made;

    const auto degrees = [&](const std::vector<std::array<uint32_t, 2>>& links) {
        std::vector<uint64_t> counts(state().sites, 0);
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
    neighbours.now = degrees(pairs_of(machine_.graph().adjacency()));
    neighbours.now_name = "lattice";
    neighbours.before_name = "exact";
    if (machine_.has(VoronoiMachine::kCompared)) {
        std::vector<std::array<uint32_t, 2>> in_sight;
        for (size_t e = 0; e < machine_.exact()->edges.size(); ++e)
            if (machine_.exact()->in_sight[e]) in_sight.push_back(machine_.exact()->edges[e]);
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
    const std::vector<size_t> lattice{start().lattice.height, start().lattice.width};
    const size_t pixel_count = start().lattice.pixel_count();
    const auto pairs = [](const std::vector<std::array<uint32_t, 2>>& links) {
        std::vector<uint32_t> flat;
        for (const auto& link : links) flat.insert(flat.end(), link.begin(), link.end());
        return make_array(Type::kUint32, {links.size(), 2}, flat);
    };
    if (name == "colours") return make_array(Type::kUint32, lattice, machine_.colouring().colours().download());
    if (name == "obstacles") {
        const std::vector<uint8_t> marks = machine_.colouring().obstacles().download();
        std::vector<uint32_t> values(marks.begin(), marks.end());
        values.resize(pixel_count, 0);
        return make_array(Type::kUint32, lattice, values);
    }
    if (name == "density") {
        std::vector<uint32_t> values(start().density.begin(), start().density.end());
        values.resize(pixel_count, 1);
        return make_array(Type::kUint32, lattice, values);
    }
    if (name == "sites") {
        std::vector<Point> places = machine_.host_sites();
        for (Point& at : places) at = start().as_given(at);
        return make_array(Type::kFloat64, {state().sites, 2}, places);
    }
    if (name == "names") return make_array(Type::kUint32, {machine_.names().size()}, machine_.names());
    if (name == "areas") {
        const std::vector<uint64_t> sizes = machine_.areas();
        return make_array(Type::kInt64, {sizes.size()}, sizes);
    }
    const bool linked = machine_.has(VoronoiMachine::kLinked);
    if (name == "links")
        return pairs(linked ? pairs_of(machine_.graph().adjacency()) : std::vector<std::array<uint32_t, 2>>{});
    if (name == "exact_links")
        return pairs(machine_.exact() && machine_.has(VoronoiMachine::kCompared)
                         ? machine_.exact()->edges
                         : exact_graph(*context_, machine_.host_sites(), start().lattice).edges);
    if (name == "clusters") {
        const std::vector<uint32_t> labels =
            machine_.lloyd().of_points() ? machine_.lloyd().clusters().download() : std::vector<uint32_t>();
        return make_array(Type::kUint32, {labels.size()}, labels);
    }
    throw std::logic_error("the Voronoi lab has no array \"" + name + "\"");
}

std::optional<ArrayView> VoronoiLab::array_in_place(const std::string& name) const {
    if (name != "colours" || context_->on_cuda()) return {};
    const Lattice& lattice = start().lattice;
    return ArrayView{Array::Type::kUint32, {lattice.height, lattice.width}, machine_.colouring().colours().view().data};
}

TriangleSoup VoronoiLab::soup() const {
    TriangleSoup soup;
    soup_points_ = machine_.host_sites();
    soup.points = &soup_points_;
    return soup;
}

const LabInfo& VoronoiLab::info() const {
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
              "one jump per step."},
             {"centroids",
              "Sums over the pixels of every cell: its area, its centroid, and its energy, the squared distances of "
              "its pixels to its site."},
             {"corners",
              "Pixels where the colour changes three times around them, or twice on an open border, are corners of "
              "cells."},
             {"link",
              "At every corner the five conditions determine which colours around it are neighbours of its own. Exact "
              "cells are added: of sites too near to each other for the lattice, or of all."},
             {"arrange", "Each cell's neighbours are sorted, each listed once, and each also in the other's row."},
             {"compare",
              "The exact Delaunay triangulation of the same sites shows which links are missing and which are "
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
        made.edits = {Edit::Kind::kMoveVertex, Edit::Kind::kAddVertex, Edit::Kind::kRemoveVertex, Edit::Kind::kPaint,
                      Edit::Kind::kWipe};
        made.inputs = {InputKind::kPoints, InputKind::kFields, InputKind::kNothing};
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

}  // namespace

std::unique_ptr<Lab> make_voronoi_lab() { return std::make_unique<VoronoiLab>(); }

}  // namespace flipscope
