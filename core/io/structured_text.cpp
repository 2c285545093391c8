#include "io/structured_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "io/features.h"
#include "io/literals.h"
#include "io/parse.h"
#include "io/table_roles.h"
#include "io/wkt.h"

namespace flipscope::io {
namespace {

using Kind = Literals::Kind;
constexpr size_t kNoLiteral = Literals::kNone;

constexpr std::string_view kShapes[] = {
    "Point",        "MultiPoint",         "LineString", "MultiLineString",  "Polygon",
    "MultiPolygon", "GeometryCollection", "Feature",    "FeatureCollection"};
constexpr std::string_view kPlaceWords[] = {"pos",      "position", "location", "loc",      "coordinates",
                                            "coords",   "center",   "centre",   "centroid", "point",
                                            "geometry", "xy",       "xyz",      "lonlat",   "lnglat"};
/// Members of an object that probably are its points, and those that are not.
constexpr std::string_view kPointWords[] = {"points",  "sites",     "vertices",  "nodes", "positions", "coordinates",
                                            "coords",  "places",    "features",  "data",  "seeds",     "centers",
                                            "centres", "centroids", "landmarks", "pts",   "xy",        "pos"};
constexpr std::string_view kTriangleWords[] = {"triangles", "simplices", "faces", "cells", "elements"};
constexpr std::string_view kOtherWords[] = {"triangles", "simplices", "faces",   "cells",     "edges",   "links",
                                            "indices",   "colors",    "colours", "bbox",      "bounds",  "extent",
                                            "layout",    "style",     "size",    "neighbors", "segments"};

/// A name's words: "Location_Center_X [µm]" has location, center and x.
bool has_word(const std::string& name, const auto& known) {
    const std::string plain = lower_case(name.substr(0, name.find_first_of("[(")));
    for (size_t begin = 0; begin < plain.size();) {
        size_t end = begin;
        while (end < plain.size() && (is_name_letter(plain[end]) || is_decimal_digit(plain[end])) && plain[end] != '_')
            ++end;
        if (is_among(std::string_view(plain).substr(begin, end - begin), known)) return true;
        begin = end + 1;
    }
    return false;
}

class Interpreter {
  public:
    Interpreter(const InputFile& file, const Literals& values, Features& out)
        : file_(file), path_(file.path.string()), in_(values), out_(out) {}

    void read_cell() {
        const size_t value = first_of(0);
        if (value == kNoLiteral || !is_geojson(value)) fail(0, "expected a geometry of GeoJSON");
        const size_t shape = shape_of(value) == "Feature" ? member(value, "geometry") : value;
        if (shape != kNoLiteral && !in_.is(shape, Kind::kMissing)) read_shape(shape, 0);
    }

    std::vector<std::array<uint32_t, 3>> read_triangles() {
        size_t list = outermost();
        const auto is_list_of_lists = [&](size_t value) {
            return in_.is_list(value) && first_of(value) != kNoLiteral && in_.is_list(first_of(value));
        };
        if (in_.is_map(list)) {
            size_t found = kNoLiteral, only = kNoLiteral, lists = 0;
            in_.each(list, [&](size_t name, size_t value) {
                if (!is_list_of_lists(value)) return;
                only = value;
                ++lists;
                if (found == kNoLiteral && is_among(lower_case(in_.text(name)), kTriangleWords)) found = value;
            });
            list = found != kNoLiteral ? found : lists == 1 ? only : kNoLiteral;
        }
        if (list == kNoLiteral || !is_list_of_lists(list))
            throw Error(path_ + ": expected lists of three indices of points, as in [[0, 1, 2], [2, 1, 3]]");
        return triangles_in(list, [&](size_t corner, double index) {
            if (!(index == std::floor(index))) fail(corner, "expected the index of a point, a whole number");
            return index_or_none(index);
        });
    }

    Geometry read() {
        const size_t all = outermost();
        if (!read_value(all, 0)) refuse(all);
        std::string unused;
        for (size_t i = 0; i < std::min(unused_.size(), kMostUnused); ++i)
            unused += (i ? ", " : "") + excerpt(unused_[i]);
        if (!unused.empty()) out_.say("not used: " + unused + (unused_.size() > kMostUnused ? ", …" : ""));
        const bool from_one = triangles_ != kNoLiteral && count_from_one();
        if (from_one) out_.say("triangles count points from 1");
        Geometry geometry = out_.finish();
        if (triangles_ != kNoLiteral && !geometry.rows.empty())
            fail(triangles_, "triangles name points by their order, and some of these have no coordinates");
        if (triangles_ != kNoLiteral) geometry.triangles = triangles(geometry.points.size(), from_one);
        return geometry;
    }

  private:
    /// A value of one row, under its name.
    struct Field {
        std::string name;
        size_t value;  // kNoLiteral: the row has none
    };
    using Row = std::vector<Field>;

    /// The only list of the text, or its contents.
    size_t outermost() const {
        size_t count = 0, only = kNoLiteral;
        in_.each(0, [&](size_t name, size_t value) {
            ++count;
            only = name == kNoLiteral ? value : kNoLiteral;
        });
        return count == 1 && only != kNoLiteral && in_.is(only, Kind::kList) ? only : 0;
    }

    [[noreturn]] void fail(size_t at, const std::string& what) const { throw Error(in_.where(at) + what); }

