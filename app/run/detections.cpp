#include "app/run/detections.h"

#include <algorithm>
#include <cmath>

#include "app/base/number_text.h"
#include "app/run/table_files.h"
#include "geometry/places.h"

namespace flipscope::app {

namespace {

constexpr size_t kCellColumns = 4;  // the four cells of a T1

/// `cells_apart`: a column for each of the first kCellColumns cells, for CSV; otherwise a list, for JSON.
Table table_of_detections(const std::vector<Detection>& detections, const LabInfo& info, bool cells_apart,
                          const DetectionUnits& units) {
    Table table;
    table.columns = {{"time", "in the unit of the input, or steps of the source", {}, 0, units.time},
                     {"round", "the round that found it"},
                     {"kind", ""},
                     {"place", "world units", {}, 2, units.length},
                     {"vertices", "by the names that stay the same over time"}};
    const auto add_number = [&](const std::string& name, const char* sentence, const std::string& unit) {
        std::string key = name;
        std::replace(key.begin(), key.end(), ' ', '_');
        table.columns.push_back({name, sentence, std::move(key), 0, unit});
    };
    if (info.detects_changes) {
        table.columns.push_back({"lost contacts", "pairs that were linked", "lost_contacts"});
        table.columns.push_back({"created contacts", "pairs that are linked now", "created_contacts"});
        const char* const cell =
            "the ends of the lost contact, then of the created one; of a break-up the one that broke up "
            "comes first, of a coalescence the one that the others joined";
        const std::string squared = units.length.empty() ? "" : units.length + "\u00B2";
        struct Of {
            const char *one, *all, *sentence;
            std::string unit;
        };
        for (const Of& of :
             {Of{"cell", "cells", cell, ""}, Of{"area before", "areas before", "of these cells", squared},
              Of{"area after", "areas after", "of these cells", squared}}) {
            if (!cells_apart) add_number(of.all, of.sentence, of.unit);
            for (size_t k = 1; cells_apart && k <= kCellColumns; ++k)
                add_number(std::string(of.one) + " " + std::to_string(k), of.sentence, of.unit);
        }
        for (const char* which : {"lost", "created"}) {
            add_number(std::string(which) + " length", "of the contact, where it is the only one", units.length);
            add_number(std::string(which) + " angle", "of the contact, from the x axis", "\u00B0");
        }
    }
    for (const MeasureInfo& measure : info.detection_measures)
        table.columns.push_back({measure.name, measure.sentence, {}, 0, measure.unit});
    table.row_count = detections.size();
    table.row = [&detections, cells_apart, changes = info.detects_changes,
                 measures = info.detection_measures.size()](size_t i) {
        const Detection& detection = detections.at(i);
        // Not a braced list: if memory runs out, GCC 12 destroys elements not yet made.
        Table::Row row;
        const auto add_number = [&](double number) {
            row.cells.push_back(std::isnan(number) ? Value() : Value::exactly(number));
        };
        row.cells.push_back(Value::exactly(detection.time));
        row.cells.emplace_back(detection.round);
        row.cells.emplace_back(detection.kind);
        row.cells.emplace_back(detection.given.value_or(detection.place));
        row.cells.emplace_back(detection.vertices);
        if (changes) {
            row.cells.emplace_back(detection.lost_contacts);
            row.cells.emplace_back(detection.created_contacts);
            using Cell = Detection::Cell;
            if (cells_apart) {
                const auto cell = [&](size_t k) { return k < detection.cells.size() ? &detection.cells[k] : nullptr; };
                for (size_t k = 0; k < kCellColumns; ++k) row.cells.push_back(cell(k) ? Value(cell(k)->name) : Value());
                for (double Cell::*area : {&Cell::area_before, &Cell::area_after})
                    for (size_t k = 0; k < kCellColumns; ++k) add_number(cell(k) ? cell(k)->*area : std::nan(""));
            } else {
                std::vector<int64_t> names;
                for (const Cell& cell : detection.cells) names.push_back(cell.name);
                row.cells.emplace_back(names.empty() ? Value() : Value(std::move(names)));
                for (double Cell::*area : {&Cell::area_before, &Cell::area_after}) {
                    std::vector<double> areas;
                    bool any = false;
                    for (const Cell& cell : detection.cells) {
                        areas.push_back(cell.*area);
                        any = any || !std::isnan(areas.back());
                    }
                    row.cells.emplace_back(any ? Value(std::move(areas)) : Value());
                }
            }
            for (const double number :
                 {detection.lost_length, detection.lost_angle, detection.created_length, detection.created_angle})
                add_number(number);
        }
        for (size_t k = 0; k < measures; ++k)
            add_number(k < detection.measures.size() ? detection.measures[k] : std::nan(""));
        return row;
    };
    return table;
}

}  // namespace

Table detections_table(const std::vector<Detection>& detections, const LabInfo& info) {
    return table_of_detections(detections, info, false, {});
}

std::string detections_csv(const std::vector<Detection>& detections, const LabInfo& info, const DetectionUnits& units) {
    return csv_of(table_of_detections(detections, info, true, units));
}

std::string vertices_text(const Detection& detection, size_t most) {
    std::string text;
    for (size_t i = 0; i < std::min(detection.vertices.size(), most); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(detection.vertices[i]);
    return detection.vertices.size() > most ? text + ", …" : text;
}

std::string pairs_text(const std::vector<std::array<int64_t, 2>>& pairs, size_t most) {
    if (pairs.empty()) return "\u2013";
    std::string text;
    for (size_t i = 0; i < std::min(pairs.size(), most); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(pairs[i][0]) + "\u2013" + std::to_string(pairs[i][1]);
    return pairs.size() > most ? text + ", …" : text;
}

std::string in_full(const Detection& detection, const LabInfo& info) {
    const Point place = detection.given.value_or(detection.place);
    std::string text = detection.kind + " at time " + format_plainly(detection.time) + ", round " +
                       number_text(static_cast<double>(detection.round)) + "\nplace (" + place_text(place) +
                       ")\nvertices " + vertices_text(detection, 24);
    if (info.detects_changes)
        text += "\nlost contacts " + pairs_text(detection.lost_contacts, 24) + "\ncreated contacts " +
                pairs_text(detection.created_contacts, 24);
    const auto add_contact = [&](const char* name, double length, double angle) {
        if (!std::isnan(length))
            text += std::string("\n") + name + " contact: length " + value_text(length) + ", angle " +
                    value_text(angle) + "\u00B0";
    };
    add_contact("lost", detection.lost_length, detection.lost_angle);
    add_contact("created", detection.created_length, detection.created_angle);
    for (size_t i = 0; i < std::min(info.detection_measures.size(), detection.measures.size()); ++i)
        if (!std::isnan(detection.measures[i]))
            text += "\n" + info.detection_measures[i].name + " " + value_text(detection.measures[i]) + " " +
                    info.detection_measures[i].unit;
    return text;
}

void DetectionList::follow(const std::vector<Detection>& all) {
    const auto same = [](double a, double b) { return a == b || (a != a && b != b); };
    const bool grown = all.size() >= known_ && (known_ == 0 || (same(all[known_ - 1].time, last_time_) &&
                                                                same(all[known_ - 1].place.x, last_place_.x) &&
                                                                same(all[known_ - 1].place.y, last_place_.y)));
    if (grown && all.size() == known_) return;
    if (!grown) {
        kinds_.clear();
        rows_.clear();
        known_ = 0;
    }
    const size_t before = known_;
    for (; known_ < all.size(); ++known_) {
        const std::string& name = all[known_].kind;
        auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& one) { return one.name == name; });
        if (kind == kinds_.end()) kind = kinds_.insert(kind, Kind{name, {}});
        kind->detections.push_back(static_cast<uint32_t>(known_));
    }
    if (known_ > 0) last_time_ = all[known_ - 1].time, last_place_ = all[known_ - 1].place;
    if (grown && shown_.empty() && !by_kind_)
        for (size_t i = before; i < known_; ++i) rows_.push_back(static_cast<uint32_t>(i));
    else
        arrange();
}

void DetectionList::show(const std::string& kind) {
    shown_ = kind;
    arrange();
}

void DetectionList::sort_by_kind(bool by_kind) {
    by_kind_ = by_kind;
    arrange();
}

void DetectionList::arrange() {
    const auto is_shown = [&](const Kind& kind) { return shown_.empty() || kind.name == shown_; };
    if (std::none_of(kinds_.begin(), kinds_.end(), is_shown)) shown_.clear();
    rows_.clear();
    std::vector<const Kind*> parts;
    for (const Kind& kind : kinds_)
        if (is_shown(kind)) parts.push_back(&kind);
    std::sort(parts.begin(), parts.end(), [](const Kind* a, const Kind* b) { return a->name < b->name; });
    for (const Kind* kind : parts) rows_.insert(rows_.end(), kind->detections.begin(), kind->detections.end());
    if (!by_kind_) std::sort(rows_.begin(), rows_.end());
}

size_t DetectionList::row_of(size_t detection) const {
    const auto row = by_kind_ ? std::find(rows_.begin(), rows_.end(), detection)
                              : std::lower_bound(rows_.begin(), rows_.end(), detection);
    return row != rows_.end() && *row == detection ? static_cast<size_t>(row - rows_.begin()) : rows_.size();
}

size_t DetectionList::rows_among(size_t detections) const {
    return static_cast<size_t>(
        std::count_if(rows_.begin(), rows_.end(), [&](uint32_t index) { return index < detections; }));
}

std::string word_of(const LabInfo& info) { return info.detects.empty() ? "detection" : info.detects; }
std::string words_of(const LabInfo& info) { return word_of(info) + "s"; }

std::string count_of_detections(uint64_t count, const LabInfo& info) {
    return number_text(static_cast<double>(count)) + " " + (count == 1 ? word_of(info) : words_of(info));
}

}  // namespace flipscope::app
