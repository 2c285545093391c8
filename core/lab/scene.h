// What a lab draws: one to four views, each a list of layers. A layer refers to buffers of the lab, which stay on the
// device and are drawn in place, and defines the colours of its elements: by state words with a legend, by a number
// with a colour scale, or uniformly. Toggles, `--show`, `--hide`, legends and colour bars follow from this; the
// renderer depends on layers and on no lab. Nothing here draws.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
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
    kChosen,          // selected among its kind
    kHelper,          //
    kMissing,         // expected but absent
    kLocked,          // held by an edge that will flip
    kSeam,            // non-manifold
    kBlocked,         // prevented: a flip that would invert a triangle, an obstacle between two cells
    kLostContact,     // a lost link
    kCreatedContact,  // a new link
    kExact,           // the exact diagram, over its approximation on a lattice
    kMissed,          // a link is missing
    kSpurious,        // a wrong link or colour
    kObstacle,        //
    kCorner,          // a pixel where three or more cells meet
    kOdd,             // a pixel without a neighbour of its colour: an island
    kProlonged,       // a pixel whose colour crosses its surroundings in a single line
    kActive,          // its links have changed
    kUnmatched,       // appeared or vanished
    kFailed,          // a check found it at fault
    kMoved,           // motion: arrows of pushes, trails
    kForce,           // arrows of forces
    kPositive,        // the sign of a number
    kZero,            //
    kNegative,        //
    kNumbered,        // one of many classes without a meaning of its own: LegendEntry::number tells them apart
    kCategory,        // a value of a column of text: LegendEntry::number is its class, see ColourScale
};
/// The name in files: "illegal", "granted".
const char* name_of(Role role);

struct LegendEntry {
    using Element = ElementKind;
    Element element;       // discs count as vertices
    State bit;             // matches if any of these bits is set in the state word; the first matching entry decides
    Role role;             //
    std::string name;      // "illegal"; empty: a shade of the entry before it, not listed
    std::string sentence;  // "the circle of one of its triangles holds the apex of the other"
    float strength = 1;    // 0…1: opacity, for elements that fade with age
    /// Not 0: the word's bits under this mask must equal `bit`. With 0xFFFF a word is a number, one of 65,536 states.
    State mask = 0;
    uint32_t number = 0;     // of kNumbered and kCategory: which class
    std::string group = {};  // of kCategory: the column, as a heading in the legend
    bool matches(State word) const { return mask ? (word & mask) == bit : (word & bit) != 0; }
    friend bool operator==(const LegendEntry&, const LegendEntry&) = default;
};

/// How numbers become colours; the colour bar follows from it.
struct ColourScale {
    /// kImage: dark to bright; kCyclic: a wheel, of angles: both ends have one colour; kCategories: numbers are
    /// classes.
    enum class Kind { kSequential, kDiverging, kImage, kCyclic, kCategories, kAngles } kind = Kind::kSequential;
    std::string name = {}, unit = {};  // "pressure", "Pa"; the unit may be empty
    double low = 0, high = 1;          // numbers beyond get the colour of the end
    bool logarithmic = false;          // low and high are positive; other numbers get the colour of the low end
    /// For kCategories: the name of class k; low is 0 and high is kOtherClass.
    std::vector<std::string> classes = {};
    static constexpr uint32_t kOtherClass = 10;  // the last class: all values without a colour of their own
    /// The colours of the bar; kOfKind: those of the kind, in each theme. Not for categories.
    enum class Map : uint8_t { kOfKind, kViridis, kCividis, kMagma, kStrata, kGrey, kDiverging, kCyclic };
    Map map = Map::kOfKind;
    bool reversed = false;
    uint32_t steps = 0;                         // equal parts of the bar with one colour each; 0: continuous
    bool has_below = false, has_above = false;  // numbers lie beyond the ends; arrows on the bar
    bool shows_missing = false;                 // elements without a number are grey and in the key
    static constexpr uint32_t kMostSteps = 64;
    static constexpr const char* kNoValue = "no value";  // in the key
    /// Where a number lies on the bar, 0…1.
    double place(double value) const;
    /// Where its colour lies: the place, or with `steps` that of its step.
    double colour_place(double place) const;
    bool is_wheel() const { return map == Map::kCyclic || (map == Map::kOfKind && kind == Kind::kCyclic); }
    /// Whether another scale has the same colours, whatever its numbers are.
    bool has_colours_of(const ColourScale& other) const {
        return std::tie(kind, map, reversed, steps, shows_missing) ==
               std::tie(other.kind, other.map, other.reversed, other.steps, other.shows_missing);
    }
    friend bool operator==(const ColourScale&, const ColourScale&) = default;
};

