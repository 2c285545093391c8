#include "io/features.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "compute/text.h"
#include "geometry/places.h"
#include "io/parse.h"
#include "io/table_roles.h"
#include "io/track_rows.h"

namespace flipscope::io {
namespace {

constexpr size_t kMostNamed = 5, kMostColumns = 1000;
constexpr size_t kLongestText = 250;     // bytes of a name, which is copied to each vertex of a shape
constexpr uint64_t kCellsPerValue = 64;  // in all columns together, per value and point of the file

constexpr std::string_view kMissingTexts[] = {"NA", "N/A", "nan", "NaN", "null", "None", "-", "<NA>"};

/// Parses a text such as "4.5" as a number; a code such as "007" is a text.
bool is_number_text(const std::string& text, double& value) {
    const size_t digits = text.starts_with('-') ? 1 : 0;
    if (text.size() > digits + 1 && text[digits] == '0' && text[digits + 1] != '.') return false;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() && std::isfinite(value);
}

}  // namespace

void Features::begin() {
    poll_();
    if (!is_placed_) ++unplaced_;
    if (features_ == std::numeric_limits<uint32_t>::max()) throw file_.fail("has too many features");
    ++features_;
    is_placed_ = false;
    next_column_ = 0;
}

void Features::set_name(std::string name) {
    if (name.empty()) return;
    names_.resize(features_);
    names_.back() = name.size() > kLongestText ? printable_within(name, kLongestText) : std::move(name);
}

Features::Column& Features::column(std::string_view name) {
    if (next_column_ < columns_.size() && columns_[next_column_].name == name) return columns_[next_column_++];
    const auto [found, is_new] = column_of_.try_emplace(std::string(name), columns_.size());
    if (is_new) columns_.push_back({std::string(name), {}, {}, {}});
    next_column_ = found->second + 1;
    return columns_[found->second];
}

void Features::set(std::string_view name, double value) {
    if (name.empty()) return;
    Column& of = column(name);
    if (std::isfinite(value)) of.values.push_back({features_ - 1, -1, value});
}

void Features::set(std::string_view name, std::string_view text) {
    if (name.empty()) return;
    Column& of = column(name);
    if (text.empty()) return;
    const auto [found, is_new] =
        of.category_of.try_emplace(std::string(text), static_cast<int32_t>(of.categories.size()));
    if (is_new) of.categories.push_back(printable(text));
    of.values.push_back({features_ - 1, found->second, NAN});
}

void Features::set_text(std::string_view column, std::string text) {
    column.size() == 4 && lower_case(column) == "name" ? set_name(std::move(text))
                                                       : set(column, std::string_view(text));
}

void Features::leave_out(std::string_view name) {
    if (left_out_.size() <= kMostNamed && std::ranges::find(left_out_, name) == left_out_.end())
        left_out_.emplace_back(name);
}

void Features::say(const std::string& clause) { append_clause(note_, clause); }

/// False: the position is missing.
bool Features::checked(Position& position, const Where& where) {
    poll_();
    is_placed_ = true;
    if (!std::isfinite(position.x) || !std::isfinite(position.y)) {
        ++missing_;
        return false;
    }
    if (file_.options.y_down) position.y = -position.y;
    char axis = 'x';
    for (double* const value : {&position.x, &position.y}) {
        *value = range_.take(*value, {}, [&] { return where() + axis; });
        axis = 'y';
    }
    can_be_degrees_ = can_be_degrees_ && std::fabs(position.x) <= 180 && std::fabs(position.y) <= 90;
    return true;
}

void Features::add_point(Position position, const Where& where) { added(position, where); }

void Features::begin_line() {
    ++lines_;
    joins_next_ = false;
}

/// A missing vertex splits the line.
void Features::add_line_vertex(Position position, const Where& where) {
    const auto vertex = static_cast<uint32_t>(points_.size());
    const bool is_there = added(position, where);
    if (is_there && joins_next_) segments_.push_back({vertex - 1, vertex});
    joins_next_ = is_there;
}

/// False: the position is missing.
bool Features::added(Position position, const Where& where) {
    if (!checked(position, where)) return false;
    points_.push_back({position.x, position.y});
    feature_of_.push_back(features_ - 1);
    const auto keep = [&](std::vector<double>& values, double value) {
        if (values.empty() && !std::isfinite(value)) return;
        values.resize(points_.size() - 1, NAN);
        values.push_back(std::isfinite(value) ? value : NAN);
    };
    keep(heights_, position.z);
    keep(measures_, position.m);
    return true;
}

void Features::begin_area() {
    areas_.emplace_back();
    area_feature_.push_back(features_ - 1);
    is_placed_ = true;
}

void Features::begin_ring() { areas_.back().rings.emplace_back(); }

void Features::add_ring_vertex(Position position, const Where& where) {
    if (checked(position, where)) areas_.back().rings.back().push_back({position.x, position.y});
}

void Features::end_ring() {
    std::vector<Point>& ring = areas_.back().rings.back();
    if (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
    if (ring.empty()) areas_.back().rings.pop_back();
}

Attribute Features::attribute_of(Column& column) const {
    Attribute attribute{printable_within(column.name, kLongestColumnName), std::vector<double>(points_.size(), NAN)};
    // Texts become numbers if each is a number, or a missing value among numbers.
    double number = 0;
    bool all_numbers = true, any_number = false;
    for (const std::string& text : column.categories) {
        const bool is_one = is_number_text(text, number);
        any_number = any_number || is_one;
        all_numbers = all_numbers && (is_one || is_among(text, kMissingTexts));
    }
    for (const Value& value : column.values) any_number = any_number || value.category < 0;
    all_numbers = all_numbers && any_number;
    for (Value& value : column.values) {
        if (all_numbers && value.category >= 0) {
            if (!is_number_text(column.categories[static_cast<size_t>(value.category)], value.number))
                value.number = NAN;
        } else if (!all_numbers && value.category < 0) {  // a number among texts becomes a text
            const std::string text = format_exactly(value.number);
            const auto next = static_cast<int32_t>(column.categories.size());
            const auto [found, is_new] = column.category_of.try_emplace(text, next);
            if (is_new) column.categories.push_back(printable(text));
            value.category = found->second;
        }
    }
    size_t i = 0;
    for (const Value& value : column.values) {
        while (i < points_.size() && feature_of_[i] < value.feature) ++i;
        for (size_t k = i; k < points_.size() && feature_of_[k] == value.feature; ++k)
            attribute.values[k] = !all_numbers ? value.category : std::isfinite(value.number) ? value.number : NAN;
    }
    if (!all_numbers) attribute.categories = std::move(column.categories);
    return attribute;
}

/// Keeps sparse columns only if they fit into memory proportional to the file's size.
std::vector<Attribute> Features::attributes_of(uint64_t& too_many) {
    std::vector<Attribute> attributes;
    const auto is_known = [&](const std::string& name) {
        return std::ranges::any_of(attributes, [&](const Attribute& other) { return other.name == name; });
    };
    uint64_t values = points_.size();
    for (const Column& column : columns_) values += column.values.size();
    const uint64_t most = std::min<uint64_t>(kMostColumns, kCellsPerValue * values / points_.size());
    for (Column& column : columns_) {
        if (column.values.empty()) continue;
        if (attributes.size() == most) {
            ++too_many;
            continue;
        }
        if (is_known(printable_within(column.name, kLongestColumnName))) continue;
        attributes.push_back(attribute_of(column));
        const HeaderName name = header_name(column.name);
        if (!name.unit.empty() && !column_of_.contains(name.name) && !is_known(name.name)) {
            attributes.back().name = printable_within(name.name, kLongestColumnName);
            attributes.back().unit = name.unit;
        }
        column.values = {};
    }
    for (auto& [name, extra] : {std::pair<const char*, std::vector<double>&>{"z", heights_}, {"m", measures_}}) {
        if (extra.empty() || is_known(name)) continue;
        extra.resize(points_.size(), NAN);
        attributes.push_back({name, std::move(extra)});
    }
    return attributes;
}

/// nullopt: they are points. Otherwise the attributes are those of the tracks.
std::optional<Tracks> Features::tracks_of(std::vector<Attribute>& attributes) {
    constexpr ColumnRole kOfTime[] = {ColumnRole::kTime, ColumnRole::kId};
    std::vector<HeaderName> names;
    std::vector<bool> is_text;
    for (const Attribute& one : attributes) {
        names.push_back({one.name, one.unit, one.unit.empty() ? one.name : one.name + " [" + one.unit + "]"});
        is_text.push_back(!one.categories.empty());
    }
    TableRoles roles = roles_of(names, is_text);
    choose_roles(roles, names, file_.options, file_.path.string(), kOfTime);
    if (!roles.time || !roles.id || lines_ > 0 || !areas_.empty()) return std::nullopt;
    const std::vector<double>&times = attributes[*roles.time].values, &ids = attributes[*roles.id].values;
    if (std::ranges::any_of(ids, [](double id) { return std::isfinite(id) && !exact_whole(id); })) {
        say("ids are not whole numbers, so these are points, not tracks");
        return std::nullopt;
    }
    RowsOverTime rows;
    std::vector<uint64_t> kept;
    for (size_t i = 0; i < points_.size(); ++i) {
        if (!std::isfinite(times[i]) || !std::isfinite(ids[i])) continue;
        rows.times.push_back(times[i]);
        rows.ids.push_back(static_cast<int64_t>(ids[i]));
        rows.places.push_back(points_[i]);
        kept.push_back(i);
    }
    if (kept.empty()) return std::nullopt;
    if (const std::string points_alone = why_no_tracks(rows.times, rows.ids); !points_alone.empty()) {
        say(points_alone);
        return std::nullopt;
    }
    for (size_t k = 0; k < attributes.size(); ++k) {
        if (k == roles.time || k == roles.id) continue;
        rows.attributes.push_back(std::move(attributes[k]));
        keep_rows(rows.attributes.back().values, kept);
    }
    say("time from " + source_of(names, *roles.time) + ", id from " + source_of(names, *roles.id));
    if (const size_t left_out = points_.size() - kept.size(); left_out > 0)
        say(count_text(left_out, "point", "points") + " without a time or an id left out");
    Tracks tracks = in_frames(file_, std::move(rows), [&](size_t row) {
        return "row " + std::to_string(feature_of_[kept[row]]) + " (from 0)";
    });
    tracks.time_unit = roles.time_unit;
    attributes.clear();
    return tracks;
}

Geometry Features::finish() {
    const std::string path = file_.path.string();
    range_.say(file_.path, file_.notes);
    if (!is_placed_) ++unplaced_;
    const bool from_areas = points_.empty() && !areas_.empty();
    for (size_t i = 0; from_areas && i < areas_.size(); ++i) {
        for (const auto& ring : areas_[i].rings) {
            points_.insert(points_.end(), ring.begin(), ring.end());
            feature_of_.resize(points_.size(), area_feature_[i]);
        }
    }
    if (points_.empty())
        throw Error(path + ": no points found" +
                    (features_ > 0 ? " in " + count_text(features_, "feature", "features") : ""));

    if (degrees_ && can_be_degrees_) say("x is longitude and y is latitude, in degrees");
    if (lines_ > 0)
        say("vertices of " + count_text(lines_, "line", "lines") + " are points, " +
            count_text(segments_.size(), "segment", "segments") + " kept");
    if (!areas_.empty())
        say(count_text(areas_.size(), "polygon", "polygons") + " kept as areas, their corners " +
            (from_areas ? "as points" : "not as points"));
    uint64_t too_many = 0;
    std::vector<Attribute> attributes = attributes_of(too_many);
    std::optional<Tracks> tracks = tracks_of(attributes);
    if (tracks && !tracks->attributes.empty())
        say(count_text(tracks->attributes.size(), "column", "columns") + " kept");
    if (!names_.empty()) say(tracks ? "names left out" : "names kept");
    if (!attributes.empty()) say(count_text(attributes.size(), "column", "columns") + " kept");
    if (too_many > 0) say(count_text(too_many, "column", "columns") + " beyond these left out");
    if (!left_out_.empty()) {
        std::string list;
        for (size_t i = 0; i < std::min(left_out_.size(), kMostNamed); ++i)
            list += (i ? ", " : "") + excerpt(left_out_[i]);
        say("neither numbers nor texts, and left out: " + list + (left_out_.size() > kMostNamed ? ", …" : ""));
    }
    if (missing_ > 0) say(count_text(missing_, "point", "points") + " without coordinates left out");
    if (unplaced_ > 0) say(count_text(unplaced_, "feature", "features") + " without a place left out");

    Geometry geometry{path, {}};
    geometry.unit = !file_.options.unit.empty() ? file_.options.unit : degrees_ && can_be_degrees_ ? "°" : unit_;
    geometry.y_down = file_.options.y_down;
    if (!note_.empty()) file_.note(note_);
    if (tracks) {
        tracks->unit = geometry.unit;
        note_missing(*tracks, file_.notes);
        geometry.tracks = std::make_shared<const Tracks>(*std::move(tracks));
        return geometry;
    }
    geometry.points = std::move(points_);
    geometry.segments = std::move(segments_);
    set_attributes(geometry, std::move(attributes));
    if (!names_.empty()) {
        names_.resize(features_);
        for (const uint32_t feature : feature_of_) geometry.names.push_back(names_[feature]);
    }
    for (size_t i = 0; i < areas_.size(); ++i)
        if (area_feature_[i] < names_.size()) areas_[i].name = names_[area_feature_[i]];
    if (!areas_.empty()) geometry.areas = std::make_shared<const std::vector<Area>>(std::move(areas_));
    bool in_rows = true;  // point i is row i
    for (size_t i = 0; i < feature_of_.size() && in_rows; ++i) in_rows = feature_of_[i] == i;
    if (!in_rows && features_ > 1) geometry.rows.assign(feature_of_.begin(), feature_of_.end());
    return geometry;
}

}  // namespace flipscope::io