    [[noreturn]] void refuse(size_t all) {
        if (!unfound_.empty()) throw Error(unfound_);
        if (is_a(member(all, "points"), Kind::kText))
            throw Error(path_ + ": names points as a scenario does, and holds none; flipscope run " + path_ +
                        " starts a scenario");
        throw Error(path_ +
                    ": no points found: expected pairs as in [[1, 2], [3, 4]], objects with x and y, arrays x "
                    "and y, or GeoJSON");
    }

    /// Whether no corner of a triangle is 0, and the highest is the number of points.
    bool count_from_one() const {
        double least = 1, most = 0;
        in_.each(triangles_, [&](size_t, size_t corners) {
            if (!in_.is_list(corners)) return;
            in_.each(corners, [&](size_t, size_t corner) {
                least = std::min(least, number_of(corner).value_or(NAN));
                most = std::max(most, number_of(corner).value_or(NAN));
            });
        });
        return least >= 1 && most == static_cast<double>(out_.point_count());
    }

    /// `index_of(corner, number)` returns the point of a corner, or throws.
    template <class IndexOf>
    std::vector<std::array<uint32_t, 3>> triangles_in(size_t list, const IndexOf& index_of) const {
        std::vector<std::array<uint32_t, 3>> found;
        in_.each(list, [&](size_t, size_t corners) {
            if (!in_.is_list(corners) || length(corners) != 3) fail(corners, "expected three indices of points");
            size_t k = 0;
            found.emplace_back();
            in_.each(corners, [&](size_t, size_t corner) {
                found.back()[k++] = index_of(corner, number_of(corner).value_or(NAN));
            });
        });
        return found;
    }

    std::vector<std::array<uint32_t, 3>> triangles(size_t points, bool from_one) const {
        return triangles_in(triangles_, [&](size_t corner, double written) {
            const double index = written - (from_one ? 1 : 0);
            if (!(index >= 0 && index < static_cast<double>(points) && index == std::floor(index)))
                fail(corner, "expected the index of a point, a whole number below " + std::to_string(points));
            return static_cast<uint32_t>(index);
        });
    }

    bool is_a(size_t value, Kind kind) const { return value != kNoLiteral && in_.is(value, kind); }

    /// The value of this name in a map, or kNoLiteral.
    size_t member(size_t map, std::string_view name) const {
        if (!is_a(map, Kind::kList)) return kNoLiteral;
        return in_.find(map, [&](size_t key, size_t) { return key != kNoLiteral && in_.written(key) == name; });
    }

    size_t length(size_t list) const {
        size_t count = 0;
        in_.each(list, [&](size_t, size_t) { ++count; });
        return count;
    }

    /// The value as a number, also from a text; NaN: missing. nullopt: anything else.
    std::optional<double> number_of(size_t value) const {
        if (value == kNoLiteral || in_.is(value, Kind::kMissing)) return NAN;
        if (in_.is(value, Kind::kNumber)) return in_.number(value);
        if (in_.is(value, Kind::kList) && in_.end(value) == value + 2) return number_of(value + 1);  // [7]
        if (!in_.is(value, Kind::kText)) return std::nullopt;
        std::string text = in_.text(value);
        while (!text.empty() && is_white(text.back())) text.pop_back();
        if (text.empty() || text == "NA" || text == "nan" || text == "NaN") return NAN;
        if (const std::optional<double> hex = hexadecimal(text)) return std::isfinite(*hex) ? hex : std::nullopt;
        return io::number_of(text);
    }

    bool is_scalar(size_t value) const { return !in_.is(value, Kind::kList); }
    bool is_numeric(size_t value) const { return in_.is(value, Kind::kNumber) || in_.is(value, Kind::kMissing); }

    double coordinate(size_t value, const char* axis) const {
        if (const std::optional<double> number = number_of(value)) return *number;
        fail(value, std::string("expected a number for ") + axis + ", found " +
                        (is_scalar(value) ? in_.is(value, Kind::kTruth) ? "true or false" : excerpt(in_.text(value))
                                          : "a list"));
    }

    void set_property(const std::string& name, size_t value) {
        if (in_.is(value, Kind::kNumber) || in_.is(value, Kind::kTruth))
            out_.set(name, in_.number(value));
        else if (in_.is(value, Kind::kText))
            out_.set_text(name, in_.text(value));
        else if (in_.is(value, Kind::kList))
            out_.leave_out(name);
    }

    /// The type in GeoJSON; empty: none.
    std::string_view shape_of(size_t value) const {
        const size_t type = in_.is_map(value) ? member(value, "type") : kNoLiteral;
        return is_a(type, Kind::kText) ? in_.written(type) : std::string_view();
    }
    bool is_geojson(size_t value) const {
        const std::string_view shape = shape_of(value);
        return is_among(shape, kShapes) && std::ranges::any_of(kShapeMembers, [&](std::string_view name) {
                   return member(value, name) != kNoLiteral;
               });
    }
    static constexpr std::string_view kShapeMembers[] = {"coordinates", "geometry", "geometries", "features"};

