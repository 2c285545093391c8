#include "app/run/python_script.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/run/report_json.h"
#include "app/run/selection_query.h"
#include "app/view/palette.h"
#include "compute/error.h"
#include "compute/text.h"
#include "geometry/places.h"
#include "instruments/area_source.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

constexpr size_t kMostGiven = 5000;  // points within the script

/// Text as a Python literal, which that of JSON is.
std::string literal(const std::string& text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string listed(const std::vector<double>& values) {
    std::string text = "np.array([";
    for (size_t i = 0; i < values.size(); ++i) {
        if (i > 0) text += i % 8 == 0 ? ",\n    " : ", ";
        text += std::isnan(values[i]) ? "np.nan" : format_exactly(values[i]);
    }
    return text + "])";
}

constexpr const char* kMesh = R"(
# Points, edges and triangles of the Delaunay triangulation, with their measures.
measures = flipscope.statistics(points, area)
edges = np.column_stack([measures.edges[end] for end in ("from", "to")])
triangles = np.column_stack([measures.triangles[corner] for corner in "abc"])

)";

class Script {
  public:
    Script(const Scenario& scenario, const Input& input, const ColourScale* scale)
        : scenario_(scenario), input_(input), geometry_(*input.geometry), scale_(scale) {}

    std::string write() {
        if (geometry_.points.empty()) throw Error("the input has no points");
        if (geometry_.in_space()) throw Error("a script draws the plane, and this is a surface");
        const std::string title = scenario_.title.empty() ? input_.text : scenario_.title;
        add("#!/usr/bin/env python3");
        add("\"\"\"" + (title.find('"') == title.npos ? title : std::string("A picture of data")) +
            ", as Flipscope shows it; written by Flipscope. Usage: explore.py [PICTURE.png]\"\"\"\n");
        const bool is_table = !scenario_.input.empty() && scenario_.triangles.empty() && input_.layout &&
                              !input_.layout->columns.empty() && !input_.layout->over_time;
        if (is_table) add("import csv");
        add("import sys\n\nimport matplotlib.pyplot as plt");
        add("import numpy as np");
        add("from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection");
        add("from matplotlib.colors import LinearSegmentedColormap, LogNorm, Normalize\n\nimport flipscope\nfrom "
            "flipscope import spatial\n");
        is_table ? read_table() : give_points();
        give_area();
        text_ += kMesh;
        measure();
        select();
        measure_distances();
        draw();
        return std::move(text_);
    }

  private:
    void add(const std::string& line) { text_ += line + "\n"; }

    /// The columns of the input that the picture uses.
    std::set<std::string> columns() const {
        std::set<std::string> used;
        if (scenario_.colour_by && !scenario_.colour_by->measured()) used.insert(scenario_.colour_by->attribute);
        if (!scenario_.data.size_by.empty()) used.insert(scenario_.data.size_by);
        if (scenario_.spatial && !scenario_.spatial->mark.empty()) used.insert(scenario_.spatial->mark);
        if (const auto range = selected_range(); range && !range->quantity.measured())
            used.insert(range->quantity.attribute);
        return used;
    }
    std::optional<ExplorationChoice::Range> selected_range() const {
        if (scenario_.data.select.empty()) return {};
        const SelectionQuery query = parse_selection(scenario_.data.select, "select: ");
        ExplorationChoice choice;
        if (query.range) apply_selection(query, {}, &geometry_, "select: ", choice);
        return choice.range;
    }
    const Attribute& attribute(const std::string& id) const {
        const Attribute* const found = find_attribute(&geometry_, id);
        if (!found) throw Error("the input has no column " + id);
        return *found;
    }

