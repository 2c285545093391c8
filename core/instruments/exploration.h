// What the user explores in a scene, whichever lab it is of: the quantity that its elements are coloured by, and the
// elements that are selected, by a range of values or a region of the plane. Layers of the scene get scalars with their
// scale, and the scene a layer of what is selected. Nothing of the lab changes; all of it follows the state, step by
// step, by kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "instruments/input_attributes.h"
#include "instruments/site_mesh.h"
#include "lab/report.h"
#include "lab/scene.h"
#include "statistics/element_measures.h"

namespace flipscope {

/// The first view of the scene that has something to explore: a mesh, or cells of a lattice that have sites; kNone:
/// none.
uint32_t explored_view(const Scene& scene);
/// Whether elements of the scene can be coloured by this: it has some of their kind, and they have such a number. Cells
/// of a lattice have what is measured of vertices, by their sites, and the input's columns where these are its points.
bool offers(const Scene& scene, const Explored& quantity);
/// A sentence without its full stop that says what elements of the scene can be coloured by, for those who asked for
/// something else: "the Voronoi lab has cells, which …".
std::string offered_words(const Scene& scene, const Geometry* input, const std::string& lab);

struct ExplorationChoice {
    std::optional<Explored> colour = {};  // none: as the lab has it
    struct Range {
        Explored quantity;
        double low, high;                      // both belong to it
        std::vector<std::string> values = {};  // instead, of a column of text: these
        friend bool operator==(const Range&, const Range&) = default;
    };
    std::optional<Range> range = {};  // what is selected by its value
    std::vector<Point> region = {};   // a polygon, world units, whose vertices are selected; fewer than three: all
    std::vector<uint32_t> ids = {};   // instead of a region: these elements, ascending
    bool hides_rest = false;          // nothing but the selection is drawn
    ElementKind id_kind = ElementKind::kVertex;  // what `ids` are of; edges and triangles stand without a range
    bool marks_disclinations = false;            // vertices with other than six edges

    bool selects() const { return range || region.size() > 2 || !ids.empty(); }
    bool any() const { return colour || selects() || marks_disclinations; }
    void clear_selection();
    /// What is selected; of a region that are vertices.
    ElementKind kind() const {
        return range ? range->quantity.element() : ids.empty() ? ElementKind::kVertex : id_kind;
    }
    friend bool operator==(const ExplorationChoice& a, const ExplorationChoice& b);
};

class Exploration {
  public:
    /// The layer of what is selected.
    static constexpr const char* kSelectionLayer = "selection";
    /// The layer of vertices inside the outline that do not have six edges, coloured by how many they have: the
    /// topological defects of a triangular lattice (Nelson 2002).
    static constexpr const char* kDisclinationsLayer = "disclinations";
    /// The layer of Voronoi cells, where vertices are coloured by what is theirs.
    static constexpr const char* kCellsLayer = "cells";
    /// Cells are drawn of at most so many vertices; of more their dots are coloured.
    static constexpr uint32_t kMostCells = 300'000;

    void choose(ExplorationChoice choice) { choice_ = std::move(choice); }
    const ExplorationChoice& choice() const { return choice_; }

    /// Whose attributes there are to colour and select by; nullptr: of none.
    void set_input(std::shared_ptr<const Geometry> input) { attributes_.set_input(std::move(input)); }

    /// Follows the state that the scene shows. Scenes without a mesh and without cells have nothing to colour or
    /// select, and are left alone; what the scene does not offer is not done. Waits for the device.
    void update(Context& context, const Scene& scene);
    void clear();
    /// Puts what update() has made into the scene that it was given, or another of the same state.
    void apply(Scene& scene) const;

    /// Whether the scene of the last update() had a mesh to explore, or cells whose sites make one.
    bool has_mesh() const { return view_ != kNone; }
    uint32_t view() const { return view_; }          // the one of its views; kNone: none
    uint64_t selected() const { return selected_; }  // elements of choice().kind()
    uint32_t disclinations() const { return disclination_count_; }
    /// Ids of the vertices, or sites, that are selected, or that selected edges and triangles end at; ascending. Waits.
    std::vector<uint32_t> selected_vertices() const;
    /// (v), (e) or (t): kNotSelected where an element is not selected, else 0; empty where nothing is chosen. Of cells
    /// elements are those of SiteMesh.
    static constexpr uint8_t kNotSelected = 128;
    const Buffer<uint8_t>& marks(ElementKind kind) const { return marks_[static_cast<uint32_t>(kind)]; }

  private:
    void colour(Context& context);
    /// Into attribute_; false: the input has none of this name.
    bool take_attribute(Context& context, const std::string& id);
    /// Categories in attribute_ become their classes, and the scale says what these are called.
    void classify(Context& context, const Attribute& column);
    void number_cells(Context& context, View<const double> values);
    void select(Context& context);
    void hide_rest_of_cells(Context& context, const LatticeLayer& cells);
    void list_selected_radii(Context& context, const SceneView& view);
    void apply_to_cells(SceneView& view) const;
    void draw_cells(Context& context, View<const double> values);
    /// On a torus, where the mesh has places as seen from the corner of its box.
    void put_into_world(Context& context, Buffer<Point>& places, uint32_t count) const;
    void mark_disclinations(Context& context);

    ExplorationChoice choice_;
    uint32_t view_ = kNone;
    ElementMeasures coloured_, ranged_, degrees_;
    MeasuredMesh mesh_;
    bool of_cells_ = false;  // of a lattice: mesh_ is that of sites_
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
    uint32_t cell_count_ = 0;  // triangles that make up the cells
    Buffer<Point> cell_corners_{"cell corners", Residence::kDrawn};
    Buffer<uint32_t> cell_triangles_{"cell triangles", Residence::kDrawn};
    Buffer<uint32_t> cell_sides_{"cell sides", Residence::kDrawn};  // (cell_count_, 2) indices of corners
    Buffer<float> cell_scalars_{"cell colouring", Residence::kDrawn};
    uint64_t selected_ = 0;
    Buffer<uint8_t> marks_[3] = {Buffer<uint8_t>("selected vertices"), Buffer<uint8_t>("selected edges"),
                                 Buffer<uint8_t>("selected triangles")};
    Buffer<Point> selected_places_{"selected places", Residence::kDrawn};  // of elements of several: all of the mesh
    Buffer<double> selected_heights_{"selected heights", Residence::kDrawn};
    Buffer<double> selected_radii_{"selected radii", Residence::kDrawn};  // of discs
    Buffer<uint32_t> selected_corners_{"selected corners", Residence::kDrawn};
    uint32_t disclination_count_ = 0;
    Buffer<Point> disclination_places_{"disclinations", Residence::kDrawn};
    Buffer<double> disclination_heights_{"heights of disclinations", Residence::kDrawn};
    Buffer<float> disclination_degrees_{"degrees of disclinations", Residence::kDrawn};
};

/// What statistics of points in a periodic box are about: all of it; of a cylinder as far as it reaches.
Window window_of(Context& context, const PeriodicBox& box, View<const Point> points);

/// The vertices of a view's mesh that are points of its input, and the window they lie in: the periodic box, or else
/// `within`, or the bounds of the points. Waits.
MeasuredMesh measured_in(Context& context, const SceneView& view, const std::optional<Window>& within = {});

}  // namespace flipscope
