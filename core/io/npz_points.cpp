#include "io/npz_points.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "compute/cancel.h"
#include "compute/printable.h"
#include "geometry/predicates.h"
#include "io/files.h"
#include "io/npz_file.h"
#include "io/parse.h"
#include "io/points.h"

namespace flipscope::io {

namespace {

constexpr size_t kLongestColumnName = 64;     // bytes
constexpr uint64_t kRoomForHeader = 1 << 20;  // bytes; headers are far shorter

using Member = NpzFile::Member;

/// What an array could be, by its header alone.
enum class Shape { kPairs, kWholePairs, kRecords, kOther };

bool is_list(const NpyFile& file) {
    const auto& shape = file.shape();
    return file.type() && shape && (shape->size() == 1 || (shape->size() == 2 && (*shape)[1] == 1));
}

Shape shape_of_array(const NpyFile& file) {
    const auto& shape = file.shape();
    if (!shape) return Shape::kOther;
    if (shape->size() == 1 && !file.fields().empty()) {
        const auto has = [&](const char* name) {
            return std::any_of(file.fields().begin(), file.fields().end(), [&](const NpyField& field) {
                return field.name == name && field.type && field.type->kind == 'f';
            });
        };
        return has("x") && has("y") ? Shape::kRecords : Shape::kOther;
    }
    if (!file.type() || file.type()->kind == 'b' || shape->size() != 2 || (*shape)[1] != 2) return Shape::kOther;
    return file.type()->kind == 'f' ? Shape::kPairs : Shape::kWholePairs;
}

class ArchivedPoints {
  public:
    ArchivedPoints(const std::filesystem::path& path, const NpzFile& archive, std::vector<std::string>& notes)
        : path_(path), archive_(archive), notes_(notes) {}

    Geometry read() {
        for (const Member& member : archive_.members()) {
            throw_if_cancelled();
            const std::string begin = archive_.read_begin(member, kRoomForHeader);
            shapes_.push_back(shape_of_array(NpyFile(place_of(member), begin)));
        }
        const std::vector<const Member*> axes = choose();
        Geometry made;
        made.name = path_.filename().string();
        PointExtras extras;
        if (axes.size() == 1)
            made.points = read_pairs(*axes[0], extras);
        else
            made.points = join(read_axis(*axes[0]), read_axis(*axes[1]));
        if (made.points.empty()) throw Error(path_.string() + ": no points found");
        for (size_t i = 0; i < made.points.size(); ++i) {
            const Point p = made.points[i];
            if (coordinate_in_range(p.x) && coordinate_in_range(p.y)) continue;
            const std::string place = place_of(*axes[0]) + ": row " + std::to_string(i) + ": ";
            require_in_range(p.x, place + "x");
            require_in_range(p.y, place + "y");
        }
        NpyColumns columns(path_, made.points.size());
        for (size_t i = 0; i < archive_.members().size(); ++i) {
            const Member& member = archive_.members()[i];
            if (std::find(axes.begin(), axes.end(), &member) != axes.end()) continue;
            if (std::any_of(extras.attributes.begin(), extras.attributes.end(),
                            [&](const Attribute& field) { return field.name == member.name; }))
                columns.leave_out(member.name, "is a field of the points, too");
            else
                columns.take(member.name, archive_.read(member));
        }
        std::vector<Attribute> all = columns.finish(notes_);
        all.insert(all.begin(), std::make_move_iterator(extras.attributes.begin()),
                   std::make_move_iterator(extras.attributes.end()));
        if (!all.empty()) made.attributes = std::make_shared<const std::vector<Attribute>>(std::move(all));
        return made;
    }

  private:
    std::string place_of(const Member& member) const {
        return path_.string() + ": " + printable_within(member.name, kLongestColumnName);
    }
    const Member* called(const char* name) const {
        for (const Member& member : archive_.members())
            if (member.name == name) return &member;
        return nullptr;
    }

    /// The array of the points, or that of x and that of y.
    std::vector<const Member*> choose() const {
        std::vector<const Member*> found;
        for (const auto& kinds :
             {std::pair(Shape::kPairs, Shape::kRecords), {Shape::kWholePairs, Shape::kWholePairs}}) {
            for (size_t i = 0; i < shapes_.size(); ++i)
                if (shapes_[i] == kinds.first || shapes_[i] == kinds.second) found.push_back(&archive_.members()[i]);
            if (!found.empty()) break;
        }
        if (found.size() == 1) return found;
        if (found.empty()) {
            const Member *const x = called("x"), *const y = called("y");
            if (x && y) return {x, y};
            throw Error(path_.string() +
                        ": there is no array called points_0, triangles_0 or the like in it, and none of shape (n, 2), "
                        "nor x and y, which would be points");
        }
        for (const char* name : {"points", "positions", "coordinates", "xy"})
            for (const Member* one : found)
                if (one->name == name) return {one};
        throw Error(path_.string() + ": " + excerpt(found[0]->name) + " and " + excerpt(found[1]->name) +
                    (found.size() > 2 ? " and others" : "") +
                    " could all be the points, of shape (n, 2); call the one that is \"points\"");
    }

