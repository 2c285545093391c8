// Shared by the tests of recordings: .npz archives made by hand, stored or deflated, valid or malformed.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

namespace flipscope::npz_files {

struct Member {
    std::string name;  // "points_0.npy"
    std::string bytes;
    bool deflated = false;
};

inline void put(std::string& to, uint64_t value, size_t size) {
    for (size_t i = 0; i < size; ++i) to += i < 8 ? static_cast<char>(value >> (8 * i)) : char{0};
}

/// `window`: MAX_WBITS + 16 for a gzip file.
inline std::string deflated(const std::string& bytes, int window = -MAX_WBITS) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

/// With zip64 all sizes and places stand in extra fields, as NumPy has it for large arrays.
inline std::string npz(const std::vector<Member>& members, bool zip64 = false) {
    constexpr uint64_t kElsewhere = 0xFFFFFFFF;
    std::string archive, list;
    for (const Member& member : members) {
        const std::string packed = member.deflated ? deflated(member.bytes) : member.bytes;
        const uint64_t begin = archive.size(), checksum = crc32(0, reinterpret_cast<const Bytef*>(member.bytes.data()),
                                                                static_cast<uInt>(member.bytes.size()));
        std::string extra;
        if (zip64) {
            put(extra, 1, 2);
            put(extra, 24, 2);
            put(extra, member.bytes.size(), 8);
            put(extra, packed.size(), 8);
            put(extra, begin, 8);
        }
        const auto header = [&](std::string& to, bool listed) {
            to += listed ? "PK\1\2" : "PK\3\4";
            if (listed) put(to, 45, 2);
            put(to, 45, 2);
            put(to, 0, 2);
            put(to, member.deflated ? 8 : 0, 2);
            put(to, 0, 4);
            put(to, checksum, 4);
            put(to, zip64 ? kElsewhere : packed.size(), 4);
            put(to, zip64 ? kElsewhere : member.bytes.size(), 4);
            put(to, member.name.size(), 2);
            put(to, listed ? extra.size() : 0, 2);
            if (listed) {
                put(to, 0, 2 + 2 + 2 + 4);
                put(to, zip64 ? kElsewhere : begin, 4);
            }
            to += member.name;
            if (listed) to += extra;
        };
        header(archive, false);
        archive += packed;
        header(list, true);
    }
    const uint64_t begin = archive.size(), end = begin + list.size();
    archive += list;
    if (zip64) {
        archive += "PK\6\6";
        put(archive, 44, 8);
        put(archive, 45, 2);
        put(archive, 45, 2);
        put(archive, 0, 8);
        put(archive, members.size(), 8);
        put(archive, members.size(), 8);
        put(archive, list.size(), 8);
        put(archive, begin, 8);
        archive += "PK\6\7";
        put(archive, 0, 4);
        put(archive, end, 8);
        put(archive, 1, 4);
    }
    archive += "PK\5\6";
    put(archive, 0, 4);
    put(archive, zip64 ? 0xFFFF : members.size(), 2);
    put(archive, zip64 ? 0xFFFF : members.size(), 2);
    put(archive, zip64 ? kElsewhere : list.size(), 4);
    put(archive, zip64 ? kElsewhere : begin, 4);
    put(archive, 0, 2);
    return archive;
}

}  // namespace flipscope::npz_files
