// NumPy's .npz, a zip archive with a .npy file for each array: which arrays it holds, and the bytes of each. Stored and
// deflated members are read, with or without zip64. Only the readers in this folder include it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace flipscope::io {

class NpzFile {
  public:
    struct Member {
        std::string name;         // "points_0000", without the ".npy"
        uint64_t header = 0;      // where its local header begins, bytes
        uint64_t packed = 0;      // bytes in the archive
        uint64_t unpacked = 0;    // bytes of the .npy file
        uint32_t checksum = 0;    // CRC-32 of these
        bool is_deflated = true;  // else it is stored as it is
    };

    /// `bytes` must stay. Throws Error where they are no zip archive, or its list of members is broken, or says what
    /// cannot be: more bytes than there are, two members of one name.
    NpzFile(const std::filesystem::path& path, std::string_view bytes);

    /// Those that end in ".npy", in the order of the archive's list.
    const std::vector<Member>& members() const { return members_; }
    /// How many others there are.
    size_t other_count() const { return others_; }
    /// Unpacked, and compared with its checksum. Throws Error where it is broken or cut.
    std::string read(const Member& member) const;
    /// The first bytes alone, no more than `most`; their checksum is not known.
    std::string read_begin(const Member& member, uint64_t most) const;

  private:
    std::string name_;
    std::string_view bytes_;
    std::vector<Member> members_;
    size_t others_ = 0;
};

}  // namespace flipscope::io
