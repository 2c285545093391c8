// What a lab draws: one to four views, each a list of layers. A layer names buffers of the lab, which stay on the
// device and are drawn in place, and says how its elements are coloured: by state words with the legend that explains
// them, by a number with its colour scale, or all alike. Toggles, `--show`, `--hide`, legends and colour bars follow
// from this; the renderer knows layers and no lab. Nothing here draws.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compute/buffer.h"
#include "geometry/point.h"
#include "mesh/pick.h"
#include "mesh/triangle_mesh.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// Fixed meanings of colour, the same in all labs; the renderer owns the colours themselves. Roles of one meaning share
/// a colour: granted and locked, missing and missed.
enum class Role {
    kPlain,
    kFresh,           // made in this round
    kIllegal,         //
    kGranted,         // granted both its triangles: it will flip
    kDeferred,        // illegal, and deferred
    kFlipped,         // by the last flip pass
    kStale,           // its incidence is stale
    kCycling,         //
    kQueued,          // queued for testing
    kWaiting,         // not inserted yet
    kChosen,          // singled out among those like it
    kHelper,          //
    kMissing,         // should be there, and is not
    kLocked,          // held by an edge that will flip
    kSeam,            // non-manifold
    kBlocked,         // something is in its way: a flip that would invert a triangle, an obstacle between two cells
    kLostContact,     // a link that was
    kCreatedContact,  // a link that has come
    kExact,           // the true diagram, over what a lattice makes of it
    kMissed,          // should be linked, and is not
    kSpurious,        // is linked or coloured so, and should not be
    kObstacle,        //
    kCorner,          // a pixel where three cells or more meet
    kOdd,             // a pixel without any of its colour around it: an island
    kProlonged,       // a pixel whose colour crosses its surroundings in a single line
    kActive,          // its links have changed
    kUnmatched,       // appeared or vanished
    kFailed,          // a check found it at fault
    kMoved,           // how something has moved: arrows of pushes, trails
    kForce,           // what acts on something: arrows of forces
    kPositive,        // the sign of a number
    kZero,            //
    kNegative,        //
    kNumbered,        // one of many classes without a meaning of its own: LegendEntry::number tells them apart
    kCategory,        // a value of a column of text: LegendEntry::number is its class, see ColourScale
};
/// As files have it: "illegal", "granted".
const char* name_of(Role role);

struct LegendEntry {
    enum class Element { kVertex, kEdge, kTriangle, kPixel } element;  // discs count as vertices
    State bit;             // any of these bits set in the element's state word; the first entry that matches decides
    Role role;             //
    std::string name;      // "illegal"; empty: a shade of the entry before it, not listed
    std::string sentence;  // "the circle of one of its triangles holds the apex of the other"
    float strength = 1;    // 0…1: how strongly it is drawn, for what fades with age
    /// Not 0: the word's bits under this mask must equal `bit`. With 0xFFFF a word is a number, one of 65,536 states.
    State mask = 0;
    uint32_t number = 0;     // of kNumbered and kCategory: which class
    std::string group = {};  // of kCategory: the column, which its values are listed under
    bool matches(State word) const { return mask ? (word & mask) == bit : (word & bit) != 0; }
    friend bool operator==(const LegendEntry&, const LegendEntry&) = default;
};

/// How numbers become colours; the colour bar follows from it.
struct ColourScale {
    /// kImage: dark to bright; kCyclic: a wheel, of angles: both ends have one colour; kCategories: numbers are
    /// classes.
    enum class Kind { kSequential, kDiverging, kImage, kCyclic, kCategories, kAngles } kind = Kind::kSequential;
    std::string name = {}, unit = {};  // "pressure", "Pa"; the unit may be empty
    double low = 0, high = 1;          // numbers beyond have the colour of the end
    bool logarithmic = false;          // low and high above 0; numbers that are not have the colour of the low end
    /// Of kCategories: what class k is called, by its number; low is 0 and high kOtherClass.
    std::vector<std::string> classes = {};
    static constexpr uint32_t kOtherClass = 10;  // the last: all values that have no colour of their own
    /// Where a number lies on the bar, 0…1.
    double place(double value) const;
    friend bool operator==(const ColourScale&, const ColourScale&) = default;
};

/// Points, as dots of a few pixels.
struct PointsLayer {
    const Buffer<Point>* places = nullptr;    // world units
    const Buffer<double>* heights = nullptr;  // in space
    uint32_t count = 0;                       // the first ones are drawn
    const Buffer<State>* states = nullptr;
    uint32_t helper_begin = kNone, helper_end = 0;  // these too, as helpers (a supertriangle's)
};

