// Computes a graph of sites from a source's present frame: threshold, labels, centres of mass, colours, corners, links;
// or the Delaunay graph of the sites; or the contacts of labels; or the source's own graph, without colouring.
// EventsMachine runs its parts as passes. If reading counts would make the host wait, they stay on the device, with
// room for the likely number of bubbles; too_small() then tells whether there were more.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "events/detection/linked_frame.h"
#include "events/detection/linking.h"
#include "events/sources/source.h"
#include "voronoi/colouring/colouring.h"
#include "voronoi/components/components.h"
#include "voronoi/graph/lattice_graph.h"

namespace flipscope {

enum class GraphKind : int { kLattice, kDelaunay, kLabels, kRadical, kAuto };  // kAuto: the caller resolves it
enum class Polarity : int { kAbove, kBelow };
enum class MatchBy : int { kAuto, kNearest, kNames, kAssignment };

struct EventsParameters {
    bool auto_threshold = true;  // use the source's own
    double threshold = 0.5;      // in the field's unit
    int polarity = 0;            // Polarity
    int interval = 0;            // steps of the source between comparisons; 0: the source's usual interval
    int comparisons = 50;        // until the run ends
    int graph = 0;               // GraphKind
    double film_width = std::numeric_limits<double>::quiet_NaN();        // of kLabels, pixels; NaN: as the image says
    double contact_distance = std::numeric_limits<double>::quiet_NaN();  // longest link, units of the source; NaN: any
    int method = 0;                                                      // ColouringMethod
    int measure = 0;                                                     // MeasureMethod
    StencilRules rules = {.obstacles_end = true};  // in a groove between posts cells meet only at its walls
    int matching = 0;                              // MatchBy
    double cap = 0.5;                              // mean distances between neighbours
    int memory = 0;                                // of kAssignment: comparisons for which lost bubbles are held
    bool lists_changes = true;                     // births, deaths and the like, and areas of cells
};

class EventsChain {
  public:
    /// Uses the lattice and obstacles of `source`. Throws Error for a lattice that is too large.
    void reset(Context& context, const EventsParameters& parameters, Source& source, bool records_states);

    /// `wait`: the host may wait for counts, so that there is always room.
    void threshold(Source& source, bool show);
    void label(const Source& source);
    void measure(Source& source, bool wait);
    /// Adds held bubbles to the sites of this frame, with their radii if radii() has any. After measure() with `wait`.
    void hold(const HeldBubbles& held, const std::vector<double>& radii);
    void colour();
    void corners();
    void link();
    void arrange(bool wait);
    void delaunay(const Source& source);
    void edges(Source& source);
    /// Copies the result to a frame, with its names(), and without links that are too long.
    void give(Source& source, LinkedFrame& frame);
    /// The source's names of its sites; labels count as names only if they persist between frames, or the user requests
    /// it.
    std::vector<int64_t> names(const Source& source) const;

    /// Whether `count` sites filled all the room: then measure(…, true) and later parts must be repeated. Never after
    /// waiting.
    bool too_small(uint64_t count) const { return guessed_ && count >= room_; }

    /// Guesses counts as on CUDA, also on CPU threads; for tests.
    void set_guessing(bool guesses) { guesses_ = guesses; }

    double threshold_value() const { return threshold_; }
    bool has_field() const { return has_field_; }
    /// The field holds labels: there is no threshold.
    bool has_labels() const { return has_labels_; }
    /// The source maintains its own graph.
    bool has_graph() const { return has_graph_; }
    LongestLink longest_link() const { return longest_; }
    bool on_lattice() const { return !has_graph_ && parameters_.graph == int(GraphKind::kLattice); }
    const Lattice& lattice() const { return lattice_; }
    /// Exact after measure() with `wait`, and always on CPU threads; otherwise an upper bound.
    Extent count() const { return count_known_ ? Extent(known_) : Extent(clamped_.view(1), room_); }
    const Components& components() const { return components_; }
    /// Of kLabels: the contacts of this frame's labels. And of kRadical how many sites have no cell.
    const std::vector<LabelContact>& contacts() const { return contacts_; }
    size_t hidden_count() const { return hidden_; }
    /// Of kRadical: the radii of the sites, lattice units.
    const std::vector<double>& radii() const { return radii_; }
    /// The sites of this frame from the source alone, after measure() with `wait`.
    uint32_t found_count() const { return known_ - held_count_; }
    std::vector<Point> found_sites() { return download(*context_, sites().first(found_count())); }
    Colouring& colouring() { return colouring_; }
    const Colouring& colouring() const { return colouring_; }
    /// With links that are too long.
    const Adjacency& graph() const {
        return given_graph_ ? *given_graph_ : on_lattice() ? graph_.adjacency() : delaunay_;
    }
    LatticeGraph& lattice_graph() { return graph_; }
    const LatticeGraph& lattice_graph() const { return graph_; }

  private:
    View<const Point> sites();
    std::vector<double> radii_of(const Source& source) const;
    bool bubbles_below() const { return parameters_.polarity == static_cast<int>(Polarity::kBelow); }

    Context* context_ = nullptr;
    EventsParameters parameters_;
    Lattice lattice_;
    LongestLink longest_;
    double threshold_ = 0;
    bool has_field_ = true, has_labels_ = false, has_graph_ = false;
    Components components_;
    Colouring colouring_;
    LatticeGraph graph_;
    Adjacency delaunay_;
    std::vector<LabelContact> contacts_;
    size_t hidden_ = 0;
    std::vector<double> radii_, held_radii_;
    std::vector<std::array<uint32_t, 2>> held_links_;
    uint32_t held_count_ = 0;
    Buffer<Point> joined_{"sites and held ones"};
    View<const Point> given_sites_;
    Adjacency* given_graph_ = nullptr;  // the source's, set by edges()
    Buffer<uint32_t> clamped_{"site count"};
    uint32_t room_ = 0, known_ = 0;
    bool count_known_ = false, guessed_ = false, guesses_ = false;
};

}  // namespace flipscope
