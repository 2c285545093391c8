// Pictures as numbers on a lattice: an image file, a folder of them, or a .npy array, all the same to a lab. The one
// place that decodes images (their formats: image_formats.h); core knows none of them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/frames.h"
#include "io/points.h"

namespace flipscope::app {

/// Image formats and what else a field can be read from, for lists and file dialogs.
const std::vector<FormatInfo>& field_formats();

/// Whether a file of this name is read as an image.
bool is_image_file(const std::filesystem::path& path);

/// Throws Error for the name of an image in a format that is not read, such as .gif, saying what to do instead.
void refuse_unread_image(const std::filesystem::path& path);

/// One frame: luma after Rec. 709, 0 black to 1 white, of what one sees on white paper. The picture's bottom row is row
/// 0. Throws Error for everything that is not a whole and sound image of the format that its name says, and of at most
/// kMostPixels pixels each way: "logo.png: cannot be read as an image: it ends early; is the file complete?"
FieldStack read_image(const std::filesystem::path& path);

/// The same from the bytes of a file that is called `path`. Throws nothing but Error.
FieldStack decode_image(const std::filesystem::path& path, std::string_view bytes);

/// A frame for each image or .npy array (h, w) of the folder, in the order people would give their names: 2.png before
/// 10.png. What else is in it is left out, and said in `notes`. Throws Error for a folder without any, and where frames
/// differ in size, naming both files.
FieldStack read_frame_folder(const std::filesystem::path& folder, std::vector<std::string>* notes = nullptr);

/// Whichever of these it is: an image, a folder, a .npy array.
FieldStack read_any_field(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr);

}  // namespace flipscope::app
