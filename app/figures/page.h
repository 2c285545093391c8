// A picture with words, made without a window: pictures of scenes, and what is written and drawn beside them. Needs the
// OpenGL context of an Offscreen; text comes from Dear ImGui with a context of its own, which no other one notices.
#pragma once

#include <memory>
#include <vector>

#include "app/figures/annotation.h"
#include "app/render/renderer.h"

namespace flipscope::app {

class Page {
  public:
    /// Empty, in the canvas colour. `scale`: of text and lines; 1 as in the window at presenter scale 1. Throws
    /// std::runtime_error with a sentence where OpenGL has no room for it, or no text can be drawn.
    Page(int width, int height, bool light, float scale);
    ~Page();
    Page(const Page&) = delete;
    Page& operator=(const Page&) = delete;

    /// Pixels from the upper left corner; what it draws lies over the pictures, whatever the order.
    Pen pen() const;
    int width() const { return canvas_.width(); }
    int height() const { return canvas_.height(); }
    /// Copies a picture, its upper left corner to pixel (x, y).
    void place(const Canvas& picture, int x, int y) { place(picture, {0, 0, picture.width(), picture.height()}, x, y); }
    /// A part of it.
    void place(const Canvas& picture, const PixelBox& part, int x, int y);
    /// RGBA, rows from the top. Once, at the end.
    std::vector<unsigned char> pixels();

  private:
    struct Text;
    const Palette& colors_;
    float scale_;
    Canvas canvas_;
    std::unique_ptr<Text> text_;
};

}  // namespace flipscope::app