/// A periodic box.
struct PeriodicBox {
    Point low;
    Point size;  // world units; 0: not periodic that way
    /// Of a cylinder: its length from `low` along the open axis, world units; 0: the extent of its points.
    double reach = 0;
};

/// The elements of a layer that have ids in its view.
struct NumberedElements {
    const Buffer<Point>* places = nullptr;
    const Buffer<double>* heights = nullptr;
    const Buffer<uint32_t>* corners = nullptr;  // (count, each) indices of places; nullptr: element i lies at place i
    uint32_t each = 0;                          // corners: 1 of a vertex, 2 of an edge, 3 of a triangle; 0: no ids
    uint32_t place_count = kNone, count = 0;
    const Buffer<State>* states = nullptr;
    std::optional<PeriodicBox> box = {};  // set by the view
};

/// For a layer's `states`, of a mesh that perhaps records none.
inline const Buffer<State>* states_or_none(const Buffer<State>& states) { return states.empty() ? nullptr : &states; }

// The kinds of layers. A kind without one of these does not compile:
// - kElement: whose legend entries it reads;
// - states: a word per element; nullptr: none;
// - buffers(shape): references to all its pointers to buffers, which a kept picture replaces by copies;
// - present(): has buffers, so that it may have elements to draw; empty(): has nothing to draw in this state;
// - element_count(): elements that its legend counts;
// - elements(): those with ids.

/// Points, as dots of a few pixels.
struct PointsLayer {
    const Buffer<Point>* places = nullptr;    // world units
    const Buffer<double>* heights = nullptr;  // in space
    uint32_t count = 0;                       // the first ones are drawn
    const Buffer<State>* states = nullptr;
    uint32_t helper_begin = kNone, helper_end = 0;  // also drawn, as helpers (of a supertriangle)

    static constexpr ElementKind kElement = ElementKind::kVertex;
    static auto buffers(auto& shape) { return std::tie(shape.places, shape.heights, shape.states); }
    bool has_helpers() const { return helper_begin < helper_end; }
    uint32_t drawn_end() const { return has_helpers() ? std::max(count, helper_end) : count; }
    bool present() const { return places != nullptr; }
    bool empty() const { return !present() || drawn_end() == 0; }
    uint32_t element_count() const { return count; }  // without helpers
    NumberedElements elements() const { return {places, heights, nullptr, 1, kNone, drawn_end(), states}; }
};

/// Discs of their true size; in the plane.
struct DiscsLayer {
    const Buffer<Point>* centres = nullptr;  // world units
    uint32_t count = 0;
    const Buffer<double>* radii = nullptr;         // world units; none: `radius` for all
    double radius = 0;                             // world units
    const Buffer<double>* orientations = nullptr;  // radians, counter-clockwise from the x axis; shown as a spoke
    const Buffer<State>* states = nullptr;
    /// For discs whose areas are proportional to a number: a disc of `radius` (world units) is of the value `greatest`.
    struct SizeScale {
        std::string name, unit;
        double greatest = 0, radius = 0;
        uint64_t missing = 0;  // elements without a number, which have no disc
        friend bool operator==(const SizeScale&, const SizeScale&) = default;
    };
    std::optional<SizeScale> sizes = {};

    static constexpr ElementKind kElement = ElementKind::kVertex;
    static auto buffers(auto& shape) { return std::tie(shape.centres, shape.radii, shape.orientations, shape.states); }
    bool present() const { return centres != nullptr; }
    bool empty() const { return !present() || count == 0; }
    uint32_t element_count() const { return count; }
    NumberedElements elements() const { return {centres, nullptr, nullptr, 1, kNone, count, states}; }
};

/// Line segments.
struct SegmentsLayer {
    const Buffer<Point>* places = nullptr;    // world units
    const Buffer<double>* heights = nullptr;  // in space
    uint32_t place_count = 0;                 // segments to places beyond are not drawn (the vertex at infinity)
    const Buffer<uint32_t>* ends = nullptr;   // (count, 2) indices of places; none: 2i and 2i + 1
    uint32_t count = 0;
    std::vector<uint32_t> few_ends = {};  // a short list on the host, instead of `ends` and `count`
    const Buffer<State>* states = nullptr;
    uint32_t helper_begin = kNone;  // segments to places from here on are helpers
    bool arrows = false;            // a head at the second end; in the plane

