#include "io/npz_points.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "compute/cancel.h"
#include "compute/printable.h"
#include "compute/view.h"
#include "io/files.h"
#include "io/mesh_file.h"
#include "io/npy_places.h"
#include "io/triangles.h"

namespace flipscope::io {

namespace {

constexpr uint64_t kRoomForHeader = 1 << 20;  // bytes; headers are far shorter

using Member = NpzFile::Member;

std::string place_of(const std::filesystem::path& path, const Member& member) {
    return path.string() + ": " + printable_within(member.name, kLongestColumnName);
}

bool has_column_shape(const NpyFile& file) {
    const auto& shape = file.shape();
    return shape && (shape->size() == 1 || (shape->size() == 2 && (*shape)[1] == 1));
}

/// Possible roles of an array, by its header.
struct ArrayHeader {
    enum class As { kOther, kFrames, kPairs, kWholePairs, kOtherPoints, kRecords } as = As::kOther;
    std::vector<uint64_t> shape;
    bool is_number = false, is_text = false;
    bool is_list = false;  // of either, one value per row
    bool is_faces = false, has_places = false;
};

/// The maximum for a face in an array of this name.
uint64_t most_corners(const std::string& name) {
    return name == "faces" || name == "cells" || name == "elements" ? 64 : 3;
}

ArrayHeader header_of(const std::string& name, const NpyFile& file) {
    using As = ArrayHeader::As;
    ArrayHeader header;
    if (!file.shape()) return header;
    header.shape = *file.shape();
    header.is_text = file.text_type().has_value();
    header.is_number = file.type().has_value();
    header.is_list = (file.type() || header.is_text) && has_column_shape(file);
    header.is_faces = find_indices(file, most_corners(name)).has_value();
    if (!file.fields().empty()) {
        std::vector<HeaderName> names;
        std::vector<bool> is_text;
        for (const NpyField& field : file.fields()) {
            names.push_back(header_name(field.name));
            is_text.push_back(!field.type || field.type->kind == 'U' || field.type->kind == 'S');
        }
        if (header.shape.size() == 1 && roles_of(names, is_text).x) header.as = As::kRecords;
        return header;
    }
    const std::optional<NpyPlaces> places = find_places(file);
    if (!places) return header;
    header.has_places = true;
    const bool is_whole = file.type() && file.type()->kind != 'f';
    if (places->is_over_time)
        header.as = As::kFrames;
    else if (header.shape.size() == 2 && header.shape[1] == 2)
        header.as = is_whole ? As::kWholePairs : As::kPairs;
    else
        header.as = is_whole ? As::kOther : As::kOtherPoints;
    return header;
}

class ArchivedPoints {
  public:
    ArchivedPoints(const InputFile& file, const NpzFile& archive) : file_(file), archive_(archive) {}

    Geometry read() {
        for (const Member& member : members()) {
            throw_if_cancelled();
            const std::string begin = archive_.read_begin(member, kRoomForHeader);
            headers_.push_back(header_of(member.name, NpyFile(place_of(file_.path, member), begin)));
        }
        faces_ = find_faces();
        choose();
        if (!points_) {
            const Member* const one = called("triangles");
            throw Error(file_.path.string() +
                        (one && faces_ ? ": there are triangles in it, and no points: none of shape (n, 2), nor x and y"
                                       : ": there is no array called points_0, triangles_0 or the like in it, and none "
                                         "of shape (n, 2), nor x and y, which would be points"));
        }
        open_places();
        if (faces_) return read_mesh();
        const bool are_tracks = places_.is_over_time || (places_.time && places_.id);
        return are_tracks ? read_tracks() : read_points();
    }

  private:
    using As = ArrayHeader::As;
    const std::vector<Member>& members() const { return archive_.members(); }
    size_t index_of(const Member& member) const { return static_cast<size_t>(&member - members().data()); }
    const ArrayHeader& header(const Member& member) const { return headers_[index_of(member)]; }
    const Member* called(std::string_view name) const {
        for (const Member& member : members())
            if (member.name == name) return &member;
        return nullptr;
    }

