#include "mesh/connect.h"

#include <algorithm>
#include <optional>
#include <string>

#include "compute/error.h"
#include "flipscope/predicates.h"
#include "mesh/edge_bundles.h"

namespace flipscope {

namespace {

/// The work in the order of its steps. Corners and half-edges are those of triangle_mesh.h.
class Connector {
  public:
    Connector(Context& context, const Geometry& geometry) : context_(context), geometry_(geometry) {}

    void take_vertices();
    void pair_corners();
    void orient_alike();
    void number_edges();
    void link_ghosts();
    void find_pinched();
    bool outline_is_convex() const;
    void fill(TriangleMesh& mesh, Buffer<uint8_t>& pinched, bool with_states);

    Connection result;

  private:
    uint32_t from(uint32_t corner) const { return corners_[corner]; }
    uint32_t to(uint32_t corner) const { return corners_[next_corner(corner)]; }
    uint32_t across(uint32_t corner) const { return corner_of_[half_edge_at_[corner] ^ 1u]; }
    /// The position of an input corner after its triangle was reversed: corners a, b, c became a, c, b.
    uint32_t placed(uint32_t corner) const {
        return !turned_.empty() && turned_[corner / 3] ? corner - corner % 3 + (2 - corner % 3) : corner;
    }
    void set_half_edge(uint32_t half_edge, uint32_t corner) {
        corner_of_[half_edge] = corner;
        half_edge_at_[corner] = half_edge;
    }
    uint32_t wall_off(uint32_t corner);

