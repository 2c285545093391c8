// Lists of a layer's drawn elements, in element order, so that overlaps look the same in every picture.
#include <bit>

#include "app/render/renderer_impl.h"

namespace flipscope::app {

namespace {

constexpr uint32_t kListGroup = 64;  // elements; as in listing.glsl
constexpr size_t kGroupBytes = 3 * sizeof(uint32_t);

size_t groups_of(uint32_t count) { return (size_t(count) + kListGroup - 1) / kListGroup; }

void run_listing(const Program& program, GLuint stage, uint32_t count, uint32_t lists) {
    glUseProgram(program.id());
    glUniform1ui(0, stage);
    glUniform1ui(1, count);
    glUniform1ui(2, lists);
    dispatch(std::max(count, 1u));  // also over nothing, to make the driver compile it
}

}  // namespace

void Renderer::Impl::reserve_listing(uint32_t count, uint32_t lists) {
    listing.reserve(sizeof(Listing) + size_t(lists) * groups_of(count) * kGroupBytes);
    bind(6, listing.id);
}

void Renderer::Impl::clear_groups(uint32_t count, uint32_t lists) {
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT |
                    GL_BUFFER_UPDATE_BARRIER_BIT);  // earlier draws used the same buffers
    const size_t groups = size_t(lists) * groups_of(count);
    if (groups)
        glClearNamedBufferSubData(listing.id, GL_R32UI, sizeof(Listing), static_cast<GLsizeiptr>(groups * kGroupBytes),
                                  GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

void Renderer::Impl::sum_groups(uint32_t count, uint32_t lists, uint32_t vertices, uint32_t chunk) {
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(shared->list_sums.id());
    glUniform1ui(0, static_cast<GLuint>(groups_of(count)));
    glUniform1ui(1, lists);
    glUniform1ui(2, vertices);
    glUniform1ui(3, chunk);
    glDispatchCompute(1, 1, 1);
}

void Renderer::Impl::note_listed(const Program& program, uint32_t count, uint32_t lists, uint32_t vertices,
                                 uint32_t chunk) {
    clear_groups(count, lists);
    run_listing(program, 0, count, lists);
    sum_groups(count, lists, vertices, chunk);
}

void Renderer::Impl::list_elements(const Program& program, uint32_t count, uint32_t lists, uint32_t vertices,
                                   uint32_t chunk) {
    reserve_listing(count, lists);
    note_listed(program, count, lists, vertices, chunk);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    run_listing(program, 1, count, lists);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, listing.id);
}

uint32_t Renderer::Impl::count_listed(const Program& program, const Elements& from) {
    bind(from.corners == 0 ? 0 : 2, from.ids);
    if (from.corners != 0) bind(0, from.places);
    bind(3, from.states ? from.states : nothing.id);
    bind(1, from.scalars ? from.scalars : nothing.id);
    reserve_listing(from.count, 1);
    bind(5, nothing.id);
    bind(7, nothing.id);
    note_listed(program, from.count, 1, 0, 0);
    return listed_count();
}

void Renderer::Impl::copy_listed(const Program& program, const Elements& from, uint32_t found, Copied& to) {
    const bool points = from.corners == 0;
    const size_t bytes = points ? sizeof(Point) : from.corners * sizeof(uint32_t);
    to.made = {};
    to.made.corners = from.corners;
    if (found == 0) return;
    to.ids.reserve(found * bytes);
    bind(5, to.ids.id);
    if (from.states) {
        to.states.reserve((size_t(found) + 1) / 2 * sizeof(uint32_t));
        glClearNamedBufferData(to.states.id, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
        bind(7, to.states.id);
    }
    if (from.scalars) {
        to.scalars.reserve(found * sizeof(float));
        bind(4, to.scalars.id);
    }
    run_listing(program, 1, from.count, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    to.made.ids = to.ids.id;
    to.made.states = from.states ? to.states.id : 0;
    to.made.scalars = from.scalars ? to.scalars.id : 0;
    to.made.count = found;
    if (points) {
        to.made.places = to.ids.id;
        to.made.place_count = found;
    } else {
        renumber(from, to);
    }
}

uint32_t Renderer::Impl::listed_count() const {
    uint32_t found = 0;
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(listing.id, offsetof(Listing, listed), sizeof found, &found);
    return found;
}

void Renderer::Impl::run_renumber(GLuint stage, uint32_t ids, uint32_t place_count) {
    if (!shared->renumbering)
        shared->renumbering = std::make_unique<Program>(std::vector<std::string>{"groups.glsl", "renumber.comp"});
    glUseProgram(shared->renumbering->id());
    glUniform1ui(0, stage);
    glUniform1ui(1, ids);
    glUniform1ui(2, place_count);
    dispatch(std::max(ids, 1u));
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

// A picture projects every vertex it has, so that part of a large mesh keeps only its own.
void Renderer::Impl::renumber(const Elements& from, Copied& to) {
    const uint32_t ids = to.made.count * from.corners;
    reserve_listing(from.place_count, 1);
    clear_groups(from.place_count, 1);
    bind(0, from.places);
    bind(1, nothing.id);
    run_renumber(0, ids, from.place_count);
    sum_groups(from.place_count, 1, 0, 0);
    to.made.place_count = listed_count();
    if (from.helper_begin < from.place_count) {
        uint32_t group[3];
        glGetNamedBufferSubData(listing.id,
                                static_cast<GLintptr>(sizeof(Listing) + from.helper_begin / kListGroup * kGroupBytes),
                                sizeof group, group);
        const uint64_t bits = group[0] | uint64_t(group[1]) << 32;
        to.made.helper_begin =
            group[2] +
            static_cast<uint32_t>(std::popcount(bits & ((uint64_t(1) << from.helper_begin % kListGroup) - 1)));
    } else if (from.helper_begin != kNone) {
        to.made.helper_begin = to.made.place_count;
    }
    to.places.reserve(to.made.place_count * sizeof(Point));
    to.made.places = to.places.id;
    bind(1, to.places.id);
    run_renumber(1, ids, from.place_count);
}

}  // namespace flipscope::app
