#include "io/npy_places.h"

#include <cmath>
#include <unordered_map>

#include "compute/text.h"
#include "geometry/places.h"
#include "io/points.h"
#include "io/track_rows.h"

namespace flipscope::io {
namespace {

/// "3, 7, 9", or the first of them.
std::string rows_text(const std::vector<uint64_t>& rows, uint64_t count) {
    std::string text;
    for (const uint64_t row : rows) text += (text.empty() ? "" : ", ") + std::to_string(row);
    return count > rows.size() ? text + ", …" : text;
}

/// Reads coordinates according to the options, and rejects invalid ones.
class Places {
  public:
    Places(const std::string& place, const NpyPlaces& places, const ReadOptions& options)
        : place_(place), places_(places), options_(options), range_(options) {}

    void say(const InputFile& file) const { range_.say(file.path, file.notes); }
    /// False: the point is missing.
    bool read(uint64_t i, uint64_t t, Point& p) {
        p = {places_.x.number(i, t), places_.y.number(i, t)};
        if (!std::isfinite(p.x) || !std::isfinite(p.y)) return false;
        require(p.x, places_.x, i, t, "x");
        require(p.y, places_.y, i, t, "y");
        if (options_.y_down) p.y = 0 - p.y;
        return true;
    }

  private:
    std::string where(uint64_t i, uint64_t t, const char* axis) const {
        return place_ + ": " +
               (places_.is_over_time ? "frame " + std::to_string(t) + ", point " : std::string("row ")) +
               std::to_string(i) + ": " + axis;
    }
    void require(double& value, const NpyColumn& column, uint64_t i, uint64_t t, const char* axis) {
        value = range_.take(value, {}, [&] { return where(i, t, axis); });
        if (std::fabs(value) < 0x1p53) return;  // doubles represent every integer up to there
        if (const std::string digits = column.inexact(i, t); !digits.empty())
            throw Error(where(i, t, axis) + " is " + digits +
                        ", which no double is equal to; take an offset off, or convert the array to float64 first, "
                        "which rounds it");
    }

