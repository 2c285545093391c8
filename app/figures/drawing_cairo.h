// Drawings by cairo: PDF, and painting into pixels.
#pragma once

#include <memory>
#include <string>

#include "app/view/drawing.h"

namespace flipscope::app {

/// How wide a text is in the font of figures, which is the window's; points.
double text_width(const std::string& text, double size);

/// PDF with the fonts that it uses; without layers.
std::unique_ptr<DocumentDrawing> pdf_drawing(double width, double height, const std::string& title);

/// Paints over `rgba`: `width` × `height` pixels, rows from the top, whose upper left corner is pixel (left, top) of
/// the drawing.
std::unique_ptr<Drawing> painting(unsigned char* rgba, int width, int height, int left, int top, double dpi);

}  // namespace flipscope::app