    const Member* find_faces() const {
        for (const char* name : {"triangles", "simplices", "faces", "cells", "elements", "tri", "tris"})
            if (const Member* const one = called(name); one && header(*one).is_faces) return one;
        return nullptr;
    }

    /// Chooses the array of the points, or those of x and y, and lists with their times, ids and names.
    void choose() {
        std::vector<const Member*> lists;
        std::vector<NamedColumn> columns;
        for (const Member& member : members()) {
            if (&member == faces_ || !header(member).is_list) continue;
            lists.push_back(&member);
            NpyColumn column;
            if (header(member).is_text) column.type.kind = 'U';
            columns.push_back({member.name, column});
        }
        const TableRoles roles = find_roles(columns, file_.options, file_.path.string());
        const auto list_of = [&](const std::optional<size_t>& column) { return column ? lists[*column] : nullptr; };
        time_ = list_of(roles.time), id_ = list_of(roles.id), name_ = list_of(roles.name);
        const Member *x = list_of(roles.x), *y = list_of(roles.y);
        places_.unit = x && y ? unit_of(roles) : "";
        places_.time_unit = time_ ? roles.time_unit : "";
        const bool are_lists = x && y;
        if (!are_lists) x = called("x"), y = called("y");
        const bool has_axes = x && y && header(*x).is_number && header(*y).is_number;
        // The arrays named by the options; and x and y of shape (t, n), which could be pairs by their shape.
        const bool are_meant =
            has_axes && (!file_.options.columns.empty() || (!are_lists && !called("points") && !called("positions")));
        if (!are_meant) points_ = choose_array(has_axes);
        if (!points_ && has_axes) points_ = x, y_ = y;
    }

    const Member* choose_array(bool has_axes) const {
        std::vector<const Member*> found;
        for (const char* name : {"points", "positions", "coordinates", "xy", "vertices"}) {
            const Member* const one = called(name);
            if (one && one != faces_ && (header(*one).has_places || header(*one).as == As::kRecords)) return one;
        }
        std::vector<std::vector<As>> order{{As::kFrames}, {As::kPairs, As::kRecords}};
        if (!has_axes) order.insert(order.end(), {{As::kWholePairs}, {As::kOtherPoints}});
        for (const std::vector<As>& as : order) {
            for (const Member& member : members())
                if (&member != faces_ && std::ranges::find(as, header(member).as) != as.end()) found.push_back(&member);
            if (!found.empty()) break;
        }
        if (found.empty()) return nullptr;
        if (found.size() == 1) return found.front();
        throw file_.fail(excerpt(found[0]->name) + " and " + excerpt(found[1]->name) +
                         (found.size() > 2 ? " and others" : "") +
                         " could all be the points, of shape (n, 2); call the one that is \"points\"");
    }

    /// Unpacks a member, and keeps it.
    const NpyFile& open(const Member& member) {
        bytes_.push_back(std::make_unique<const std::string>(archive_.read(member)));
        files_.push_back(std::make_unique<const NpyFile>(place_of(file_.path, member), *bytes_.back()));
        return *files_.back();
    }
    /// One value per row; nullopt: for a different number of rows.
    std::optional<NpyColumn> open_list(const Member* member, uint64_t rows) {
        if (!member || header(*member).shape[0] != rows) return std::nullopt;
        const NpyFile& file = open(*member);
        file.require_whole("numbers", file_.notes);
        used_.push_back(member);
        return file.elements();
    }