    const std::string& place_;
    const NpyPlaces& places_;
    const ReadOptions& options_;
    CoordinateRange range_;
};

std::string unit_of(const InputFile& file, const NpyPlaces& places) {
    return file.options.unit.empty() ? places.unit : file.options.unit;
}

/// Rows of one frame with columns of times and ids.
Tracks tracks_of_rows(const InputFile& file, const std::string& place, const NpyPlaces& places) {
    RowsOverTime rows;
    std::vector<uint64_t> kept;
    Places reader(place, places, file.options);
    uint64_t missing = 0, nameless = 0;
    CancelPoll poll;
    for (uint64_t i = 0; i < places.rows; ++i) {
        poll();
        const double time = places.time->number(i);
        const std::optional<int64_t> id = places.id->whole(i);
        if (!id && std::isnan(places.id->number(i))) {
            ++nameless;
            continue;
        }
        const std::string where = place + ": row " + std::to_string(i) + ": ";
        if (!id) throw Error(where + "expected an id, a whole number, found " + format_exactly(places.id->number(i)));
        Point p;
        if (!reader.read(i, 0, p)) {
            ++missing;
            continue;
        }
        if (!std::isfinite(time)) throw Error(where + "its time is " + format_exactly(time) + ", not a finite number");
        rows.times.push_back(time);
        rows.ids.push_back(*id);
        rows.places.push_back(p);
        kept.push_back(i);
    }
    if (kept.empty()) throw Error(place + ": no points found");
    std::string decided = places.decided;
    for (const NamedColumn& named : places.columns) {
        rows.attributes.push_back(attribute_of(named, places.rows, decided));
        keep_rows(rows.attributes.back().values, kept);
    }
    Tracks tracks = in_frames(file, std::move(rows), [&](size_t row) { return "row " + std::to_string(kept[row]); });
    tracks.unit = unit_of(file, places);
    tracks.time_unit = places.time_unit;
    if (nameless > 0) append_clause(decided, count_text(nameless, "row", "rows") + " without an id left out");
    if (missing > 0) append_clause(decided, count_text(missing, "row", "rows") + " without a place left out");
    if (!decided.empty()) file.note(decided);
    reader.say(file);
    note_missing(tracks, file.notes);
    return tracks;
}

}  // namespace

std::optional<NpyPlaces> find_places(const NpyFile& file, bool frames_first) {
    const bool complex = file.parts().has_value();
    if (!file.shape() || !(complex || file.type()) || (file.type() && file.type()->kind == 'b')) return std::nullopt;
    const NpyType type = complex ? *file.parts() : *file.type();
    std::vector<uint64_t> size = *file.shape(), stride = file.strides();
    if (size.size() > 3 || size.empty()) return std::nullopt;
    const auto is_plane = [](uint64_t n) { return n == 2 || n == 3; };
    NpyPlaces places;
    if (complex) {
        if (size.size() > 1 && is_plane(size[1])) return std::nullopt;  // x and y, each complex?
        size.push_back(2);
        stride.push_back(type.size);
        places.decided = "x is the real part, y the imaginary part";
    }
    if (size.size() == 4) return std::nullopt;
    const size_t last = size.size() - 1;
    const std::string shape = "shape " + file.written_shape() + " is ";
    // Identify the axes of frames, rows and coordinates.
    size_t frames = size.size(), rows = 0, axes = last;
    if (size.size() == 2 && !is_plane(size[1])) {
        if (!is_plane(size[0])) return std::nullopt;
        rows = 1, axes = 0;
        append_clause(places.decided, shape + count_text(size[1], "point", "points") +
                                          (size[0] == 2 ? ": its rows are x and y" : ": its rows are x, y and \"z\""));
    } else if (size.size() == 3) {
        frames = 0, rows = 1;
        if (!is_plane(size[2])) {
            if (!is_plane(size[1])) return std::nullopt;
            rows = 2, axes = 1;
            append_clause(places.decided, shape + count_text(size[0], "frame", "frames") + " of " +
                                              count_text(size[2], "point", "points") +
                                              ": the rows of each are x and y" + (size[1] == 3 ? " and \"z\"" : ""));
        } else if (!frames_first && size[0] != 1 && size[1] == 1) {
            rows = 0;  // lists of one, as written by OpenCV
            frames = size.size();
            append_clause(places.decided, shape + count_text(size[rows], "point", "points"));
        }
    } else if (size.size() != 2) {
        return std::nullopt;
    }
    places.is_over_time = frames < size.size();
    places.frames = places.is_over_time ? size[frames] : 1;
    places.rows = size[rows];
    const auto column = [&](uint64_t axis) {
        return NpyColumn{file.data().data(), axis * stride[axes], stride[rows],
                         places.is_over_time ? stride[frames] : 0, type};
    };
    places.x = column(0);
    places.y = column(1);
    if (size[axes] == 3) {
        places.columns.push_back({"z", column(2)});
        if (axes == last)
            append_clause(places.decided, "x and y are the first two of 3 columns, the third is kept as \"z\"");
        if (size.size() == 2 && size[0] == 2 && axes == last)
            append_clause(places.decided, "transpose it if it is 3 points");
        if (places.is_over_time && type.kind == 'u' && type.size == 1)
            append_clause(places.decided,
                          "a picture in colours is read from an image, or as one channel of shape (h, w)");
    }
    return places;
}

TableRoles find_roles(const std::vector<NamedColumn>& columns, const ReadOptions& options, const std::string& place) {
    std::vector<HeaderName> names;
    std::vector<bool> is_text;
    for (const NamedColumn& one : columns) {
        names.push_back(header_name(one.name));
        is_text.push_back(one.column.is_text());
    }
    TableRoles roles = roles_of(names, is_text);
    if (roles.id && is_text[*roles.id]) roles.id.reset();
    if (roles.name && (!is_text[*roles.name] || !lower_case(names[*roles.name].name).starts_with("name")))
        roles.name.reset();
    choose_roles(roles, names, options, place);
    return roles;
}

bool assign_roles(NpyPlaces& places, const ReadOptions& options, const std::string& place) {
    std::vector<NamedColumn>& columns = places.columns;
    const TableRoles roles = find_roles(columns, options, place);
    if (!roles.x || !roles.y) return false;
    for (const auto& column : {roles.x, roles.y, roles.time, roles.id})
        if (column && columns[*column].column.is_text())
            throw Error(place + ": column " + excerpt(columns[*column].name) +
                        " is text, and numbers are needed there");
    std::vector<bool> taken(columns.size(), false);
    bool is_plain = true;
    std::string clause;
    const auto take = [&](size_t column, const char* role, const char* plain_name) {
        taken[column] = true;
        is_plain = is_plain && columns[column].name == plain_name;
        append_clause(clause, std::string(role) + " from " + excerpt(columns[column].name), ", ");
        return columns[column].column;
    };
    places.x = take(*roles.x, "x", "x");
    places.y = take(*roles.y, "y", "y");
    places.unit = unit_of(roles);
    if (roles.time && roles.id) {
        places.time = take(*roles.time, "time", "t");
        places.id = take(*roles.id, "id", "id");
        places.time_unit = roles.time_unit;
    }
    if (!is_plain) append_clause(places.decided, clause);
    if (roles.name) {
        places.name = columns[*roles.name].column;
        taken[*roles.name] = true;
    }
    std::vector<NamedColumn> kept;
    for (size_t i = 0; i < columns.size(); ++i)
        if (!taken[i]) kept.push_back(std::move(columns[i]));
    columns = std::move(kept);
    if (!is_plain && !columns.empty())
        append_clause(places.decided, count_text(columns.size(), "column", "columns") + " kept");
    return true;
}

Attribute attribute_of(const NamedColumn& named, uint64_t rows, std::string& decided) {
    const HeaderName name = header_name(named.name);
    Attribute attribute{name.name, std::vector<double>(rows), name.unit};
    CancelPoll poll;
    if (named.column.is_text()) {
        std::unordered_map<std::string, size_t> known;
        for (uint64_t i = 0; i < rows; ++i) {
            poll();
            const std::string text = printable(named.column.text(i));
            if (text.empty()) {
                attribute.values[i] = NAN;
                continue;
            }
            const auto [place, fresh] = known.try_emplace(text, known.size());
            if (fresh) attribute.categories.push_back(text);
            attribute.values[i] = static_cast<double>(place->second);
        }
        return attribute;
    }
    uint64_t rounded = 0;
    for (uint64_t i = 0; i < rows; ++i) {
        poll();
        const double value = named.column.number(i);
        attribute.values[i] = std::isfinite(value) ? value : NAN;
        rounded += std::fabs(value) >= 0x1p53 && !named.column.inexact(i).empty();
    }
    if (rounded > 0)
        append_clause(decided, count_text(rounded, "number", "numbers") + " of " + excerpt(named.name) +
                                   (rounded == 1 ? " has more digits than a double and is rounded"
                                                 : " have more digits than a double and are rounded"));
    return attribute;
}

Geometry points_of(const InputFile& file, const std::string& place, const NpyPlaces& places) {
    constexpr size_t kMostNamed = 8;  // skipped rows
    Geometry made;
    made.name = file.path.filename().string();
    made.points.reserve(places.rows);
    Places reader(place, places, file.options);
    std::vector<uint64_t> left_out;
    uint64_t missing = 0;
    CancelPoll poll;
    for (uint64_t i = 0; i < places.rows; ++i) {
        poll();
        Point p;
        const bool there = reader.read(i, 0, p);
        if (!there && ++missing == 1) {
            made.rows.reserve(places.rows);
            for (uint64_t before = 0; before < i; ++before) made.rows.push_back(before);
        }
        if (!there && left_out.size() < kMostNamed) left_out.push_back(i);
        if (!there) continue;
        made.points.push_back(p);
        if (missing > 0) made.rows.push_back(i);
    }
    if (made.points.empty())
        throw file.fail(std::string("no points found") +
                        (missing > 0 ? ": every row has a coordinate that is nan or infinite" : ""));
    made.unit = unit_of(file, places);
    made.y_down = file.options.y_down;
    std::string decided = places.decided;
    std::vector<Attribute> attributes;
    for (const NamedColumn& named : places.columns) attributes.push_back(attribute_of(named, places.rows, decided));
    for (uint64_t i = 0; places.name && i < places.rows; ++i)
        made.names.push_back(places.name->is_text() ? printable(places.name->text(i))
                                                    : format_exactly(places.name->number(i)));
    if (missing > 0) {
        keep_rows(made.names, made.rows);
        for (Attribute& attribute : attributes) keep_rows(attribute.values, made.rows);
        append_clause(decided, count_text(missing, "row", "rows") + (missing == 1 ? " is" : " are") +
                                   " left out, whose x or y is nan or infinite: " + rows_text(left_out, missing) +
                                   " (from 0)");
    }
    set_attributes(made, std::move(attributes));
    if (!decided.empty()) file.note(decided);
    reader.say(file);
    return made;
}

Tracks tracks_of(const InputFile& file, const std::string& place, const NpyPlaces& places,
                 const std::vector<double>& times, const std::vector<int64_t>& ids) {
    if (!places.is_over_time && places.time && places.id) return tracks_of_rows(file, place, places);
    if (!ids.empty() && ids.size() != places.rows)
        throw Error(place + ": there are " + count_text(places.rows, "point", "points") + " in each frame, and " +
                    count_text(ids.size(), "id", "ids"));
    if (!times.empty() && times.size() != places.frames)
        throw Error(place + ": there are " + count_text(places.frames, "frame", "frames") + ", and " +
                    count_text(times.size(), "time", "times"));
    for (size_t t = 0; t < times.size(); ++t)
        if (!std::isfinite(times[t]) || (t > 0 && !(times[t - 1] < times[t])))
            throw Error(place + ": times must ascend, and number " + std::to_string(t) + " is " +
                        format_exactly(times[t]));
    std::vector<uint64_t> order(places.rows);  // by id, since ids ascend within a frame
    for (uint64_t i = 0; i < places.rows; ++i) order[i] = i;
    if (!ids.empty()) {
        sort_or_cancel(order.begin(), order.end(), [&](uint64_t a, uint64_t b) { return ids[a] < ids[b]; });
        for (size_t i = 1; i < order.size(); ++i)
            if (ids[order[i - 1]] == ids[order[i]])
                throw Error(place + ": two points have the id " + std::to_string(ids[order[i]]));
    }
    Places reader(place, places, file.options);
    Tracks tracks;
    tracks.name = file.path.filename().string();
    tracks.starts.push_back(0);
    std::string decided = places.decided;
    std::vector<NpyColumn> columns;
    for (const NamedColumn& named : places.columns) {
        if (named.column.is_text()) {
            append_clause(decided, "the texts " + excerpt(named.name) + " are left out");
            continue;
        }
        columns.push_back(named.column);
        tracks.attributes.push_back(Attribute{named.name, {}});
    }
    CancelPoll poll;
    for (uint64_t t = 0; t < places.frames; ++t) {
        poll();
        for (const uint64_t i : order) {
            poll();
            Point p;
            if (!reader.read(i, t, p)) continue;
            tracks.ids.push_back(ids.empty() ? static_cast<int64_t>(i) : ids[i]);
            tracks.places.push_back(p);
            for (size_t k = 0; k < columns.size(); ++k) {
                const double value = columns[k].number(i, t);
                tracks.attributes[k].values.push_back(std::isfinite(value) ? value : NAN);
            }
        }
        tracks.times.push_back(times.empty() ? static_cast<double>(t) : times[t]);
        tracks.starts.push_back(tracks.ids.size());
    }
    if (tracks.places.empty()) throw Error(place + ": no points found");
    tracks.unit = unit_of(file, places);
    tracks.time_unit = places.time_unit;
    tracks.y_down = file.options.y_down;
    if (!decided.empty()) file.note(decided);
    reader.say(file);
    note_missing(tracks, file.notes);
    return tracks;
}

int64_t NpyIndices::at(const NpyFile& file, uint64_t row, uint64_t k) const {
    NpyColumn column = first;
    column.offset += k * across;
    if (const std::optional<int64_t> index = column.whole(row)) return *index;
    const double value = column.number(row);
    if (column.type.kind == 'u') return -1;
    throw file.fail("row " + std::to_string(row) + ": expected the index of a point, a whole number, found " +
                    format_exactly(value));
}

std::optional<NpyIndices> find_indices(const NpyFile& file, uint64_t most) {
    if (!file.type() || file.type()->kind == 'b' || !file.shape()) return std::nullopt;
    const std::vector<uint64_t>&size = *file.shape(), stride = file.strides();
    if (size.size() == 1 && size[0] == 0) return NpyIndices{};
    if (size.size() != 2) return std::nullopt;
    const auto indices = [&](size_t rows) {
        return NpyIndices{
            size[rows], size[1 - rows], {file.data().data(), 0, stride[rows], 0, *file.type()}, stride[1 - rows], {}};
    };
    const bool is_long = size[0] == 3 && size[1] > 4;  // otherwise three faces with that many corners
    if (size[0] == 0 || (size[1] >= 3 && size[1] <= most && !is_long)) return indices(0);
    if (size[0] != 3) return std::nullopt;
    NpyIndices transposed = indices(1);
    transposed.decided = "shape " + file.written_shape() + " is " + count_text(size[1], "triangle", "triangles") +
                         ": its rows are their corners";
    return transposed;
}

std::vector<std::array<uint32_t, 3>> read_triples(const NpyFile& file, std::vector<std::string>& notes) {
    if (!file.type() || file.type()->kind == 'b') throw file.fail_type("whole numbers, such as dtype '<i4' or '<i8'");
    const std::optional<NpyIndices> indices = find_indices(file);
    if (!indices) throw file.fail_shape("(t, 3)");
    file.require_whole("triangles", notes);
    if (!indices->decided.empty()) notes.push_back(file.name() + ": " + indices->decided);
    std::vector<std::array<uint32_t, 3>> triangles(indices->rows);
    CancelPoll poll;
    for (uint64_t t = 0; t < triangles.size(); ++t) {
        poll();
        for (uint64_t k = 0; k < 3; ++k) triangles[t][k] = index_or_none(indices->at(file, t, k));
    }
    return triangles;
}

}  // namespace flipscope::io
