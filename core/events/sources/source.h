// Sources of frames for EventsMachine: a field on a lattice, or sites with names, one frame after another. Our own
// sources are pure functions of their parameters and the number of steps: bitwise equal on every device and for any
// number of threads. A source finds neither bubbles nor events; the machine does.
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
#include "events/sources/segmentation.h"
#include "geometry/frames.h"
#include "geometry/point.h"
#include "mesh/checks.h"
#include "voronoi/components/label_cells.h"
#include "voronoi/graph/adjacency.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// The speed of the flow at one place across a channel or a periodic box.
struct ProfilePoint {
    /// Across the channel: -1/2 at one wall, 0 in the middle, 1/2 at the other. Across the box, whose height is 1: 0 at
    /// a quarter of it, where the force along x is greatest; it is least at ±1/2, and the stress is greatest at ±1/4.
    double place = 0;
    double speed = 0;   // along the channel, mean over the window of time, relative to FlowProfile::unit
    double stress = 0;  // shear stress, lattice units, of an emulsion
    /// Standard errors of the speed and of the stress, from block averages.
    double error = std::numeric_limits<double>::quiet_NaN(), stress_error = error;
};

/// The mean flow across a channel over a window of time, and whether it is stationary.
struct FlowProfile {
    char axis = 'x';                   // across the flow: x of a channel, y of a box
    std::vector<ProfilePoint> points;  // by place; empty: no channel, or no sample yet
    double middle = 0;                 // mean speed in the middle, pixels per step
    double unit = 0;                   // of the speeds: that in the middle, or of walls that move, pixels per step
    bool walls_move = false;
    // Of an emulsion, with standard errors from block averages; NaN: too few blocks. The stress is that at the walls.
    double stress = 0, stress_error = std::numeric_limits<double>::quiet_NaN();  // lattice units
    /// Of the speed over the middle half of the channel, pixels per step over `width`.
    double slope = 0, slope_error = std::numeric_limits<double>::quiet_NaN();
    /// Stress and slope of a flow that a force drives: half the differences between the quarters of the width centred
    /// at -1/4 and 1/4, where the stress of a channel is half that at its walls, and that of a box is greatest.
    double local_stress = 0, local_stress_error = std::numeric_limits<double>::quiet_NaN();
    double local_slope = 0, local_slope_error = std::numeric_limits<double>::quiet_NaN();
    double width = 0;           // of the channel, or height of the box, pixels; 0: unknown
    uint64_t from = 0, to = 0;  // steps of the first sample and of the last one
    uint64_t samples = 0;
    /// Largest difference between the means of the window's two halves at one place, over `unit`; NaN: the halves have
    /// no place in common.
    double drift = std::numeric_limits<double>::quiet_NaN();
    /// Steps until the flow settles, as far as known; a shorter window does not count as stationary.
    double settling = 0;

    static constexpr double kDriftAllowed = 0.05;
    bool stationary() const;
};

/// A description of a source, which callers put into words.
struct SourceDescription {
    enum class Kind : uint8_t { kBubbles, kDroplets, kEmulsion, kRecording, kTracks, kParticles } kind = Kind::kBubbles;
    enum class Place : uint8_t { kNone, kShear, kChannel, kFourRolls, kBox } place = Place::kNone;  // of droplets
    std::string name = {};  // of the file, or of the particles' configuration; empty: neither
    uint64_t count = 0;     // initial droplets, particles, or frames
    double diameter = 0;    // mean diameter of droplets, pixels
    double stress = 0;      // of the body force at the walls of an emulsion, or the greatest in a box; lattice units
    double shear_rate = 0;  // of the walls of an emulsion, 1 per step
    Point box = {};         // width and height of the periodic box of tracks, units of the file, or of particles, world
                            // units; 0: not periodic along that axis
};