    void open_places() {
        used_ = {points_};
        const NpyFile& file = open(*points_);
        place_ = place_of(file_.path, *points_);
        if (y_) {
            used_.push_back(y_);
            open_axes(file);
        } else if (header(*points_).as == As::kRecords) {
            file.require_whole("points", file_.notes);
            places_.rows = header(*points_).shape[0];
            for (const NpyField& field : file.fields())
                if (field.type && !field.name.empty())
                    places_.columns.push_back(
                        {field.name, {file.data().data(), field.offset, file.element_size(), 0, *field.type}});
            assign_roles(places_, file_.options, place_);
        } else {
            file.require_whole("points", file_.notes);
            const std::string time_unit = places_.time_unit;
            if (auto places = find_places(file)) places_ = *std::move(places);
            places_.time_unit = time_unit;
        }
        if (places_.is_over_time) return;
        if (!places_.name) places_.name = open_list(name_, places_.rows);
        const bool are_tracks =
            time_ && id_ && !faces_ && header(*time_).shape[0] == places_.rows && header(*id_).shape[0] == places_.rows;
        if (!are_tracks) return;
        places_.time = open_list(time_, places_.rows);
        places_.id = open_list(id_, places_.rows);
        append_clause(places_.decided, "times from " + excerpt(time_->name) + ", ids from " + excerpt(id_->name));
    }

    void open_axes(const NpyFile& of_x) {
        const NpyFile& of_y = open(*y_);
        const std::vector<uint64_t>& shape = *of_x.shape();
        const bool in_frames = shape.size() == 2 && shape[1] != 1;  // (t, n)
        for (const NpyFile* file : {&of_x, &of_y})
            if (file->type()->kind == 'b' || !(has_column_shape(*file) || in_frames))
                throw file->fail("expected shape (n,) of numbers, found " + file->written_shape() + " of " +
                                 excerpt(file->written_type()));
        const uint64_t count = of_x.require_whole("coordinates", file_.notes),
                       other = of_y.require_whole("coordinates", file_.notes);
        if (count != other || (in_frames && shape != *of_y.shape()))
            throw file_.fail(printable_within(points_->name, kLongestColumnName) + " has " + std::to_string(count) +
                             " numbers, and " + printable_within(y_->name, kLongestColumnName) + " " +
                             std::to_string(other) + (count == other ? " of another shape" : ""));
        places_.rows = shape.size() == 2 && in_frames ? shape[1] : count;
        places_.frames = in_frames ? shape[0] : 1;
        places_.is_over_time = in_frames;
        for (const NpyFile* file : {&of_x, &of_y}) {
            NpyColumn& column = file == &of_x ? places_.x : places_.y;
            column = file->elements();
            if (in_frames) column.row = file->strides()[1], column.frame = file->strides()[0];
        }
        if (points_->name != "x" || y_->name != "y")
            append_clause(places_.decided, "x from " + excerpt(points_->name) + ", y from " + excerpt(y_->name));
    }

    bool is_used(const Member& member) const { return std::ranges::find(used_, &member) != used_.end(); }

    /// Arrays without a role that have one value per row.
    std::vector<Attribute> read_columns(const std::vector<Attribute>* fields) {
        NpyColumns columns(file_.path, places_.rows);
        for (const Member& member : members()) {
            if (is_used(member)) continue;
            const auto has_name = [&](const Attribute& field) { return field.name == member.name; };
            if (fields && std::ranges::any_of(*fields, has_name))
                columns.leave_out(member.name, "is a field of the points, too");
            else
                columns.take(member.name, archive_.read(member));
        }
        return columns.finish(file_.notes);
    }

    Geometry read_points() {
        Geometry made = points_of(file_, place_, places_);
        std::vector<Attribute> all = read_columns(made.attributes.get());
        for (Attribute& attribute : all)
            if (!made.rows.empty()) keep_rows(attribute.values, made.rows);
        if (made.attributes) all.insert(all.begin(), made.attributes->begin(), made.attributes->end());
        set_attributes(made, std::move(all));
        return made;
    }

