// Shared by the readers of image formats: rows of brightness, size limits, orientation and error messages. A reader
// allocates only after it has checked that a lattice supports the size and that the file can contain it. Included only
// by images.cpp and the readers.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/error.h"
#include "geometry/frames.h"

namespace flipscope::app {

/// An image being read.
struct ImageFile {
    const std::filesystem::path& path;  // for messages
    std::string_view bytes;             // the whole file
    std::vector<std::string>& notes;    // findings and omissions, a sentence each
    /// Whether palette indices count as values because they look like labels, or their colours do. Empty: the reader
    /// decides, for all frames of a film.
    std::optional<bool>& indices_count;
};

/// "a.png: cannot be read as an image: <reason>"
Error image_error(const std::filesystem::path& path, const std::string& reason);

/// Throws Error unless both sides are 1 to kMostPixels pixels.
void require_size(const std::filesystem::path& path, uint64_t width, uint64_t height);

/// Throws Error if `bytes` bytes cannot encode the picture; a byte encodes at most `most_pixels` pixels.
void require_room(const std::filesystem::path& path, uint64_t width, uint64_t height, double most_pixels, size_t bytes);

/// A picture as a field, filled row by row from the top: its grey value on white paper.
class GreyRows {
  public:
    GreyRows(const std::filesystem::path& path, uint32_t width, uint32_t height);

    /// A row of pixels of `channels` samples: grey, grey and alpha, RGB, or RGB and alpha. `most` is full brightness.
    template <class Sample>
    void add(const Sample* row, int channels, double most);

    /// The field; row 0 is the picture's lowest. `whole` holds the samples' maximum if all pixels are grey and opaque.
    /// Requires all rows.
    FieldStack take();

  private:
    FieldStack stack_;
    double most_ = 0;      // full brightness of the samples
    bool is_grey_ = true;  // all pixels so far are grey and opaque
};

/// The same for palette indices: their colours, or the indices if ImageFile::indices_count says so.
class PaletteRows {
  public:
    /// `palette`: (256, 3 or 4) bytes of red, green, blue and optional alpha; may be empty if no row follows.
    PaletteRows(const ImageFile& file, uint32_t width, uint32_t height, std::vector<uint8_t> palette);
    /// A row of indices, from the top.
    void add(const uint8_t* row);
    FieldStack take();

  private:
    std::optional<bool>& indices_count_;
    std::vector<uint8_t> palette_, row_;
    GreyRows grey_;
    FieldStack indices_;
};

/// Applies an orientation of EXIF and TIFF: 1, unchanged, to 8; ignores other values.
void orient(FieldStack& stack, uint32_t orientation);
/// The orientation in an EXIF block (a small TIFF file); 1: none.
uint32_t exif_orientation(std::string_view exif);

}  // namespace flipscope::app
