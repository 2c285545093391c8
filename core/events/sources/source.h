// Where EventsMachine gets its frames from: a field on a lattice, or sites that have names already, one frame
// after the other. Sources of our own making are pure functions of their parameters and of the number of steps: the
// same to the bit on every device and any number of threads. A source finds no bubbles and no events: that is the
// machine's part.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "compute/buffer.h"
#include "compute/snapshot.h"
#include "geometry/frames.h"
#include "geometry/point.h"
#include "mesh/checks.h"
#include "voronoi/components/label_cells.h"
#include "voronoi/graph/adjacency.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// How fast matter flows at one place across a channel.
struct ProfilePoint {
    double place = 0;  // across the channel: -1/2 at one wall, 0 in the middle, 1/2 at the other
    double speed = 0;  // along it, mean of what was there within the window of time, over the speed in the middle
};

/// The mean flow across a channel over a window of time, and whether that is stationary.
struct FlowProfile {
    std::vector<ProfilePoint> points;  // by place; empty: there is no channel, or no sample yet
    double middle = 0;                 // mean speed in the middle, pixels per step
    uint64_t from = 0, to = 0;         // steps of the first sample and of the last one
    uint64_t samples = 0;
    /// Largest difference between the means of the window's first and second half at one place, over `middle`; NaN: the
    /// halves have no place in common.
    double drift = std::numeric_limits<double>::quiet_NaN();
    /// Steps that the flow takes to settle, as far as that is known; a shorter window cannot be called stationary.
    double settling = 0;

    static constexpr double kDriftAllowed = 0.05;
    bool stationary() const;
};

/// What a source is, for a caller to put into words.
struct SourceDescription {
    enum class Kind : uint8_t { kBubbles, kDroplets, kEmulsion, kRecording, kTracks, kParticles } kind = Kind::kBubbles;
    enum class Place : uint8_t { kNone, kShear, kChannel, kFourRolls, kBox } place = Place::kNone;  // of droplets
    std::string name = {};  // of the file, or of the particles' configuration; empty: neither
    uint64_t count = 0;     // droplets at the start, particles, or frames
    double diameter = 0;    // of droplets, mean, pixels
    bool merges = false;    // droplets that meet become one
    Point box = {};         // width and height of the periodic box of tracks, units of the file, or of particles, world
                            // units; 0: not periodic along that axis
};

/// What of the parameters comes out otherwise than it was asked for.
struct SourceNote {
    enum class Kind : uint8_t {
        kNoPosts,         // `asked`: their height as a fraction of the channel's width, less than half a pixel
        kNarrowPosts,     // `asked`: how many posts there are to be; `found`: the width of one, pixels, below 1
        kNarrowGaps,      // the same of the gap between two
        kWideDroplets,    // `found`: the gap between two posts, pixels, in which the widest droplets do not fit
        kPackingReduced,  // `asked` and `found`: fractions of the open area; `count`: droplets
        kMoreBubbles,    // `asked` and `found`: how many; a random field cannot vary slowly enough along a short period
        kFewerBubbles,   // `asked` and `found`: how many; `count`: pixels that a bubble needs around it
        kOutsideBox,     // `count`: positions that are wrapped into the periodic box
        kCoincident,     // `count`: points at the place of another in their frame; `ids`: the first two, at `found`
        kCutoffReduced,  // `asked` and `found`: how far the particles' force reaches; more is beyond half the box
    } kind = Kind::kNoPosts;
    double asked = 0, found = 0;
    uint64_t count = 0;
    std::array<int64_t, 2> ids{};
};

/// Why a source cannot go on: after `step`, so many pixels have no density.
struct SourceTrouble {
    enum class Kind : uint8_t {
        kUnstable,  // a fluid without a density at so many pixels
        kTangled,   // particles that may have passed through each other
    } kind = Kind::kUnstable;
    uint64_t step = 0, pixels = 0;
};

/// Where a threshold comes from that suits a field.
enum class ThresholdOrigin : uint8_t {
    kOfSource,      // known beforehand
    kOfFrame,       // Otsu's, of the one frame there is
    kOfFirstFrame,  // Otsu's, of the first frame, used in all of them
};

