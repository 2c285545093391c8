#include "labs/point_editing_lab.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "compute/error.h"
#include "flipscope/predicates.h"
#include "lab/manual_edits.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

// The kind of one line of a snapshot's block; `index` is its point, or a count.
enum class Line : uint64_t { kPlace, kRemoved, kAdded };
struct Record {
    Line line;
    uint64_t index;
    Point place;
};

constexpr size_t kChangesBlocks = 1;

std::string text_of(const std::vector<uint32_t>& points) {
    std::string text = "Point " + std::to_string(points.front());
    if (points.size() > 1)
        text += " and its " + std::to_string(points.size() - 1) + (points.size() == 2 ? " duplicate" : " duplicates");
    return text;
}

}  // namespace

uint32_t PointChanges::add(Point place, size_t given) {
    const uint32_t index = next_index(given);
    ++added_;
    places_[index] = place;
    return index;
}

std::shared_ptr<const Geometry> PointChanges::apply(const Geometry& given, std::vector<uint32_t>& names) const {
    auto made = std::make_shared<Geometry>();
    made->name = given.name;
    made->level = given.level;
    made->points = given.points;
    made->points.resize(next_index(given.points.size()));
    for (const auto& [index, place] : places_) made->points[index] = place;
    made->names = given.names;
    if (!made->names.empty()) made->names.resize(made->points.size());
    names.clear();
    if (removed_.empty()) return made;
    names.reserve(made->points.size() - removed_.size());
    auto gone = removed_.begin();
    for (uint32_t i = 0; i < made->points.size(); ++i) {
        if (gone != removed_.end() && *gone == i) {
            ++gone;
            continue;
        }
        made->points[names.size()] = made->points[i];
        if (!made->names.empty()) made->names[names.size()] = made->names[i];
        names.push_back(i);
    }
    made->points.resize(names.size());
    if (!made->names.empty()) made->names.resize(names.size());
    return made;
}

uint64_t PointChanges::hash() const {
    if (empty()) return 0;
    uint64_t hash = mix64(added_ + 1);
    for (const auto& [index, place] : places_)
        for (const uint64_t word :
             {uint64_t(index), std::bit_cast<uint64_t>(place.x), std::bit_cast<uint64_t>(place.y)})
            hash = mix64(hash ^ word);
    for (const uint32_t index : removed_) hash = mix64(hash ^ (uint64_t(1) << 32 | index));
    return hash;
}

void PointChanges::put(Snapshot& snapshot) const {
    std::vector<Record> records{{Line::kAdded, added_, {}}};
    for (const auto& [index, place] : places_) records.push_back({Line::kPlace, index, place});
    for (const uint32_t index : removed_) records.push_back({Line::kRemoved, index, {}});
    put_values(snapshot, records.data(), records.size());
}

PointChanges PointChanges::take(const Snapshot& snapshot, size_t block) {
    PointChanges changes;
    for (const Record& record : load_vector<Record>(snapshot, block)) {
        const auto index = static_cast<uint32_t>(record.index);
        switch (record.line) {
            case Line::kPlace:
                changes.places_[index] = record.place;
                break;
            case Line::kRemoved:
                changes.removed_.insert(index);
                break;
            case Line::kAdded:
                changes.added_ = index;
                break;
            default:
                throw std::logic_error("a snapshot of another algorithm: no changes of points");
        }
    }
    return changes;
}

void PointEditingLab::reset(Context& context, std::shared_ptr<const Geometry> input) {
    reset_engine(context, input);
    records_states_ = will_record_states_;
    engine_moved(true);
    given_ = std::move(input);
    changes_ = {};
    drag_.reset();
    interrupted_ = false;
}

StepResult PointEditingLab::step() {
    StepResult result = engine().step();
    result.message = message_after(result.pass);
    measure(result);
    return result;
}

void PointEditingLab::finish(const std::function<void(const StepResult&)>& after_round) {
    if (!after_round) return engine().finish({});
    uint32_t first = next_pass();
    engine().finish([&](const PassResult& round) {
        StepResult result = round;
        result.message = message_of_round(round, std::exchange(first, kNone));
        measure(result);
        after_round(result);
    });
}