    /// Frames of points: other arrays have a value per point and frame, or per point.
    Geometry read_tracks() {
        std::vector<double> times;
        std::vector<int64_t> ids;
        const bool in_frames = places_.is_over_time;
        const auto list = [&](const Member* member, uint64_t n) {
            return in_frames ? open_list(member, n) : std::nullopt;
        };
        if (const auto column = list(time_, places_.frames))
            for (uint64_t t = 0; t < places_.frames; ++t) times.push_back(column->number(t));
        if (const auto column = list(id_, places_.rows))
            for (uint64_t i = 0; i < places_.rows; ++i) {
                const std::optional<int64_t> id = column->whole(i);
                if (!id)
                    throw Error(place_of(file_.path, *id_) + ": number " + std::to_string(i) +
                                " is not a whole number");
                ids.push_back(*id);
            }
        if (places_.frames == 0 || places_.rows == 0) throw Error(place_ + ": no points found");
        NpyColumns left_out(file_.path, places_.rows);
        // One-byte numbers become eight bytes, and an archive may hold many times its size of them.
        const uint64_t most = most_file_bytes() / sizeof(double) / places_.frames / places_.rows;
        for (const Member& member : members()) {
            if (is_used(member)) continue;
            const ArrayHeader& one = header(member);
            const bool of_all = in_frames && one.shape == std::vector{places_.frames, places_.rows};
            const bool of_rows = one.is_list && !one.is_text && one.shape[0] == places_.rows;
            if ((!of_all && !of_rows) || places_.columns.size() >= most) {
                left_out.leave_out(member.name, "has another shape");
                continue;
            }
            const NpyFile& file = open(member);
            if (!file.type()) {
                left_out.leave_out(member.name, "is not an array of numbers");
                continue;
            }
            file.require_whole("numbers", file_.notes);
            const std::vector<uint64_t> stride = file.strides();
            places_.columns.push_back(
                {printable_within(member.name, kLongestColumnName),
                 {file.data().data(), 0, of_all ? stride[1] : stride[0], of_all ? stride[0] : 0, *file.type()}});
        }
        Geometry made;
        made.tracks = std::make_shared<const Tracks>(tracks_of(file_, place_, places_, times, ids));
        left_out.finish(file_.notes);
        return made;
    }

    Geometry read_mesh() {
        if (places_.is_over_time)
            throw Error(place_ + ": expected shape (n, 2), points of one frame, beside triangles");
        MeshFile mesh;
        mesh.points.reserve(places_.rows);
        std::optional<NpyColumn> z;
        if (!places_.columns.empty() && places_.columns.front().name == "z") z = places_.columns.front().column;
        CancelPoll poll;
        for (uint64_t i = 0; i < places_.rows; ++i) {
            poll();
            Point3 p{places_.x.number(i), places_.y.number(i), z ? z->number(i) : 0};
            for (const NpyColumn* column : {&places_.x, &places_.y})
                if (const std::string digits = column->inexact(i); !digits.empty())
                    throw Error(place_ + ": row " + std::to_string(i) + " has " + digits +
                                ", which no double is equal to; take an offset off");
            if (file_.options.y_down) p.y = 0 - p.y;
            mesh.points.push_back(p);
        }
        if (!places_.decided.empty() && !z) file_.note(places_.decided);
        used_.push_back(faces_);
        read_faces(mesh);
        mesh.attributes = read_columns(nullptr);
        Geometry made = to_geometry(file_, std::move(mesh));
        made.unit = file_.options.unit;
        made.y_down = file_.options.y_down;
        if (places_.name)
            for (uint64_t i = 0; i < places_.rows; ++i) made.names.push_back(printable(places_.name->text(i)));
        return made;
    }

    void read_faces(MeshFile& mesh) {
        const NpyFile& file = open(*faces_);
        file.require_whole("triangles", file_.notes);
        const std::optional<NpyIndices> indices = find_indices(file, most_corners(faces_->name));
        CancelPoll poll;
        for (uint64_t row = 0; row < indices->rows; ++row) {
            poll();
            for (uint64_t k = 0; k < indices->width; ++k) {
                const int64_t index = indices->at(file, row, k);
                if (index < 0 && k >= 3) break;  // a face with fewer corners is padded with -1
                mesh.corners.push_back(index_or_none(index));
            }
            mesh.face_ends.push_back(mesh.corners.size());
        }
        std::string decided = indices->decided;
        if (counts_from_one(mesh.corners, mesh.points.size())) {
            for (uint32_t& corner : mesh.corners) corner -= corner != kNone;
            append_clause(decided, counted_from_one(mesh.points.size()));
        }
        if (!decided.empty()) file_.notes.push_back(file.name() + ": " + decided);
    }