/// A parameter whose value was changed.
struct SourceNote {
    enum class Kind : uint8_t {
        kNoPosts,         // `asked`: height as a fraction of the channel's width, less than half a pixel
        kNarrowPosts,     // `asked`: number of posts; `found`: width of a post, pixels, below 1
        kNarrowGaps,      // the same for the gap between two
        kWideDroplets,    // `found`: the gap between two posts, pixels, too narrow for the widest droplets
        kPackingReduced,  // `asked` and `found`: fractions of the open area; `count`: droplets
        kMoreBubbles,     // `asked` and `found`: numbers; a random field cannot vary slowly enough along a short period
        kFewerBubbles,    // `asked` and `found`: numbers; `count`: pixels needed around a bubble
        kOutsideBox,      // `count`: positions wrapped into the periodic box
        kCoincident,      // `count`: points that coincide with another in their frame; `ids`: the first two, at `found`
        kCutoffReduced,   // `asked` and `found`: cutoff of the particles' force, which must not exceed half the box
    } kind = Kind::kNoPosts;
    double asked = 0, found = 0;
    uint64_t count = 0;
    std::array<int64_t, 2> ids{};
};

/// Why a source cannot continue: after `step`, `pixels` pixels have no density.
struct SourceTrouble {
    enum class Kind : uint8_t {
        kUnstable,  // a fluid without a density at `pixels` pixels
        kTangled,   // particles that may have passed through each other
    } kind = Kind::kUnstable;
    uint64_t step = 0, pixels = 0;
};

/// The origin of a suitable threshold.
enum class ThresholdOrigin : uint8_t {
    kOfSource,      // known in advance
    kOfFrame,       // Otsu's method, on the only frame
    kOfFirstFrame,  // Otsu's method, on the first frame, used for all
};

/// Of a fluid that is computed, (h, w) each: velocity along x and y, pixels per step, and the pressure tensor's xx, yy
/// and xy, lattice units, of this frame. With SourceParameters::mean_fields the same five as means over the window of
/// time, after the first sample, and their standard errors from block averages, after two blocks; else empty. 0 at
/// obstacles.
struct FlowFields {
    static constexpr size_t kParts = 5, kCount = 3 * kParts;
    struct Field : Buffer<float> {
        Field() : Buffer("flow of the fluid", Residence::kDrawn) {}
    };
    std::array<Field, kCount> fields;
    std::array<double, kCount> low{}, high{};  // the least and the greatest number of each, without obstacles
    uint64_t from = 0, to = 0;                 // steps of the first sample in the means, and of the last one
};

class Source {
  public:
    virtual ~Source() = default;

    virtual Lattice lattice() const = 0;
    /// Of the present frame: steps since the start; the number of the frame, or its time; the time in a file of tracks.
    virtual double time() const { return static_cast<double>(steps()); }
    /// "steps", "frames", "s" or, for times from a file, their unit or "units of the file".
    virtual const char* time_unit() const { return "steps"; }
    /// Steps or frames since the start: what advance() counts.
    virtual uint64_t steps() const = 0;
    /// The last frame is reached. Our own sources never end.
    virtual bool ended() const { return false; }
    /// Advances by this many steps or frames, or fewer at the end; returns the number.
    virtual uint32_t advance(Context& context, uint32_t steps) = 0;
    /// Why advance() could not continue; empty: it can. Field and time are still those of the last valid frame.
    virtual std::optional<SourceTrouble> trouble() const { return {}; }

