// Statistics of the scene of any lab: of a view's mesh, or of its points or discs, which are then triangulated. Used by
// the window and headless runs. The quantities are those of statistics/; here they get names, units and the theory for
// random points.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/array.h"
#include "instruments/input_attributes.h"
#include "instruments/spatial_report.h"
#include "instruments/structures.h"
#include "lab/report.h"
#include "lab/scene.h"
#include "statistics/element_measures.h"
#include "statistics/point_statistics.h"
#include "statistics/summary.h"

namespace flipscope {

class Exploration;
class TriangleMesh;

/// Numbers of one state, for comparison: every quantity ascending, evenly sampled if there are many.
struct StatisticsSample {
    static constexpr size_t kMost = 1 << 17;
    std::string name;  // "kept", "cities.csv"
    uint64_t points = 0;
    std::vector<double> values[kElementQuantityCount];
};

/// Two quantities of the same elements, and how far they go together.
struct Scatter {
    Explored x, y;
    std::string x_unit, y_unit;
    std::vector<double> x_values, y_values;  // (n) of elements that have both
    std::vector<uint32_t> ids;               // (n) of x.element(), of cells their sites; empty: the picture has no ids
    std::vector<float> colours;              // (n) of the quantity that colours these elements; NaN: none; or empty
    ColourScale scale;                       // of `colours`
    std::vector<uint8_t> selected;           // (n) 1: in the selection; empty: nothing is selected
    Correlation correlation;

    size_t size() const { return x_values.size(); }
};

class SceneStatistics {
  public:
    struct Options {
        std::optional<StudyArea> window;  // clips cells and counts points; none: the bounds of the points
        bool of_points = true;            // also g(r), S(k), number variance and discrepancy
        std::shared_ptr<const StatisticsSample> beside = {};  // for comparison of distributions
        const Exploration* selection = nullptr;               // of the same state: measures its selection, too
        std::shared_ptr<const Geometry> input = {};           // also measures its attributes
        StructureChoice structures = {};                      // β and α of tables
        std::optional<std::pair<Explored, Explored>> scatter = {};
        bool logarithmic_bins = false;  // histograms of positive numbers have bins that are equal in the logarithm
        std::shared_ptr<const SpatialRequest> spatial = {};  // also these functions and tests
    };
    SceneStatistics();
    ~SceneStatistics();

    /// Measures the first view with measurable contents; empty if there is none. Waits for the device. Throws
    /// Cancelled, and is then empty.
    void measure(Context& context, const Scene& scene, const Options& options);
    void clear();
    bool empty() const { return view_ == kNone; }
    /// The quantity or attribute of a distribution of report(); nullopt: not of elements.
    std::optional<Explored> quantity_of(const Distribution& distribution) const;

    /// The view that was measured.
    uint32_t view() const { return view_; }
    /// Whether of_element() accepts elements of the view: its mesh or its cells were measured. Triangles that are only
    /// drawn are measured in a separate mesh.
    bool names_elements() const { return names_elements_; }
    const ElementMeasures& elements() const { return elements_; }
    const Window& window() const { return window_; }  // the bounds of area()
    /// The study area, or the periodic box.
    const StudyArea& area() const { return area_; }
    /// S(k), whose radial average is the curve of this name.
    static constexpr const char* kStructureFactorCurve = "structure factor";
    const StructureFactor& structure() const { return structure_; }

    /// Properties (density, mean spacing, defects, order, discrepancy), distributions of all quantities of elements and
    /// curves (g(r), S(k), number variance, Lewis' and Aboav–Weaire's laws), each with the expectation for random
    /// points, if known.
    const Report& report() const { return report_; }
    /// As Options::scatter; nullptr: not requested, or these elements have no such numbers here.
    const Scatter* scatter() const { return scatter_ ? &*scatter_ : nullptr; }

    /// The measured values, without those that distributions omit. Waits.
    StatisticsSample sample(std::string name) const;

    /// The values of one element, and the share of elements below each, for a panel that shows a clicked element in
    /// every plot; for a pixel, those of its cell's site. Empty if the element is not in the view or not measured.
    /// `scene`: the measured scene.
    Properties of_element(Element element, const Scene& scene) const;

