// The Events lab: from a field over time, or from sites that move, to plastic events, as a machine of named passes
// (Bernaschi, Lulli and Sbragaglia 2016). One round is one comparison of two frames.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "events/detection/cell_changes.h"
#include "events/detection/change_detector.h"
#include "events/detection/events_chain.h"
#include "events/detection/matching.h"
#include "events/sources/source.h"
#include "lab/lab.h"
#include "labs/events/events_drawing.h"
#include "labs/events/events_log.h"
#include "labs/voronoi/site_links.h"

namespace flipscope {

const LabInfo& events_lab_info();
std::unique_ptr<Lab> make_events_lab();

class EventsLab final : public Lab,
                        public Inspectable,
                        public Checkable,
                        public Detector,
                        public Measurable,
                        public Exporter,
                        public TableExporter {
  public:
    enum Pass : uint32_t {
        kAdvance,
        kThreshold,
        kLabel,
        kMeasure,
        kColour,
        kCorners,
        kLink,
        kArrange,
        kDelaunay,
        kMatch,
        kTrigger,
        kEvents
    };
    enum Counter : uint32_t {
        kBubbles,
        kLinks,
        kMatchedCount,
        kAppeared,
        kVanished,
        kActive,
        kLostContacts,
        kCreatedContacts,
        kT1Events,
        kBoundaryEvents,
        kMixedEvents,
        kUnmatchedEvents,
        kUnclearEvents,
        kCounters
    };

    const LabInfo& info() const override { return events_lab_info(); }
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
    Report statistics() const override;
    std::vector<Detection> detections(size_t first) const override;
    size_t detection_count() const override { return log_.size(); }
    DetectionUnits detection_units() const override;
    Report report_of_detection(size_t i) const override;
    std::vector<ArrayInfo> arrays() const override;
    Array array(const std::string& name) const override;
    std::vector<ArrayInfo> tables() const override;
    void will_export(const std::string& table) override { wants_tracks_ = wants_tracks_ || table == "tracks"; }
    Table table(const std::string& name) const override;

    uint64_t state_hash() const override;
    CheckReport check() const override;
    Result result() const override;
    TriangleSoup soup() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot) override;

  private:
    /// Everything about the frame that is in no buffer; saved and loaded as it is.
    struct RunState {
        uint32_t next = kNone;
        uint32_t last = kNone;                           // pass that ran last
        uint32_t round = 0;                              // comparisons begun
        uint32_t made = 0;                               // 1: the first frame's graph is there
        uint32_t next_name = 0;                          // beyond all names
        uint32_t few_told = 0;                           // bit 0: that there was no bubble; bit 1: that there was one
        uint64_t kinds[size_t(EventKind::kKinds)] = {};  // events so far, by EventKind
        uint64_t lost = 0, created = 0;                  // links so far
        ComparisonCounts counts;                         // of the last comparison
        uint64_t changes[size_t(CellChange::kChanges)] = {};  // births and their like so far, by CellChange
        uint32_t names_before = 0, unused = 0;                // next_name as the last comparison began
    };
    /// All bubbles of a frame, as they are told outside.
    struct TrackedFrame {
        double time = NAN;          // NaN: not kept
        size_t first_place = 0;     // of tracks: the first of its places in the input
        std::vector<int64_t> ids;   // (n)
        std::vector<Point> places;  // (n) units of the input
        std::vector<double> areas;  // (n) in these units, NaN: it has none
        std::vector<uint32_t> degrees;
        std::vector<uint8_t> on_boundary;
    };