    void read_geojson(size_t value) {
        at_ = value;
        if (shape_of(value) == "FeatureCollection") {
            const size_t features = member(value, "features");
            if (features == kNoLiteral || !in_.is_list(features)) fail(value, "expected an array \"features\"");
            in_.each(features, [&](size_t, size_t feature) { read_feature(feature); });
        } else {
            read_feature(value);
        }
        const size_t crs = member(value, "crs");
        bool degrees = true;
        if (is_a(crs, Kind::kList)) {
            const size_t name = member(member(crs, "properties"), "name");
            const std::string system = is_a(name, Kind::kText) ? in_.text(name) : "";
            degrees = system.find("CRS84") != system.npos || system.ends_with("4326");
        }
        out_.set_degrees(degrees);
    }

    void read_feature(size_t value) {
        out_.begin();
        if (in_.is(value, Kind::kMissing)) return;
        const std::string_view shape = shape_of(value);
        if (!in_.is(value, Kind::kList) || !is_among(shape, kShapes))
            fail(value, "expected a Feature or a geometry of GeoJSON" +
                            (shape.empty() ? "" : ", found the type " + excerpt(shape)));
        if (shape != "Feature") return read_shape(value, 0);
        if (const size_t id = member(value, "id"); id != kNoLiteral && is_scalar(id)) set_property("id", id);
        if (const size_t properties = member(value, "properties"); is_a(properties, Kind::kList))
            in_.each(properties, [&](size_t name, size_t property) {
                if (name != kNoLiteral) set_property(in_.text(name), property);
            });
        const size_t geometry = member(value, "geometry");
        if (geometry != kNoLiteral && !in_.is(geometry, Kind::kMissing)) read_shape(geometry, 0);
    }

    void read_shape(size_t value, int depth) {
        at_ = value;
        const std::string_view shape = shape_of(value);
        if (shape == "GeometryCollection") {
            const size_t members = member(value, "geometries");
            if (members == kNoLiteral || !in_.is_list(members)) fail(value, "expected an array \"geometries\"");
            return in_.each(members, [&](size_t, size_t part) { read_shape(part, depth + 1); });
        }
        const size_t places = member(value, "coordinates");
        if (places == kNoLiteral) fail(value, "expected a geometry of GeoJSON with \"coordinates\"");
        if (!in_.is_list(places)) fail(places, "expected an array of coordinates for the type " + excerpt(shape));
        const auto each = [&](size_t list, const auto& read) {
            if (!in_.is_list(list)) fail(list, "expected an array of coordinates in the " + std::string(shape));
            in_.each(list, [&](size_t, size_t item) { read(item); });
        };
        const auto line = [&](size_t list) {
            out_.begin_line();
            each(list, [&](size_t item) { out_.add_line_vertex(position(item), where_); });
        };
        const auto polygon = [&](size_t list) {
            each(list, [&](size_t ring) {
                out_.begin_ring();
                each(ring, [&](size_t item) { out_.add_ring_vertex(position(item), where_); });
                out_.end_ring();
            });
        };
        if (shape == "Point") {
            if (in_.end(places) != places + 1) out_.add_point(position(places), where_);  // [] is empty
        } else if (shape == "MultiPoint") {
            each(places, [&](size_t item) { out_.add_point(position(item), where_); });
        } else if (shape == "LineString") {
            line(places);
        } else if (shape == "MultiLineString") {
            each(places, line);
        } else if (shape == "Polygon" || shape == "MultiPolygon") {
            if (in_.end(places) == places + 1) return;
            out_.begin_area();
            shape == "Polygon" ? polygon(places) : each(places, polygon);
        } else {
            fail(value, "expected a geometry of GeoJSON, found the type " + excerpt(shape));
        }
    }

    Position position(size_t value) {
        at_ = value;
        if (in_.is(value, Kind::kMissing)) return {};
        if (!in_.is_list(value)) fail(value, "expected coordinates such as [1, 2]");
        Position place;
        int axis = 0;
        in_.each(value, [&](size_t, size_t item) {
            if (axis < 3) (axis == 0 ? place.x : axis == 1 ? place.y : place.z) = coordinate(item, kAxes[axis]);
            ++axis;
        });
        if (axis < 2) fail(value, "expected two coordinates, found " + std::to_string(axis));
        return place;
    }
    static constexpr const char* kAxes[] = {"x", "y", "z"};

    /// The fields of an object; members of a nested place become "pos.x".
    void flatten(size_t map, const std::string& before, int depth, Row& row) const {
        in_.each(map, [&](size_t key, size_t value) {
            if (key == kNoLiteral) return;
            const std::string name = before + in_.text(key);
            if (depth < kDeepestField && in_.is_map(value)) return flatten(value, name + ".", depth + 1, row);
            const size_t count = depth < kDeepestField && in_.is_list(value) && in_.end(value) - value <= 4
                                     ? in_.end(value) - value - 1
                                     : 0;  // tokens: two or three numbers
            const std::string key_text = lower_case(in_.text(key));
            const bool swapped = key_text == "latlng" || key_text == "latlon" || key_text == "lat_lng";
            const bool is_place = (count == 2 || count == 3) && is_numeric(value + 1) && is_numeric(value + 2) &&
                                  (swapped || has_word(key_text, kPlaceWords));
            if (!is_place) return row.push_back({name, value});
            for (size_t i = 0; i < count; ++i)
                row.push_back({name + (swapped && i < 2 ? (i == 0 ? ".lat" : ".lng") : std::string(".") + kAxes[i]),
                               value + 1 + i});
        });
    }
    static constexpr int kDeepestField = 3;