    /// All numbers of report() but series, one quantity per row: unit, value or count, mean, standard deviation and
    /// range, and the number of values beyond its histogram.
    Table table() const;

    /// Quantities of elements as arrays, made by element_tables.h, and the structure factor's picture.
    static std::vector<ArrayInfo> arrays();
    static constexpr const char* kStructureFactorArray = "structure-factor";
    static constexpr const char* kRowArray = "row";
    static constexpr const char* kEdgeArray = "edges";
    /// Throws Error if the scene has none.
    Array structure_picture() const;
    static constexpr const char* kIntensityArray = "intensity";
    /// Throws Error unless spatial statistics were requested.
    Array intensity_picture() const;
    const IntensityMap& intensity() const { return intensity_; }

    // Data for tables of elements. Vertices are those of mesh(). Rows are the points of the input, then other vertices;
    // or the sites of a lattice, if they are not points of the input.
    const std::shared_ptr<const Geometry>& input() const {
        return attributes_.input();
    }                                                                        // nullptr: rows are not of an input
    const std::shared_ptr<const Geometry>& given() const { return given_; }  // as Options::input
    uint32_t row_count() const { return rows(), row_count_; }
    const std::vector<uint32_t>& rows() const;         // (v) kNone: the vertex is a copy. Waits when first called
    const std::string& unit() const { return unit_; }  // of the input's coordinates; empty: unknown
    bool of_cells() const { return of_cells_; }        // cells of a lattice
    bool has_window() const { return has_window_; }    // measures are restricted to the window
    const TriangleMesh& mesh(const Scene& scene) const;
    Context& context() const { return *context_; }                 // of measure()
    const StructureChoice& structures() const { return choice_; }  // as Options::structures
    /// A place of mesh() in world units.
    Point as_given(Point of_mesh) const;
    /// (row) NaN: not defined, or the window clips the cell.
    std::vector<double> by_row(ElementQuantity quantity) const;

  private:
    /// One row: a quantity, or a column of the input.
    struct Summary {
        std::string property;  // name of the property in report(): "mean degree"; or empty
        std::string quantity, category, unit;
        SampleSummary sample;
        double median = 0;
        double below = 0, above = 0;  // number of values beyond the histogram
        double expected = 0;          // for random points; NaN: unknown
        SampleSummary part = {};      // of the selection
        double part_median = 0;
    };
    struct Parts;
    void report_categories(const std::string& id, const Attribute& attribute, const Buffer<double>& buffer,
                           std::vector<Section>& sections);
    void report_elements(Context& context, const Exploration* selection, const StatisticsSample* beside);
    void report_attributes(Context& context, const Exploration* selection);
    static void compare_with_selection(Context& context, View<const double> values, const Excluding& unselected,
                                       uint32_t bins, Summary& whole, Distribution& found);
    void report_points(Context& context, View<const Point> points);
    void report_spatial_statistics(Context& context, View<const Point> points, const SpatialRequest& request);
    void report_selection();
    void join_numbers(const std::pair<Explored, Explored>& of, const Exploration* explored);

    std::unique_ptr<Parts> parts_;  // own triangulation
    Context* context_ = nullptr;
    StructureChoice choice_;
    ElementMeasures elements_;
    InputAttributes attributes_;
    std::vector<std::pair<std::string, Buffer<double>>> of_input_;  // by id, if any vertex has it
    StructureFactor structure_;
    IntensityMap intensity_;
    std::optional<Scatter> scatter_;
    bool logarithmic_bins_ = false;
    Window window_;
    StudyArea area_;
    Point window_corner_;  // of a periodic box: its corner in the world
    uint32_t view_ = kNone;
    uint32_t count_ = 0, inside_ = 0;  // points; points in the window
    bool names_elements_ = false, of_cells_ = false, of_soup_ = false, has_window_ = false;
    Buffer<uint32_t> inputs_{"inputs of vertices"};  // (v) of a mesh, until rows() numbers them
    mutable std::vector<uint32_t> rows_;
    mutable bool are_rows_numbered_ = false;
    mutable uint32_t row_count_ = 0;
    std::vector<Summary> summaries_;
    std::string unit_;  // of the input; empty: unknown
    std::shared_ptr<const Geometry> given_;
    Report report_;
};

}  // namespace flipscope