/// Discs of their true size; in the plane.
struct DiscsLayer {
    const Buffer<Point>* centres = nullptr;  // world units
    uint32_t count = 0;
    const Buffer<double>* radii = nullptr;         // world units; none: `radius` for all
    double radius = 0;                             // world units
    const Buffer<double>* orientations = nullptr;  // radians, counter-clockwise from the x axis; shown as a spoke
    const Buffer<State>* states = nullptr;
};

/// Straight pieces between two places each.
struct SegmentsLayer {
    const Buffer<Point>* places = nullptr;    // world units
    const Buffer<double>* heights = nullptr;  // in space
    uint32_t place_count = 0;                 // a segment to a place beyond is not drawn (the vertex at infinity)
    const Buffer<uint32_t>* ends = nullptr;   // (count, 2) indices of places; none: 2i and 2i + 1
    uint32_t count = 0;
    std::vector<uint32_t> few_ends = {};  // instead of `ends` and `count`: a few, which the host knows
    const Buffer<State>* states = nullptr;
    uint32_t helper_begin = kNone;  // segments to places from here on are helpers
    bool arrows = false;            // a head at the second end; in the plane
    uint32_t segment_count() const { return few_ends.empty() ? count : static_cast<uint32_t>(few_ends.size() / 2); }
};

/// Lines through several places, such as trails; in the plane.
struct PolylinesLayer {
    const Buffer<Point>* points = nullptr;     // world units, of all lines one after the other
    uint32_t point_count = 0;                  //
    const Buffer<uint32_t>* starts = nullptr;  // (count + 1): where each line begins in `points`
    uint32_t count = 0;                        // lines
    const Buffer<State>* states = nullptr;     // of lines
    bool fades = false;                        // from nothing at the first point to full strength at the last: a trail
};

/// Triangles in the plane, on a surface in space (heights), or on a torus (Layer::periodic).
struct TrianglesLayer {
    const Buffer<Point>* places = nullptr;
    const Buffer<double>* heights = nullptr;
    uint32_t place_count = 0;                   // the vertex at infinity is place_count itself
    const Buffer<uint32_t>* corners = nullptr;  // (count, 3), counter-clockwise
    uint32_t count = 0;                         // with ghosts
    const Buffer<State>* states = nullptr;
    uint32_t helper_begin = kNone;
};

/// Numbers on a lattice. Pixel (x, y) is the square of side 1 around the point (x, y) of the world. Size of the
/// buffers: width · height, row y after row y - 1. Layers of one lattice that follow each other (cells, numbers, marks)
/// are drawn together: numbers take the place of the cells' tints, borders and marks lie over them.
struct LatticeLayer {
    uint32_t width = 0, height = 0;             // 0: none
    const Buffer<uint32_t>* colours = nullptr;  // which cell a pixel belongs to; kMaxLink: an obstacle; kNone: none
    const Buffer<uint32_t>* names = nullptr;    // by colour: what decides its tint, so that a cell keeps it over time;
                                                // kNone: only its borders are drawn
    const Buffer<float>* field = nullptr;       // numbers, coloured by the layer's scale; before there are cells they
                                                // are shown in their place
    const Buffer<State>* states = nullptr;      // read by legend entries of pixels
    bool fills = false;                         // states are no marks: they colour pixels whole, as a field does
    uint32_t site_count = 0;  // cell i is that of point i of the view, of so many; 0: not known, or they have none
    PeriodicAxes wraps = {};  // what leaves it on one side comes back on the other
    /// By colour: a number of the cell, which the layer's scale colours it by, in place of its tint; NaN: it has none.
    const Buffer<float>* numbers = nullptr;
    /// By cell: which point of the input its site is, wherever it lies by now; greater numbers: none. nullptr: no site
    /// is a point of the input.
    const Buffer<uint32_t>* inputs = nullptr;
    /// By point of the input: where its site lay at first, world units.
    const Buffer<Point>* first_places = nullptr;
    /// By cell: what the file calls it, ids of tracks or labels of an image. nullptr: the file names no cells.
    const std::vector<int64_t>* ids = nullptr;
    size_t first_track_place = SIZE_MAX;  // in Tracks::places, that of cell 0; the others follow
    LatticeUnits units = {};              // of the input
    explicit operator bool() const { return width > 0 && height > 0; }
};

/// Words at places.
struct LabelsLayer {
    struct Label {
        Point place;  // world units; the text is centred there
        std::string text;
    };
    std::vector<Label> labels;
};

