// Pictures as numbers on a lattice: an image file, a folder of them, or a .npy array. The only place that decodes
// images (formats: images.cpp). It registers them with read_geometry() (io/formats.h), because core knows no image
// format. A picture's top row is the lattice's highest row.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/frames.h"
#include "io/read_options.h"

namespace flipscope::app {

/// From the bytes of a file named `path`: Rec. 709 luma on white paper, 0 black to 1 white; numbers of more than 16
/// bits, signed and floating-point ones stay unchanged. One frame; of a TIFF one per page. Throws Error unless the file
/// is a complete, valid image of at most kMostPixels pixels in each direction: "logo.png: cannot be read as an image:
/// it ends early; is the file complete?" Throws only Error and Cancelled.
FieldStack decode_image(const std::filesystem::path& path, std::string_view bytes,
                        std::vector<std::string>* notes = nullptr);

/// A frame per image or .npy array (h, w) of the folder, in natural order: 2.png before 10.png. Other files are omitted
/// and listed in `notes`. Throws Error for a folder without images, and for frames of different sizes, naming both
/// files.
FieldStack read_frame_folder(const std::filesystem::path& folder, std::vector<std::string>* notes = nullptr,
                             const ReadOptions& options = {});

/// Reads an image, a folder or a .npy array.
FieldStack read_any_field(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr,
                          const ReadOptions& options = {});

}  // namespace flipscope::app