    static constexpr ElementKind kElement = ElementKind::kEdge;
    static auto buffers(auto& shape) { return std::tie(shape.places, shape.heights, shape.ends, shape.states); }
    bool present() const { return places != nullptr; }
    bool empty() const { return !present() || element_count() == 0; }
    uint32_t element_count() const { return few_ends.empty() ? count : static_cast<uint32_t>(few_ends.size() / 2); }
    NumberedElements elements() const { return {places, heights, ends, ends ? 2u : 0u, place_count, count, states}; }
};

/// Lines through several places, such as trails; in the plane.
struct PolylinesLayer {
    const Buffer<Point>* points = nullptr;     // world units, of all lines one after the other
    uint32_t point_count = 0;                  //
    const Buffer<uint32_t>* starts = nullptr;  // (count + 1): where each line begins in `points`
    uint32_t count = 0;                        // lines
    const Buffer<State>* states = nullptr;     // of lines
    bool fades = false;                        // from transparent at the first point to opaque at the last: a trail

    static constexpr ElementKind kElement = ElementKind::kEdge;
    static auto buffers(auto& shape) { return std::tie(shape.points, shape.starts, shape.states); }
    bool present() const { return points && starts; }
    bool empty() const { return !present() || count == 0 || point_count < 2; }
    uint32_t element_count() const { return count; }
    NumberedElements elements() const { return {}; }
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

    static constexpr ElementKind kElement = ElementKind::kTriangle;
    static auto buffers(auto& shape) { return std::tie(shape.places, shape.heights, shape.corners, shape.states); }
    bool present() const { return places && corners; }
    bool empty() const { return !present() || count == 0; }
    uint32_t element_count() const { return count; }
    NumberedElements elements() const { return {places, heights, corners, 3, place_count, count, states}; }
};

/// Numbers on a lattice. Pixel (x, y) is the square of side 1 around the point (x, y) of the world. Size of the
/// buffers: width · height, row y after row y - 1. Layers of one lattice that follow each other (cells, numbers, marks)
/// are drawn together: numbers take the place of the cells' tints, borders and marks lie over them.
struct LatticeLayer {
    uint32_t width = 0, height = 0;             // 0: none
    const Buffer<uint32_t>* colours = nullptr;  // the cell of each pixel; kMaxLink: an obstacle; kNone: none
    const Buffer<uint32_t>* names = nullptr;    // by colour: determines the tint, so that a cell keeps it over time;
                                                // kNone: only its borders are drawn
    const Buffer<float>* field = nullptr;       // numbers, coloured by the layer's scale; before there are cells they
                                                // are shown in their place
    const Buffer<State>* states = nullptr;      // read by legend entries of pixels
    bool fills = false;                         // states colour whole pixels, as a field does, instead of marking them
    uint32_t site_count = 0;  // number of sites: cell i belongs to point i of the view; 0: unknown or none
    PeriodicAxes wraps = {};  // periodic axes
    /// By colour: a number of the cell, coloured by the layer's scale instead of the tint; NaN: none.
    const Buffer<float>* numbers = nullptr;
    /// By cell: the index of its site in the input, wherever the site lies now; larger numbers: none. nullptr: no site
    /// is a point of the input.
    const Buffer<uint32_t>* inputs = nullptr;
    /// By point of the input: the initial place of its site, world units.
    const Buffer<Point>* first_places = nullptr;
    /// By cell: its id in the file (of a track, or a label of an image). nullptr: the file has no ids.
    const std::vector<int64_t>* ids = nullptr;
    size_t first_track_place = SIZE_MAX;  // index in Tracks::places of cell 0; the others follow
    LatticeUnits units = {};              // of the input
    explicit operator bool() const { return width > 0 && height > 0; }

    static constexpr ElementKind kElement = ElementKind::kPixel;
    static auto buffers(auto& shape) {
        return std::tie(shape.colours, shape.names, shape.field, shape.states, shape.numbers, shape.inputs,
                        shape.first_places);
    }
    bool present() const { return *this && (colours || field || states); }
    bool empty() const { return !present(); }
    size_t element_count() const { return size_t(width) * height; }
    NumberedElements elements() const { return {}; }  // ids are those of SceneView::lattice()
};

/// Words at places.
struct LabelsLayer {
    struct Label {
        Point place;  // world units; the text is centred there
        std::string text;
    };
    std::vector<Label> labels;

    static constexpr ElementKind kElement = ElementKind::kVertex;
    static constexpr const Buffer<State>* states = nullptr;
    static auto buffers(auto&) { return std::tie(); }
    bool present() const { return true; }
    bool empty() const { return labels.empty(); }
    uint32_t element_count() const { return 0; }  // no legend lists words
    NumberedElements elements() const { return {}; }
};

/// An empty layer of this name toggles periodic images: if it is hidden, elements that cross the border of a periodic
/// box end there and do not reappear on the other side.
inline constexpr const char* kImagesLayer = "images";

