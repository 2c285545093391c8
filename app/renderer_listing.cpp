// Lists of what is drawn of a layer, in the order of its elements: what overlaps looks the same in every picture.
#include "app/renderer_impl.h"

namespace flipscope::app {

namespace {

constexpr uint32_t kListGroup = 64;  // elements; as in listing.glsl
constexpr size_t kGroupBytes = 3 * sizeof(uint32_t);

void run_listing(const Program& program, GLuint stage, uint32_t count, uint32_t lists) {
    glUseProgram(program.id());
    glUniform1ui(0, stage);
    glUniform1ui(1, count);
    glUniform1ui(2, lists);
    dispatch(std::max(count, 1u));  // over nothing, too, where a driver is to compile it
}

}  // namespace

void Renderer::Impl::reserve_listing(uint32_t count, uint32_t lists) {
    listing.reserve(sizeof(Listing) + size_t(lists) * ((size_t(count) + kListGroup - 1) / kListGroup) * kGroupBytes);
    bind(6, listing.id);
}

void Renderer::Impl::note_listed(const Program& program, uint32_t count, uint32_t lists, uint32_t vertices,
                                 uint32_t chunk) {
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT |
                    GL_BUFFER_UPDATE_BARRIER_BIT);  // what was drawn before used the same buffers
    const size_t groups = size_t(lists) * ((size_t(count) + kListGroup - 1) / kListGroup);
    if (groups)
        glClearNamedBufferSubData(listing.id, GL_R32UI, sizeof(Listing), static_cast<GLsizeiptr>(groups * kGroupBytes),
                                  GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    run_listing(program, 0, count, lists);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(list_sums.id());
    glUniform1ui(0, (count + kListGroup - 1) / kListGroup);
    glUniform1ui(1, lists);
    glUniform1ui(2, vertices);
    glUniform1ui(3, chunk);
    glDispatchCompute(1, 1, 1);
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

void Renderer::Impl::copy_listed(const Program& program, Copied& to, uint32_t count, size_t bytes) {
    reserve_listing(count, 1);
    bind(5, nothing.id);
    bind(7, nothing.id);
    note_listed(program, count, 1, 0, 0);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(listing.id, offsetof(Listing, listed), sizeof to.found, &to.found);
    if (to.found == 0) return;
    to.elements.reserve(to.found * bytes);
    to.states.reserve((size_t(to.found) + 1) / 2 * sizeof(uint32_t));
    glClearNamedBufferData(to.states.id, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    bind(5, to.elements.id);
    bind(7, to.states.id);
    run_listing(program, 1, count, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

}  // namespace flipscope::app
