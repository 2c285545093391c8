// Pictures of consecutive states of a run: numbered files, or a video made by ffmpeg. Draws nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace flipscope::app {

/// Throws Error unless the pattern has exactly one place for a number, as in "film/%05d.png".
void parse_sequence(const std::string& pattern);
std::string sequence_file(const std::string& pattern, uint64_t number);

/// A video, written to a temporary file that replaces the target when complete.
class Video {
  public:
    /// Throws Error with a sentence if there is no ffmpeg or the file cannot be written. Requires that SIGPIPE is
    /// ignored, as prepare_streams() does.
    Video(const std::string& file, int width, int height, double frame_rate);
    ~Video();
    Video(const Video&) = delete;
    Video& operator=(const Video&) = delete;
    /// Writes the next row of the current picture, width × 4 bytes. Throws Error if ffmpeg has failed.
    void put(const unsigned char* rgba);
    /// Call after the last picture. Throws Error with ffmpeg's message if it has failed.
    void finish();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace flipscope::app