    /// (h, w) Residence::kDrawn, of this frame, 0 at obstacles; nullptr: the source has sites but no field.
    virtual Buffer<float>* field() { return nullptr; }
    /// The cells of this frame if field() holds labels, or if the source finds bubbles itself, instead of cells from a
    /// threshold; nullptr otherwise.
    virtual const LabelCells* cells() const { return nullptr; }
    /// The steps that make field() and cells() from recorded brightness: set_threshold() runs them, and so does each
    /// new frame. nullptr: there are none.
    virtual const SegmentationParameters* segmentation() const { return nullptr; }
    /// A label means the same cell in every frame, because most labels hardly move from the first to the second.
    virtual bool labels_last() const { return true; }
    /// If field() is nullptr: sites of this frame in lattice coordinates, on the device, in the order of names().
    virtual View<const Point> sites() { return {}; }
    virtual std::vector<int64_t> names() const { return {}; }  // of cells(): the labels
    /// Of sites(): radii, lattice units. Throws Error where the input has none.
    virtual std::vector<double> site_radii() const { throw std::logic_error("this source has no radii"); }
    /// By name the last frame with it, counted as steps(); empty: unknown in advance.
    virtual std::unordered_map<int64_t, uint64_t> last_frames() const { return {}; }
    /// The source maintains its own graph of the sites, used instead of one made from their places.
    virtual bool has_graph() const { return false; }
    /// If has_graph(): the graph of this frame, by label, written by kernels; `entry_count` is an upper bound. Valid
    /// until the next call. Only launches. Throws std::logic_error otherwise.
    virtual Adjacency& graph(Context&) { throw std::logic_error("this source keeps no graph of its sites"); }
    /// The graph triangulates a torus in every frame: no vertex is on a boundary.
    virtual bool graph_is_closed() const { return false; }
    /// Verifies the last graph() of this frame. Waits for the device.
    virtual CheckReport check_graph() const { return {}; }
    /// (h, w), 1: obstacle; on the device; empty: none. Constant over all frames.
    virtual View<const uint8_t> obstacles() { return {}; }

    /// Announces the threshold for the field, with bubbles below or above it: field() must round values to the side of
    /// the threshold on which they lie.
    virtual void set_threshold(Context&, double, bool below) { (void)below; }
    /// A threshold that suits the field, with bubbles above it.
    virtual double usual_threshold() const { return 0.5; }
    virtual ThresholdOrigin threshold_origin() const { return ThresholdOrigin::kOfSource; }
    virtual std::vector<SourceNote> notes() const { return {}; }
    /// A suitable number of steps between two comparisons.
    virtual uint32_t usual_interval() const { return 1; }
    /// The lattice in the units of the input; empty: input in lattice units. Tracks are scaled to the lattice.
    virtual std::optional<LatticeUnits> units() const { return {}; }
    /// The mean flow across the channel or the box over the window of time in the parameters. Waits for the device.
    virtual FlowProfile profile() const { return {}; }
    /// The greatest speed of a fluid in this frame, pixels per step; empty: no fluid is computed.
    virtual std::optional<double> greatest_speed() const { return {}; }
    /// Writes the flow of this frame if a fluid is computed. Waits for the device.
    virtual void show_flow(Context&, FlowFields&) const {}
    /// The fraction of the open area that the droplets would cover if they were round, as achieved; empty: no droplets.
    virtual std::optional<double> packing() const { return {}; }
    virtual SourceDescription description() const = 0;

    /// Appends its state to the snapshot. load() reads it from the given block on, and returns the index of the block
    /// after it.
    virtual void save(Snapshot& snapshot) const = 0;
    virtual size_t load(Context& context, const Snapshot& snapshot, size_t first_block) = 0;
    /// Hash of everything that determines the following frames.
    virtual uint64_t hash() const = 0;
};