/// A box that closes on itself: what leaves it on one side comes back on the other.
struct PeriodicBox {
    Point low;
    Point size;        // world units; 0: not periodic that way
    double reach = 0;  // of a cylinder, from `low` along its other axis, world units; 0: as far as its points
};

/// A layer of this name, of no elements, is the toggle of periodic images: hidden, what crosses the border of a
/// periodic box ends there and does not come back on the other side.
inline constexpr const char* kImagesLayer = "images";

struct Layer {
    std::string id;        // "edges": what --show, --hide and scenarios call it; one name, one toggle in all views
    std::string title;     // "Edges"
    std::string sentence;  // what it shows, for a tooltip
    bool shown = true;     // at first
    std::variant<PointsLayer, DiscsLayer, SegmentsLayer, PolylinesLayer, TrianglesLayer, LatticeLayer, LabelsLayer>
        shape;
    std::vector<LegendEntry> legend = {};      // of its state words
    Role role = Role::kPlain;                  // of all elements that no entry matches
    const Buffer<float>* scalars = nullptr;    // one number an element: decides the colour, over states
    ColourScale scale = {};                    // of `scalars`, and of a lattice's field, or else of its numbers
    std::optional<PeriodicBox> periodic = {};  // of what has places

    LegendEntry::Element element() const;  // whose legend entries it reads
    bool present() const;                  // its buffers are named: there can be something to draw
    bool empty() const;                    // nothing to draw in this state
    bool has_scale() const;                // numbers decide its colours
};

/// One picture: what to draw, and which part of the world it is about. The buffers belong to the lab; counts are of
/// this state.
struct SceneView {
    std::string title;                   // of one of several; else empty
    Point low, high;                     // bounds, world units
    double low_z = 0, high_z = 0;        // the same, of a surface
    bool in_space = false;               // there are heights: to be shaded, and seen from any side
    bool linked = true;                  // seen through the same camera as the others; false: always shown whole
    uint32_t point_count = 0;            // how many share the bounds: lines and dots become finer with more
    std::vector<Layer> layers;           // in the order they are drawn
    const TriangleMesh* mesh = nullptr;  // of labs that have one: what its layers show
    bool has_incidence = true;           // of the mesh: false of triangles that are only drawn (drawn_soup.h)
    /// What there is to read at a place, in a line or two, for a cursor that moves over the picture: takes
    /// microseconds, and keeps copies of all it needs, for it is asked while the lab runs. Empty: the coordinates of a
    /// mesh's plane.
    std::function<std::vector<std::string>(Point)> readout = {};

    /// The first layer of this name, or nullptr.
    const Layer* layer(const std::string& id) const;
    Layer* layer(const std::string& id);
    /// Adds the layers "triangles", "edges" and "points" of a mesh. Vertices [0, points) are drawn as points, those
    /// from `helper_begin` up to the infinite one as helpers.
    void add_mesh(const TriangleMesh& of, uint32_t points, uint32_t helper_begin = kNone);
    /// Gives every layer the entries of its kind of element, in this order.
    void set_legend(const std::vector<LegendEntry>& entries);
    /// Puts entries before those that layers of their kind of element have: they decide first.
    void put_legend_first(const std::vector<LegendEntry>& entries);
    /// All entries of all layers, of those that look alike and have one name the first.
    std::vector<LegendEntry> legend() const;
    /// All lattice layers as one.
    LatticeLayer lattice() const;
    bool empty() const;

    // What Element ids of this view mean: vertices are the places of the first points or discs, edges the first
    // segments with ends, triangles and pixels those of the first such layer.
    uint32_t count_of(ElementKind kind) const;
    /// Their state words, or nullptr where none are kept.
    const Buffer<State>* states_of(ElementKind kind) const;
    /// Places of an element's corners; z is 0 in the plane. Reads them from the device. `id` must be below count_of().
    std::vector<Point3> corners_of(const Element& element) const;
};

/// The first view; a scene of one is that view alone.
struct Scene : SceneView {
    static constexpr size_t kMostViews = 4;
    std::vector<SceneView> beside;  // up to three more, drawn beside this one
    bool in_input_units = true;     // false: the lab does not use the input's coordinates, or has scaled them

    size_t view_count() const { return 1 + beside.size(); }
    /// View `i`; of one that is not there the first.
    const SceneView& view(size_t i) const { return i > 0 && i <= beside.size() ? beside[i - 1] : *this; }
    SceneView& view(size_t i) { return i > 0 && i <= beside.size() ? beside[i - 1] : *this; }
    bool nothing_to_draw() const;
    /// The layers of all views, each name once.
    std::vector<const Layer*> toggles() const;
};

}  // namespace flipscope