class Source {
  public:
    virtual ~Source() = default;

    virtual Lattice lattice() const = 0;
    /// Of the present frame: steps since the start; the number of the frame; the time that a file of tracks gives it.
    virtual double time() const = 0;
    /// "steps", "frames" or, for what a file says, "units of the file".
    virtual const char* time_unit() const { return "steps"; }
    /// Steps or frames since the start: what advance() counts.
    virtual uint64_t steps() const = 0;
    /// No frame follows: the last frame is reached. Sources of our own making never end.
    virtual bool ended() const { return false; }
    /// Goes on by so many steps, or frames, or as far as there are any; returns how many it went.
    virtual uint32_t advance(Context& context, uint32_t steps) = 0;
    /// Why advance() could not go on; empty: it can. Field and time are still those of the last frame that was sound.
    virtual std::optional<SourceTrouble> trouble() const { return {}; }

    /// (h, w) Residence::kDrawn, of this frame, 0 at obstacles; nullptr: the source gives sites and no field.
    virtual Buffer<float>* field() { return nullptr; }
    /// The cells of this frame where field() holds labels: they stand in for those of a threshold; nullptr: it does
    /// not.
    virtual const LabelCells* cells() const { return nullptr; }
    /// A label means the same cell in every frame, as most labels hardly move from the first to the second.
    virtual bool labels_last() const { return true; }
    /// Where field() is nullptr: sites of this frame in lattice coordinates, on the device. No order is promised but
    /// that of names().
    virtual View<const Point> sites() { return {}; }
    virtual std::vector<int64_t> names() const { return {}; }  // of cells(): the labels
    /// By name the last frame that has it, counted as steps(); empty: not known beforehand.
    virtual std::unordered_map<int64_t, uint64_t> last_frames() const { return {}; }
    /// The source keeps a graph of its sites itself, which stands in for any that is made of their places.
    virtual bool has_graph() const { return false; }
    /// Where has_graph(): that graph of this frame, by label, as kernels have written it; `entry_count` is how many
    /// entries there can be. It stays until this is called again. Only launches. Throws std::logic_error elsewhere.
    virtual Adjacency& graph(Context&) { throw std::logic_error("this source keeps no graph of its sites"); }
    /// That graph triangulates a torus at every frame: none of its vertices is on a boundary.
    virtual bool graph_is_closed() const { return false; }
    /// Whether that graph of this frame, as it was asked for last, is what the source says it is. Waits for the device.
    virtual CheckReport check_graph() const { return {}; }
    /// (h, w), 1: obstacle; on the device; empty: none. The same at every frame.
    virtual View<const uint8_t> obstacles() { return {}; }

    /// The field will be compared with this threshold, bubbles being below it or above: values that the field() rounds
    /// are to be rounded to the side of it that they lie on.
    virtual void set_threshold(Context&, double, bool below) { (void)below; }
    /// A threshold that suits the field, with bubbles above it.
    virtual double usual_threshold() const { return 0.5; }
    virtual ThresholdOrigin threshold_origin() const { return ThresholdOrigin::kOfSource; }
    virtual std::vector<SourceNote> notes() const { return {}; }
    /// How many steps between two comparisons suit it.
    virtual uint32_t usual_interval() const { return 1; }
    /// Where the lattice lies in the units of the input; empty: these are lattice units. Tracks are scaled to the
    /// lattice.
    virtual std::optional<LatticeUnits> units() const { return {}; }
    /// The mean flow across the channel, over the window of time that the parameters say. Waits for the device.
    virtual FlowProfile profile() const { return {}; }
    /// The fraction of the open area that the droplets would cover if they were round, as it was reached; empty: there
    /// are no droplets.
    virtual std::optional<double> packing() const { return {}; }
    virtual SourceDescription description() const = 0;

    /// Appends its state to the snapshot; load() takes it from there, beginning with that block, and returns the index
    /// of the block after it.
    virtual void save(Snapshot& snapshot) const = 0;
    virtual size_t load(Context& context, const Snapshot& snapshot, size_t first_block) = 0;
    /// Of everything that decides what comes next.
    virtual uint64_t hash() const = 0;
};