    StepResult begin_step(uint32_t pass) const;
    void run_graph_pass(uint32_t pass, bool wait);
    uint32_t first_graph_pass() const {
        return chain_.has_labels()  ? kLabel
               : chain_.has_field() ? kThreshold
               : chain_.has_graph() ? kDelaunay
                                    : kColour;
    }
    uint32_t last_graph_pass() const { return chain_.has_graph() || !chain_.on_lattice() ? kDelaunay : kArrange; }
    uint32_t after(uint32_t pass) const;
    bool uses_input_units() const;
    void make_graph(bool wait);
    void remake_graph();
    bool advance(StepResult& result);
    void match();
    void compare();
    void name_everybody();
    void name_by_ids();
    void count_names();
    void find_events(StepResult& result);
    void find_changes();
    void keep_areas();
    TrackedFrame tracked_frame() const;
    std::vector<TrackedFrame> tracked_frames() const;
    void finish_round(const std::function<void(const StepResult&)>& after_round);
    std::optional<LatticeUnits> units() const;
    Point as_given(Point place) const {
        const std::optional<LatticeUnits> given = units();
        return given ? given->as_given(place) : place;
    }
    CellAreas host_areas(size_t frame) const;
    void show_labels();
    void end_round(StepResult& result);
    void draw();
    StepMessage describe_start();
    void greet(StepResult& result);
    void tell_few_bubbles(uint64_t count, StepResult& result);
    bool by_names() const;

    LinkedFrame& past() { return frames_[1 - current_]; }
    LinkedFrame& present() { return frames_[current_]; }
    const LinkedFrame& past() const { return frames_[1 - current_]; }
    const LinkedFrame& present() const { return frames_[current_]; }
    const Adjacency& graph() const { return chain_.graph(); }
    bool shows_labels() const { return chain_.has_field() && state_.last >= kThreshold && state_.last <= kMeasure; }
    bool at_rest() const { return state_.made && (state_.next == kNone || state_.next == kAdvance); }
    int64_t id_of(uint32_t label) const;
    std::string bubble_name(uint32_t label) const { return std::to_string(id_of(label)); }

    std::string set_without_effect();

    // what is told of an element
    SeenGraph seen_graph() const;
    void inspect_site(uint32_t label, Properties& properties, std::vector<Highlight>& highlights) const;
    void inspect_link(uint32_t edge, Properties& properties, std::vector<Highlight>& highlights) const;
    void inspect_pixel(uint32_t pixel, Report& report) const;
    std::optional<Curve> flow_curve() const;
    std::vector<Point> host_sites() const;
    struct Concentration {
        uint64_t inside = 0, open = 0, all = 0;  // pixels of bubbles, those that are no obstacles, and all
    };
    std::optional<Concentration> concentration() const;
    uint32_t chosen_interval() const;
    uint64_t averaged_from() const;

    Context* context_ = nullptr;
    std::shared_ptr<const Geometry> input_;
    EventsParameters requested_{.graph = static_cast<int>(GraphKind::kAuto)},
        now_;  // as set by the user; as of the last reset
    bool wants_states_ = true, records_states_ = true;
    std::unique_ptr<Source> source_;
    mutable EventsChain chain_;  // a check asks it to compare colours, which needs working memory
    LinkedFrame frames_[2];
    uint32_t current_ = 0;
    std::vector<int64_t> ids_[2];  // by label what the source calls the sites of each; empty: nothing
    // Where its names decide who is who: by name of our own that of the source, and the other way; a track that was
    // missing for a while is called again what it was called.
    std::vector<int64_t> named_ids_;
    std::unordered_map<int64_t, uint32_t> names_of_ids_;
    std::unordered_map<int64_t, size_t> last_seen_;  // of tracks: by id the last frame that has it
    Buffer<uint32_t> areas_[2] = {Buffer<uint32_t>("areas of cells"), Buffer<uint32_t>("areas of cells before")};
    CellOverlaps overlaps_;
    bool wants_tracks_ = false;
    std::vector<TrackedFrame> tracked_;  // by round, where they are wanted
    Matching matching_;
    ChangeDetector detector_;
    EventLog log_;
    EventsDrawing drawing_;
    double field_low_ = 0, field_high_ = 1;
    Buffer<Point> first_sites_{"first sites", Residence::kDrawn};  // to be seen before the first pass
    uint64_t open_pixels_ = 0;                                     // of the lattice, without obstacles
    RunState state_;
    StepMessage greeting_;  // to be said by the first pass
    mutable std::vector<Point> soup_points_;
};

}  // namespace flipscope
