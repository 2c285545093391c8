// Reports of a lab: properties, tables, distributions, curves and diagrams, with highlights for the picture. Their
// contents are values (a number with its unit, a place, ids), not text: panels, JSON, CSV and the command line each
// have one writer for all reports and compute nothing themselves.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "compute/array.h"
#include "compute/view.h"
#include "geometry/point.h"
#include "lab/parameter_visitor.h"
#include "lab/scene.h"

namespace flipscope {

/// One value as it was computed. Only text_of() converts it to readable text.
struct Value {
    using Pair = std::array<int64_t, 2>;
    /// std::monostate with a destructor. The standard library of GCC 12 destroys a variant whose copy has failed,
    /// although it holds no value, unless one of the types is of this kind.
    struct Nothing {
        ~Nothing() {}
        bool operator==(const Nothing&) const { return true; }
    };
    using Content = std::variant<Nothing, bool, int64_t, double, Point, Point3, std::string, std::vector<int64_t>,
                                 std::vector<double>, std::vector<Pair>>;
    Content content;
    std::string unit;       // "world units", "°"; or empty
    double error = 0;       // of a number: bound on its rounding error; 0: not stated
    double resolution = 0;  // of a place: smaller digits are rounding errors; 0: all digits are significant
    bool as_read = false;   // a number with all digits significant, such as a coordinate of the input

    Value() = default;
    Value(const char* text) : content(std::string(text)) {}
    Value(std::string text) : content(std::move(text)) {}
    Value(Point place, std::string in = {}, double resolved = 0)
        : content(place), unit(std::move(in)), resolution(resolved) {}
    Value(Point3 place, std::string in = {}) : content(place), unit(std::move(in)) {}
    Value(std::vector<int64_t> ids) : content(std::move(ids)) {}
    Value(std::vector<Pair> pairs) : content(std::move(pairs)) {}
    Value(std::vector<double> numbers, std::string in = {}) : content(std::move(numbers)), unit(std::move(in)) {}
    template <std::same_as<bool> T>
    Value(T truth) : content(static_cast<bool>(truth)) {}
    template <std::integral T>
    requires(!std::same_as<T, bool>) Value(T whole, std::string in = {})
        : content(static_cast<int64_t>(whole)), unit(std::move(in)) {}
    template <std::floating_point T>
    Value(T number, std::string in = {}) : content(static_cast<double>(number)), unit(std::move(in)) {}

    /// A number with all digits significant.
    static Value exactly(double number, std::string in = {}) {
        Value value(number, std::move(in));
        value.as_read = true;
        return value;
    }
    /// "1 pixel", "2 pixels"
    static Value count(uint64_t many, const char* one, const char* several) {
        return {static_cast<int64_t>(many), many == 1 ? one : several};
    }
    Value within(double rounding) && {
        error = rounding;
        return std::move(*this);
    }

    bool empty() const { return content.index() == 0; }
    /// A number or a bool as a double; NaN for other values.
    double number() const;
    friend bool operator==(const Value&, const Value&) = default;
};

/// A value as readable text, without its unit except for short ones such as "°": "0.25", "30°", "yes", "5402320.25,
/// -3", "3, 7, 9". Empty for no value.
std::string text_of(const Value& value);
/// The unit in the singular or plural for this number: "pixels", but 1 "pixel"; 1 "unit of the input".
std::string unit_behind(double number, std::string unit);
/// Whether text_of() includes the unit.
bool is_short_unit(const std::string& unit);

/// A place on a lattice in the units of the input, in which the lattice's unit is `unit`: to a millionth of it.
Value in_input_units(Point given, Point unit);

/// A link from a report: to another element of the same state, to a place on the timeline, or to another lab on the
/// same input. Exactly one of the three is set.
struct Link {
    std::string name;                              // "triangle 88"
    Element element{ElementKind::kVertex, kNone};  // id kNone: no element
    std::optional<uint64_t> position = {};         // passes from the start
    std::string lab = {};                          // its id, or empty
    std::vector<Parameter> parameters = {};        // of that lab
    bool operator==(const Link&) const = default;
};

struct Property {
    std::string name;
    Value value;
    std::string why = {};          // a sentence about the value, or empty
    std::vector<Link> links = {};  // the elements named by the value; shown instead of it where they can be clicked
};
/// The text beside the value: its unit, if that is a word, and why.
std::string remark_of(const Property& property);

struct Properties {
    std::vector<Property> list;
    void add(std::string name, Value value, std::string why = {}, std::vector<Link> links = {}) {
        list.push_back({std::move(name), std::move(value), std::move(why), std::move(links)});
    }
    /// Adds a property whose value is the names of the links.
    void add_links(std::string name, std::vector<Link> links, std::string why = {});
    /// A number with its unit, or with the noun it counts.
    template <class Number>
    requires(std::is_arithmetic_v<Number>) void add_number(std::string name, std::string unit, Number number) {
        add(std::move(name), Value(static_cast<double>(number), std::move(unit)));
    }
    void append(Properties more) {
        for (Property& one : more.list) list.push_back(std::move(one));
    }
    const Property* find(const std::string& name) const;
    bool empty() const { return list.empty(); }
    size_t size() const { return list.size(); }
    auto begin() const { return list.begin(); }
    auto end() const { return list.end(); }
};

/// Rows of values under headings. Rows are generated on demand: a table of millions of rows needs no memory.
struct Table {
    struct Column {
        std::string name;       // "lost contacts"
        std::string sentence;   // its contents; or empty
        std::string key = {};   // in JSON; empty: the name
        int places = 0;         // 2, 3: cells are places with this many coordinates, which CSV splits into columns
        std::string unit = {};  // of all numbers; in brackets after the name in CSV; or empty
    };
    struct Row {
        std::vector<Value> cells;  // one per column; empty: not applicable
        std::string why = {};
    };
    std::vector<Column> columns;
    size_t row_count = 0;
    std::function<Row(size_t)> row;  // valid as long as its source
    bool has_reasons = false;        // rows have `why`, a separate column in CSV

