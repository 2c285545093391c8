// Statistics of what a lab shows, whichever lab it is: of the mesh of a view, or of its points or discs, which are then
// triangulated. The window and the headless run ask for it; a lab need not know. The quantities and their sources are
// those of statistics/; here they are named, given units and laid over what theory says of random points.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/array.h"
#include "instruments/input_attributes.h"
#include "lab/report.h"
#include "lab/scene.h"
#include "statistics/element_measures.h"
#include "statistics/point_statistics.h"
#include "statistics/summary.h"

namespace flipscope {

class Exploration;
class TriangleMesh;

/// Numbers of one state, to compare another with: of every quantity ascending, evenly drawn where there are many.
struct StatisticsSample {
    static constexpr size_t kMost = 1 << 17;
    std::string name;  // "kept", "cities.csv"
    uint64_t points = 0;
    std::vector<double> values[kElementQuantityCount];
};

class SceneStatistics {
  public:
    struct Options {
        std::optional<Window>
            window;             // that cells are clipped to and points counted in; none: the bounds of the points
        bool of_points = true;  // g(r), S(k), number variance and discrepancy, too
        std::shared_ptr<const StatisticsSample> beside = {};  // distributions are compared with
        const Exploration* selection = nullptr;               // of the same state: what is selected, beside the whole
        std::shared_ptr<const Geometry> input = {};           // whose attributes are measured, too
    };
    SceneStatistics();
    ~SceneStatistics();

    /// Measures the first view that has anything to measure. Where there is nothing, it is empty. Waits for the device.
    /// Throws Cancelled, and is then empty.
    void measure(Context& context, const Scene& scene, const Options& options);
    void clear();
    bool empty() const { return view_ == kNone; }
    /// The quantity or attribute that a distribution of report() is of; nothing: none of elements.
    std::optional<Explored> quantity_of(const Distribution& distribution) const;

    /// The view that was measured.
    uint32_t view() const { return view_; }
    /// Whether elements of the view are asked about by of_element(): its mesh was measured, or its cells. Triangles
    /// that are only drawn are measured in a mesh of their own.
    bool names_elements() const { return names_elements_; }
    const ElementMeasures& elements() const { return elements_; }
    const Window& window() const { return window_; }
    /// S(k), whose radial average is the curve of this name.
    static constexpr const char* kStructureFactorCurve = "structure factor";
    const StructureFactor& structure() const { return structure_; }

    /// Properties (density, mean spacing, defects, order, discrepancy), distributions of all quantities of elements and
    /// curves (g(r), S(k), number variance, Lewis' and Aboav–Weaire's laws), each with what is expected of random
    /// points where theory has something to say.
    const Report& report() const { return report_; }

    /// What is measured, without what distributions leave out. Waits.
    StatisticsSample sample(std::string name) const;

    /// What a quantity is of one element, and which share of all is below; for a panel that shows a clicked element in
    /// every plot; of a pixel that of its cell's site. Empty where the element is not one of the view, or nothing is
    /// measured of it. `scene`: the one that was measured.
    Properties of_element(Element element, const Scene& scene) const;

    /// All numbers of report() that are no series, one quantity a row: unit, value or count, mean, standard deviation
    /// and range, and how many lie beyond its histogram.
    Table table() const;

    /// Quantities of elements as arrays, which labs/element_tables.h makes, and the structure factor's picture.
    static std::vector<ArrayInfo> arrays();
    static constexpr const char* kStructureFactorArray = "structure-factor";
    static constexpr const char* kRowArray = "row";
    static constexpr const char* kEdgeArray = "edges";
    /// Throws Error where the scene has none.
    Array structure_picture() const;

    // What tables of elements are made of. Vertices are those of mesh(); a row is a point of the input, then a vertex
    // that is none of these; of a lattice whose sites are no points of the input a site.
    const std::shared_ptr<const Geometry>& input() const { return attributes_.input(); }  // nullptr: no row is of it
    const std::shared_ptr<const Geometry>& given() const { return given_; }               // as Options::input
    uint32_t row_count() const { return row_count_; }
    const std::vector<uint32_t>& rows() const { return rows_; }  // (v) kNone: the vertex is a copy of another
    const std::string& unit() const { return unit_; }            // of the input's coordinates; empty: not known
    bool of_cells() const { return of_cells_; }                  // of a lattice
    bool has_window() const { return has_window_; }              // only what lies in it was measured
    const TriangleMesh& mesh(const Scene& scene) const;
    /// A place of mesh() in world units.
    Point as_given(Point of_mesh) const;
    /// (row) NaN where there is none, and for cells that the window cuts.
    std::vector<double> by_row(ElementQuantity quantity) const;

  private:
    /// A quantity, or a column of the input, in a line.
    struct Summary {
        std::string property;  // of report(): "mean degree"; empty: it has none
        std::string quantity, category, unit;
        SampleSummary sample;
        double below = 0, above = 0;  // how many lie beyond the histogram
        double expected = 0;          // of random points; NaN: not known
    };
    struct Parts;
    void number_rows(size_t points);
    void report_categories(const std::string& id, const Attribute& attribute, const Buffer<double>& buffer,
                           std::vector<Section>& sections);
    void report_elements(Context& context, const Exploration* selection, const StatisticsSample* beside);
    void report_attributes(Context& context, const Exploration* selection);
    void report_points(Context& context, View<const Point> points);

    std::unique_ptr<Parts> parts_;  // a triangulation made for this
    ElementMeasures elements_;
    InputAttributes attributes_;
    std::vector<std::pair<std::string, Buffer<double>>> of_input_;  // by id, those that some vertex has
    StructureFactor structure_;
    Window window_;
    Point window_corner_;  // of a periodic box: where its corner is in the world
    uint32_t view_ = kNone;
    uint32_t count_ = 0, inside_ = 0;  // points, and those in the window
    bool names_elements_ = false, of_cells_ = false, of_soup_ = false, has_window_ = false;
    std::vector<uint32_t> rows_;
    uint32_t row_count_ = 0;
    std::vector<Summary> summaries_;
    std::string unit_;  // of the input; empty: not known
    std::shared_ptr<const Geometry> given_;
    Report report_;
};

}  // namespace flipscope