    /// The names of a row's fields, and whether they have texts that are not numbers.
    struct Names {
        std::vector<std::string> all;
        std::vector<bool> is_text;
    };

    /// The roles of columns.
    struct Columns {
        std::string x, y, name = {};  // empty: none
        std::string unit = {};        // of x and y; empty: unknown
        bool degrees = false;
    };

    TableRoles roles_in(const Names& names) const {
        constexpr ColumnRole kOfRows[] = {ColumnRole::kX, ColumnRole::kY, ColumnRole::kName};
        std::vector<HeaderName> headers;
        for (const std::string& name : names.all) headers.push_back(header_name(name));
        TableRoles roles = roles_of(headers, names.is_text, true);
        roles.name.reset();
        choose_roles(roles, headers, file_.options, path_, kOfRows);
        return roles;
    }

    /// From the names of the first rows. nullopt: no two of them are x and y.
    std::optional<Columns> columns_of(const Names& names) const {
        TableRoles roles;
        try {
            roles = roles_in(names);
        } catch (const Error& error) {
            if (unfound_.empty()) unfound_ = error.what();
            return std::nullopt;
        }
        if (!roles.x || !roles.y || roles.x == roles.y) return std::nullopt;
        Columns found{names.all[*roles.x], names.all[*roles.y]};
        found.unit = unit_of(roles);
        found.degrees = roles.degrees;
        if (roles.name) found.name = names.all[*roles.name];
        for (const std::string& name : names.all)
            if (found.name.empty() && lower_case(name) == "name") found.name = name;
        for (const std::string& name : names.all)  // "tags.name"
            if (found.name.empty() && lower_case(name).ends_with(".name")) found.name = name;
        return found;
    }

    void say_columns(const Columns& columns) {
        if (columns.x != "x" || columns.y != "y")
            out_.say("x from " + excerpt(columns.x) + ", y from " + excerpt(columns.y));
        columns.degrees ? out_.set_degrees(true) : out_.set_unit(columns.unit);
    }

    void add_row(const Columns& columns, const Row& row) {
        out_.begin();
        Position place;
        for (const Field& field : row) {
            if (field.value == kNoLiteral) continue;
            if (field.name == columns.x) {
                at_ = field.value;
                place.x = coordinate(field.value, "x");
            } else if (field.name == columns.y) {
                place.y = coordinate(field.value, "y");
            } else if (field.name == columns.name && in_.is(field.value, Kind::kText)) {
                out_.set_name(in_.text(field.value));
            } else if (is_scalar(field.value)) {
                set_property(field.name, field.value);
            } else {
                out_.leave_out(field.name);
            }
        }
        out_.add_point(place, where_);
    }

    bool is_text(size_t value) const { return in_.is(value, Kind::kText) && !number_of(value); }

    void gather(const Row& row, Names& names) const {
        for (const Field& field : row) {
            if (names.all.size() >= kMostNames) return;
            if (std::ranges::find(names.all, field.name) != names.all.end()) continue;
            names.all.push_back(field.name);
            names.is_text.push_back(is_text(field.value));
        }
    }
    static constexpr size_t kMostNames = 200, kRowsForNames = 20;

    /// From the names of a single object; `row` receives its fields.
    std::optional<Columns> columns_of_map(size_t map, Row& row) const {
        Names names;
        flatten(map, "", 0, row);
        gather(row, names);
        return columns_of(names);
    }

    /// Reads objects with x and y. False: there are none.
    bool read_objects(size_t list, bool keys_are_names) {
        Names names;
        size_t count = 0, first = kNoLiteral;
        bool all_maps = true;
        Row row;
        in_.each(list, [&](size_t, size_t value) {
            all_maps = all_maps && (in_.is_map(value) || in_.is(value, Kind::kMissing));
            if (!all_maps || !in_.is_map(value) || ++count > kRowsForNames) return;
            if (first == kNoLiteral) first = value;
            row.clear();
            flatten(value, "", 0, row);
            gather(row, names);
        });
        const std::optional<Columns> columns = columns_of(names);
        if (!columns || (!all_maps && keys_are_names)) return false;
        row.clear();
        flatten(first, "", 0, row);
        for (const Field& field : row)
            if (field.name == columns->x && !is_scalar(field.value) && !number_of(field.value)) return false;  // arrays
        size_t index = 0;
        in_.each(list, [&](size_t key, size_t value) {
            if (!in_.is_map(value) && !in_.is(value, Kind::kMissing)) fail(value, "expected an object with x and y");
            row.clear();
            if (in_.is_map(value)) flatten(value, "", 0, row);
            add_row(*columns, row);
            if (keys_are_names && key != kNoLiteral && in_.text(key) != std::to_string(index))
                out_.set_name(in_.text(key));
            ++index;
        });
        say_columns(*columns);
        return true;
    }