/// What a source of our own is made by. labs/events/source_parameters.h shows them to the panel and the command line.
struct SourceParameters {
    enum Kind : int { kBubbles, kShear, kChannel, kFourRolls, kEmulsion, kParticles };
    int kind = kBubbles;
    int width = 512, height = 256;      // pixels
    PeriodicAxes periodic = true;       // bubbles and four rolls; the others are a torus, most of them cut by a wall
    PeriodicAxes frames_periodic = {};  // the same of a recording
    enum Values : int { kAuto, kThreshold, kLabels };
    int values = kAuto;  // what numbers of a recording are: labels where they look like it, brightness else
    int count = 300;     // bubbles (about), droplets (exactly, where they fit) or particles
    int seed = 1;
    double drift_x = 0.05, drift_y = 0.02;  // of bubbles, pixels per step
    double lifetime = 2000;                 // of a random field, steps until little is left of it; nan: for ever
    double speed = 0.05;                    // of the flow that carries droplets, mean, pixels per step
    double packing = 0.9;                   // part of the area that droplets take, were they round
    double spread = 0.15;                   // of droplets' radii: ± this part of the mean
    int posts = 6;                          // on the left wall of the channel
    double post_height = 0.15;              // of the channel's width
    double post_width = 0.3;                // of their distance
    double plug = 0.3;                      // part of the channel's width where the flow is of one speed
    // Of the emulsion, in lattice units.
    enum VesselKind : int { kPosts, kBox };
    int vessel = kPosts;        // the channel, or a periodic box
    double force = 8;           // on a unit of mass, 1e-6 pixels per step²
    double viscosity = 1. / 6;  // pixels² per step
    double repulsion = 0.58;    // between the two fluids
    double film = 0.9;          // between the fluids of two droplets, beyond that; 0: they merge
    // Of particles, which particles/particle_source.h makes.
    int config = 5;  // index into model_names()
    static constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
    double density = kNoNumber;           // area fraction; NaN: that of the configuration
    double swimming_speed = kNoNumber;    // V0, world units per time; NaN: that of the configuration
    double contact_distance = kNoNumber;  // longest edge that is a contact, world units; NaN: every edge is
    // Of means over time, in steps or frames.
    int warmup = 0;       // what lies before is left out
    int mean_window = 0;  // the last so many count; 0: all since the warm-up
    // The box that tracks come back into, in the units of their file; 0: as the file says, or none; one side 0: not
    // along that axis. Of particles, world units; 0: a square, as the density says.
    Point box = {};
    double box_x = 0, box_y = 0;
};

/// The frames of `input` where it has tracks or a field, else those that the parameters say; droplets start from its
/// points, scaled to the lattice, when it has any. Throws Error for what cannot be: droplets that do not fit, tracks
/// without a frame; std::logic_error for particles, which another floor makes.
std::unique_ptr<Source> make_source(Context& context, const SourceParameters& parameters,
                                    std::shared_ptr<const Geometry> input);

std::unique_ptr<Source> make_bubbles(Context& context, const SourceParameters& parameters);
std::unique_ptr<Source> make_droplets(Context& context, const SourceParameters& parameters,
                                      const std::vector<Point>& start);
std::unique_ptr<Source> make_emulsion(Context& context, const SourceParameters& parameters,
                                      const std::vector<Point>& start);
/// Of the parameters, whether borders are joined and what the values are. Throws Error where they are to be labels and
/// are not whole numbers.
std::unique_ptr<Source> make_recording(Context& context, std::shared_ptr<const FieldStack> frames,
                                       const SourceParameters& parameters);
/// The lattice has about as many pixels as the parameters say, in the shape of the tracks' bounds, or of the box that
/// the parameters or the tracks give: then it is periodic as the box is, and places outside the box are wrapped into
/// it.
std::unique_ptr<Source> make_tracks_source(Context& context, std::shared_ptr<const Tracks> tracks,
                                           const SourceParameters& parameters);

}  // namespace flipscope