    static Table of(std::vector<Column> columns, std::vector<Row> rows) {
        const size_t count = rows.size();
        const bool reasons = std::any_of(rows.begin(), rows.end(), [](const Row& one) { return !one.why.empty(); });
        return {std::move(columns), count, [kept = std::move(rows)](size_t i) { return kept.at(i); }, reasons};
    }
};

/// A histogram with equal bins: at the start and now, or of two different things.
struct Distribution {
    std::string name, sentence, unit;  // "minimum angles", …, "°"
    double low = 0, high = 0;          // of all bins together
    std::vector<double> before, now;   // elements, or the noun in `counted`; `before` may be empty
    double below = 0, above = 0;       // of `now`: outside all bins
    bool logarithmic = false;          // logarithmic axis by default
    bool in_decades = false;           // bins are equal in the logarithm of the number; low is above 0
    bool rose = false;                 // bins are directions from 0 to 180°, drawn around a centre
    std::string before_name = "before", now_name = "now";
    std::string counted = {};  // the noun that `before` and `now` count, if not elements; or empty

    /// Where bin i begins; the last one ends at bin now.size().
    double edge(size_t i) const;
};
/// Converts counts for a Distribution.
std::vector<double> as_counts(const std::vector<uint64_t>& counts);

/// Which axes of a plot are logarithmic.
struct LogarithmicAxes {
    bool x = false, y = false;
    friend bool operator==(const LogarithmicAxes&, const LogarithmicAxes&) = default;
};

/// One quantity over another in this state, such as a velocity profile; can be compared with curves of other runs.
struct Curve {
    std::string name, sentence;           // "flow across the channel", and what it is
    std::string label;                    // distinguishes runs in a legend: "φ = 0.43"; or empty
    std::string x_name, y_name;           // of the axes, with their units
    double low = 0, high = 0;             // of the x axis; equal: the range of x
    std::vector<double> x, y;             // equally many, x ascending
    LogarithmicAxes logarithmic = {};     // by default
    std::string remark = {};              // a caveat, such as the time of a mean; or empty
    std::optional<bool> stationary = {};  // for means over time: whether they have converged, as the remark explains
    std::vector<double> errors = {};      // standard errors of y; NaN: unknown; empty: no point has one
    std::vector<double> band_low = {}, band_high = {};  // an envelope over x; NaN: undefined; empty: none
    bool is_expectation = false;                        // of a theory: drawn dashed
};

/// A small drawing beside the picture: a pixel and those around it, the four cells of an event before and after.
struct Diagram {
    struct Shape {
        enum class Kind { kPolygon, kLine, kPoint } kind = Kind::kPolygon;
        std::vector<Point> corners;  // of a line two or more, of a point one
        Role role = Role::kPlain;
        uint32_t name = kNone;  // of a polygon: tinted as the cell of this name in the picture
        std::string text;       // beside a point, in the middle of a polygon; mostly empty
    };
    std::string title, sentence;
    Point low, high;  // visible part of the plane
    std::vector<Shape> shapes;

    void show_around(Point middle, double reach) {
        low = {middle.x - reach, middle.y - reach};
        high = {middle.x + reach, middle.y + reach};
    }
    bool shows(Point p) const { return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y; }
    void add_line(Point from, Point to, Role role) {
        shapes.push_back({Shape::Kind::kLine, {from, to}, role, kNone, {}});
    }
    void add_point(Point at, Role role, std::string text = {}) {
        shapes.push_back({Shape::Kind::kPoint, {at}, role, kNone, std::move(text)});
    }
    void add_polygon(std::vector<Point> corners, Role role, uint32_t name = kNone) {
        shapes.push_back({Shape::Kind::kPolygon, std::move(corners), role, name, {}});
    }
};

struct Section {
    std::string title, sentence;  // or empty
    std::variant<Properties, Table, Distribution, Curve, Diagram> content;
};

/// A mark over the picture that explains a report: a circumcircle, an edge that has precedence.
struct Highlight {
    enum class Kind { kPoint, kLine, kPolygon, kCircle } kind = Kind::kLine;
    std::vector<Point3> places;  // world units; in the plane z is 0; of a circle its centre
    double radius = 0;           // of a circle, in the plane; world units
    Role role = Role::kPlain;
    std::string name;   // "circumcircle of triangle 12"
    uint32_t part = 0;  // index of the view
    enum class Style { kSolid, kThin, kDashed } style = Style::kSolid;

