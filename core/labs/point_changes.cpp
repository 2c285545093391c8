#include "labs/point_editing_lab.h"

#include <bit>
#include <stdexcept>

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

}  // namespace flipscope
