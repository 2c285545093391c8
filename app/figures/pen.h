// Text and a Drawing on Dear ImGui's draw lists, for the window.
#pragma once

#include <string>
#include <vector>

#include "app/figures/annotation.h"
#include "app/figures/box.h"
#include "app/figures/theme.h"

namespace flipscope::app {

/// Text in the window. `scale`: of text and lines, as the fonts were loaded.
struct Pen {
    ImDrawList& draw;
    const Palette& colors;
    const Fonts& fonts;
    float scale = 1;

    float em(float pixels) const { return pixels * scale; }
    /// Height of a line, in the units of the draw list.
    static float line(const ImFont& font);
    /// Size of the text, broken into lines wider than `wrap` (0: never).
    static ImVec2 measure(const ImFont& font, const std::string& text, float wrap = 0);
    /// `at`: the text's upper left corner.
    void write(const ImFont& font, ImVec2 at, const Color& color, const std::string& text, float wrap = 0) const;
    /// The text, cut with an ellipsis if it is wider than `width`.
    static std::string cut(const ImFont& font, const std::string& text, float width);
    /// The text in one line if it fits, else broken as by text_in_lines().
    static std::vector<std::string> in_lines(const ImFont& font, const std::string& text, float width);
};

/// A draw list as a Drawing, in its units. Polygons must be convex.
class ListDrawing : public Drawing {
  public:
    ListDrawing(ImDrawList& list, const ImFont& font) : list_(list), font_(font) {}
    /// Of the font's size.
    Ink ink(const Palette& colors);
    static double font_size(const ImFont& font) { return Pen::line(font) / Ink::kLine; }

    void begin_layer(const std::string& id, const std::string& title, const std::optional<Area>& clip) override;
    void end_layer() override;
    void begin_group(const std::string& title, const Paint& paint) override {
        paint_ = paint;
        (void)title;
    }
    void end_group() override {}
    void line(Point a, Point b) override { polyline({a, b}); }
    void polyline(const std::vector<Point>& places) override;
    void polygon(const std::vector<Point>& places) override;
    void band(const std::vector<Point>& one, const std::vector<Point>& other) override;
    void disc(Point centre, double radius) override;
    void text(Point at, double size, double anchor, const Color& color, const std::string& text) override;
    void image(const Area&, const Pixels&) override {}  // the renderer draws them

  private:
    ImDrawList& list_;
    const ImFont& font_;
    Paint paint_;
    std::vector<bool> clipped_;  // by layer
};

}  // namespace flipscope::app
