#include <algorithm>

#include "app/render/renderer.h"

namespace flipscope::app {

namespace {
constexpr GLint kSamples = 4;  // per pixel, for smooth silhouettes
}

Canvas::~Canvas() {
    drop_depths();
    if (framebuffer_) glDeleteFramebuffers(1, &framebuffer_);
    if (texture_) glDeleteTextures(1, &texture_);
}

void Canvas::resize(int width, int height) {
    width = width < 1 ? 1 : width;
    height = height < 1 ? 1 : height;
    if (width == width_ && height == height_) return;
    if (!framebuffer_) glCreateFramebuffers(1, &framebuffer_);
    if (texture_) glDeleteTextures(1, &texture_);
    glCreateTextures(GL_TEXTURE_2D, 1, &texture_);
    glTextureStorage2D(texture_, 1, GL_RGBA8, width, height);
    glTextureParameteri(texture_, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(texture_, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(texture_, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(texture_, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glNamedFramebufferTexture(framebuffer_, GL_COLOR_ATTACHMENT0, texture_, 0);
    width_ = width;
    height_ = height;
    drop_depths();
}

GLuint Canvas::deep_framebuffer(bool fine) {
    if (deep_framebuffer_ && deep_fine_ == fine) return deep_framebuffer_;
    drop_depths();
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    const GLint samples = fine ? std::min(kSamples, most) : 0;
    deep_fine_ = fine;
    glCreateFramebuffers(1, &deep_framebuffer_);
    glCreateRenderbuffers(1, &deep_colors_);
    glCreateRenderbuffers(1, &deep_depths_);
    glNamedRenderbufferStorageMultisample(deep_colors_, samples, GL_RGBA8, width_, height_);
    glNamedRenderbufferStorageMultisample(deep_depths_, samples, GL_DEPTH_COMPONENT32F, width_, height_);
    glNamedFramebufferRenderbuffer(deep_framebuffer_, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, deep_colors_);
    glNamedFramebufferRenderbuffer(deep_framebuffer_, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, deep_depths_);
    return deep_framebuffer_;
}

void Canvas::resolve() {
    glDisable(GL_SCISSOR_TEST);
    glBlitNamedFramebuffer(deep_framebuffer_, framebuffer_, 0, 0, width_, height_, 0, 0, width_, height_,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Canvas::drop_depths() {
    if (!deep_framebuffer_) return;
    glDeleteFramebuffers(1, &deep_framebuffer_);
    glDeleteRenderbuffers(1, &deep_colors_);
    glDeleteRenderbuffers(1, &deep_depths_);
    deep_framebuffer_ = deep_colors_ = deep_depths_ = 0;
}

void Canvas::smooth(bool on) {
    glTextureParameteri(texture_, GL_TEXTURE_MIN_FILTER, on ? GL_LINEAR : GL_NEAREST);
    glTextureParameteri(texture_, GL_TEXTURE_MAG_FILTER, on ? GL_LINEAR : GL_NEAREST);
}

std::vector<unsigned char> Canvas::pixels() const {
    const size_t row = static_cast<size_t>(width_) * 4;
    std::vector<unsigned char> bottom_up(row * static_cast<size_t>(height_)), pixels(bottom_up.size());
    glGetTextureImage(texture_, 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(bottom_up.size()), bottom_up.data());
    for (size_t y = 0; y < static_cast<size_t>(height_); ++y)
        std::copy_n(bottom_up.begin() + static_cast<ptrdiff_t>(y * row), row,
                    pixels.begin() + static_cast<ptrdiff_t>((static_cast<size_t>(height_) - 1 - y) * row));
    return pixels;
}

}  // namespace flipscope::app