    std::vector<Point> read_pairs(const Member& member, PointExtras& extras) {
        const std::string bytes = archive_.read(member);
        const std::string place = place_of(member);
        const NpyFile file(place, bytes);
        if (shape_of_array(file) != Shape::kWholePairs) return read_npy(place, bytes, notes_, extras);
        const uint64_t n = file.require_whole("points", notes_) / 2;
        std::vector<Point> points(n);
        RegularLook look;
        for (uint64_t i = 0; i < n; ++i) {
            look();
            points[i] = file.column_major() ? Point{file.number(i), file.number(n + i)}
                                            : Point{file.number(2 * i), file.number(2 * i + 1)};
        }
        return points;
    }

    std::vector<double> read_axis(const Member& member) {
        const std::string bytes = archive_.read(member);
        const NpyFile file(place_of(member), bytes);
        if (!is_list(file) || file.type()->kind == 'b')
            throw file.fail("expected shape (n,) of numbers, found " + file.written_shape().substr(0, 40) + " of " +
                            excerpt(file.written_type()));
        std::vector<double> values(file.require_whole("coordinates", notes_));
        RegularLook look;
        for (size_t i = 0; i < values.size(); ++i) {
            look();
            values[i] = file.number(i);
        }
        return values;
    }

    std::vector<Point> join(const std::vector<double>& x, const std::vector<double>& y) const {
        if (x.size() != y.size())
            throw Error(path_.string() + ": x has " + std::to_string(x.size()) + " numbers, and y " +
                        std::to_string(y.size()));
        std::vector<Point> points(x.size());
        for (size_t i = 0; i < x.size(); ++i) points[i] = {x[i], y[i]};
        return points;
    }

    const std::filesystem::path& path_;
    const NpzFile& archive_;
    std::vector<std::string>& notes_;
    std::vector<Shape> shapes_;  // of its members
};

}  // namespace

void NpyColumns::leave_out(const std::string& name, const std::string& why) {
    constexpr size_t kMostNamed = 5;
    if (named_ == kMostNamed) {
        ++unnamed_;
        return;
    }
    ++named_;
    left_out_ += (left_out_.empty() ? "" : "; ") + excerpt(name) + " " + why;
}

void NpyColumns::take(const std::string& name, std::string_view bytes) {
    const NpyFile file(path_.string() + ": " + printable_within(name, kLongestColumnName), bytes);
    const std::string called = printable_within(name, kLongestColumnName);
    if (!file.type()) return leave_out(name, "is no array of numbers");
    if (!is_list(file)) return leave_out(name, "has shape " + file.written_shape().substr(0, 40));
    if (file.shape()->front() != points_)
        return leave_out(name, "has " + std::to_string(file.shape()->front()) + " numbers");
    if (called.empty()) return leave_out(name, "has no name");
    if (std::any_of(columns_.begin(), columns_.end(), [&](const Attribute& other) { return other.name == called; }))
        return leave_out(name, "has the name of another");
    // Numbers of one byte become eight, and an archive can hold many times its size of them.
    if ((columns_.size() + 1) * points_ > most_file_bytes() / sizeof(double))
        throw Error(path_.string() + ": its columns of numbers are too large for this machine's memory");
    std::vector<std::string> ignored;
    file.require_whole("numbers", ignored);
    Attribute& column = columns_.emplace_back(Attribute{called, std::vector<double>(points_)});
    RegularLook look;
    for (size_t i = 0; i < points_; ++i) {
        look();
        const double value = file.number(i);
        column.values[i] = std::isfinite(value) ? value : NAN;
    }
}

std::vector<Attribute> NpyColumns::finish(std::vector<std::string>& notes) {
    if (!left_out_.empty())
        notes.push_back(path_.string() + ": left out, since attributes have one number for each of the " +
                        std::to_string(points_) + (points_ == 1 ? " point: " : " points: ") + left_out_ +
                        (unnamed_ > 0 ? "; and " + std::to_string(unnamed_) + " more" : ""));
    return std::move(columns_);
}

std::optional<Geometry> read_npz_points(const std::filesystem::path& path, std::string_view bytes,
                                        std::vector<std::string>& notes) {
    const NpzFile archive(path, bytes);
    const auto& members = archive.members();
    if (std::any_of(members.begin(), members.end(), [](const Member& one) { return names_recorded_step(one.name); }))
        return std::nullopt;
    Geometry made = ArchivedPoints(path, archive, notes).read();
    if (archive.other_count() > 0)
        notes.push_back(path.string() + ": " + std::to_string(archive.other_count()) +
                        (archive.other_count() == 1 ? " member of the archive is" : " members of the archive are") +
                        " no .npy file, and not used");
    return made;
}

}  // namespace flipscope::io
