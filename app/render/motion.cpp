// The way from one state of a small mesh to the next: its edges turn, new ones and new points fade in, and in space the
// surface goes with them. The mesh's own layers are drawn from places between its vertices.
#include <algorithm>
#include <utility>

#include "app/render/renderer_impl.h"

namespace flipscope::app {

constexpr size_t kMostTetrahedra = 6;  // more would cover the surface

void Renderer::set_motion(MeshMotions motions, double at) {
    impl_->motions = std::move(motions);
    impl_->motion_at = std::clamp(at, 0.0, 1.0);
}

const MeshMotion* Renderer::Impl::motion_of(const void* buffer) const {
    if (motion_at >= 1 || !buffer) return nullptr;
    const auto found = std::ranges::find_if(motions, [&](const auto& motion) {
        return motion && (motion->edges == buffer || motion->triangles == buffer || motion->places == buffer);
    });
    return found == motions.end() ? nullptr : found->get();
}

void Renderer::Impl::list(Elements& drawn, const std::vector<uint32_t>& ids, Moving& to) const {
    to.ids.write(ids.data(), ids.size() * sizeof(uint32_t));
    drawn.ids = to.ids.id;
    drawn.count = static_cast<uint32_t>(ids.size()) / drawn.corners;
}

GLuint Renderer::Impl::move(bool in_space, const MeshMotion& motion, const std::vector<uint32_t>& ids, Elements& drawn,
                            GLuint heights) {
    Moving& to = moving.next();
    list(drawn, ids, to);
    const auto count = static_cast<uint32_t>(motion.ways.size() / 2), all = motion.place_count + count;
    to.ways.write(motion.ways.data(), motion.ways.size() * sizeof(uint32_t));
    to.places.reserve(all * sizeof(Point));
    if (in_space) to.heights.reserve(all * sizeof(double));
    const Program& program = (in_space ? shared->space : shared->flat).move;
    glUseProgram(program.id());
    glUniform1ui(program.place("place_count"), motion.place_count);
    glUniform1ui(program.place("moved_count"), count);
    glUniform1d(program.place("at"), motion_at);
    bind(0, std::exchange(drawn.places, to.places.id));
    bind(1, to.places.id);
    bind(2, to.ways.id);
    bind(5, to.heights.id);
    if (in_space) bind(7, heights);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);  // the last picture was drawn from the same buffers
    dispatch(all);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    drawn.place_count = all;
    return in_space ? to.heights.id : heights;
}

void Renderer::Impl::draw_turning(ViewDraw& draw, const MeshMotion& motion, Elements drawn, Frame uniforms,
                                  GLuint heights, bool deep) {
    Elements diagonals = drawn;
    diagonals.states = drawn.states = 0;
    if (motion.face_states.empty() || (uniforms.flags & kNumbers) != 0) {
        uniforms.flags &= ~(kTriangleStates | kNumbers);
    } else if ((uniforms.flags & kTriangleStates) != 0) {
        face_states.write(motion.face_states.data(), motion.face_states.size() * sizeof(State));
        drawn.states = face_states.id;
    }
    const GLuint moved = move(true, motion, motion.faces, drawn, heights);
    prepare(draw, drawn, uniforms, moved);
    draw_surface(drawn, deep, draw.wires);
    if (!draw.wires || motion.diagonals.size() > 4 * kMostTetrahedra) return;
    Frame of_edges = draw.uniforms;
    of_edges.flags |= kOneStyle;
    diagonals.corners = 2;
    list(diagonals, motion.diagonals, moving.next());
    use(styles_of(LegendEntry::Element::kEdge, Role::kMoved, {}));
    glDisable(GL_DEPTH_TEST);  // together with the sides: the tetrahedron
    draw_edges(draw, diagonals, of_edges, heights);
    glEnable(GL_DEPTH_TEST);
}

}  // namespace flipscope::app
