#include "instruments/input_attributes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/error.h"
#include "compute/launch.h"
#include "compute/text.h"
#include "lab/parameters.h"

namespace flipscope {

namespace {

struct TakeAttribute {
    MeshView mesh;
    View<const Point> places;    // of the input
    View<const double> heights;  // or empty
    View<const double> column;
    Point low, sides;     // of the periodic box; both 0: not on a torus; one: a cylinder
    double rounding = 0;  // of places on a torus, world units
    View<double> values;

    FLIPSCOPE_HD bool same(double given, double place, double corner, double side) const {
        if (rounding == 0) return given == place;
        if (side == 0) return fabs(given - corner - place) < rounding;
        const double apart = (given - corner - place) / side;
        return fabs(apart - floor(apart + 0.5)) * side < rounding;
    }
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        const uint32_t i = mesh.inputs[v];
        bool is_point = i < places.count && same(places[i].x, mesh.positions[v].x, low.x, sides.x) &&
                        same(places[i].y, mesh.positions[v].y, low.y, sides.y);
        if (is_point && heights && mesh.heights) is_point = heights[i] == mesh.heights[v];
        values[v] = is_point ? column[i] : NAN;
    }
};

struct TakeOfSites {
    View<const uint32_t> sites;   // (v) or kNone
    View<const uint32_t> inputs;  // (site)
    View<const double> column;    // (point)
    View<double> values;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        const uint32_t site = sites[v], point = site < inputs.count ? inputs[site] : kNone;
        values[v] = point < column.count ? column[point] : NAN;
    }
};

size_t place_of(const Geometry* input, const std::string& id) {
    const std::vector<std::string> ids = attribute_ids(input);
    return static_cast<size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
}

}  // namespace

std::vector<std::string> attribute_ids(const Geometry* input) {
    return input && input->attributes ? attribute_ids(*input->attributes) : std::vector<std::string>();
}

std::vector<std::string> attribute_ids(const std::vector<Attribute>& columns) {
    std::vector<std::string> ids;
    for (const Attribute& attribute : columns) {
        const bool taken = find_quantity(attribute.name) || attribute.name == "structure-factor" ||
                           attribute.name == "vertex" || attribute.name == "point" || attribute.name == "edge" ||
                           attribute.name == "triangle";
        ids.push_back(taken ? "input." + attribute.name : attribute.name);
    }
    return ids;
}

const Attribute* find_attribute(const Geometry* input, const std::string& id) {
    const size_t place = place_of(input, id);
    return input && input->attributes && place < input->attributes->size() ? &(*input->attributes)[place] : nullptr;
}

CategoryClasses classes_of(const Attribute& column) {
    const size_t count = column.categories.size();
    std::vector<uint64_t> having(count);
    for (const double value : column.values)
        if (value >= 0 && value < double(count)) ++having[static_cast<size_t>(value)];
    std::vector<uint32_t> order;
    for (uint32_t k = 0; k < count; ++k)
        if (having[k] > 0) order.push_back(k);
    const size_t others = order.size() > ColourScale::kOtherClass ? order.size() - ColourScale::kOtherClass : 0;
    if (others > 0) {
        std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return having[a] > having[b]; });
        order.resize(ColourScale::kOtherClass);
        std::sort(order.begin(), order.end());
    }
    CategoryClasses classes{std::vector<uint32_t>(count, ColourScale::kOtherClass), {}};
    for (const uint32_t k : order) {
        classes.of[k] = static_cast<uint32_t>(classes.names.size());
        classes.names.push_back(column.categories[k]);
    }
    if (others > 0) classes.names.push_back("other (" + count_text(others, "value", "values") + ")");
    return classes;
}

std::string Explored::sentence() const {
    return measured() ? info_of(quantity).sentence
                      : "A column of the input. Vertices that are no points of it, or have moved, have none; the cells "
                        "of a lattice keep that of their site.";
}

Explored explored_of(const std::string& id, const Geometry* input, const std::string& where) {
    const std::vector<std::string> ids = attribute_ids(input);
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) return Explored(id);
    if (const ElementQuantityInfo* info = find_quantity(id)) return info->quantity;
    std::vector<std::string> known;
    for (uint32_t k = 0; k < kElementQuantityCount; ++k) known.emplace_back(info_of(ElementQuantity(k)).id);
    throw Error(
        where + ": there is no such quantity; known: " + join_words(known, " and ") +
        (ids.empty() ? "; the input has no columns of its own" : "; and of the input " + join_words(ids, " and ")));
}

std::string missing_column(const Explored& explored, const Geometry* input) {
    if (explored.measured()) return {};
    const std::vector<std::string> ids = attribute_ids(input);
    if (std::find(ids.begin(), ids.end(), explored.attribute) != ids.end()) return {};
    const std::string of = input && !input->name.empty() ? input->name : "the input";
    return of + " has no column \"" + explored.attribute + "\"" +
           (ids.empty()       ? " and no other"
            : ids.size() == 1 ? "; it has \"" + ids[0] + "\""
                              : "; it has " + join_words(ids, " and "));
}

void InputAttributes::set_input(std::shared_ptr<const Geometry> input) {
    if (input == input_) return;
    input_ = std::move(input);
    places_.release();
    heights_.release();
    column_.release();
    resident_.clear();
}

void InputAttributes::make_resident(Context& context, const std::string& id) {
    if (resident_ == id) return;
    const std::vector<double>& column = (*input_->attributes)[place_of(input_.get(), id)].values;
    column_.upload(context, column.data(), column.size());
    resident_ = id;
}

bool InputAttributes::write_of_sites(Context& context, const SiteMesh& sites, const std::string& id,
                                     Buffer<double>& values) {
    if (!has(id)) return false;
    make_resident(context, id);
    const uint32_t count = sites.measured().vertex_count;
    values.resize(context, count, false);
    launch(context, "explore.site_attribute", count,
           TakeOfSites{sites.sites(), sites.inputs(), column_.view(), values.view()});
    return true;
}

bool InputAttributes::write(Context& context, const MeasuredMesh& mesh, const std::optional<PeriodicBox>& box,
                            const std::string& id, Buffer<double>& values) {
    if (!has(id)) return false;
    if (places_.empty()) {
        places_.upload(context, input_->points.data(), input_->points.size());
        if (input_->in_space()) heights_.upload(context, input_->heights.data(), input_->heights.size());
    }
    make_resident(context, id);
    values.resize(context, mesh.vertex_count, false);
    TakeAttribute take{mesh.mesh, places_.view(), {}, column_.view(), {}, {}, 0, values.view()};
    if (!heights_.empty()) take.heights = heights_.view();
    if (mesh.mesh.infinite == kNone && box) {
        take.low = box->low;
        take.sides = box->size;
        // Much more than a step of the grid to which places are rounded.
        take.rounding = (mesh.mesh.open == OpenAxis::kNone ? 0x1p-40 : 0x1p-36) * std::max(box->size.x, box->size.y);
    }
    launch(context, "explore.attribute", mesh.vertex_count, take);
    return true;
}

}  // namespace flipscope