StepResult PointEditingLab::edit(const Edit& edit) {
    if (!info().supports(edit.kind)) throw Error(refusal_of(info(), edit.kind));
    if (edit.goes_on && !drag_) throw std::logic_error("there is no drag to go on with");
    const bool blank = continues_runs() && given_->points.empty();
    const Place now{next_pass() != kFirstPass || blank, done() || (blank && next_pass() == kFirstPass),
                    engine().progress()};
    Drag drag = edit.goes_on ? *drag_ : Drag{points_of(edit), changes_, now, {}};
    if (!edit.goes_on && continues_runs() && edit.kind == Edit::Kind::kMoveVertex) drag.state = save();
    const Point place{edit.end().x, edit.end().y};
    if (edit.kind != Edit::Kind::kRemoveVertex && !(coordinate_in_range(place.x) && coordinate_in_range(place.y)))
        throw Error("A point cannot go there: the coordinates are out of range.");
    StepResult result;
    PointChanges changed = drag.before;
    const uint32_t name = drag.points.empty() ? changed.next_index(given_->points.size()) : drag.points.front();
    switch (edit.kind) {
        case Edit::Kind::kMoveVertex:
            require_free(place, drag.points);
            for (const uint32_t point : drag.points) changed.move(point, place);
            break;
        case Edit::Kind::kAddVertex:
            if (!continues_runs() || construction().mesh().triangle_count == 0) require_free(place, {});
            result.message.add("added",
                               "Point " + std::to_string(changed.add(place, given_->points.size())) + " is added.");
            break;
        default:
            for (const uint32_t point : drag.points) changed.remove(point);
            result.message.add("removed", text_of(drag.points) + (drag.points.size() == 1 ? " is" : " are") +
                                              " removed; the others keep their numbers.");
            break;
    }
    std::vector<uint32_t> names;
    const auto points = changed.apply(*given_, names);
    if (edit.goes_on && drag.state) load(*drag.state);
    interrupted_ = true;
    const std::optional<Level> ended = edit_in_place(edit, points, names, name, result.message);
    if (!ended) {
        interrupted_ = false;
        start_on(points, std::move(names));  // throws before anything has changed
        interrupted_ = true;
    }
    changes_ = std::move(changed);
    if (!ended && drag.place.begun) {
        engine().finish({}, drag.place.done ? kNone : drag.place.count);
        engine_moved(false);
    }
    interrupted_ = false;
    drag_.reset();
    if (edit.kind == Edit::Kind::kMoveVertex) drag_ = std::move(drag);
    result.pass = static_cast<uint32_t>(info().passes.size()) - 1;
    result.next = next_pass();
    result.ended = done() ? Level::kEnd : ended.value_or(Level::kRound);
    result.counters.assign(info().counters.size(), kNotCounted);
    result.round = engine().round();
    describe_edit(result);
    measure(result);
    return result;
}

/// The points to edit: a vertex stands for all points merged into it.
std::vector<uint32_t> PointEditingLab::points_of(const Edit& edit) const {
    if (edit.kind == Edit::Kind::kAddVertex) return {};
    const Construction& made = construction();
    const std::string what = edit.kind == Edit::Kind::kMoveVertex ? "move" : "remove";
    if (edit.id >= made.distinct() && edit.id < made.distinct() + made.helpers())
        throw Error("This is a corner of the supertriangle and no point of the input: there is nothing to " + what +
                    ".");
    if (edit.id >= made.distinct()) throw Error("There is no vertex " + std::to_string(edit.id) + " to " + what + ".");
    const std::vector<Point>& points = made.input()->points;
    const std::vector<uint32_t>& names = made.names();
    const Point place = made.mesh().positions.read(edit.id);
    std::vector<uint32_t> equal;
    for (uint32_t i = 0; i < points.size(); ++i)
        if (points[i] == place) equal.push_back(names.empty() ? i : names[i]);
    return equal;
}

/// Throws Error if a point cannot be placed there. `except`: indices of removed points.
void PointEditingLab::require_free(Point place, const std::vector<uint32_t>& except) const {
    const Construction& made = construction();
    const std::vector<Point>& points = made.input()->points;
    const Point there = place_of_point(place);
    for (uint32_t i = 0; i < points.size(); ++i) {
        if (!(points[i] == there)) continue;
        const uint32_t index = made.names().empty() ? i : made.names()[i];
        if (std::find(except.begin(), except.end(), index) == except.end())
            throw Error("Point " + std::to_string(index) + " is there already; two cannot share a place.");
    }
}

void PointEditingLab::start_on(std::shared_ptr<const Geometry> points, std::vector<uint32_t> names) {
    restart_engine(std::move(points));
    engine().name_points(std::move(names));
    engine_moved(true);
}

uint64_t PointEditingLab::state_hash() const {
    const uint64_t hash = engine().state_hash();
    return changes_.empty() ? hash : mix64(hash ^ changes_.hash());
}

Snapshot PointEditingLab::save() const {
    Snapshot snapshot = engine().save();
    changes_.put(snapshot);
    return snapshot;
}

void PointEditingLab::load(const Snapshot& snapshot) {
    if (snapshot.blocks.size() <= kChangesBlocks) throw std::logic_error("not a snapshot of a construction");
    const PointChanges changes = PointChanges::take(snapshot, snapshot.blocks.size() - 1);
    drag_.reset();
    // The loaded state needs the points in order and the buffers that the first triangle allocates.
    if (interrupted_ || changes != changes_) {
        changes_ = changes;
        interrupted_ = true;
        std::vector<uint32_t> names;
        const auto points = changes_.apply(*given_, names);
        start_on(changes_.empty() ? given_ : points, std::move(names));
        while (!is_seeded()) step();
        interrupted_ = false;
    }
    while (!is_seeded()) step();  // the state is from another run of this input, and this run has not begun
    engine().load(snapshot, kChangesBlocks);
    engine_moved(false);
}

}  // namespace flipscope