    const InputFile& file_;
    const NpzFile& archive_;
    std::vector<ArrayHeader> headers_;               // of its members
    const Member *points_ = nullptr, *y_ = nullptr;  // the array, or those of x and y
    const Member *time_ = nullptr, *id_ = nullptr, *name_ = nullptr, *faces_ = nullptr;
    std::vector<const Member*> used_;
    std::string place_;
    NpyPlaces places_;
    std::vector<std::unique_ptr<const std::string>> bytes_;
    std::vector<std::unique_ptr<const NpyFile>> files_;
};

}  // namespace

void NpyColumns::leave_out(const std::string& name, const std::string& why) {
    constexpr size_t kMostNamed = 5;
    if (named_ == kMostNamed) {
        ++unnamed_;
        return;
    }
    ++named_;
    append_clause(left_out_, excerpt(name) + " " + why);
}

void NpyColumns::take(const std::string& name, std::string_view bytes) {
    const NpyFile file(path_.string() + ": " + printable_within(name, kLongestColumnName), bytes);
    const std::string called = printable_within(name, kLongestColumnName);
    if (!file.type() && !file.text_type()) return leave_out(name, "is not an array of numbers");
    if (!has_column_shape(file)) return leave_out(name, "has shape " + file.written_shape());
    if (file.shape()->front() != points_)
        return leave_out(name, "has " + std::to_string(file.shape()->front()) + (file.type() ? " numbers" : " texts"));
    if (called.empty()) return leave_out(name, "has no name");
    if (std::ranges::any_of(columns_, [&](const Attribute& other) { return other.name == called; }))
        return leave_out(name, "has the name of another");
    // One-byte numbers become eight bytes, and an archive may hold many times its size of them.
    if ((columns_.size() + 1) * points_ > most_file_bytes() / sizeof(double))
        throw Error(path_.string() + ": its columns of numbers are too large for this machine's memory");
    std::vector<std::string> ignored;
    file.require_whole("numbers", ignored);
    columns_.push_back(attribute_of({called, file.elements()}, points_, decided_));
}

std::vector<Attribute> NpyColumns::finish(std::vector<std::string>& notes) {
    if (!decided_.empty()) notes.push_back(path_.string() + ": " + decided_);
    if (!left_out_.empty())
        notes.push_back(path_.string() + ": left out, since attributes have one value for each of the " +
                        std::to_string(points_) + (points_ == 1 ? " point: " : " points: ") + left_out_ +
                        (unnamed_ > 0 ? "; and " + std::to_string(unnamed_) + " more" : ""));
    return std::move(columns_);
}

Geometry read_npz_points(const InputFile& file, const NpzFile& archive) {
    Geometry made = ArchivedPoints(file, archive).read();
    archive.note_others(file.notes);
    return made;
}

std::vector<std::array<uint32_t, 3>> read_npz_triangles(const std::filesystem::path& path, std::string_view bytes,
                                                        std::vector<std::string>& notes) {
    const NpzFile archive(path, bytes);
    const auto& members = archive.members();
    const Member* chosen = members.size() == 1 ? &members[0] : nullptr;
    for (const char* name : {"tris", "tri", "elements", "cells", "faces", "simplices", "triangles"})
        for (const Member& member : members)
            if (member.name == name) chosen = &member;
    if (!chosen)
        throw Error(path.string() + ": expected an array called triangles or simplices, of shape (t, 3), among the " +
                    std::to_string(members.size()) + " in it");
    const std::string array = archive.read(*chosen);
    if (members.size() > 1)
        notes.push_back(path.string() + ": the triangles are " + excerpt(chosen->name) + ", others are not used");
    return read_triples(NpyFile(place_of(path, *chosen), array), notes);
}

}  // namespace flipscope::io
