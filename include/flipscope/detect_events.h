// A function that finds plastic events in a sequence of frames, for programs that use the library and have moving
// sites. It runs EventsMachine over the frames, and returns the links that were lost and created. For a field instead
// of sites, find_bubbles() finds the bubbles first; a program that detects events during a simulation runs
// EventsMachine with its own Source instead.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "flipscope/colour_lattice.h"
#include "flipscope/context.h"
#include "flipscope/point.h"

namespace flipscope {

struct EventFrame {
    std::span<const Point> sites;        // (n) lattice units; n may differ from frame to frame
    std::span<const int64_t> ids = {};   // (n) names, unique within a frame; empty: unknown
    std::span<const double> radii = {};  // (n) lattice units; for EventLinks::kRadical alone
};

/// The definition of neighbouring sites.
enum class EventLinks {
    kLattice,   // their colours meet on the lattice, as in the paper
    kDelaunay,  // the Delaunay triangulation of the sites links them
    kRadical,   // the regular triangulation of the sites with their radii links them: their radical (power) cells touch
};

struct DetectEventsOptions {
    DeviceRequest device = DeviceRequest::kAuto;  // of the context that is made if the caller gives none
    int threads = 0;                              // the same; 0: as many as the machine has
    EventLinks links = EventLinks::kLattice;
    StencilRules rules = {.obstacles_end = true};  // of kLattice
    std::span<const uint8_t> obstacles = {};       // (h, w) not 0: no cell goes there; empty: none. Of kLattice
    /// Without ids: the largest motion of a site between two frames, in mean distances between neighbours.
    double cap = 0.5;
    /// Without ids: pair all sites by the least sum of squared distances; a site without a partner costs as much as a
    /// motion by the cap. A missing site is held with its links for `memory` comparisons; it moves with its neighbours.
    bool by_assignment = false;
    int memory = 0;
    /// A change of a contact counts if it lasts so many comparisons and, before it is undone, the ends of a lost
    /// contact are farther apart, those of a created one nearer, than these lengths: mean distances, sqrt(pixels /
    /// sites).
    int persistence = 1;
    double lost_beyond = NAN, created_within = NAN;  // NaN: at any distance
};

/// The kind of an event, by the rules for its links.
enum class EventKind : uint32_t {
    kUnclear,    // no rule applies
    kT1,         // T1: in the interior, the paper's bulk event
    kBoundary,   //
    kMixed,      // of links of both kinds
    kUnmatched,  // neighbours of a bubble that vanished have closed the gap, or have made room for one that appeared
    kKinds
};
/// Whether the changes of an event count. A flicker is undone too early, or one of its sites vanishes. A change too
/// near to the first or last frame is undecided.
enum class EventVerdict : uint8_t { kUndecided, kCounts, kFlicker };
/// "unclear", "T1", "boundary", "mixed" or "unmatched", if it counts; else "flicker" or "undecided".
const char* name_of(EventKind kind, EventVerdict verdict = EventVerdict::kCounts);

/// An event with changes of several verdicts is listed once for each.
struct PlasticEvent {
    uint32_t frame = 0;  // the later of the two frames between which the changes happen: 1, 2, …
    EventKind kind = EventKind::kUnclear;
    EventVerdict verdict = EventVerdict::kCounts;
    Point place;  // mean of the ends of its links in the later frame, lattice units
    // Links that are in one of the two frames only, each by the ids of its ends, lower first; ascending. The paper
    // calls them breaking and arising. A T1 inside the material loses one contact and creates one.
    std::vector<std::array<int64_t, 2>> lost, created;
    std::vector<int64_t> sites;  // ids of all ends, ascending
};

/// One comparison in numbers.
struct ComparisonCounts {
    uint64_t past = 0, now = 0;          // sites
    uint64_t now_links = 0;              // links of the present frame
    uint64_t matched = 0, vanished = 0;  // of the past ones
    uint64_t active = 0;                 // matched, with other neighbours than before
    uint64_t lost = 0, created = 0;      // links
    uint64_t appeared() const { return now - matched; }
    bool triggered() const { return active > 0; }
};

struct DetectedEvents {
    std::vector<PlasticEvent> events;           // in the order of frames; with lengths, as they are decided
    std::vector<ComparisonCounts> comparisons;  // (t - 1) [i]: frame i with frame i + 1
    /// (t, n) by frame the names of its sites: the given ids; else numbers that a site keeps as long as it is followed,
    /// in the first frame the indices. Then those of the sites that the memory holds.
    std::vector<std::vector<int64_t>> ids;
};

/// Detects topological rearrangements after M. Bernaschi, M. Lulli and M. Sbragaglia, GPU based detection of
/// topological changes in Voronoi diagrams (2016, section III B): frames are matched, by ids where there are any, else
/// by mutual nearest sites within the cap, or by assignment (J. C. Crocker, D. G. Grier, Methods of digital video
/// microscopy for colloidal studies, 1996); the neighbours of each site are compared; links lost and created are put
/// together to events, which the paper's rules call bulk, boundary, mixed, unmatched (beside a site that appeared or
/// vanished) or unclear.
///
/// `lattice`: the lattice of the sites; sites may be beyond an open border, and are wrapped along periodic axes. Its
/// size determines the resolution of kLattice; about ten pixels between neighbours suffice. Frames are in host memory
/// and are copied to the device one by one. The result is the same on every device and for any number of threads.
///
/// Throws Error for a lattice without pixels or with 2^31 or more, a coordinate that is neither 0 nor between 2^-200
/// and 2^200 in size, obstacles of another size, ids in some frames only, a wrong number of ids, and an id given twice
/// in a frame; radii that are neither 0 nor between 2^-200 and 2^200, not one for each site, or given for other links;
/// options out of range, assignment with ids, and a memory without assignment; Cancelled after Context::cancel().
DetectedEvents detect_events(Context& context, const Lattice& lattice, std::span<const EventFrame> frames,
                             const DetectEventsOptions& options = {});

/// The same on a context made for this call, as triangulate() does.
DetectedEvents detect_events(const Lattice& lattice, std::span<const EventFrame> frames,
                             const DetectEventsOptions& options = {});

struct Bubble {
    Point site;         // of mass, lattice units; along periodic axes within it
    uint32_t area = 0;  // pixels
};

/// The connected parts (over 8 neighbours) of a field above or below the threshold: the first stages of the paper's
/// chain (section III A). In the order of their lowest pixels; equal on every device. On a torus a bubble across the
/// border is measured in one piece; one that winds around the torus has the mean of its pixels.
///
/// `field`: (h, w) in host memory, row 0 at y = 0; NaN belongs to no bubble. Throws Error when it has another size than
/// the lattice, and for a lattice too large to be labelled (about 2^30 pixels).
std::vector<Bubble> find_bubbles(Context& context, const Lattice& lattice, std::span<const float> field,
                                 double threshold, bool below = false);

}  // namespace flipscope