    void read_table() {
        const TableLayout& layout = *input_.layout;
        std::string names, x, y;
        for (const TableLayout::Column& column : layout.columns) {
            names += (names.empty() ? "" : ", ") + literal(column.name);
            if (column.role == ColumnRole::kX) x = column.name;
            if (column.role == ColumnRole::kY) y = column.name;
        }
        const std::string separator = layout.separator == '\t' ? "\\t" : std::string(1, layout.separator);
        add("# The input: a line for each point, without those that have no place.");
        add("with open(" + literal(scenario_.input.string()) + ", newline=\"\", encoding=\"utf-8-sig\") as file:");
        add("    lines = [line for line in file if line.strip() and not line.startswith(\"#\")]");
        add("names = [" + names + "]");
        add("rows = list(csv.DictReader(lines" + std::string(layout.has_header ? "[1:]" : "") +
            ", fieldnames=names, delimiter=\"" + separator + "\", skipinitialspace=True))\n\n");
        add("def number(text):\n    try:\n        return float((text or \"\")" +
            std::string(layout.decimal == ',' ? ".replace(\",\", \".\")" : "") +
            ")\n    except ValueError:\n        return np.nan\n");
        add("\ndef column(name):\n    return np.array([number(row[name]) for row in rows])\n\n");
        add("points = np.column_stack([column(" + literal(x) + "), column(" + literal(y) + ")])");
        if (geometry_.y_down) add("points[:, 1] *= -1  # y points down in the file");
        add("is_place = np.isfinite(points).all(axis=1)");
        add("rows = [row for row, kept in zip(rows, is_place) if kept]");
        add("points = points[is_place]");
        add("columns = {}");
        for (const std::string& id : columns()) {
            const Attribute& one = attribute(id);
            add("columns[" + literal(id) + "] = " +
                (one.categories.empty() ? "column(" + literal(one.name) + ")"
                                        : "np.array([row[" + literal(one.name) + "] or \"\" for row in rows])"));
        }
    }

    void give_points() {
        if (geometry_.points.size() > kMostGiven)
            throw Error("a script reads a table of points, or has up to " + with_commas(kMostGiven) +
                        " within it; save the points as a table first (points.csv) and open that");
        std::vector<double> x, y;
        for (const Point& p : geometry_.points) x.push_back(p.x), y.push_back(p.y);
        add("# The input: " + input_.text + ".");
        add("points = np.column_stack([\n    " + listed(x) + ",\n    " + listed(y) + "])");
        add("columns = {}");
        for (const std::string& id : columns()) {
            const Attribute& one = attribute(id);
            std::vector<double> values = one.values;
            if (one.categories.empty()) {
                add("columns[" + literal(id) + "] = " + listed(values));
                continue;
            }
            std::string words;
            for (const std::string& word : one.categories) words += literal(word) + ", ";
            for (double& value : values) value = std::isnan(value) ? -1 : value;  // the last one, ""
            add("columns[" + literal(id) + "] = np.array([" + words + "\"\"])[" + listed(values) + ".astype(int)]");
        }
    }

    void give_area() {
        if (scenario_.within.empty()) return add("area = None");
        area_ = read_area(scenario_.within, &geometry_);
        std::string rings;
        for (const std::vector<Point>& ring : area_.rings) {
            rings += "\n    [";
            for (const Point p : ring) rings += "(" + format_exactly(p.x) + ", " + format_exactly(p.y) + "), ";
            rings += "],";
        }
        add("area = " + (area_.is_polygon() ? "[" + rings + "\n]" : "(" + scenario_.within + ")"));
    }

    /// Functions of distance, each in a figure of its own.
    void measure_distances() {
        if (!scenario_.spatial) return;
        const SpatialRequest& asked = *scenario_.spatial;
        for (const SpatialFunction function : asked.functions) {
            std::string call = "spatial.curve(points, area, " + literal(name_of(function)), correction;
            for (const EdgeCorrection one : corrections_of(function, area_))
                if (std::ranges::count(asked.options.corrections, one) > 0)
                    correction = ", correction=" + literal(name_of(one));
            call += correction;
            if (!asked.options.radii.empty()) call += ", radii=" + listed(asked.options.radii);
            if (function >= SpatialFunction::kCrossK && !asked.mark.empty()) {
                const std::vector<std::string>& known = attribute(asked.mark).categories;
                call += ", marks=columns[" + literal(asked.mark) + "]";
                if (known.size() > 1)
                    call += ", pair=(" + literal(asked.from.empty() ? known[0] : asked.from) + ", " +
                            literal(asked.from.empty() ? known[1] : asked.to) + ")";
            }
            if (asked.options.bins) call += ", bins=True";
            if (asked.options.divide_by_distance) call += ", divisor=\"d\"";
            if (const uint32_t count = asked.envelope.simulations; count > 0)
                call += ", simulations=" + std::to_string(count) +
                        ", process=" + literal(name_of(asked.envelope.process.process));
            add("curve = " + call + ")\nprint(curve)\nplt.figure(layout=\"constrained\")\ncurve.plot()\n");
        }
    }