    /// Reads an object of arrays, or of objects with the same names, as written by pandas.
    bool read_columns(size_t map) {
        Names found;
        std::vector<std::string>& names = found.all;
        std::vector<size_t> at, end;
        std::vector<std::pair<std::string, size_t>> others;  // not columns
        size_t rows = 0;
        in_.each(map, [&](size_t key, size_t value) {
            if (key == kNoLiteral || !in_.is(value, Kind::kList) || names.size() == kMostNames) return;
            const size_t first = value + 1;
            const size_t item = in_.is_map(value) ? first + 1 : first;
            if (first < in_.end(value) && !is_scalar(item) && !number_of(first)) {
                others.emplace_back(in_.text(key), value);
                return;
            }
            names.push_back(in_.text(key));
            found.is_text.push_back(first < in_.end(value) && is_text(item));
            at.push_back(first);
            end.push_back(in_.end(value));
        });
        const std::optional<Columns> columns = columns_of(found);
        if (!columns) return false;
        for (const auto& [name, list] : others) pass_over(name, list);
        const auto column = [&](const std::string& name) {
            return static_cast<size_t>(std::ranges::find(names, name) - names.begin());
        };
        const size_t x = column(columns->x), y = column(columns->y);
        rows = length(at[x] - 1);
        if (length(at[y] - 1) != rows)
            fail(at[x] - 1, excerpt(columns->x) + " has " + std::to_string(rows) + " values, and " +
                                excerpt(columns->y) + " has " + std::to_string(length(at[y] - 1)));
        for (size_t k = 0; k < names.size(); ++k) {
            if (length(at[k] - 1) == rows) continue;
            out_.leave_out(names[k]);
            end[k] = at[k];
        }
        Row row(names.size());
        for (size_t k = 0; k < names.size(); ++k) row[k].name = names[k];
        for (size_t i = 0; i < rows; ++i) {
            for (size_t k = 0; k < names.size(); ++k) {
                row[k].value = kNoLiteral;
                if (at[k] >= end[k]) continue;
                if (in_.is(at[k], Kind::kName)) ++at[k];
                row[k].value = at[k];
                at[k] = in_.end(at[k]);
            }
            add_row(*columns, row);
        }
        say_columns(*columns);
        return true;
    }

    /// Reads lists of numbers and texts, one per point, of the same length. `header`: a list of their names, or
    /// kNoLiteral: then a first row with only texts is the header.
    bool read_lists(size_t list, size_t header) {
        size_t first = kNoLiteral, width = 0, count = 0;
        std::vector<bool> numeric, numeric_at_first;  // columns
        bool from_zero = true, from_one = true;       // the first numbers count rows
        std::vector<std::string> names;
        const auto read_names = [&](size_t row) {
            in_.each(row,
                     [&](size_t, size_t item) { names.push_back(in_.is(item, Kind::kText) ? in_.text(item) : ""); });
        };
        if (header != kNoLiteral) read_names(header);
        in_.each(list, [&](size_t, size_t row) {
            if (in_.is(row, Kind::kMissing)) return;
            if (!in_.is_list(row)) fail(row, "expected a list of coordinates such as [1, 2]");
            std::vector<bool> is_number;
            bool texts_alone = true;
            in_.each(row, [&](size_t, size_t item) {
                is_number.push_back(number_of(item).has_value());
                texts_alone = texts_alone && in_.is(item, Kind::kText) && !is_number.back();
            });
            if (first == kNoLiteral) {
                first = row;
                width = is_number.size();
                if (texts_alone && header == kNoLiteral) return read_names(row);
            } else if (is_number.size() != width) {
                fail(row, "expected a list of " + std::to_string(width) + " as the first one, found " +
                              std::to_string(is_number.size()));
            }
            if (numeric.empty()) numeric = is_number;
            if (numeric_at_first.empty()) numeric_at_first = is_number;
            for (size_t k = 0; k < width; ++k) numeric[k] = numeric[k] && is_number[k];
            const double index = width > 0 && is_number[0] ? number_of(row + 1).value_or(NAN) : NAN;
            from_zero = from_zero && index == static_cast<double>(count);
            from_one = from_one && index == static_cast<double>(count + 1);
            ++count;
        });
        if (count == 0) return false;
        const bool has_header = header == kNoLiteral && !names.empty();
        names.resize(width);
        Names known{names, numeric};
        known.is_text.flip();
        const TableRoles roles = roles_in(known);
        size_t x = roles.x.value_or(kNoLiteral), y = roles.y.value_or(kNoLiteral), index = kNoLiteral;
        if (x == kNoLiteral || y == kNoLiteral || x == y) {
            if (width > 2 && count > 2 && (from_zero || from_one) && x != 0 && y != 0) index = 0;
            for (size_t k = 0; k < width; ++k) {
                if (!numeric_at_first[k] || k == index || k == x || k == y) continue;
                if (x == kNoLiteral)
                    x = k;
                else if (y == kNoLiteral)
                    y = k;
            }
            if (y == kNoLiteral && width < 2) return false;
            if (y == kNoLiteral) fail(first, "expected two numbers in each list");
        }
        if (width > 4 && count == 2 && !has_header && header == kNoLiteral) return read_transposed(list);
        std::vector<size_t> texts;
        for (size_t k = 0; k < width; ++k)
            if (!numeric[k] && k != x && k != y) texts.push_back(k);
        const bool named = texts.size() == 1 && (names[texts[0]].empty() || lower_case(names[texts[0]]) == "name");
        const size_t name = roles.name.value_or(named ? texts[0] : kNoLiteral);
        for (size_t k = 0; k < width; ++k)
            if (names[k].empty())
                names[k] =
                    k > y && y == x + 1 && k == y + 1 && k + 1 == width ? "z" : "column " + std::to_string(k + 1);
        const Columns columns{names[x], names[y], name == kNoLiteral ? "" : names[name], unit_of(roles), roles.degrees};
        Row row;
        in_.each(list, [&](size_t, size_t value) {
            if (has_header && value == first) return;
            row.clear();
            size_t k = 0;
            if (in_.is(value, Kind::kList))
                in_.each(value, [&](size_t, size_t item) {
                    if (k != index) row.push_back({names[k], item});
                    ++k;
                });
            add_row(columns, row);
        });
        if (has_header || header != kNoLiteral)
            say_columns(columns);
        else if (index != kNoLiteral)
            out_.say("the first numbers of " + std::to_string(width) + " count rows: x and y are the next two");
        else if (x != 0 || y != 1)
            out_.say("x from " + columns.x + ", y from " + columns.y);
        return true;
    }