    static Highlight point(Point3 place, Role role, std::string name) {
        return {Kind::kPoint, {place}, 0, role, std::move(name)};
    }
    static Highlight line(Point3 from, Point3 to, Role role, std::string name, Style style = Style::kSolid) {
        return {Kind::kLine, {from, to}, 0, role, std::move(name), 0, style};
    }
    static Highlight polygon(std::vector<Point3> corners, Role role, std::string name, Style style = Style::kSolid) {
        return {Kind::kPolygon, std::move(corners), 0, role, std::move(name), 0, style};
    }
};

struct Report {
    std::vector<Section> sections;
    std::vector<Highlight> highlights;

    bool empty() const { return sections.empty(); }
    void add(Properties properties) {
        if (!properties.empty()) sections.push_back({{}, {}, std::move(properties)});
    }
    void add(std::string title, std::string sentence, Properties properties) {
        if (!properties.empty()) sections.push_back({std::move(title), std::move(sentence), std::move(properties)});
    }
    void add(std::string title, std::string sentence, Table table) {
        sections.push_back({std::move(title), std::move(sentence), std::move(table)});
    }
    void add(Distribution distribution) {
        sections.push_back({distribution.name, distribution.sentence, std::move(distribution)});
    }
    void add(Curve curve) { sections.push_back({curve.name, curve.sentence, std::move(curve)}); }
    void add(std::vector<Diagram> diagrams) {
        for (Diagram& one : diagrams) sections.push_back({one.title, one.sentence, std::move(one)});
    }
    /// All contents of one kind, in order.
    template <class Content>
    std::vector<Content> all() const {
        std::vector<Content> found;
        for (const Section& section : sections)
            if (const auto* content = std::get_if<Content>(&section.content)) found.push_back(*content);
        return found;
    }
    template <class Content>
    bool has() const {
        for (const Section& section : sections)
            if (std::holds_alternative<Content>(section.content)) return true;
        return false;
    }
    /// The properties of all sections, in order.
    Properties properties() const;
    /// The first property of this name; nullptr: none.
    const Property* find(const std::string& name) const;
};

/// An occurrence to be listed, shown and saved: a plastic event, or the birth of a bubble.
struct Detection {
    /// A cell involved, with its areas; NaN: absent, or without an area.
    struct Cell {
        int64_t name = 0;
        double area_before = std::numeric_limits<double>::quiet_NaN(), area_after = area_before;
    };

    double time = 0;                                       // in the unit of the input, or steps of the source
    std::string kind;                                      // "T1", "boundary"
    Point place;                                           // world units
    std::vector<int64_t> vertices;                         // sites involved, by their permanent names
    std::vector<std::array<int64_t, 2>> lost_contacts;     // pairs of these that lost their link
    std::vector<std::array<int64_t, 2>> created_contacts;  // pairs that gained a link
    uint64_t round = 0;                                    // StepResult::round that found it
    std::optional<Point> given = {};                       // the place in the units of the input, if they differ
    std::vector<double> measures = {};  // as LabInfo::detection_measures, or empty; NaN: not applicable
    // In the units of the input, as `given`. Lengths and angles only for a single lost or created contact; degrees from
    // the x axis.
    std::vector<Cell> cells = {};  // for a single lost and created contact: their ends; or empty
    double lost_length = std::numeric_limits<double>::quiet_NaN(), lost_angle = lost_length;
    double created_length = lost_length, created_angle = lost_length;
};
/// Units of detections: "s", "nm"; empty: unknown.
struct DetectionUnits {
    std::string time, length;
};

/// An array that can be saved.
struct ArrayInfo {
    std::string name;       // "colours": --export colours.npy
    std::string sentence;   // contents and shape
    bool recorded = false;  // recorded over time (TrajectoryExporter): empty if nothing is recorded
};

/// The result of a run, for display and JSON.
struct Result {
    uint64_t points = 0;           // as given
    uint64_t waiting = 0;          // not inserted: unfinished or stopped
    uint64_t duplicates = 0;       // of `points`: equal to an earlier one and merged with it
    uint64_t unused = 0;           // of `points`: vertices of a given mesh that no triangle uses
    uint64_t triangles = 0;        // finite, without helper vertices
    uint64_t edges = 0;            //
    uint64_t hull_edges = 0;       // on the outline of the finite triangles
    uint64_t lost_hull_edges = 0;  // edges of the convex hull that a finite supertriangle lost
    uint64_t triangulation_hash = 0;
    Properties numbers;    // further results, of labs that make more than a triangulation
    std::string headline;  // the outcome in words, of labs with other results: "left: 12 iterations"
    struct OnLattice {
        uint32_t width = 0, height = 0;
        PeriodicAxes periodic = {};
        LatticeUnits units;
    };
    std::optional<OnLattice> lattice;  // of labs that convert their input to a lattice with other units
    std::string trouble;               // why the run could not be completed, a sentence; or empty
};

}  // namespace flipscope
