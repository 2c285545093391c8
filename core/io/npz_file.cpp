// The zip format according to its APPNOTE 6.3: a directory of members at the end, and a header before each member's
// bytes. Sizes and offsets are taken from the directory; zip64 replaces numbers that are too large.

#include "io/npz_file.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_set>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "compute/text.h"
#include "io/parse.h"

namespace flipscope::io {
namespace {

constexpr size_t kEnd = 22, kEnd64 = 56, kLocator64 = 20, kListed = 46, kLocal = 30;  // bytes of the fixed parts
constexpr size_t kMostAtOnce = size_t(16) << 20;  // bytes between two polls of the cancel flag; fits zlib's counts
constexpr uint64_t kMostDeflated = 1032;          // the maximum compression ratio of deflate

bool has_signature(std::string_view bytes, uint64_t at, std::string_view signature) {
    return at <= bytes.size() && bytes.substr(at).starts_with(signature);
}

struct List {
    uint64_t begin = 0, bytes = 0, count = 0;
};

/// The position of the directory, from the end of the archive.
std::optional<List> find_list(std::string_view bytes) {
    constexpr size_t kLongestComment = 65535;
    if (bytes.size() < kEnd) return std::nullopt;
    const size_t first = bytes.size() > kEnd + kLongestComment ? bytes.size() - kEnd - kLongestComment : 0;
    for (size_t at = bytes.size() - kEnd + 1; at-- > first;) {
        if (!has_signature(bytes, at, "PK\5\6") || at + kEnd + integer_at(bytes, at + 20, 2) > bytes.size()) continue;
        List list{integer_at(bytes, at + 16, 4), integer_at(bytes, at + 12, 4), integer_at(bytes, at + 10, 2)};
        const bool is_large = list.begin == 0xFFFFFFFF || list.bytes == 0xFFFFFFFF || list.count == 0xFFFF;
        if (!is_large || at < kLocator64 || !has_signature(bytes, at - kLocator64, "PK\6\7")) return list;
        const uint64_t end = integer_at(bytes, at - kLocator64 + 8, 8);
        if (end > bytes.size() || bytes.size() - end < kEnd64 || !has_signature(bytes, end, "PK\6\6"))
            return std::nullopt;
        return List{integer_at(bytes, end + 48, 8), integer_at(bytes, end + 40, 8), integer_at(bytes, end + 32, 8)};
    }
    return std::nullopt;
}

/// 32-bit numbers that do not suffice are in an extra field, in this order.
bool take_large(std::string_view extra, std::initializer_list<uint64_t*> numbers) {
    while (extra.size() >= 4) {
        const uint64_t id = integer_at(extra, 0, 2), size = integer_at(extra, 2, 2);
        extra.remove_prefix(4);
        if (size > extra.size()) return false;
        if (id == 1) {
            size_t at = 0;
            for (uint64_t* number : numbers) {
                if (*number != 0xFFFFFFFF) continue;
                if (at + 8 > size) return false;
                *number = integer_at(extra, at, 8);
                at += 8;
            }
            return true;
        }
        extra.remove_prefix(size);
    }
    return std::ranges::none_of(numbers, [](const uint64_t* number) { return *number == 0xFFFFFFFF; });
}

}  // namespace

uint32_t zip_checksum(std::string_view bytes) {
    uLong checksum = crc32(0, nullptr, 0);
    for (size_t at = 0; at < bytes.size(); at += kMostAtOnce) {
        throw_if_cancelled();
        checksum = crc32(checksum, reinterpret_cast<const Bytef*>(bytes.data() + at),
                         static_cast<uInt>(std::min(kMostAtOnce, bytes.size() - at)));
    }
    return static_cast<uint32_t>(checksum);
}

NpzFile::NpzFile(const std::filesystem::path& path, std::string_view bytes) : name_(path.string()), bytes_(bytes) {
    const std::optional<List> list = find_list(bytes);
    if (!list)
        throw Error(
            name_ + ": expected an .npz file, a zip archive, found " +
            (bytes.starts_with("PK\3\4") ? "the beginning of one that is cut off" : excerpt(bytes.substr(0, 64))));
    const auto broken = [&](const std::string& why) { return Error(name_ + ": the archive is broken: " + why); };
    if (list->begin > bytes.size() || list->bytes > bytes.size() - list->begin)
        throw broken("its list of members lies beyond the end of the file");
    std::string_view rest = bytes.substr(list->begin, list->bytes);
    if (list->count > rest.size() / kListed)
        throw broken("it declares " + std::to_string(list->count) + " members, and its list has room for " +
                     std::to_string(rest.size() / kListed));
    uint64_t packed = 0, unpacked = 0;
    std::unordered_set<std::string> known;
    for (uint64_t i = 0; i < list->count; ++i) {
        if (i % kItemsPerPoll == 0) throw_if_cancelled();
        const std::string which = "member " + std::to_string(i + 1) + " of " + std::to_string(list->count);
        if (rest.size() < kListed || !rest.starts_with("PK\1\2")) throw broken(which + " is not in its list");
        const uint64_t flags = integer_at(rest, 8, 2), method = integer_at(rest, 10, 2);
        const uint64_t name_size = integer_at(rest, 28, 2), extra_size = integer_at(rest, 30, 2),
                       whole = kListed + name_size + extra_size + integer_at(rest, 32, 2);
        if (whole > rest.size()) throw broken(which + " is cut off in its list");
        Member member{std::string(rest.substr(kListed, name_size)),
                      integer_at(rest, 42, 4),
                      integer_at(rest, 20, 4),
                      integer_at(rest, 24, 4),
                      static_cast<uint32_t>(integer_at(rest, 16, 4)),
                      method == 8};
        const std::string_view extra = rest.substr(kListed + name_size, extra_size);
        if (!take_large(extra, {&member.unpacked, &member.packed, &member.header}))
            throw broken(which + " does not say how large it is");
        rest.remove_prefix(whole);
        constexpr std::string_view kExtension = ".npy";
        if (!member.name.ends_with(kExtension)) {
            ++others_;
            continue;
        }
        member.name.resize(member.name.size() - kExtension.size());
        const auto fail = [&](const std::string& why) { return Error(name_ + ": " + member.name + ": " + why); };
        if (flags & 1) throw fail("is encrypted");
        if (method != 0 && method != 8)
            throw fail("is packed by method " + std::to_string(method) +
                       " of zip; numpy.savez and savez_compressed write what can be read");
        // Members do not overlap, so together they are at most as large as the file.
        if (member.packed > bytes.size() - packed) throw fail("is larger than the file");
        packed += member.packed;
        const uint64_t most = member.is_deflated ? kMostDeflated * member.packed + 64 : member.packed;
        if (member.unpacked > most || (!member.is_deflated && member.unpacked != member.packed))
            throw fail("declares " + std::to_string(member.unpacked) + " bytes, which the " +
                       std::to_string(member.packed) + " in the archive cannot be");
        unpacked += member.unpacked;
        if (unpacked > most_file_bytes()) throw Error(name_ + ": is too large for this machine's memory when unpacked");
        if (!known.insert(member.name).second) throw fail("is in the archive twice");
        members_.push_back(std::move(member));
    }
}

void NpzFile::note_others(std::vector<std::string>& notes) const {
    if (others_ > 0)
        notes.push_back(name_ + ": " + count_text(others_, "member of the archive is", "members of the archive are") +
                        " no .npy file, and not used");
}

std::string NpzFile::read_begin(const Member& member, uint64_t most) const {
    const auto fail = [&](const std::string& why) { return Error(name_ + ": " + member.name + ": " + why); };
    if (member.header > bytes_.size() || bytes_.size() - member.header < kLocal ||
        !has_signature(bytes_, member.header, "PK\3\4"))
        throw fail("is not where the archive's list says");
    const uint64_t begin =
        member.header + kLocal + integer_at(bytes_, member.header + 26, 2) + integer_at(bytes_, member.header + 28, 2);
    if (begin > bytes_.size() || member.packed > bytes_.size() - begin) throw fail("is cut off");
    const std::string_view packed = bytes_.substr(begin, member.packed);
    std::string bytes;
    if (!member.is_deflated) {
        bytes = packed.substr(0, most);
    } else {
        bytes.resize(std::min(member.unpacked, most));
        z_stream stream{};
        if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
        const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, &inflateEnd);
        size_t taken = 0, made = 0;
        Bytef none = 0;
        for (int status = Z_OK; status != Z_STREAM_END;) {
            throw_if_cancelled();
            if (made == most && most < member.unpacked) return bytes;
            const size_t in = std::min(kMostAtOnce, packed.size() - taken),
                         out = std::min(kMostAtOnce, bytes.size() - made);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));
            stream.avail_in = static_cast<uInt>(in);
            stream.next_out = out > 0 ? reinterpret_cast<Bytef*>(bytes.data() + made) : &none;
            stream.avail_out = static_cast<uInt>(out);
            status = inflate(&stream, Z_NO_FLUSH);
            const size_t used = in - stream.avail_in, written = out - stream.avail_out;
            taken += used;
            made += written;
            if (status == Z_MEM_ERROR) throw std::bad_alloc();
            if ((status != Z_OK && status != Z_STREAM_END) || (status == Z_OK && used == 0 && written == 0))
                throw fail("cannot be unpacked: its bytes are broken");
        }
        if (made != bytes.size())
            throw fail("declares " + std::to_string(member.unpacked) + " bytes, and has " + std::to_string(made));
    }
    return bytes;
}

std::string NpzFile::read(const Member& member) const {
    std::string bytes = read_begin(member, std::numeric_limits<uint64_t>::max());
    if (zip_checksum(bytes) != member.checksum)
        throw Error(name_ + ": " + member.name + ": is corrupt: its checksum differs from that in the archive");
    return bytes;
}

}  // namespace flipscope::io