    static std::string values_of(const Explored& quantity) {
        if (!quantity.measured()) return "columns[" + literal(quantity.attribute) + "]";
        if (quantity.quantity == ElementQuantity::kBeta)
            throw Error("a script does not measure beta; colour by another quantity");
        static constexpr const char* kTables[] = {"points", "edges", "triangles"};
        return std::string("measures.") + kTables[static_cast<size_t>(quantity.element())] + "[" +
               literal(quantity.id()) + "]";
    }

    void measure() {
        const auto& by = scenario_.colour_by;
        if (!by) return add("values = None");
        add("values = " + values_of(*by) + "  # " + by->name());
        is_text_ = !by->measured() && !attribute(by->attribute).categories.empty();
        if (is_text_) return;
        add("known = values[np.isfinite(values)]");
        add("print(f\"" + by->label() +
            ": n = {len(known)}, mean {known.mean():.6g}, median {np.median(known):.6g}, "
            "standard deviation {known.std():.6g}\")");
    }

    void select() {
        const auto range = selected_range();
        if (range) {
            add("chosen_by = " + values_of(range->quantity));
            std::string test;
            for (const std::string& value : range->values)
                test += (test.empty() ? "" : " | ") + ("(chosen_by == " + literal(value) + ")");
            if (range->values.empty())
                test = "(chosen_by >= " + format_exactly(range->low) +
                       ") & (chosen_by <= " + format_exactly(range->high) + ")";
            add("selected = " + test);
            kind_ = range->quantity.element();
        } else if (!scenario_.data.select.empty()) {
            const SelectionQuery query = parse_selection(scenario_.data.select, "");
            if (query.kind != ElementKind::kVertex)
                throw Error("ids of edges and triangles are Flipscope's own; select by value instead");
            std::string ids;
            for (const auto& [first, last] : query.ids)
                ids += (ids.empty() ? "" : ", ") + ("*range(" + std::to_string(first) + ", ") +
                       std::to_string(last + 1) + ")";
            add("selected = np.isin(np.arange(len(points)), [" + ids + "])");
        } else {
            return add("selected = None\n");
        }
        add("print(f\"{selected.sum()} selected\")");
        if (scenario_.colour_by && !is_text_ && scenario_.colour_by->element() == kind_) {
            add("known = values[selected & np.isfinite(values)]");
            add("print(f\"of these: mean {known.mean():.6g}, median {np.median(known):.6g}, "
                "standard deviation {known.std():.6g}\")");
        }
        add("");
    }

