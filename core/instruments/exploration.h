// Exploration of the scene of any lab: the quantity by which elements are coloured, and the selection, by a range of
// values or a region of the plane. Adds scalars and scales to layers, and a layer for the selection. Does not change
// the lab; kernels update it after every step.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "instruments/input_attributes.h"
#include "instruments/site_mesh.h"
#include "instruments/structures.h"
#include "lab/report.h"
#include "lab/scene.h"
#include "statistics/element_measures.h"

namespace flipscope {

/// The first view with something to explore: a mesh, or lattice cells with sites; or kNone.
uint32_t explored_view(const Scene& scene);
/// Whether elements of the scene can be coloured by this quantity: the scene has elements of its kind, and the quantity
/// is defined for them. Cells of a lattice have the measures of vertices, by their sites, and the input's columns if
/// the sites are its points.
bool offers(const Scene& scene, const Explored& quantity);
/// A sentence without a full stop about the available quantities, for the error message of an unavailable one: "the
/// Voronoi lab has cells, which …".
std::string offered_words(const Scene& scene, const Geometry* input, const std::string& lab);

/// How the numbers of a colouring become colours; the defaults are those of the quantity.
struct ColourStyle {
    ColourScale::Map map = ColourScale::Map::kOfKind;
    bool reversed = false;
    std::optional<std::array<double, 2>> range = {};  // low < high
    std::optional<bool> logarithmic = {};             // without a range above zero, from the least number above zero
    uint32_t steps = 0;                               // as in ColourScale
    friend bool operator==(const ColourStyle&, const ColourStyle&) = default;
};

struct ExplorationChoice {
    std::optional<Explored> colour = {};  // none: the lab's own colours
    ColourStyle style = {};               // of `colour`, unless its values are categories
    bool shows_data = false;              // draws a disc at each point
    std::string size_by = {};             // column of numbers that the areas of these discs show; empty: one size
    struct Range {
        Explored quantity;
        double low, high;                      // both inclusive
        std::vector<std::string> values = {};  // for a column of text: these values instead
        friend bool operator==(const Range&, const Range&) = default;
    };
    std::optional<Range> range = {};  // selection by value
    std::vector<Point> region = {};   // a polygon, world units, whose vertices are selected; fewer than three: all
    std::vector<uint32_t> ids = {};   // explicit selection instead of a region, ascending
    bool hides_rest = false;          // draw the selection only
    ElementKind id_kind = ElementKind::kVertex;  // kind of `ids`; edges and triangles need no range
    bool marks_disclinations = false;            // marks vertices whose degree is not six
    bool shows_intensity = false;                // by IntensityLayer
    StructureChoice structures = {};             // of the triangulation, in the plane
    std::shared_ptr<const StudyArea> area = {};  // outlined, and clips measured cells; nullptr: all is measured
    std::string area_name = {};                  // its text, for read_area()

    bool selects() const { return range || region.size() > 2 || !ids.empty(); }
    bool draws_data() const { return shows_data || !size_by.empty(); }
    /// But for the area.
    bool any() const {
        return colour || draws_data() || selects() || marks_disclinations || shows_intensity || structures.shown;
    }
    void clear_selection();
    /// The kind of the selected elements; a region selects vertices.
    ElementKind kind() const {
        return range ? range->quantity.element() : ids.empty() ? ElementKind::kVertex : id_kind;
    }
    friend bool operator==(const ExplorationChoice&, const ExplorationChoice&) = default;
};

class Exploration {
  public:
    /// The layer of the selection.
    static constexpr const char* kSelectionLayer = "selection";
    /// The layer of interior vertices whose degree is not six, coloured by degree: the topological defects of a
    /// triangular lattice (Nelson 2002).
    static constexpr const char* kDisclinationsLayer = "disclinations";
    /// The layer of discs at the points of the input, of an area by size_by and coloured as the vertices.
    static constexpr const char* kDataLayer = "data";
    /// The layer of Voronoi cells, for vertices coloured by a property of their cells.
    static constexpr const char* kCellsLayer = "cells";
    /// The layers of the study area: its border, and what covers the outside.
    static constexpr const char* kAreaLayer = "study-area";
    /// Cells are drawn for at most this many vertices; beyond that, dots are coloured.
    static constexpr uint32_t kMostCells = 300'000;

    void choose(ExplorationChoice choice) { choice_ = std::move(choice); }
    const ExplorationChoice& choice() const { return choice_; }

    /// The input whose attributes can be used; nullptr: none.
    void set_input(std::shared_ptr<const Geometry> input) { attributes_.set_input(std::move(input)); }

    /// Updates to the state of the scene. Skips quantities that the scene does not offer, and scenes without a mesh and
    /// without cells. Waits for the device.
    void update(Context& context, const Scene& scene);
    void clear();
    /// Applies the result of update() to its scene, or to another scene of the same state.
    void apply(Scene& scene) const;

