// Collects features (places, lines and areas with names and properties) into a Geometry. Filled by the readers of JSON,
// of well-known text and of GDAL's formats; reports the conversion in one note.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compute/cancel.h"
#include "geometry/frames.h"
#include "geometry/point.h"
#include "io/formats.h"
#include "io/points.h"

namespace flipscope::io {

struct Position {
    double x = NAN, y = NAN;  // nan: missing
    double z = NAN, m = NAN;  // height and measure; nan: none
};

class Features {
  public:
    /// `file` must outlive it.
    explicit Features(const InputFile& file) : file_(file), range_(file.options) {}

    /// Begins the next feature, a row of the input; the following calls refer to it.
    void begin();
    void set_name(std::string name);
    /// Sets a property. NaN and infinity mean missing.
    void set(std::string_view column, double value);
    void set(std::string_view column, std::string_view text);
    /// Sets a text property; the column "name" holds the names.
    void set_text(std::string_view column, std::string text);
    /// Skips a property that is neither a number nor a text.
    void leave_out(std::string_view column);

    // Each throws Error, prefixed by where(), for coordinates out of the predicates' range; `where` is called only
    // then.
    using Where = std::function<std::string()>;
    void add_point(Position position, const Where& where);
    void begin_line();
    void add_line_vertex(Position position, const Where& where);  // a point, joined to the one before it
    void begin_area();
    void begin_ring();
    void add_ring_vertex(Position position, const Where& where);
    void end_ring();  // its last vertex may be its first one again

    /// Adds a clause to the note, such as: points from "sites".
    void say(const std::string& clause);
    /// Declares that x is longitude and y latitude.
    void set_degrees(bool degrees) { degrees_ = degrees; }
    /// The unit of the coordinates, from their names.
    void set_unit(std::string unit) { unit_ = std::move(unit); }

    size_t point_count() const { return points_.size(); }
    /// Returns points; or points over time, if columns are named as times and ids and an id repeats. Throws Error
    /// without a point.
    Geometry finish();

  private:
    struct Value {
        uint32_t feature;
        int32_t category;  // -1: a number
        double number;
    };
    struct Column {
        std::string name;
        std::vector<Value> values;  // by feature
        std::vector<std::string> categories;
        std::unordered_map<std::string, int32_t> category_of;
    };

    Column& column(std::string_view name);
    bool checked(Position& position, const Where& where);
    bool added(Position position, const Where& where);
    Attribute attribute_of(Column& column) const;
    std::vector<Attribute> attributes_of(uint64_t& too_many);
    std::optional<Tracks> tracks_of(std::vector<Attribute>& attributes);

    const InputFile& file_;
    CoordinateRange range_;
    uint32_t features_ = 0;  // begun so far
    bool is_placed_ = true;  // the latest one has a place
    uint64_t unplaced_ = 0, missing_ = 0, lines_ = 0;
    bool degrees_ = false, can_be_degrees_ = true;  // can_be_degrees_: all places so far are within ±180 and ±90
    std::string unit_;
    std::vector<Point> points_;
    std::vector<uint32_t> feature_of_;               // of each point
    std::vector<std::array<uint32_t, 2>> segments_;  // of lines
    bool joins_next_ = false;                        // the next vertex continues the line
    std::vector<double> heights_, measures_;
    std::vector<Area> areas_;
    std::vector<uint32_t> area_feature_;
    std::vector<std::string> names_;  // of the features up to the last one with a name
    std::vector<Column> columns_;
    std::unordered_map<std::string, size_t> column_of_;
    CancelPoll poll_;
    size_t next_column_ = 0;  // likely to be set next
    std::vector<std::string> left_out_;
    std::string note_;
};

}  // namespace flipscope::io