    void draw() {
        const auto& by = scenario_.colour_by;
        const Palette& colors = palette(true);
        add("# The picture.");
        add("figure, axes = plt.subplots(figsize=(8, 6), layout=\"constrained\")");
        add("axes.set_aspect(\"equal\")");
        add("lines = dict(edgecolors=\"" + hex_of(colors.role(Role::kPlain)) + "\", linewidths=0.4)");
        std::string paint = "facecolors=\"none\"";
        if (by && is_text_) {
            paint = "facecolors=[palette[value] for value in values]";
            std::string names;
            const Attribute& column = attribute(by->attribute);
            const CategoryClasses classes = classes_of(column);
            for (size_t k = 0; k < column.categories.size(); ++k)
                names += (k == 0 ? "" : ", ") + literal(column.categories[k]) + ": \"" +
                         hex_of(colors.category(classes.of[k])) + "\"";
            add("palette = {\"\": \"" + hex_of(colors.missing()) + "\", " + names + "}");
        } else if (by) {
            ColourScale scale = scale_ ? *scale_ : ColourScale{};
            std::string stops;
            for (const Color& stop : colors.scale_stops(scale))
                stops += (stops.empty() ? "\"" : ", \"") + hex_of(stop) + "\"";
            add("colours = LinearSegmentedColormap.from_list(\"flipscope\", [" + stops +
                "], N=" + std::to_string(scale.steps > 0 ? scale.steps : 256) + ")");
            add("colours.set_bad(\"" + hex_of(colors.missing()) + "\")");
            const bool log = scale.logarithmic && scale.low > 0;
            add(std::string("scale = ") + (log ? "LogNorm(" : "Normalize(") + format_exactly(scale.low) + ", " +
                format_exactly(scale.high) + ")");
            paint = "array=np.ma.masked_invalid(values), cmap=colours, norm=scale";
        }
        const bool of_edges = by && by->element() == ElementKind::kEdge,
                   of_triangles = by && by->element() == ElementKind::kTriangle;
        const bool discs = !scenario_.data.size_by.empty() || scenario_.display.shows(Exploration::kDataLayer, false);
        if (of_edges) {
            add("drawn = LineCollection(points[edges], array=np.ma.masked_invalid(values), cmap=colours, norm=scale, "
                "linewidths=1.2)");
        } else if (of_triangles) {
            add("drawn = PolyCollection(points[triangles], " + paint + ", **lines)");
        } else if (discs) {
            const std::string size = scenario_.data.size_by;
            add(size.empty() ? "sizes = np.ones(len(points))"
                             : "sizes = np.nan_to_num(np.maximum(columns[" + literal(size) + "], 0))");
            add("width, height = np.ptp(points, axis=0)");
            add("# Areas are proportional to the sizes; together the discs cover a fifth of the area of the points.");
            add("radius = min(np.sqrt(0.2 * width * height * sizes.max() / (np.pi * sizes.sum())), "
                "0.06 * max(width, height))");
            add("diameters = 2 * radius * np.sqrt(sizes / sizes.max())");
            add("order = np.argsort(-diameters, kind=\"stable\")  # small discs over large ones");
            if (by) add("values = values[order]");
            add("drawn = EllipseCollection(diameters[order], diameters[order], 0, units=\"xy\", "
                "offsets=points[order], offset_transform=axes.transData,\n    " +
                paint + ", edgecolors=\"white\", linewidths=0.4)");
        } else if (by) {
            add("cells = flipscope.Voronoi(points).cells(area)  # a copy of a point has none");
            add("drawn = PolyCollection([cell[0][0] if cell else points[:0] for cell in cells], " + paint +
                ", **lines)");
        } else {
            add("drawn = LineCollection(points[edges], colors=\"" + hex_of(colors.role(Role::kPlain)) +
                "\", linewidths=0.5)");
        }
        add("axes.add_collection(drawn)");
        if (!scenario_.data.select.empty()) {
            const std::string color = hex_of(colors.role(Role::kChosen));
            if (kind_ == ElementKind::kVertex)
                add("axes.plot(*points[selected].T, \"o\", markersize=3, color=\"" + color + "\")");
            else
                add("axes.add_collection(" +
                    std::string(kind_ == ElementKind::kEdge ? "LineCollection(points[edges[selected]], colors=\""
                                                            : "PolyCollection(points[triangles[selected]], "
                                                              "alpha=0.4, facecolors=\"") +
                    color + "\"))");
        } else if (!discs) {
            add("axes.plot(*points.T, \".\", markersize=2, color=\"" + hex_of(colors.text) + "\")");
        }
        if (by && !is_text_)
            add("figure.colorbar(drawn, ax=axes, shrink=0.7, label=" +
                literal(by->label() + (scale_ && !scale_->unit.empty() ? " (" + scale_->unit + ")" : "")) + ")");
        else if (by)
            add("axes.legend(handles=[plt.Line2D([], [], marker=\"o\", linestyle=\"\", color=colour, label=value)\n"
                "                      for value, colour in palette.items() if value], title=" +
                literal(by->name()) + ", fontsize=8,\n            bbox_to_anchor=(1, 1), loc=\"upper left\")");
        add("axes.autoscale_view()");
        const std::string unit = geometry_.unit.empty() ? "" : " (" + geometry_.unit + ")";
        add("axes.set(xlabel=" + literal("x" + unit) + ", ylabel=" + literal("y" + unit) + ")");
        add("if len(sys.argv) > 1:\n    figure.savefig(sys.argv[1], dpi=200)\nelse:\n    plt.show()");
    }

    const Scenario& scenario_;
    const Input& input_;
    const Geometry& geometry_;
    StudyArea area_;
    const ColourScale* scale_;
    ElementKind kind_ = ElementKind::kVertex;  // of the selection
    bool is_text_ = false;                     // the colouring is by categories
    std::string text_;
};

}  // namespace

std::string python_script(const Scenario& scenario, const Input& input, const ColourScale* scale) {
    return Script(scenario, input, scale).write();
}

}  // namespace flipscope::app
