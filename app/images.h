// Pictures as numbers on a lattice: an image file, a folder of them, or a .npy array, all the same to a lab. The one
// place that decodes images; core knows none of their formats.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "geometry/frames.h"
#include "io/points.h"

namespace flipscope::app {

/// Image formats and what else a field can be read from, for lists and file dialogs.
const std::vector<FormatInfo>& field_formats();

/// Whether a file of this name is read as an image.
bool is_image_file(const std::filesystem::path& path);

/// One frame: luma after Rec. 709, 0 black to 1 white, of what one sees on white paper. The picture's bottom row is row
/// 0. Throws Error: "logo.png: cannot be read as an image: bad png sig".
FieldStack read_image(const std::filesystem::path& path);

/// A frame for each image or .npy array (h, w) of the folder, in the order people would give their names: 2.png before
/// 10.png. What else is in it is left out, and said in `notes`. Throws Error for a folder without any, and where frames
/// differ in size, naming both files.
FieldStack read_frame_folder(const std::filesystem::path& folder, std::vector<std::string>* notes = nullptr);

/// Whichever of these it is: an image, a folder, a .npy array.
FieldStack read_any_field(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr);

/// Whether people would name `a` before `b`: runs of digits count as numbers.
bool comes_before(const std::string& a, const std::string& b);

}  // namespace flipscope::app
