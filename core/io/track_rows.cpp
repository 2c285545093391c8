#include "io/track_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "compute/text.h"
#include "geometry/places.h"

namespace flipscope::io {

Geometry to_geometry(Frames frames) {
    Tracks& tracks = frames.tracks;
    Geometry geometry;
    geometry.name = tracks.name;
    if (tracks.frame_count() > 1) {
        geometry.tracks = std::make_shared<const Tracks>(std::move(tracks));
        return geometry;
    }
    std::vector<Attribute> attributes;
    if (frames.has_ids) attributes.push_back({"id", {tracks.ids.begin(), tracks.ids.end()}});
    for (Attribute& attribute : tracks.attributes) attributes.push_back(std::move(attribute));
    for (const uint32_t i : frames.order) geometry.points.push_back(tracks.places[i]);
    for (Attribute& attribute : attributes) {
        const std::vector<double> sorted = std::move(attribute.values);
        attribute.values.clear();
        for (const uint32_t i : frames.order) attribute.values.push_back(sorted[i]);
    }
    set_attributes(geometry, std::move(attributes));
    geometry.unit = tracks.unit;
    geometry.box_low = tracks.box_low;
    geometry.box = tracks.box;
    geometry.box_lengths = tracks.box_lengths;
    return geometry;
}

void read_numbers(std::string_view text, const Lines& lines, const char* what, std::span<double> numbers) {
    std::string plain(text);
    for (char& c : plain)
        if (c == '[' || c == ']' || c == '{' || c == '}' || c == ',') c = ' ';
    std::string_view rest = trimmed(plain);
    for (double& number : numbers) {
        number = number_of(take_word(rest)).value_or(NAN);
        if (!std::isfinite(number)) throw lines.expected(what, text);
    }
    if (!rest.empty()) throw lines.expected(what, text);
}

bool is_tilted(std::initializer_list<double> tilts, double size) {
    constexpr double kRounding = 1e-12;
    return std::ranges::any_of(tilts, [&](double tilt) { return !(std::fabs(tilt) <= kRounding * size); });
}

void TrackRows::begin_frame(const Clock& clock, const PeriodicBox& box, const std::vector<Column>& columns) {
    const uint64_t frame = frame_count();
    const int time_source = clock.time ? 2 : clock.step ? 1 : 0;
    if (frame == 0) time_source_ = time_source;
    if (time_source < time_source_)
        throw lines_.fail(std::string("expected ") + (time_source_ == 2 ? "Time" : "Step") +
                          "=…, as in the frames before, found none");
    const double time = time_source_ == 2 ? *clock.time : time_source_ == 1 ? *clock.step : static_cast<double>(frame);
    if (frame > 0 && !(time > tracks_.times.back()))
        throw lines_.fail("this frame is at t = " + format_exactly(time) + ", and the one before it at t = " +
                          format_exactly(tracks_.times.back()) + "; frames are expected in the order of time");
    tracks_.times.push_back(time);
    tracks_.starts.push_back(tracks_.places.size());
    if (frame == 0) {
        box_ = box;
    } else if (box_ && box_->low == box.low && box_->size == box.size) {
        if (!(box_->lengths == box.lengths))
            box_->lengths = box_->size;  // the length of an axis that is not periodic has changed
    } else if (box_) {
        const auto shown = [](const PeriodicBox& one) {
            if (one.size == Point{}) return std::string("none");
            if (one.size.y == 0) return format_exactly(one.size.x) + " along x alone";
            if (one.size.x == 0) return format_exactly(one.size.y) + " along y alone";
            return format_exactly(one.size.x) + " × " + format_exactly(one.size.y);
        };
        file_.note_once("the periodic box changes, from " + shown(*box_) + " to " + shown(box) + " in frame " +
                        std::to_string(frame) + ", so none is used");
        box_.reset();
    }
    columns_.clear();
    for (const Column& column : columns) columns_.push_back(column_of(column));
    rows_.clear();
    values_.clear();
}

/// The index of a column; values of a new column are missing in earlier frames.
size_t TrackRows::column_of(const Column& column) {
    size_t k = 0;
    while (k < kept_.size() && tracks_.attributes[k].name != column.name) ++k;
    if (k == kept_.size()) {
        kept_.push_back({column.is_text, column.is_usual, {}});
        tracks_.attributes.push_back({column.name, std::vector<double>(tracks_.places.size(), NAN)});
    }
    return k;
}

int64_t TrackRows::id(std::string_view word, size_t column, std::string_view line) const {
    if (const auto number = whole<int64_t>(word)) return *number;
    throw lines_.expected("an id, a whole number, in column " + std::to_string(column + 1), line);
}

double TrackRows::number(std::string_view word, char axis, size_t column) const {
    if (const std::optional<double> value = number_of(word)) return *value;
    throw lines_.expected(std::string("a number as ") + axis + " in column " + std::to_string(column + 1), word);
}

void TrackRows::add(int64_t id, Point place, const std::vector<std::string_view>& words,
                    const std::vector<size_t>& column_words) {
    rows_.push_back({id, place, lines_.number()});
    for (size_t k = 0; k < columns_.size(); ++k) {
        const std::string_view word = column_words[k] < words.size() ? words[column_words[k]] : std::string_view();
        double value = NAN;
        if (Kept& kept = kept_[columns_[k]]; kept.is_text) {
            if (!word.empty())
                value = kept.categories.try_emplace(std::string(word), static_cast<double>(kept.categories.size()))
                            .first->second;
        } else if (word == "T" || word == "F") {
            value = word == "T";
        } else if (const std::optional<double> number = number_of(word); number && std::isfinite(*number)) {
            value = *number;
        }
        values_.push_back(value);
    }
}

void TrackRows::end_frame() {
    std::vector<uint32_t> order(rows_.size());
    std::iota(order.begin(), order.end(), 0u);
    stable_sort_or_cancel(order.begin(), order.end(),
                          [&](uint32_t a, uint32_t b) { return rows_[a].id < rows_[b].id; });
    if (frame_count() == 1) {
        order_.resize(order.size());
        for (size_t i = 0; i < order.size(); ++i) order_[order[i]] = static_cast<uint32_t>(i);
    }
    for (size_t i = 0; i < order.size(); ++i) {
        const Row& row = rows_[order[i]];
        if (i > 0 && row.id == rows_[order[i - 1]].id)
            throw Error(line_place(file_.path, row.line) + "id " + std::to_string(row.id) +
                        " is in this frame already, in line " + std::to_string(rows_[order[i - 1]].line));
        tracks_.ids.push_back(row.id);
        tracks_.places.push_back(row.place);
    }
    for (size_t k = 0; k < columns_.size(); ++k) {
        std::vector<double>& values = tracks_.attributes[columns_[k]].values;
        for (const uint32_t row : order) values.push_back(values_[row * columns_.size() + k]);
    }
    for (Attribute& attribute : tracks_.attributes) attribute.values.resize(tracks_.places.size(), NAN);
}

Frames TrackRows::finish(std::string decided, bool has_ids) {
    if (tracks_.places.empty()) throw file_.fail("no points found");
    tracks_.name = file_.path.filename().string();
    tracks_.starts.push_back(tracks_.places.size());
    if (box_) tracks_.box_low = box_->low, tracks_.box = box_->size, tracks_.box_lengths = box_->lengths;
    std::vector<Attribute> attributes;
    std::string names;
    for (size_t k = 0; k < kept_.size(); ++k) {
        Attribute& attribute = tracks_.attributes[k];
        const auto is_there = [](double value) { return !std::isnan(value); };
        const auto first = std::ranges::find_if(attribute.values, is_there);
        const bool varies = std::any_of(first, attribute.values.end(),
                                        [&](double value) { return is_there(value) && value != *first; });
        if (kept_[k].is_usual && !varies) continue;
        attribute.categories.resize(kept_[k].categories.size());
        for (const auto& [word, index] : kept_[k].categories)
            attribute.categories[static_cast<size_t>(index)] = printable_within(word, kLongestColumnName);
        append_clause(names, attribute.name, ", ");
        attributes.push_back(std::move(attribute));
    }
    if (const size_t kept = attributes.size(); kept > 0)
        append_clause(decided, count_text(kept, "column kept: ", "columns kept: ") + printable_within(names, 120));
    tracks_.attributes = std::move(attributes);
    if (!decided.empty()) file_.note_once(decided);
    range_.say(file_.path, file_.notes);
    note_missing(tracks_, file_.notes);
    return {std::move(tracks_), has_ids, std::move(order_)};
}

std::string why_no_tracks(const std::vector<double>& times, std::vector<int64_t> ids) {
    if (std::ranges::all_of(times, [&](double t) { return t == times[0]; }))
        return "all rows are of one time, so these are points, not tracks";
    sort_or_cancel(ids.begin(), ids.end());
    const bool come_again = std::ranges::adjacent_find(ids) != ids.end();
    return come_again ? "" : "each id comes once, so these are points, not tracks";
}

Tracks in_frames(const InputFile& file, RowsOverTime rows, const std::function<std::string(size_t row)>& row_name) {
    const auto& [times, ids, places, attributes] = rows;
    std::vector<size_t> order(places.size());
    std::iota(order.begin(), order.end(), size_t(0));
    stable_sort_or_cancel(order.begin(), order.end(), [&, &time_of = times, &id_of = ids](size_t a, size_t b) {
        return time_of[a] != time_of[b] ? time_of[a] < time_of[b] : id_of[a] < id_of[b];
    });
    // Trackers give the id -1 to untracked points.
    const auto is_untracked = [&, &id_of = ids](size_t i) { return id_of[i] == -1; };
    const auto at_once = std::ranges::adjacent_find(order, [&, &time_of = times](size_t a, size_t b) {
        return is_untracked(a) && is_untracked(b) && time_of[a] == time_of[b];
    });
    if (at_once != order.end()) {
        const size_t all = order.size();
        std::erase_if(order, is_untracked);
        if (order.empty()) throw file.fail("all ids are -1, so there are no tracks");
        file.note(std::to_string(all - order.size()) + " rows with the id -1 are not in a track and are left out");
    }
    Tracks tracks{file.path.filename().string(), {}, {}, {}, {}};
    for (size_t k = 0; k < order.size(); ++k) {
        const size_t i = order[k];
        if (k == 0 || times[i] != times[order[k - 1]]) {
            tracks.times.push_back(times[i]);
            tracks.starts.push_back(k);
        } else if (ids[i] == ids[order[k - 1]]) {
            const std::string line = row_name(i);
            throw Error(file.path.string() + (line.starts_with("line ") ? ":" + line.substr(5) : ": " + line) +
                        ": id " + std::to_string(ids[i]) + " is at t = " + format_exactly(times[i]) + " already in " +
                        row_name(order[k - 1]));
        }
        tracks.ids.push_back(ids[i]);
        tracks.places.push_back(places[i]);
    }
    tracks.starts.push_back(order.size());
    for (Attribute& attribute : rows.attributes) {
        std::vector<double> sorted(order.size());
        for (size_t k = 0; k < order.size(); ++k) sorted[k] = attribute.values[order[k]];
        attribute.values = std::move(sorted);
    }
    tracks.attributes = std::move(rows.attributes);
    tracks.y_down = file.options.y_down;
    return tracks;
}

void turn_over(Tracks& tracks) {
    for (Point& p : tracks.places) p.y = 0 - p.y;
    tracks.box_low.y = 0 - tracks.box_low.y - tracks.box_lengths.y;
    tracks.y_down = true;
}

void note_missing(const Tracks& tracks, std::vector<std::string>& notes) {
    std::vector<int64_t> ids = tracks.ids;
    sort_or_cancel(ids.begin(), ids.end());
    std::vector<int64_t> missing;  // ids missing in some frames
    size_t known = 0;
    for (size_t begin = 0; begin < ids.size(); ++known) {
        const auto end = static_cast<size_t>(std::ranges::upper_bound(ids, ids[begin]) - ids.begin());
        if (end - begin < tracks.frame_count()) missing.push_back(ids[begin]);
        begin = end;
    }
    if (missing.empty()) return;
    const int64_t id = missing.front();
    size_t frame = 0;
    const auto present = [&](size_t t) {
        const auto begin = tracks.ids.begin() + static_cast<ptrdiff_t>(tracks.starts[t]);
        return std::binary_search(begin, tracks.ids.begin() + static_cast<ptrdiff_t>(tracks.starts[t + 1]), id);
    };
    while (present(frame)) ++frame;
    notes.push_back(tracks.name + ": " + std::to_string(missing.size()) + " of " + std::to_string(known) +
                    (missing.size() == 1 ? " points is" : " points are") + " missing in some of the " +
                    std::to_string(tracks.frame_count()) + " frames, and left out there; id " + std::to_string(id) +
                    ", for one, at t = " + format_exactly(tracks.times[frame]));
}

}  // namespace flipscope::io