    Context& context_;
    const Geometry& geometry_;
    uint32_t vertex_count_ = 0;    // finite
    uint32_t triangle_count_ = 0;  // finite
    uint32_t finite_edges_ = 0;
    uint32_t ghost_count_ = 0;
    std::vector<uint32_t> inputs_;   // (v)
    std::vector<uint32_t> corners_;  // (t, 3), ghosts appended
    std::optional<EdgeBundles> bundles_;
    std::vector<uint32_t> mates_;  // (3t) the other corner of an edge with two triangles, else kNone
    std::vector<uint8_t> turned_;  // (t), or empty in the plane
    std::vector<uint32_t> edges_, corner_of_, half_edge_at_;
    std::vector<uint32_t> ghost_after_;  // (g) the next ghost of the outline, at the end of this one's boundary edge
    std::vector<uint8_t> pinched_;       // (v) several umbrellas meet there
};

void Connector::take_vertices() {
    const size_t n = geometry_.points.size(), t = geometry_.triangles.size();
    if (4 * 3 * uint64_t(t) >= kNone)
        throw Error(geometry_.name + ": " + std::to_string(t) + " triangles are more than a mesh can hold");
    triangle_count_ = static_cast<uint32_t>(t);
    std::vector<uint32_t> ids(n, kNone);
    CancelPoll poll;
    for (size_t i = 0; i < t; ++i) {
        poll();
        const auto& c = geometry_.triangles[i];
        for (const uint32_t p : c) {
            if (p >= n)
                throw Error(geometry_.name + ": triangle " + std::to_string(i) + " names vertex " + std::to_string(p) +
                            ", but there are only " + std::to_string(n) + " (both counted from 0)");
            ids[p] = 0;
        }
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
            throw Error(geometry_.name + ": triangle " + std::to_string(i) + " has vertex " +
                        std::to_string(c[0] == c[1] ? c[0] : c[2]) + " at two of its corners (both counted from 0)");
    }
    for (size_t p = 0; p < n; ++p) {
        poll();
        if (ids[p] == kNone) continue;
        ids[p] = static_cast<uint32_t>(inputs_.size());
        inputs_.push_back(static_cast<uint32_t>(p));
    }
    vertex_count_ = static_cast<uint32_t>(inputs_.size());
    result.unused_points = n - vertex_count_;
    corners_.resize(3 * t);
    in_parallel(&context_, triangle_count_, [&](uint32_t first, uint32_t last) {
        for (uint32_t i = first; i < last; ++i)
            for (uint32_t k = 0; k < 3; ++k) corners_[3 * size_t(i) + k] = ids[geometry_.triangles[i][k]];
    });
}

void Connector::pair_corners() {
    bundles_.emplace(View<const uint32_t>{corners_.data(), corners_.size()}, vertex_count_, &context_);
    mates_.assign(3 * size_t(triangle_count_), kNone);
    in_parallel(&context_, vertex_count_, [&](uint32_t first, uint32_t last) {
        bundles_->each(first, last, [&](const EdgeBundle& edge) {
            if (edge.count != 2) return;
            const uint32_t a = edge.corner(0), b = edge.corner(1);
            if (!geometry_.in_space() && from(a) == from(b)) return;
            mates_[a] = b;
            mates_[b] = a;
        });
    });
}

/// Breadth first over each component, from its first triangle. Where a triangle met again would have to be turned the
/// other way as well, the edge is cut.
void Connector::orient_alike() {
    const bool turning = geometry_.in_space();
    std::vector<uint8_t> reached(triangle_count_, 0);
    if (turning) turned_.assign(triangle_count_, 0);
    std::vector<uint32_t> queue;
    queue.reserve(triangle_count_);
    CancelPoll poll;
    for (uint32_t start = 0; start < triangle_count_; ++start) {
        if (reached[start]) continue;
        ++result.components;
        reached[start] = 1;
        queue.push_back(start);
        for (size_t head = queue.size() - 1; head < queue.size(); ++head) {
            poll();
            const uint32_t t = queue[head];
            for (uint32_t corner = 3 * t; corner < 3 * t + 3; ++corner) {
                const uint32_t mate = mates_[corner];
                if (mate == kNone) continue;
                const uint8_t turn = turning ? turned_[t] ^ (from(corner) == from(mate)) : 0;
                if (!reached[mate / 3]) {
                    reached[mate / 3] = 1;
                    if (turn) turned_[mate / 3] = 1, ++result.turned;
                    queue.push_back(mate / 3);
                } else if (turning && turned_[mate / 3] != turn) {
                    mates_[corner] = mates_[mate] = kNone;
                }
            }
        }
    }
    if (!result.turned) {
        turned_.clear();
        return;
    }
    throw_if_cancelled();
    for (uint32_t t = 0; t < triangle_count_; ++t)
        if (turned_[t]) std::swap(corners_[3 * size_t(t) + 1], corners_[3 * size_t(t) + 2]);
}

/// A ghost for the boundary half-edge at `corner`; returns the ghost's corner across it.
uint32_t Connector::wall_off(uint32_t corner) {
    const uint32_t ghost_corner = static_cast<uint32_t>(corners_.size());
    const uint32_t u = from(corner), v = to(corner);
    corners_.insert(corners_.end(), {v, u, vertex_count_});
    return ghost_corner;
}

void Connector::number_edges() {
    uint32_t pairs = 0;
    for (const uint32_t mate : mates_) pairs += mate != kNone;
    pairs /= 2;
    ghost_count_ = 3 * triangle_count_ - 2 * pairs;
    finite_edges_ = pairs + ghost_count_;
    const size_t corners = 3 * (size_t(triangle_count_) + ghost_count_);
    corners_.reserve(corners);
    edges_.resize(2 * (size_t(finite_edges_) + ghost_count_));
    corner_of_.resize(edges_.size());
    half_edge_at_.resize(corners);
    uint32_t e = 0;
    const auto add_edge = [&](uint32_t lesser, uint32_t greater, uint32_t corner, uint32_t other) {
        edges_[2 * e] = lesser;
        edges_[2 * e + 1] = greater;
        const bool ascends = from(corner) == lesser;
        set_half_edge(2 * e, ascends ? corner : other);
        set_half_edge(2 * e + 1, ascends ? other : corner);
        ++e;
    };
    bundles_->each(0, vertex_count_, [&](const EdgeBundle& edge) {
        if (mates_[edge.corner(0)] != kNone) {
            add_edge(edge.lesser, edge.greater, placed(edge.corner(0)), placed(edge.corner(1)));
            return;
        }
        const bool seam = edge.count > 1;
        ++(seam ? result.seams : result.boundary_edges);
        for (uint32_t i = 0; i < edge.count; ++i) {
            if (seam) result.seam_edges.push_back(e);
            const uint32_t corner = placed(edge.corner(i));
            add_edge(edge.lesser, edge.greater, corner, wall_off(corner));
        }
    });
    bundles_.reset();
    std::vector<uint32_t>().swap(mates_);
}

/// The ghost of u → v goes on with the ghost of the boundary half-edge that leaves v in the same umbrella of triangles:
/// they share the edge from v to infinity.
void Connector::link_ghosts() {
    const uint32_t walls = 3 * triangle_count_;  // the first corner of a ghost
    std::vector<uint32_t> next_edge(size_t(vertex_count_) + 1, 0);
    for (uint32_t g = 0; g < ghost_count_; ++g) ++next_edge[corners_[walls + 3 * size_t(g) + 1] + 1];
    for (uint32_t v = 1; v <= vertex_count_; ++v) next_edge[v] += next_edge[v - 1];
    for (uint32_t g = 0; g < ghost_count_; ++g) {  // edges to infinity, in the order of the ghosts that leave there
        const uint32_t corner = walls + 3 * g + 1, u = corners_[corner], e = finite_edges_ + next_edge[u]++;
        edges_[2 * size_t(e)] = u;
        edges_[2 * size_t(e) + 1] = vertex_count_;
        set_half_edge(2 * e, corner);
    }
    ghost_after_.resize(ghost_count_);
    CancelPoll poll;
    for (uint32_t g = 0; g < ghost_count_; ++g) {
        poll();
        uint32_t corner = across(walls + 3 * g);
        while (corner < walls) {
            corner = next_corner(corner);
            corner = across(corner);
        }
        ghost_after_[g] = (corner - walls) / 3;
        set_half_edge(half_edge_at_[corner + 1] + 1, walls + 3 * g + 2);
    }
    std::vector<uint8_t> counted(ghost_count_, 0);
    for (uint32_t g = 0; g < ghost_count_; ++g) {
        poll();
        result.outlines += !counted[g];
        for (uint32_t h = g; !counted[h]; h = ghost_after_[h]) counted[h] = 1;
    }
}

/// One umbrella has all the corners at its vertex: walk it from any of them, both ways if it is open, and count.
void Connector::find_pinched() {
    const uint32_t walls = 3 * triangle_count_;
    std::vector<uint32_t> corner_at(vertex_count_), corner_count(vertex_count_, 0);
    CancelPoll poll;
    for (uint32_t corner = 0; corner < walls; ++corner) {
        poll();
        corner_at[corners_[corner]] = corner;
        ++corner_count[corners_[corner]];
    }
    pinched_.assign(vertex_count_, 0);
    in_parallel(&context_, walls, [&](uint32_t first, uint32_t last) {
        for (uint32_t start = first; start < last; ++start) {  // by corners, not by vertices: neighbours lie near
            const uint32_t v = corners_[start];
            if (corner_at[v] != start) continue;
            uint32_t walked = 1, corner = next_corner(across(start));
            for (; corner < walls && corner != start; corner = next_corner(across(corner))) ++walked;
            if (corner != start)
                for (corner = across(previous_corner(start)); corner < walls; corner = across(previous_corner(corner)))
                    ++walked;
            pinched_[v] = walked < corner_count[v];
        }
    });
    for (const uint8_t pinched : pinched_) result.pinched_vertices += pinched;
}

bool Connector::outline_is_convex() const {
    if (geometry_.in_space() || result.seams || result.pinched_vertices || result.outlines != 1 ||
        result.components != 1)
        return false;
    const auto place = [&](uint32_t v) { return geometry_.points[inputs_[v]]; };
    CancelPoll poll;
    for (uint32_t g = 0; g < ghost_count_; ++g) {
        poll();
        const uint32_t* ghost = &corners_[3 * (size_t(triangle_count_) + g)];
        const Point u = place(ghost[1]), v = place(ghost[0]);
        const Point w = place(corners_[3 * (size_t(triangle_count_) + ghost_after_[g])]);
        const int turn = orient2d(u, v, w);
        if (turn < 0) return false;
        if (turn == 0 && (u.x != v.x ? (u.x < v.x) != (v.x < w.x) : (u.y < v.y) != (v.y < w.y))) return false;
    }
    return triangle_count_ + ghost_count_ + 4ull == 2 * (vertex_count_ + 1ull);
}

void Connector::fill(TriangleMesh& mesh, Buffer<uint8_t>& pinched, bool with_states) {
    std::vector<Point> positions(size_t(vertex_count_) + 1);
    std::vector<double> heights(geometry_.in_space() ? positions.size() : 0);
    CancelPoll poll;
    for (uint32_t v = 0; v < vertex_count_; ++v) {
        poll();
        positions[v] = geometry_.points[inputs_[v]];
    }
    if (geometry_.in_space())
        for (uint32_t v = 0; v < vertex_count_; ++v) {
            poll();
            heights[v] = geometry_.heights[inputs_[v]];
        }
    inputs_.push_back(kNone);
    mesh.positions.upload(context_, positions.data(), positions.size());
    mesh.heights.upload(context_, heights.data(), heights.size());
    mesh.inputs.upload(context_, inputs_.data(), inputs_.size());
    mesh.reset(context_, vertex_count_, corners_.size() / 3, edges_.size() / 2, with_states);
    mesh.triangles.upload(context_, corners_.data(), corners_.size());
    mesh.half_edge_at.upload(context_, half_edge_at_.data(), half_edge_at_.size());
    mesh.edges.upload(context_, edges_.data(), edges_.size());
    mesh.corner_of.upload(context_, corner_of_.data(), corner_of_.size());
    mesh.triangle_count = triangle_count_ + ghost_count_;
    mesh.edge_count = finite_edges_ + ghost_count_;
    if (with_states && !result.seam_edges.empty()) {
        std::vector<State> states(mesh.edge_count, 0);
        for (const uint32_t e : result.seam_edges) states[e] = kStateSeam;
        mesh.edge_states.upload(context_, states.data(), states.size());
    }
    std::vector<uint8_t> marks;
    if (result.pinched_vertices) {
        marks.assign(positions.size(), 0);
        std::copy(pinched_.begin(), pinched_.end(), marks.begin());
    }
    pinched.upload(context_, marks.data(), marks.size());
}

}  // namespace

Connection connect(Context& context, const Geometry& geometry, TriangleMesh& mesh, Buffer<uint8_t>& pinched,
                   bool with_states) {
    Connector connector(context, geometry);
    connector.take_vertices();
    connector.pair_corners();
    connector.orient_alike();
    connector.number_edges();
    connector.link_ghosts();
    connector.find_pinched();
    connector.result.convex_outline = connector.outline_is_convex();
    connector.fill(mesh, pinched, with_states);
    return std::move(connector.result);
}

}  // namespace flipscope
