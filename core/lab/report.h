// What a lab tells: reports, made of properties, tables, distributions, curves and diagrams, with what to highlight in
// the picture. Everything in them is a value (a number with its unit, a place, ids), not text: the panels, JSON, CSV
// and the command line write it, each with one writer for all reports, and compute nothing themselves.
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
#include <utility>
#include <variant>
#include <vector>

#include "compute/array.h"
#include "compute/view.h"
#include "geometry/point.h"
#include "lab/scene.h"

namespace flipscope {

/// One value, as it was computed. Text to be read is made of it by text_of() alone.
struct Value {
    using Pair = std::array<int64_t, 2>;
    using Content = std::variant<std::monostate, bool, int64_t, double, Point, Point3, std::string,
                                 std::vector<int64_t>, std::vector<double>, std::vector<Pair>>;
    Content content;
    std::string unit;       // "world units", "°"; or empty
    double error = 0;       // of a number: rounding has changed it by this at most; 0: nothing is said about that
    double resolution = 0;  // of a place: digits below this are rounding; 0: all digits count
    bool as_read = false;   // a number whose every digit counts, such as a coordinate of the input

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

    /// A number of which every digit counts.
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
    /// Of a number or a truth, as a double; NaN: it is neither.
    double number() const;
    friend bool operator==(const Value&, const Value&) = default;
};

/// A value as people read it, without its unit but for "°" and its like that belong to the number: "0.25", "30°",
/// "yes", "5402320.25, -3", "3, 7, 9". Empty for no value.
std::string text_of(const Value& value);
/// A unit as it stands behind this number: "pixels", but 1 "pixel"; 1 "unit of the input".
std::string unit_behind(double number, std::string unit);
/// Whether text_of() includes the unit.
bool is_short_unit(const std::string& unit);

/// A place in the units of the input, of a lattice whose own unit is `unit` long there: to a millionth of that.
Value in_input_units(Point given, Point unit);

/// Where a report leads to: another element of the same state, another place on the timeline, or another lab on the
/// same input. Exactly one of the three is set.
struct Link {
    std::string name;                                         // "triangle 88"
    Element element{ElementKind::kVertex, kNone};             // id kNone: no element
    std::optional<uint64_t> position = {};                    // passes from the start
    std::string lab = {};                                     // its id, or empty
    std::vector<std::array<std::string, 2>> parameters = {};  // of that lab: names and values
    friend bool operator==(const Link& a, const Link& b) {
        return a.name == b.name && a.element.kind == b.element.kind && a.element.id == b.element.id &&
               a.element.part == b.element.part && a.position == b.position && a.lab == b.lab &&
               a.parameters == b.parameters;
    }
};

struct Property {
    std::string name;
    Value value;
    std::string why = {};          // a sentence about the value, or empty
    std::vector<Link> links = {};  // what the value speaks of; shown in its place where it can be clicked
};
/// What stands beside the value: its unit, where that is a word, and why.
std::string remark_of(const Property& property);

struct Properties {
    std::vector<Property> list;
    void add(std::string name, Value value, std::string why = {}) {
        list.push_back({std::move(name), std::move(value), std::move(why), {}});
    }
    /// Its value is the names of the links.
    void add_links(std::string name, std::vector<Link> links, std::string why = {});
    /// A number with its unit, or with what it is a number of.
    void add_number(std::string name, std::string unit, double number) {
        add(std::move(name), Value(number, std::move(unit)));
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

/// Rows of values under headings. Rows are made when they are asked for: a table of millions takes no memory.
struct Table {
    struct Column {
        std::string name;      // "lost contacts"
        std::string sentence;  // what stands in it; or empty
        std::string key = {};  // in JSON; empty: the name
        int places = 0;  // 2, 3: its cells are places of so many coordinates, which CSV has in columns of their own
        std::string unit = {};  // of all its numbers: CSV has it in brackets behind the name; or empty
    };
    struct Row {
        std::vector<Value> cells;  // as many as there are columns; an empty one does not apply
        std::string why = {};
    };
    std::vector<Column> columns;
    size_t row_count = 0;
    std::function<Row(size_t)> row;  // valid as long as what it was made of
    bool has_reasons = false;        // rows say why: a column of its own in CSV

    static Table of(std::vector<Column> columns, std::vector<Row> rows) {
        const size_t count = rows.size();
        const bool reasons = std::any_of(rows.begin(), rows.end(), [](const Row& one) { return !one.why.empty(); });
        return {std::move(columns), count, [kept = std::move(rows)](size_t i) { return kept.at(i); }, reasons};
    }
};

/// How much lies in each of equal bins, to begin with and now; or of two different things.
struct Distribution {
    std::string name, sentence, unit;  // "minimum angles", …, "°"
    double low = 0, high = 0;          // of all bins together
    std::vector<double> before, now;   // elements, or what `counted` says; `before` may be empty
    double below = 0, above = 0;       // of `now`, what lies beyond the ends: in no bin
    bool logarithmic = false;          // to be seen on a logarithmic axis, at first
    bool rose = false;                 // bins are directions from 0 to 180°, to be drawn around a centre
    std::string before_name = "before", now_name = "now";
    std::string counted = {};  // what `before` and `now` are where they are no numbers of elements; or empty
};
/// Counts as a distribution has them.
std::vector<double> as_counts(const std::vector<uint64_t>& counts);

/// One quantity over another in this state, such as a velocity profile: a line, to be laid over those of other runs.
struct Curve {
    std::string name, sentence;           // "flow across the channel", and what it is
    std::string label;                    // what tells this run's from another's, for a legend: "φ = 0.43"; or empty
    std::string x_name, y_name;           // of the axes, with their units
    double low = 0, high = 0;             // of the x axis; equal: as far as x goes
    std::vector<double> x, y;             // equally many, x ascending
    bool logarithmic = false;             // y is to be seen on a logarithmic axis, at first
    std::string remark = {};              // what should be known of this one: over which time it is a mean; or empty
    std::optional<bool> stationary = {};  // of means over time: whether they no longer change, as the remark explains
};

/// A small drawing beside the picture: a pixel and those around it, the four cells of an event before and after.
struct Diagram {
    struct Shape {
        enum class Kind { kPolygon, kLine, kPoint } kind = Kind::kPolygon;
        std::vector<Point> corners;  // of a line two or more, of a point one
        Role role = Role::kPlain;
        uint32_t name = kNone;  // of a polygon: tinted as the cell of this name is in the picture
        std::string text;       // beside a point, in the middle of a polygon; mostly empty
    };
    std::string title, sentence;
    Point low, high;  // what to show of the plane
    std::vector<Shape> shapes;
};

struct Section {
    std::string title, sentence;  // or empty
    std::variant<Properties, Table, Distribution, Curve, Diagram> content;
};

/// Something to draw over the picture that explains a report: a circumcircle, an edge that has precedence.
struct Highlight {
    enum class Kind { kPoint, kLine, kPolygon, kCircle } kind = Kind::kLine;
    std::vector<Point3> places;  // world units; in the plane z is 0; of a circle its centre
    double radius = 0;           // of a circle, in the plane; world units
    Role role = Role::kPlain;
    std::string name;   // "circumcircle of triangle 12"
    uint32_t part = 0;  // the view that it belongs to
    enum class Style { kSolid, kThin, kDashed } style = Style::kSolid;
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
    /// Those of all its sections, in order.
    Properties properties() const;
    /// Of all its properties the first of this name; nullptr: none.
    const Property* find(const std::string& name) const;
};

/// Something that happened, to be listed, clicked through and saved: a plastic event, or the birth of a bubble.
struct Detection {
    /// One that it happened to, with its areas; NaN: it was not there, or has none.
    struct Cell {
        int64_t name = 0;
        double area_before = std::numeric_limits<double>::quiet_NaN(), area_after = area_before;
    };

    double time = 0;                // in the unit of the input, or steps of the source
    std::string kind;               // "T1", "boundary"
    Point place;                    // world units
    std::vector<int64_t> vertices;  // sites it happened to, by the names that stay the same over time
    std::vector<std::array<int64_t, 2>> lost_contacts;     // pairs of these that were linked, and are no more
    std::vector<std::array<int64_t, 2>> created_contacts;  // pairs that were not linked, and are now
    uint64_t round = 0;                                    // StepResult::round that found it
    std::optional<Point> given = {};    // the place in the units of the input, where those are others
    std::vector<double> measures = {};  // as LabInfo::detection_measures, or empty; NaN: not of its kind
    // In the units of the input, as `given`. Of contacts only where one is lost, or created; degrees from the x axis.
    std::vector<Cell> cells = {};  // where a single contact is lost and created the ends of these; or empty
    double lost_length = std::numeric_limits<double>::quiet_NaN(), lost_angle = lost_length;
    double created_length = lost_length, created_angle = lost_length;
};
/// What detections are in: "s", "nm"; empty: not known.
struct DetectionUnits {
    std::string time, length;
};

/// An array that can be saved.
struct ArrayInfo {
    std::string name;       // "colours": --export colours.npy
    std::string sentence;   // what it holds, with its shape
    bool recorded = false;  // over time, as TrajectoryExporter does: empty where nothing is recorded
};

/// What came of it, for people and for JSON.
struct Result {
    uint64_t points = 0;           // as given
    uint64_t waiting = 0;          // not inserted: not finished, or stopped
    uint64_t duplicates = 0;       // of these, equal to an earlier one and merged with it
    uint64_t unused = 0;           // of these, vertices of a given mesh that none of its triangles names
    uint64_t triangles = 0;        // finite, none with a helper vertex
    uint64_t edges = 0;            //
    uint64_t hull_edges = 0;       // on the outline of the finite triangles
    uint64_t lost_hull_edges = 0;  // edges of the convex hull that a finite supertriangle lost
    uint64_t triangulation_hash = 0;
    Properties numbers;    // what else there is to tell, of labs that make more than a triangulation
    std::string headline;  // the end in words, of labs that are about more than these counts: "left: 12 iterations"
    struct OnLattice {
        uint32_t width = 0, height = 0;
        PeriodicAxes periodic = {};
        LatticeUnits units;
    };
    std::optional<OnLattice> lattice;  // of labs that see their input on a lattice, in other units than its own
    std::string trouble;               // why the run could not go on to its end, a sentence; empty: nothing kept it
};

}  // namespace flipscope
