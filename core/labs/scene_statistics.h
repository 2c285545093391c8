// Statistics of what a lab shows, whichever lab it is: of the mesh of a view, or of its points or discs, which are then
// triangulated. The window and the headless run ask for it; a lab need not know. The quantities and their sources are
// those of statistics/; here they are named, given units and laid over what theory says of random points.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/array.h"
#include "labs/input_attributes.h"
#include "labs/report.h"
#include "labs/scene.h"
#include "statistics/element_measures.h"
#include "statistics/point_statistics.h"

namespace flipscope {

class Exploration;

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
    /// Whether elements of the view are asked about by of_element(): its mesh was measured, or its cells.
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

    /// Quantities of elements as arrays, and the structure factor's picture.
    static std::vector<ArrayInfo> arrays();
    /// Of the input, as attribute_ids() has them; array() has them, too.
    std::vector<std::string> attributes() const;
    /// Throws Error where the scene has no such number.
    Array array(const std::string& name) const;

  private:
    /// Numbers of vertices, as they are called: of a lattice, by its sites.
    std::vector<double> by_site(std::vector<double> values) const;
    struct Parts;
    void report_elements(Context& context, const Exploration* selection, const StatisticsSample* beside);
    void report_attributes(Context& context, const Exploration* selection);
    void report_categories(const Attribute& column, const std::string& id, const std::vector<double>& values);
    void report_points(Context& context, View<const Point> points);

    std::unique_ptr<Parts> parts_;  // a triangulation made for this
    ElementMeasures elements_;
    InputAttributes attributes_;
    std::vector<std::pair<std::string, Buffer<double>>> of_input_;  // by id, those that some vertex has
    StructureFactor structure_;
    Window window_;
    uint32_t view_ = kNone;
    uint32_t count_ = 0;  // points
    bool names_elements_ = false;
    std::vector<uint32_t> vertex_of_;  // of cells, by site: which vertex of elements_ it is; kNone: none
    Report report_;
};

}  // namespace flipscope
