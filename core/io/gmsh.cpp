// Gmsh's .msh, versions 2 to 2.2, 4.0 and 4.1, as text and binary: the nodes, with arbitrary numbers, and the triangles
// and quadrangles of any order among the elements, by their corners. Counts other elements, and skips other sections.

#include <algorithm>
#include <bit>

#include "compute/text.h"
#include "io/mesh_file.h"
#include "io/number_reader.h"

namespace flipscope::io {
namespace {

constexpr const char* kConvert =
    "; Gmsh writes another: gmsh -save -format msh41 -o new.msh old.msh, and meshio: meshio convert old.msh new.ply";

struct ElementType {
    uint8_t nodes;    // 0: unknown
    uint8_t corners;  // of its area; 1: a point or a line, 0: a volume
};

ElementType element_type(uint64_t number) {
    constexpr ElementType kTypes[] = {{0, 0},  {2, 1},  {3, 3},  {4, 4},  {4, 0},  {8, 0},  {6, 0},  {5, 0},
                                      {3, 1},  {6, 3},  {9, 4},  {10, 0}, {27, 0}, {18, 0}, {14, 0}, {1, 1},
                                      {8, 4},  {20, 0}, {15, 0}, {13, 0}, {9, 3},  {10, 3}, {12, 3}, {15, 3},
                                      {15, 3}, {21, 3}, {4, 1},  {5, 1},  {6, 1},  {20, 0}, {35, 0}, {56, 0}};
    if (number < std::size(kTypes)) return kTypes[number];
    return number == 36 ? ElementType{16, 4} : number == 37 ? ElementType{25, 4} : ElementType{0, 0};
}

class GmshReader {
  public:
    explicit GmshReader(const InputFile& file) : file_(file), in_(file) {}

    MeshFile read() {
        std::string_view line;
        while (in_.next_line(line)) {
            line = trimmed(line);
            if (line.empty() || line.starts_with("$End")) continue;
            if (version_ == 0 && line != "$MeshFormat")
                throw in_.fail("expected $MeshFormat, found " + excerpt(line) + kConvert);
            if (!line.starts_with('$')) throw in_.expected("a section such as $Nodes", line);
            in_.part = line;
            if (line == "$MeshFormat") {
                read_format();
            } else if (line == "$Nodes" || (version_ < 4 && line == "$ParametricNodes")) {
                version_ < 4 ? read_nodes(line != "$Nodes") : read_node_blocks();
            } else if (line == "$Elements") {
                index_nodes();
                version_ < 4 ? read_elements() : read_element_blocks();
            } else {
                skip_section();
            }
        }
        if (version_ == 0) throw file_.fail("the file is empty");
        finish();
        return std::move(mesh_);
    }

  private:
    void read_format() {
        const std::string_view version = in_.word(), kind = in_.word(), size = in_.word();
        version_ = 0;
        for (const auto& [known, number] :
             {std::pair{"2", 2}, {"2.0", 2}, {"2.1", 2}, {"2.2", 2}, {"4", 4}, {"4.0", 4}, {"4.1", 5}})
            if (version == known) version_ = number;
        if (version_ == 0)
            throw in_.fail("expected version 2.2 or 4.1 of Gmsh's format, found " + excerpt(version) + kConvert);
        if ((kind != "0" && kind != "1") || size != "8")
            throw in_.fail("expected \"0 8\" or \"1 8\" after the version, found " +
                           excerpt(std::string(kind) + " " + std::string(size)));
        in_.skip_line();
        if (kind == "0") return;
        in_.is_binary = true;
        const uint64_t one = in_.bytes(4);  // determines the byte order
        if (one != 1 && one != 0x01000000) throw in_.fail("expected the number 1, which determines the byte order");
        in_.is_big_endian = one != 1;
        in_.skip_line();
    }

    void skip_section() {
        if (in_.part.ends_with("Data"))
            file_.note_once("the values in " + printable_within(in_.part, 40) + " are not used");
        const std::string end = "$End" + in_.part.substr(1);
        const size_t at = in_.rest().find(end);
        if (at == std::string_view::npos) throw in_.ends_early();
        in_.skip_bytes(at);
    }

    double number() {
        return in_.is_binary ? std::bit_cast<double>(in_.bytes(8)) : in_.number_word("x, y and z of a node");
    }
    void add_node(uint64_t tag) {
        const double x = number(), y = number(), z = number();
        tags_.push_back(tag);
        mesh_.points.push_back({x, y, z});
        if (!in_.is_binary) mesh_.point_lines.push_back(in_.line());
    }
    /// The count has a line of its own, also in binary files.
    uint64_t line_count(const char* what) {
        const uint64_t value = in_.whole_word(what);
        in_.skip_line();
        return value;
    }
    /// Parameters of a node on a curve or a surface follow its place, after the entity's dimension and number.
    void read_nodes(bool parametric) {
        const uint64_t nodes = line_count("the number of nodes");
        for (uint64_t i = 0; i < nodes; ++i) {
            add_node(in_.count(4, "the number of a node"));
            if (parametric) {
                const uint64_t dimension = in_.count(4, "the dimension of a node's entity");
                in_.skip(4, 1);
                in_.skip(8, dimension < 3 ? dimension : 0);
            }
            in_.require_line_end();
        }
    }
    void read_node_blocks() {
        const bool first_tags = version_ == 5;  // those of a block precede its coordinates
        const uint64_t blocks = in_.count(8, "the number of blocks");
        in_.skip(8, first_tags ? 3 : 1);
        std::vector<uint64_t> tags;
        for (uint64_t block = 0; block < blocks; ++block) {
            const int64_t entity_numbers[2] = {entity(), entity()};
            const int64_t dimension = entity_numbers[first_tags ? 0 : 1];
            const bool parametric = in_.count(4, "0 or 1, whether nodes have parameters") != 0;
            const uint64_t nodes = in_.count(8, "the number of nodes of a block");
            tags.clear();
            if (first_tags)
                for (uint64_t i = 0; i < nodes; ++i) tags.push_back(in_.count(8, "the number of a node"));
            for (uint64_t i = 0; i < nodes; ++i) {
                add_node(first_tags ? tags[i] : in_.count(4, "the number of a node"));
                if (parametric) in_.skip(8, static_cast<uint64_t>(std::clamp<int64_t>(dimension, 0, 3)));
                in_.require_line_end();
            }
        }
    }
    /// Numbers of entities may be negative in some files.
    int64_t entity() {
        return in_.is_binary ? static_cast<int32_t>(in_.bytes(4)) : in_.whole_word<int64_t>("the number of an entity");
    }