    /// Reads two lists of the same length: all x, then all y.
    bool read_transposed(size_t list) {
        size_t lists[2] = {kNoLiteral, kNoLiteral}, found = 0;
        in_.each(list, [&](size_t, size_t row) {
            if (!in_.is(row, Kind::kMissing)) lists[found++] = row;  // null does not count as a list
        });
        size_t y = lists[1] + 1;
        in_.each(lists[0], [&](size_t, size_t item) {
            out_.begin();
            at_ = item;
            out_.add_point({coordinate(item, "x"), coordinate(y, "y")}, where_);
            y = in_.end(y);
        });
        out_.say("the first list is x, the second is y");
        return true;
    }

    /// Reads one list: x, y, x, y …
    bool read_flat(size_t list) {
        const size_t count = length(list);
        if (count < 2) return false;
        if (count % 2 != 0) fail(list, "has " + std::to_string(count) + " numbers, an odd count: the last x has no y");
        double x = NAN;
        bool second = false;
        in_.each(list, [&](size_t, size_t item) {
            if (second) {
                out_.begin();
                at_ = item;
                out_.add_point({x, coordinate(item, "y")}, where_);
            } else {
                x = coordinate(item, "x");
            }
            second = !second;
        });
        if (count > 2) out_.say("one list of " + std::to_string(count) + " numbers, taken as x, y, x, y …");
        return true;
    }

    size_t first_of(size_t list) const {
        return in_.find(list, [&](size_t, size_t value) { return !in_.is(value, Kind::kMissing); });
    }

    /// Whether a value looks like points; it may still be unreadable.
    bool may_be_points(size_t value, int depth) const {
        if (!in_.is(value, Kind::kList) || depth > kDeepestPoints) return false;
        if (in_.is_map(value)) {
            Row row;
            return is_geojson(value) || columns_of_map(value, row);
        }
        const size_t first = first_of(value);
        if (first == kNoLiteral || !in_.is(first, Kind::kList)) return false;
        if (in_.is_list(first) && in_.end(first) > first + 2 && is_scalar(first + 1)) return true;
        return may_be_points(first, depth + 1);
    }
    static constexpr int kDeepestPoints = 8;

    bool read_map(size_t map, int depth) {
        if (is_geojson(map)) return read_geojson(map), true;
        if (shape_of(map) == "Topology")
            throw Error(path_ + ": is TopoJSON; convert it to GeoJSON (topo2geo of topojson-client, or ogr2ogr)");
        if (const size_t data = member(map, "data"); data != kNoLiteral && in_.is_list(data)) {
            const size_t columns = member(map, "columns");  // of pandas
            if (columns != kNoLiteral && in_.is_list(columns) && first_of(data) != kNoLiteral &&
                in_.is_list(first_of(data)))
                return read_lists(data, columns);
        }
        if (read_columns(map)) return true;
        if (read_objects(map, true)) return true;
        // Points with names, as in a dictionary of places.
        bool all_places = true;
        in_.each(map, [&](size_t key, size_t value) {
            all_places = all_places && key != kNoLiteral && in_.is_list(value) && in_.end(value) - value >= 3 &&
                         in_.end(value) - value <= 4 && is_numeric(value + 1) && is_numeric(value + 2) &&
                         !is_among(lower_case(in_.text(key)), kPointWords) &&
                         !is_among(lower_case(in_.text(key)), kPlaceWords);
        });
        if (all_places) {
            size_t index = 0;
            in_.each(map, [&](size_t key, size_t value) {
                out_.begin();
                if (in_.text(key) != std::to_string(index++)) out_.set_name(in_.text(key));
                out_.add_point(position(value), where_);
            });
            return true;
        }
        return read_record(map) || read_member(map, depth);
    }

    /// Reads one point: x and y are numbers.
    bool read_record(size_t map) {
        Row row;
        const std::optional<Columns> columns = columns_of_map(map, row);
        if (!columns) return false;
        for (const Field& field : row)
            if ((field.name == columns->x || field.name == columns->y) && !number_of(field.value)) return false;
        add_row(*columns, row);
        say_columns(*columns);
        return true;
    }

    /// Handles another member: triangles over the points, or unused.
    void pass_over(const std::string& name, size_t list) {
        const size_t corners = in_.is_list(list) ? first_of(list) : kNoLiteral;
        const bool fits = corners != kNoLiteral && in_.is_list(corners) && in_.end(corners) == corners + 4;
        if (fits && triangles_ == kNoLiteral && is_among(lower_case(name), kTriangleWords))
            triangles_ = list;
        else if (unused_.size() <= kMostUnused)
            unused_.push_back(name);
    }