struct Layer {
    std::string id;        // "edges": its name in --show, --hide and scenarios; one toggle for all views
    std::string title;     // "Edges"
    std::string sentence;  // what it shows, for a tooltip
    bool shown = true;     // by default
    std::variant<PointsLayer, DiscsLayer, SegmentsLayer, PolylinesLayer, TrianglesLayer, LatticeLayer, LabelsLayer>
        shape;
    std::vector<LegendEntry> legend = {};      // of its state words
    Role role = Role::kPlain;                  // of elements that match no entry
    const Buffer<float>* scalars = nullptr;    // one number per element: overrides state colours
    ColourScale scale = {};                    // of `scalars`, or of a lattice's field or numbers
    std::optional<PeriodicBox> periodic = {};  // of the places

    LegendEntry::Element element() const;  // whose legend entries it reads
    const Buffer<State>* states() const;   // nullptr: none
    bool present() const;                  // has buffers: may have elements to draw
    bool empty() const;                    // nothing to draw in this state
    bool has_scale() const;                // is coloured by numbers
};

/// One picture: its layers and the bounds of its world. The buffers belong to the lab; counts are those of this state.
struct SceneView {
    std::string title;                   // of one of several; else empty
    Point low, high;                     // bounds, world units
    double low_z = 0, high_z = 0;        // the same, of a surface
    bool in_space = false;               // has heights: is shaded and can be seen from any side
    bool linked = true;                  // shares the camera with the others; false: always shown whole
    uint32_t point_count = 0;            // points within the bounds: lines and dots become finer with more
    std::vector<Layer> layers;           // in the order they are drawn
    const TriangleMesh* mesh = nullptr;  // the mesh shown by the layers, if any
    bool has_incidence = true;           // false for a mesh that is only drawn (drawn_soup.h)
    /// A line or two of text for the place under the cursor. It must take microseconds and own copies of its data,
    /// because it is called while the lab runs. Empty: coordinates in a mesh's plane.
    std::function<std::vector<std::string>(Point)> readout = {};

    /// The first layer of this name, or nullptr.
    const Layer* layer(const std::string& id) const;
    Layer* layer(const std::string& id);
    /// Adds the layers "triangles", "edges" and "points" of a mesh. Vertices [0, points) are drawn as points, those
    /// from `helper_begin` up to the infinite one as helpers.
    void add_mesh(const TriangleMesh& of, uint32_t points, uint32_t helper_begin = kNone);
    /// Adds a layer of a few segments between vertices of the mesh, pairs of ids, below the last layer, the points.
    /// nullptr, and no layer, for no segments.
    Layer* add_few_lines(std::string id, std::string title, std::string sentence, std::vector<uint32_t> ends,
                         Role role = Role::kPlain);
    /// Gives every layer the entries for its kind of element, in this order.
    void set_legend(const std::vector<LegendEntry>& entries);
    /// Puts entries before the present ones of all layers with their kind of element.
    void put_legend_first(const std::vector<LegendEntry>& entries);
    /// The entries of all layers; of equal-looking entries with one name, only the first.
    std::vector<LegendEntry> legend() const;
    /// All lattice layers as one.
    LatticeLayer lattice() const;
    /// The periodic box of its layers.
    std::optional<PeriodicBox> periodic() const;
    bool empty() const;

    // Element ids of this view: vertices are the places of the first points or discs, edges the first segments with
    // ends, triangles and pixels those of the first such layer.
    uint32_t count_of(ElementKind kind) const;
    /// State words of this kind, or nullptr if none are kept.
    const Buffer<State>* states_of(ElementKind kind) const;
    /// Places of an element's corners; z is 0 in the plane. Reads them from the device. `id` must be below count_of().
    std::vector<Point3> corners_of(const Element& element) const;
};

/// A scene is its first view, perhaps with further ones.
struct Scene : SceneView {
    static constexpr size_t kMostViews = 4;
    std::vector<SceneView> beside;  // up to three further views
    bool in_input_units = true;     // false: the lab ignores or scales the input's coordinates
    std::string unit = {};          // of these; empty: as the input says

    size_t view_count() const { return 1 + beside.size(); }
    /// View `i`; the first view if there is no such view.
    const SceneView& view(size_t i) const { return i > 0 && i <= beside.size() ? beside[i - 1] : *this; }
    SceneView& view(size_t i) { return i > 0 && i <= beside.size() ? beside[i - 1] : *this; }
    bool nothing_to_draw() const;
    /// The layers of all views, each name once.
    std::vector<const Layer*> toggles() const;
};

}  // namespace flipscope
