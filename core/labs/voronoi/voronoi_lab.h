// The Voronoi lab: sites on a lattice, their digital Voronoi diagram, the graph of its neighbours beside the exact one,
// and Lloyd's iteration towards a centroidal diagram, after Bernaschi, Lulli and Sbragaglia (2016), sections II and
// III B, as a machine of named passes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/lab.h"
#include "labs/voronoi/link_drawing.h"
#include "labs/voronoi/site_links.h"
#include "labs/voronoi/voronoi_start.h"
#include "voronoi/colouring/colouring.h"
#include "voronoi/graph/exact_graph.h"
#include "voronoi/graph/graph_comparison.h"
#include "voronoi/graph/lattice_graph.h"
#include "voronoi/lloyd.h"

namespace flipscope {

const LabInfo& voronoi_lab_info();
std::unique_ptr<Lab> make_voronoi_lab();

class VoronoiLab final : public Lab,
                         public Inspectable,
                         public Editable,
                         public Checkable,
                         public Detector,
                         public Measurable,
                         public Exporter {
  public:
    enum Pass : uint32_t { kPlace, kObstacles, kColour, kCentroids, kCorners, kLink, kArrange, kCompare, kMove, kEdit };
    enum Counter : uint32_t {
        kSites,
        kCorner,
        kLinks,
        kIslands,
        kProlonged,
        kMissed,
        kSpurious,
        kBlocked,
        kWrong,
        kMoved,
        kEmpty,
        kCounters
    };
    enum VertexBit : State { kCentreVertex = 1 << 0 };
    enum EdgeBit : State { kSpuriousLink = 1 << 0, kExactEdge = 1 << 1, kMissedLink = 1 << 2, kBlockedLink = 1 << 3 };

    const LabInfo& info() const override { return voronoi_lab_info(); }
    void parameters(ParameterVisitor& visitor) override;
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;
    void set_records_states(bool records_states) override { wants_states_ = records_states; }

    bool done() const override { return state_.next == kNone; }
    uint32_t next_pass() const override { return state_.next; }
    StepResult step() override;
    void finish(const std::function<void(const StepResult&)>& after_round) override;

    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override;
    /// Whether such labs make edits of this kind; for the registry, too.
    static bool makes(Edit::Kind kind) {
        using Kind = Edit::Kind;
        return kind == Kind::kMoveVertex || kind == Kind::kAddVertex || kind == Kind::kRemoveVertex ||
               kind == Kind::kPaint || kind == Kind::kWipe;
    }
    bool takes(Edit::Kind kind) const override { return makes(kind); }
    uint64_t numbering() const override { return numbering_; }
    StepResult edit(const Edit& edit) override;
    Report statistics() const override;
    /// The differences between the lattice's graph and the exact one, of every last round: one each.
    std::vector<Detection> detections(size_t first) const override;
    size_t detection_count() const override { return state_.found; }
    Report report_of_detection(size_t index) const override;
    std::vector<ArrayInfo> arrays() const override;
    Array array(const std::string& name) const override;

    uint64_t state_hash() const override;
    CheckReport check() const override;
    Result result() const override;
    TriangleSoup soup() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot) override;

  private:
    /// What is known of the sites as they were coloured last: all of it a function of them and of the obstacles.
    enum Made : uint32_t { kColoured = 1, kMeasured = 2, kCornered = 4, kLinked = 8, kCompared = 16 };

    struct RunState {
        uint32_t next = kNone;
        uint32_t round = 0;
        uint32_t jumps = 0;      // steps of this round's colouring that have run
        uint32_t to_go = 0;      // iterations of Lloyd's that are left
        uint32_t moves = 0;      // and that were made
        uint32_t sites = 0;      // so many there are
        uint32_t next_name = 0;  // of a site that is added
        uint32_t made = 0;       // bits of Made
        uint32_t move_follows = 0;
        uint64_t found = 0;  // differences listed so far
        double energy = 0, largest_move = 0;
    };

    /// What a stroke of the brush began with: where it goes on, it is made from there again.
    struct BeforeStroke {
        RunState run_state;
        std::vector<uint64_t> areas_before;
    };

