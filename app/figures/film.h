// Pictures of a stretch of a run, one after the other: numbered files, or a video that ffmpeg makes of them. Draws
// nothing itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace flipscope::app {

/// Throws Error where "film/%05d.png" has not one place for a number.
void parse_sequence(const std::string& pattern);
std::string sequence_file(const std::string& pattern, uint64_t number);

/// A video being written beside its place, which it takes complete or not at all.
class Video {
  public:
    /// Throws Error with a sentence where there is no ffmpeg, or the file cannot be written.
    Video(const std::string& file, int width, int height, double frame_rate);
    ~Video();
    Video(const Video&) = delete;
    Video& operator=(const Video&) = delete;
    /// The next row of the next picture, width × 4 bytes. Throws Error where ffmpeg has given up.
    void put(const unsigned char* rgba);
    /// After the last picture. Throws Error with what ffmpeg says where it has failed.
    void finish();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace flipscope::app