    void read_elements() {
        const uint64_t elements = line_count("the number of elements");
        for (uint64_t i = 0; i < elements;) {
            // A binary file groups them by type.
            uint64_t type = 0, tags = 0, group = 1;
            if (in_.is_binary) {
                type = in_.bytes(4), group = in_.bytes(4), tags = in_.bytes(4);
                if (group == 0) throw in_.fail("expected a group of elements, found none");
            }
            for (uint64_t k = 0; k < group && i < elements; ++k, ++i) {
                in_.skip(4, 1);  // its number
                if (!in_.is_binary)
                    type = in_.count(4, "the type of an element"), tags = in_.count(4, "the number of tags");
                in_.skip(4, tags);
                read_element(type, 4);
            }
        }
    }
    void read_element_blocks() {
        const uint64_t blocks = in_.count(8, "the number of blocks");
        in_.skip(8, version_ == 5 ? 3 : 1);
        for (uint64_t block = 0; block < blocks; ++block) {
            in_.skip(4, 2);  // the entity
            const uint64_t type = in_.count(4, "the type of the elements"),
                           elements = in_.count(8, "the number of elements");
            for (uint64_t i = 0; i < elements; ++i) {
                in_.skip(version_ == 5 ? 8 : 4, 1);  // its number
                read_element(type, version_ == 5 ? 8 : 4);
            }
        }
    }

    /// Reads the nodes of an element, `size` bytes each.
    void read_element(uint64_t number, size_t size) {
        const ElementType type = element_type(number);
        if (type.corners < 3) ++(type.corners == 1 ? flat_ : others_);
        if (type.corners < 3 && !in_.is_binary) return in_.skip_line();
        if (type.nodes == 0) throw in_.fail("elements of type " + std::to_string(number) + " are not known" + kConvert);
        if (type.corners < 3) return in_.skip(size, type.nodes);
        for (uint32_t k = 0; k < type.corners; ++k)
            mesh_.corners.push_back(node(in_.count(size, "the number of a node")));
        mesh_.face_ends.push_back(mesh_.corners.size());
        if (!in_.is_binary) mesh_.face_lines.push_back(in_.line());
        in_.skip(size, type.nodes - type.corners);
        in_.require_line_end();
    }

    void index_nodes() {
        sorted_.clear();
        const auto breaks = [](uint64_t a, uint64_t b) { return b != a + 1; };
        if (std::ranges::adjacent_find(tags_, breaks) == tags_.end()) return;
        for (size_t i = 0; i < tags_.size(); ++i) sorted_.push_back({tags_[i], static_cast<uint32_t>(i)});
        sort_or_cancel(sorted_.begin(), sorted_.end());
        for (size_t i = 1; i < sorted_.size(); ++i) {
            if (sorted_[i].first != sorted_[i - 1].first) continue;
            throw file_.fail("node " + std::to_string(sorted_[i].first) + " is there twice");
        }
    }
    uint32_t node(uint64_t tag) const {
        if (sorted_.empty()) {
            if (!tags_.empty() && tag >= tags_.front() && tag - tags_.front() < tags_.size())
                return static_cast<uint32_t>(tag - tags_.front());
        } else {
            const auto found = std::ranges::lower_bound(sorted_, std::pair<uint64_t, uint32_t>{tag, 0});
            if (found != sorted_.end() && found->first == tag) return found->second;
        }
        throw in_.fail("an element names node " + std::to_string(tag) + ", which is not among the " +
                       std::to_string(tags_.size()) + " nodes");
    }

    void finish() {
        const bool counted = tags_.empty() || (tags_.front() == 1 && tags_.back() == tags_.size() && sorted_.empty());
        if (!counted) mesh_.attributes.push_back({"node", {tags_.begin(), tags_.end()}});
        if (const uint64_t unused = leave_out_unused(mesh_); unused > 0)
            file_.note(count_text(unused, "node is", "nodes are") + " no corner of a triangle and left out");
        if (!counted) file_.note("the numbers of the nodes are the column \"node\"");
        if (flat_ > 0) file_.note("points and lines are not used (" + std::to_string(flat_) + ")");
        if (others_ > 0) file_.note("volumes are not used (" + std::to_string(others_) + ")");
    }

    const InputFile& file_;
    NumberReader in_;
    int version_ = 0;  // 2, 4 for 4.0, 5 for 4.1; 0: unknown yet
    MeshFile mesh_;
    std::vector<uint64_t> tags_;                         // (n) the nodes' numbers
    std::vector<std::pair<uint64_t, uint32_t>> sorted_;  // number and index; empty: numbers are consecutive
    uint64_t flat_ = 0, others_ = 0;                     // unused elements
};

}  // namespace

MeshFile read_gmsh(const InputFile& file) { return GmshReader(file).read(); }

}  // namespace flipscope::io