    /// Whether the scene of the last update() had a mesh to explore, or cells whose sites make one.
    bool has_mesh() const { return view_ != kNone; }
    uint32_t view() const { return view_; }          // index of the explored view; kNone: none
    uint64_t selected() const { return selected_; }  // elements of choice().kind()
    uint32_t disclinations() const { return disclination_count_; }
    const StructureLayers& structures() const { return structures_; }
    /// Ids of the selected vertices or sites, or of the corners of selected edges and triangles; ascending. Waits.
    std::vector<uint32_t> selected_vertices() const;
    /// (v), (e) or (t): kNotSelected, or 0 for selected elements; empty without a selection. For cells, elements are
    /// those of SiteMesh.
    static constexpr uint8_t kNotSelected = 128;
    /// (v), (e) or (t): the numbers that colour these elements; nullptr: none, or those of sites.
    const Buffer<float>* colours(ElementKind kind) const {
        return has_colours_ && !of_cells_ && choice_.colour->element() == kind ? &scalars_ : nullptr;
    }
    const ColourScale& scale() const { return scale_; }  // of these
    const Buffer<uint8_t>& marks(ElementKind kind) const { return marks_[static_cast<uint32_t>(kind)]; }

  private:
    void colour(Context& context);
    /// Loads attribute_; false: the input has no such attribute.
    bool load_attribute(Context& context, const std::string& id);
    /// Replaces the categories in attribute_ by their classes, and names the classes in the scale.
    void classify(Context& context, const Attribute& column);
    void number_cells(Context& context, View<const double> values);
    void apply_style(Context& context, View<const double> values);
    void place_data(Context& context, const SceneView& view);
    void apply_data(SceneView& view) const;
    void select(Context& context, const SceneView& view);
    void hide_rest_of_cells(Context& context, const LatticeLayer& cells);
    void apply_to_cells(SceneView& view) const;
    void draw_cells(Context& context, View<const double> values);
    /// On a torus: converts places from the corner of the box to world coordinates.
    void put_into_world(Context& context, Buffer<Point>& places, uint32_t count) const;
    void mark_disclinations(Context& context);
    uint32_t outlined_view(const Scene& scene) const;
    void outline_area(Context& context, const Scene& scene);
    void apply_area(Scene& scene) const;

    ExplorationChoice choice_;
    uint32_t view_ = kNone;
    ElementMeasures coloured_, ranged_, degrees_;
    MeasuredMesh mesh_;
    bool of_cells_ = false;  // on a lattice: mesh_ is that of sites_
    std::unique_ptr<SiteMesh> sites_;
    Buffer<float> numbers_{"numbers of cells", Residence::kDrawn};          // (site)
    Buffer<uint32_t> names_{"names of selected cells", Residence::kDrawn};  // (site) kNone: not selected
    std::optional<PeriodicBox> box_;                                        // of the view
    InputAttributes attributes_;
    Buffer<double> attribute_{"attribute"};
    Buffer<uint32_t> classes_{"classes of categories"};
    Buffer<uint8_t> allowed_{"selected categories"};
    Buffer<float> scalars_{"colouring", Residence::kDrawn};
    ColourScale scale_;
    bool has_colours_ = false, has_selection_ = false;
    StructureLayers structures_;
    uint32_t data_count_ = 0;
    Buffer<Point> data_places_{"data points", Residence::kDrawn};
    Buffer<double> data_radii_{"radii of data points", Residence::kDrawn};
    Buffer<float> data_scalars_{"colours of data points", Residence::kDrawn};
    double data_radius_ = 0;  // of all, if none has its own; world units
    std::optional<DiscsLayer::SizeScale> data_sizes_;
    uint32_t cell_count_ = 0;  // triangles of the cells
    Buffer<Point> cell_corners_{"cell corners", Residence::kDrawn};
    Buffer<uint32_t> cell_triangles_{"cell triangles", Residence::kDrawn};
    Buffer<uint32_t> cell_sides_{"cell sides", Residence::kDrawn};  // (cell_count_, 2) indices of corners
    Buffer<float> cell_scalars_{"cell colouring", Residence::kDrawn};
    uint64_t selected_ = 0;
    Buffer<uint8_t> marks_[3] = {Buffer<uint8_t>("selected vertices"), Buffer<uint8_t>("selected edges"),
                                 Buffer<uint8_t>("selected triangles")};
    Buffer<Point> selected_places_{"selected places",
                                   Residence::kDrawn};  // for edges and triangles: all places of the mesh
    Buffer<double> selected_heights_{"selected heights", Residence::kDrawn};
    Buffer<double> selected_radii_{"selected radii", Residence::kDrawn};  // of discs
    Buffer<uint32_t> selected_corners_{"selected corners", Residence::kDrawn};
    std::shared_ptr<const StudyArea> outlined_;
    Window outlined_bounds_;                                                     // up to which the outside is covered
    Buffer<Point> area_corners_{"border of the study area", Residence::kDrawn};  // (sides, 2)
    Buffer<Point> outside_places_{"outside of the study area", Residence::kDrawn};
    Buffer<uint32_t> outside_corners_{"triangles outside of the study area", Residence::kDrawn};
    uint32_t disclination_count_ = 0;
    Buffer<Point> disclination_places_{"disclinations", Residence::kDrawn};
    Buffer<double> disclination_heights_{"heights of disclinations", Residence::kDrawn};
    Buffer<float> disclination_degrees_{"degrees of disclinations", Residence::kDrawn};
};

/// The observation window for points in a periodic box: the whole box, or the extent of a cylinder.
Window window_of(Context& context, const PeriodicBox& box, View<const Point> points);

/// The input points of a view's mesh with their study area: the periodic box, else `within`, else the bounds of the
/// points. Waits.
MeasuredMesh measured_in(Context& context, const SceneView& view, const std::optional<StudyArea>& within = {});

}  // namespace flipscope
