// NumPy's .npz, a zip archive with a .npy file for each array: lists and reads its arrays. Supports stored and deflated
// members, with or without zip64. Included by the readers in this folder and by find_cases().
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace flipscope::io {

/// The CRC-32 of these bytes, by which zip checks a member.
uint32_t zip_checksum(std::string_view bytes);

class NpzFile {
  public:
    struct Member {
        std::string name;         // "points_0000", without the ".npy"
        uint64_t header = 0;      // offset of its local header, bytes
        uint64_t packed = 0;      // bytes in the archive
        uint64_t unpacked = 0;    // bytes of the .npy file
        uint32_t checksum = 0;    // CRC-32 of these
        bool is_deflated = true;  // false: stored
    };

    /// `bytes` must outlive it. Throws Error unless they are a zip archive with a valid and consistent directory: no
    /// member beyond the file, no duplicate names.
    NpzFile(const std::filesystem::path& path, std::string_view bytes);

    /// The members that end in ".npy", in the order of the directory.
    const std::vector<Member>& members() const { return members_; }
    /// Notes that other members are not used, if any.
    void note_others(std::vector<std::string>& notes) const;
    /// Unpacks a member and verifies its checksum. Throws Error for corrupt or truncated data.
    std::string read(const Member& member) const;
    /// At most the first `most` bytes, without verification.
    std::string read_begin(const Member& member, uint64_t most) const;

  private:
    std::string name_;
    std::string_view bytes_;
    std::vector<Member> members_;
    size_t others_ = 0;
};

}  // namespace flipscope::io
