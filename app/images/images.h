// Pictures as numbers on a lattice: an image file, a folder of them, or a .npy array, all the same to a lab. The one
// place that decodes images (their formats: image_formats.h). It adds them to the list of formats that read_geometry()
// goes by (io/formats.h): core knows none of them.
// A picture's top row is the highest row of the lattice, as it is seen.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/frames.h"
#include "io/read_options.h"

namespace flipscope::app {

/// Luma after Rec. 709, 0 black to 1 white, of what one sees on white paper; numbers of more than 16 bits, signed and
/// floating-point ones as they are. One frame, of a TIFF one for each page. Throws Error for everything that is not a
/// whole and sound image of at most kMostPixels pixels each way: "logo.png: cannot be read as an image: it ends early;
/// is the file complete?"
FieldStack read_image(const std::filesystem::path& path);

/// The same from the bytes of a file that is called `path`. Throws nothing but Error, and Cancelled.
FieldStack decode_image(const std::filesystem::path& path, std::string_view bytes,
                        std::vector<std::string>* notes = nullptr);

/// A frame for each image or .npy array (h, w) of the folder, in the order people would give their names: 2.png before
/// 10.png. What else is in it is left out, and said in `notes`. Throws Error for a folder without any, and where frames
/// differ in size, naming both files.
FieldStack read_frame_folder(const std::filesystem::path& folder, std::vector<std::string>* notes = nullptr,
                             const ReadOptions& options = {});

/// Whichever of these it is: an image, a folder, a .npy array.
FieldStack read_any_field(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr,
                          const ReadOptions& options = {});

}  // namespace flipscope::app
