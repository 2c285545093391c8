// What the readers of image formats share: rows of brightness, the limits of sizes, the way up, the wording of what is
// wrong; and the readers themselves, one a format. None allocates for a size before it has looked whether a lattice
// takes it and the file can hold it. Only images.cpp and the readers include it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/error.h"
#include "geometry/frames.h"

namespace flipscope::app {

/// An image that is being read.
struct ImageFile {
    const std::filesystem::path& path;  // for messages
    std::string_view bytes;             // the whole file
    std::vector<std::string>& notes;    // what was found and what is left out, a sentence each
    /// Whether indices into a palette count, since they look like labels, and not their colours. Nothing: the reader
    /// decides, for all frames of a film.
    std::optional<bool>& indices_count;
};

/// "a.png: cannot be read as an image: <reason>"
Error image_error(const std::filesystem::path& path, const std::string& reason);

/// Throws Error unless an image is 1 to kMostPixels pixels large each way.
void require_size(const std::filesystem::path& path, uint64_t width, uint64_t height);

/// Throws Error for a picture that a file of `bytes` bytes cannot hold, each of which gives `most_pixels` at most.
void require_room(const std::filesystem::path& path, uint64_t width, uint64_t height, double most_pixels, size_t bytes);

/// The field that a picture becomes, filled row by row from the top: grey as seen on white paper.
class GreyRows {
  public:
    GreyRows(const std::filesystem::path& path, uint32_t width, uint32_t height);

    /// A row of pixels of `channels` samples: grey, grey and alpha, RGB, or RGB and alpha. `most` is full brightness.
    template <class Sample>
    void add(const Sample* row, int channels, double most);

    /// The field, its row 0 the picture's lowest; its `whole` numbers are the samples where all pixels are grey and
    /// opaque. All rows must be there.
    FieldStack take();

  private:
    FieldStack stack_;
    double most_ = 0;      // of the samples
    bool is_grey_ = true;  // all pixels so far are, and opaque
};

/// The same of indices into a palette: what they stand for, or, as ImageFile::indices_count says, themselves.
class PaletteRows {
  public:
    /// `palette`: (256, 3 or 4) bytes of red, green, blue and perhaps alpha; empty where no row comes.
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

/// Turns a picture as EXIF and TIFF say with their numbers from 1, the usual way up, to 8; others change nothing.
void orient(FieldStack& stack, uint32_t orientation);
/// The orientation that a block of EXIF (a small TIFF file) says; 1: none.
uint32_t exif_orientation(std::string_view exif);

FieldStack read_png(const ImageFile& file);
FieldStack read_jpeg(const ImageFile& file);
FieldStack read_pnm(const ImageFile& file);  // PBM, PGM and PPM, plain and raw
FieldStack read_bmp(const ImageFile& file);
FieldStack read_tga(const ImageFile& file);
FieldStack read_psd(const ImageFile& file);
FieldStack read_tiff(const ImageFile& file);  // every page of the first one's size is a frame

}  // namespace flipscope::app