    /// Finds the points among the members of an object.
    bool read_member(size_t map, int depth) {
        if (depth > kDeepestPoints) return false;
        struct Member {
            size_t rank, value;  // 0: the best
            std::string name;
        };
        std::vector<Member> members;
        size_t count = 0;
        in_.each(map, [&](size_t key, size_t value) {
            if (key == kNoLiteral || !in_.is(value, Kind::kList)) return;
            const std::string name = in_.text(key), plain = lower_case(name);
            if (is_among(plain, kOtherWords)) return;
            const bool known = is_among(plain, kPointWords);
            const bool flat = known && in_.is_list(value) && in_.end(value) > value + 2 && is_numeric(value + 1);
            const bool points = flat || may_be_points(value, 0);
            const size_t first = points ? kNoLiteral : first_of(value);
            const bool holds_maps = in_.is_map(value) || (first != kNoLiteral && in_.is_map(first));
            if (!points && !holds_maps) return;
            if (points) ++count;
            members.push_back({points ? (known ? size_t(0) : 1) : in_.is_map(value) ? 2 : size_t(3), value, name});
        });
        std::ranges::stable_sort(members, [](const Member& a, const Member& b) { return a.rank < b.rank; });
        const size_t before = out_.point_count();  // do not mix a partly read member with another one
        const auto found = std::ranges::find_if(members, [&](const Member& one) {
            return read_value(one.value, depth + 1) || out_.point_count() > before;
        });
        if (found == members.end() || out_.point_count() == before) return false;
        const size_t chosen = found->value;
        if (count > 1 || found->rank > 0) out_.say("points from " + excerpt(found->name));
        in_.each(map, [&](size_t key, size_t value) {
            if (key != kNoLiteral && value != chosen && in_.is(value, Kind::kList)) pass_over(in_.text(key), value);
        });
        return true;
    }

    bool read_value(size_t value, int depth) {
        if (!in_.is(value, Kind::kList) || depth > kDeepestPoints) return false;
        if (in_.is_map(value)) return read_map(value, depth);
        const size_t first = first_of(value);
        if (first == kNoLiteral) return false;
        if (is_scalar(first)) return number_of(first) && read_flat(value);
        if (in_.is_map(first)) {
            if (is_geojson(first)) {
                in_.each(value, [&](size_t, size_t part) {
                    in_.is_map(part) && is_geojson(part) ? read_geojson(part) : read_feature(part);
                });
                return true;
            }
            if (read_objects(value, false)) return true;
            return read_parts(value, depth);
        }
        if (in_.end(first) > first + 1 && !is_scalar(first + 1) && !number_of(first + 1))
            return read_parts(value, depth);
        if (in_.end(first) == first + 2) return read_flat(value);  // [[1], [2]]
        return read_lists(value, kNoLiteral);
    }

    /// Reads several lists of points.
    bool read_parts(size_t list, int depth) {
        size_t count = 0;
        bool all = true;
        in_.each(list, [&](size_t, size_t part) {
            all = all && (in_.is(part, Kind::kMissing) || read_value(part, depth + 1));
            ++count;
        });
        if (all && count > 1) out_.say(std::to_string(count) + " lists of points, taken together");
        return all && count > 0;
    }