/// Parameters of our own sources. labs/events/source_parameters.h shows them to the panel and the command line.
struct SourceParameters {
    static constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
    enum Kind : int { kBubbles, kShear, kChannel, kFourRolls, kEmulsion, kParticles };
    int kind = kBubbles;
    int width = 512, height = 256;  // pixels
    PeriodicAxes periodic = true;   // for bubbles and four rolls; the others are a torus, most of them cut by a wall
    PeriodicAxes frames_periodic = {};  // of a recording, as are those up to `segmentation`
    double pixel_size = kNoNumber;      // of its unit; NaN: as the file says, or unknown
    double frame_interval = kNoNumber;  // s; NaN: the same
    enum Values : int { kAuto, kThreshold, kLabels };
    int values = kAuto;  // meaning of its numbers; kAuto: labels if they look like it, else brightness
    SegmentationParameters segmentation = {};  // of its brightness
    int count = 300;                           // bubbles (about), droplets (exactly, if they fit) or particles
    int seed = 1;
    double drift_x = 0.05, drift_y = 0.02;  // of bubbles, pixels per step
    double lifetime = 2000;                 // of a random field, steps until little of it is left; NaN: unlimited
    double speed = 0.05;                    // mean speed of the flow that carries droplets, pixels per step
    double packing = 0.9;                   // fraction of the area that droplets would cover if they were round
    double spread = 0.15;                   // of droplets' radii: ± this part of the mean
    int posts = 6;                          // on the left wall of the channel
    bool posts_on_both = false;             // walls
    double post_height = 0.15;              // of the channel's width
    double post_width = 0.3;                // of their spacing
    double plug = 0.3;                      // fraction of the channel's width with uniform flow
    // Of the emulsion, in lattice units.
    enum VesselKind : int { kPosts, kBox };
    int vessel = kPosts;  // the channel, or a periodic box
    enum Drive : int { kStress, kRate, kNothing };
    int drive = kStress;            // a body force, walls that move, or nothing
    double stress = kNoNumber;      // at the walls, lattice units; NaN: as suits the channel's width
    double shear_rate = kNoNumber;  // of the walls that move, 1 per step; NaN: as suits the channel's width
    double repulsion = 0.405;       // between the two fluids
    double wetting = -1;            // −1: walls act like the fluid around the droplets; 1: like the droplets
    // Of particles, made by particles/particle_source.h.
    int config = 5;                     // index into model_names()
    double density = kNoNumber;         // area fraction; NaN: as in the configuration
    double swimming_speed = kNoNumber;  // V0, world units per time; NaN: as in the configuration
    double particle_dt = kNoNumber;     // Δt; NaN: as in the configuration
    double particle_spread = 0;         // of discs' radii: ± this part of them
    int particle_repulsion = 0;         // RepulsionKind; with one, overlaps are not pushed apart
    double particle_strength = 1;       // ε of the repulsion
    double particle_shear_rate = 0;     // between the walls of a channel, per time
    // Of means over time, in steps or frames.
    int warmup = 0;            // excluded at the start
    int mean_window = 0;       // only the last ones count; 0: all since the warm-up
    bool mean_fields = false;  // of a driven emulsion: see FlowFields
    // The periodic box into which tracks are wrapped, in the units of their file; 0: as in the file, or none; one side
    // 0: not periodic along that axis. For particles in world units; 0: a square, from the density.
    Point box = {};
    double box_x = 0, box_y = 0;
};

/// The frames of `input` if it has tracks or a field, otherwise those of the parameters; droplets start from the points
/// of `input`, scaled to the lattice, if there are any. Throws Error for impossible parameters: droplets that do not
/// fit, tracks without a frame; std::logic_error for particles, see make_particle_source().
std::unique_ptr<Source> make_source(Context& context, const SourceParameters& parameters,
                                    std::shared_ptr<const Geometry> input);

std::unique_ptr<Source> make_bubbles(Context& context, const SourceParameters& parameters);
/// Of the parameters, uses those of a recording. Throws Error for labels that are not integers.
std::unique_ptr<Source> make_recording(Context& context, std::shared_ptr<const FieldStack> frames,
                                       const SourceParameters& parameters);
/// The lattice has about as many pixels as the parameters, in the shape of the tracks' bounds, or of the box in the
/// parameters or the tracks: then it is periodic like the box, and places outside it are wrapped.
std::unique_ptr<Source> make_tracks_source(Context& context, std::shared_ptr<const Tracks> tracks,
                                           const SourceParameters& parameters);

}  // namespace flipscope