    StepResult begin_step(uint32_t pass) const;
    StepResult run(uint32_t pass);
    void place(StepResult& result);
    void show_obstacles(StepResult& result);
    void colour(StepResult& result);
    void centroids(StepResult& result);
    void corners(StepResult& result);
    void link();
    void arrange(StepResult& result);
    void compare(StepResult& result);
    void move(StepResult& result);
    uint32_t after_centroids() const;
    uint32_t after_graph() const { return state_.move_follows ? uint32_t(kMove) : kNone; }

    // Sites are the first vertices of the mesh; points put into clusters follow, then places where links are cut.
    void set_sites(const std::vector<Point>& sites, const std::vector<uint32_t>& names);
    void blank();
    void draw_links();
    void hold_against_exact();
    std::vector<uint8_t> host_obstacles() const;  // (h, w) or empty
    void list_differences();
    void draw_comparison();
    void mark_centres();
    ColouringMethod method() const { return static_cast<ColouringMethod>(now_.method); }
    StencilRules rules() const { return now_.rules; }
    View<Point> sites() const { return mesh_.positions.view(state_.sites); }
    std::vector<Point> host_sites() const;
    std::vector<Point> coloured_sites() const;
    std::vector<uint64_t> areas() const;  // (n) pixels, or points; empty: not measured
    std::string site_name(uint32_t label) const { return "site " + std::to_string(names_[label]); }
    uint32_t fixed_vertices() const { return state_.sites + lloyd_.point_count(); }
    void rebuild(uint32_t made);

    // manual edits
    void refuse(const Edit& edit) const;
    void change(const Edit& edit);
    bool without_obstacles() const;
    Point within(Point place) const;

    // what is told of an element
    SeenGraph seen_graph() const;
    void inspect_site(uint32_t label, Properties& properties, std::vector<Highlight>& highlights) const;
    void tell_differences(uint32_t label, Properties& properties, std::vector<Highlight>& highlights) const;
    void inspect_point(uint32_t point, Properties& properties) const;
    void inspect_link(uint32_t edge, Properties& properties, std::vector<Highlight>& highlights) const;
    void inspect_pixel(uint32_t pixel, Report& report) const;

    // check, results and arrays
    void check_colours(CheckReport& report) const;
    void list_missed_contacts(const GraphComparison& comparison, CheckReport& report) const;
    void check_sites(CheckReport& report) const;
    void check_rows(CheckReport& report) const;
    uint64_t count_obstacles() const;
    struct OddPixels {
        uint64_t islands = 0, prolonged = 0;
    };
    OddPixels count_odd_pixels() const;  // from the colours alone, whether pixel states are recorded or not

    Context* context_ = nullptr;
    std::shared_ptr<const Geometry> input_;
    VoronoiParameters requested_, now_;  // as set by the user; as of the last reset
    bool wants_states_ = true, records_states_ = true;
    bool fast_ = false;  // finish() is running: no states are recorded
    VoronoiStart start_;
    std::vector<uint32_t> names_;  // (n) by label: what a site is called, and tinted by
    uint64_t numbering_ = 0;       // of the names: another one where a label means another site
    mutable Colouring colouring_;  // its buffers are asked for by the callers that draw or save them
    Lloyd lloyd_;
    LatticeGraph graph_;
    std::optional<ExactGraph> exact_;
    GraphComparison comparison_;
    Linework mesh_;        // sites and links
    LinkDrawing links_;    // which link an edge of the mesh is
    Linework exact_mesh_;  // over it: exact Voronoi edges, and missed links
    Buffer<uint32_t> tints_{"names of sites", Residence::kDrawn};
    // What there is to see before the first pass: the image or the density, and where sites and points will be.
    Buffer<float> field_{"field of the start", Residence::kDrawn};  // (h, w) 0 … 1, dark attracts; or empty
    Buffer<Point> first_places_{"places of the start", Residence::kDrawn};
    std::vector<uint64_t> areas_before_;  // of the first round, for the histogram
    std::vector<Detection> log_;          // also what lies in the future, where the user has gone back
    RunState state_;
    std::optional<BeforeStroke> stroke_;  // while nothing else has happened since
    mutable std::vector<Point> soup_points_;
};

}  // namespace flipscope