    const InputFile& file_;
    const std::string path_;
    const Literals& in_;
    Features& out_;
    size_t at_ = 0;  // the value being read
    size_t triangles_ = kNoLiteral;
    std::vector<std::string> unused_;  // members beside the points
    mutable std::string unfound_;      // the first sentence about a column chosen by the user that some object lacks
    static constexpr size_t kMostUnused = 5;
    const Features::Where where_ = [this] { return in_.where(at_); };
};

/// A name that may contain dots.
std::string_view take_dotted_name(std::string_view& text) {
    size_t end = 0;
    while (end < text.size() && (is_name_char(text[end]) || text[end] == '.')) ++end;
    if (end == 0 || !is_name_char(text[0]) || is_decimal_digit(text[0])) end = 0;
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

/// Whether brackets with values begin here: a number, a text, a name before a colon, or a call.
bool begins_list(std::string_view text) {
    const size_t most = 100;
    for (size_t brackets = 0; brackets < most; ++brackets) {
        if (text.empty() || (text.front() != '[' && text.front() != '(' && text.front() != '{')) {
            if (brackets == 0) return false;
            break;
        }
        text.remove_prefix(1);
        skip_white(text);
    }
    if (text.empty()) return true;
    const char c = text.front();
    if (is_decimal_digit(c) || c == '-' || c == '+' || c == '.' || c == '"' || c == '\'' || c == '[' || c == '(' ||
        c == '{' || c == ']' || c == '}')
        return true;
    std::string_view word = take_dotted_name(text);
    if (word == "new") {
        skip_white(text);
        word = take_dotted_name(text);
    }
    if (word == "null" || word == "None" || word == "nan" || word == "NaN") return true;
    if (word.size() <= 2 && (text.starts_with('\'') || text.starts_with('"'))) return !word.empty();  // u'x'
    const bool spaced = text.starts_with(' ');
    skip_white(text);
    return !word.empty() && !text.empty() &&
           (text.front() == ':' || text.front() == '=' || text.front() == '{' || (text.front() == '(' && !spaced));
}

/// Whether a line assigns or constructs a list: "points = [", "const pts: Array<[number, number]> = [", "np.array([",
/// "P1: (1, 2)".
bool begins_statement(std::string_view text) {
    std::string_view rest = text;
    std::string_view name = take_dotted_name(rest);
    if (name == "new" && rest.starts_with(' ')) {
        rest.remove_prefix(1);
        name = take_dotted_name(rest);
    }
    if (name.empty()) return false;
    if (name == "shape" && text.substr(0, text.find('\n') + 2).find("\n\xe2") != text.npos)
        return false;  // printed by Polars
    if (rest.starts_with('(')) return begins_list(rest);
    if (rest.starts_with("![") || rest.starts_with("[[") || rest.starts_with("[{") || rest.starts_with("[("))
        return begins_list(rest.substr(rest.starts_with('!') ? 1 : 0));
    if (rest.starts_with(':') && !rest.starts_with("::")) {
        std::string_view value = rest.substr(1);
        while (value.starts_with(' ')) value.remove_prefix(1);
        if (begins_list(value)) return true;
    }
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
    const size_t equal = line.find('='), arrow = line.find("<-");
    const size_t sign = std::min(equal, arrow);
    if (sign == line.npos) return false;
    const bool plain = std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(sign), [](char c) {
        return is_name_char(c) || std::string_view(" .:<>[],*&").find(c) != std::string_view::npos;
    });
    std::string_view value = text.substr(sign + (sign == equal ? 1 : 2));
    while (value.starts_with(' ')) value.remove_prefix(1);
    for (const std::string_view maker : {"new[] ", "vec!"})
        if (value.starts_with(maker)) value.remove_prefix(maker.size());
    if (!plain) return false;
    if (begins_list(value)) return true;
    return !take_dotted_name(value).empty() && value.starts_with('(') && begins_list(value);
}

/// The line above output of Julia: "3-element Vector{Tuple{Float64, Float64}}:"; empty: none.
std::string_view heading_of(std::string_view text) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
    std::string_view rest = line;
    while (!rest.empty() && is_decimal_digit(rest.front())) rest.remove_prefix(1);
    const bool heads = rest.size() < line.size() && rest.starts_with("-element ") && trimmed(rest).ends_with(':');
    return heads ? line : std::string_view();
}

}  // namespace

bool looks_like_step(std::string_view text) {
    const auto is_points = [](const OuterName& one) { return one.name == "points" && one.begins == '['; };
    return std::ranges::any_of(outer_names(text), is_points);
}

bool looks_like_structured_text(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    text.remove_prefix(heading_of(text).size());
    if (looks_like_wkt(text)) return true;
    constexpr int kMostLines = 200;
    for (int line = 0; line < kMostLines; ++line) {
        skip_white(text);
        if (text.empty()) return false;
        if (text.starts_with("\"\"\"")) {  // a docstring
            const size_t end = text.find("\"\"\"", 3);
            if (end == text.npos) return false;
            text.remove_prefix(end + 3);
            continue;
        }
        std::string_view rest = text;
        const std::string_view word = take_dotted_name(rest);
        const bool passes = text.starts_with('#') || text.starts_with("//") || text.starts_with('%') ||
                            word == "import" || word == "from" || word == "using" || word == "library";
        if (!passes) return begins_list(text) || begins_statement(text);
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
    return false;
}

Geometry read_structured_text(const InputFile& file) {
    if (looks_like_wkt(file.bytes)) {
        Features features(file);
        read_wkt(file, features);
        return features.finish();
    }
    const Literals values(file.path, std::string_view(file.bytes).substr(heading_of(file.bytes).size()));
    Features features(file);
    return Interpreter(file, values, features).read();
}

std::vector<std::array<uint32_t, 3>> read_text_triangles(const InputFile& file) {
    const Literals values(file.path, file.bytes);
    Features unused(file);
    return Interpreter(file, values, unused).read_triangles();
}

void read_geojson_shape(const InputFile& file, std::string_view text, uint64_t line, Features& features) {
    const Literals values(file.path, text, line);
    Interpreter(file, values, features).read_cell();
}

std::vector<OuterName> outer_names(std::string_view text) {
    std::vector<OuterName> names;
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    skip_white(text);
    if (!text.starts_with('{')) return names;
    size_t depth = 0;
    bool wants_name = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '{' || c == '[') {
            ++depth;
            wants_name = depth == 1;
        } else if (c == '}' || c == ']') {
            if (--depth == 0) break;
        } else if (c == ',' && depth == 1) {
            wants_name = true;
        } else if (c == '"') {
            const size_t begin = i + 1;
            while (++i < text.size() && text[i] != '"') i += text[i] == '\\';
            std::string_view rest = text.substr(std::min(i + 1, text.size()));
            skip_white(rest);
            if (depth == 1 && wants_name && rest.starts_with(':')) {
                rest.remove_prefix(1);
                skip_white(rest);
                names.push_back({std::string(text.substr(begin, i - begin)), rest.empty() ? '\0' : rest.front()});
                wants_name = false;
            }
        }
    }
    return names;
}

}  // namespace flipscope::io
