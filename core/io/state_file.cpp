#include "io/state_file.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "compute/cancel.h"
#include "io/input_bytes.h"
#include "io/output_file.h"
#include "io/parse.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

static_assert(std::endian::native == std::endian::little, "blocks are written as they lie in memory");

constexpr std::string_view kMagic{
    "\x89"
    "FSC\r\n\x1a\n",
    8};
constexpr uint32_t kVersion = 1;
constexpr size_t kFixed = 8 + 4 + 4 + 8 + 8;  // bytes up to the sizes of the blocks

/// The checksum of a sequence of bytes, however divided.
class Checksum {
  public:
    void add(std::string_view bytes) {
        CancelPoll poll;
        size_ += bytes.size();
        while (!bytes.empty() && filled_ > 0) {
            reinterpret_cast<char*>(&word_)[filled_++] = bytes.front();
            bytes.remove_prefix(1);
            if (filled_ == sizeof word_) take();
        }
        for (; bytes.size() >= sizeof word_; bytes.remove_prefix(sizeof word_)) {
            std::memcpy(&word_, bytes.data(), sizeof word_);
            take();
            poll();
        }
        if (bytes.empty()) return;  // may have a null pointer
        std::memcpy(&word_, bytes.data(), bytes.size());
        filled_ += bytes.size();
    }
    uint64_t value() const { return mix64(mix64(hash_ ^ word_) ^ size_); }

  private:
    void take() {
        hash_ = mix64(hash_ ^ word_);
        word_ = 0;
        filled_ = 0;
    }
    uint64_t hash_ = 0, size_ = 0, word_ = 0;
    size_t filled_ = 0;  // bytes of the word
};

std::string_view bytes_of(const std::vector<std::byte>& block) {
    return {reinterpret_cast<const char*>(block.data()), block.size()};
}

template <class Unsigned>
void append(std::string& bytes, Unsigned value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

class Reader {
  public:
    explicit Reader(const std::filesystem::path& path) : name_(path.string()), bytes_(io::read_file(path)) {}

    StateFile read() {
        const size_t begin = read_sizes();
        uint64_t whole = begin + sizeof(uint64_t);
        for (const uint64_t size : sizes_) {
            if (size > SIZE_MAX / 4 - whole) throw damaged();
            whole += size;
        }
        if (bytes_.size() < whole) throw cut(std::to_string(whole));
        if (bytes_.size() > whole)
            throw Error(name_ + ": has " + std::to_string(bytes_.size() - whole) +
                        " bytes after its end: it is damaged; use another copy of it");
        require_checksum(whole - sizeof(uint64_t));
        StateFile file{bytes_.substr(begin, sizes_.front()), {}};
        const auto* at = reinterpret_cast<const std::byte*>(bytes_.data()) + begin + file.header.size();
        for (size_t i = 1; i < sizes_.size(); at += sizes_[i++]) file.snapshot.blocks.emplace_back(at, at + sizes_[i]);
        return file;
    }

  private:
    /// Reads the sizes of the header and of the blocks; returns the offset of the header.
    size_t read_sizes() {
        if (bytes_.empty()) throw Error(name_ + ": is empty, not a saved run");
        const size_t shown = std::min(bytes_.size(), kMagic.size());
        if (std::string_view(bytes_).substr(0, shown) != kMagic.substr(0, shown))
            throw Error(name_ + ": is not a saved run; --save FILE" + kStateExtension +
                        " of 'flipscope run' writes one");
        if (bytes_.size() < kFixed) throw cut("at least " + std::to_string(kFixed));
        // First of all: the rest may differ in another version.
        if (const uint64_t version = io::integer_at(bytes_, 8, 4); version > kVersion)
            throw Error(name_ + ": was saved by a newer Flipscope, in version " + std::to_string(version) +
                        " of the format, and this one reads version " + std::to_string(kVersion) +
                        "; resume it with that one");
        const uint64_t header = io::integer_at(bytes_, 16, 8), count = io::integer_at(bytes_, 24, 8);
        const size_t room = (bytes_.size() - kFixed) / sizeof(uint64_t);
        if (count >= room)
            throw Error(name_ + ": ends within the list of its " + std::to_string(count) +
                        " blocks: it was cut, or is damaged; use another copy of it");
        const size_t end = kFixed + static_cast<size_t>(count) * sizeof(uint64_t);
        require_checksum(end);
        sizes_.push_back(header);
        for (size_t at = kFixed; at < end; at += sizeof(uint64_t)) sizes_.push_back(io::integer_at(bytes_, at, 8));
        return end + sizeof(uint64_t);
    }
    /// The checksum stored at `end`, of all bytes before it.
    void require_checksum(size_t end) const {
        Checksum sum;
        sum.add(std::string_view(bytes_).substr(0, end));
        if (sum.value() != io::integer_at(bytes_, end, 8)) throw damaged();
    }
    Error damaged() const {
        return Error(name_ + ": is damaged: its contents do not agree with its checksum; use another copy of it");
    }
    Error cut(const std::string& whole) const {
        return Error(name_ + ": ends after " + std::to_string(bytes_.size()) + " of " + whole +
                     " bytes: it was cut; use another copy of it");
    }

    std::string name_, bytes_;
    std::vector<uint64_t> sizes_;  // of the header, then of the blocks
};

}  // namespace

void write_state_file(const std::filesystem::path& path, const std::string& header, const Snapshot& snapshot) {
    std::string front(kMagic);
    append(front, kVersion);
    append(front, uint32_t(0));
    append(front, uint64_t(header.size()));
    append(front, uint64_t(snapshot.blocks.size()));
    for (const auto& block : snapshot.blocks) append(front, uint64_t(block.size()));
    OutputFile file(path);
    Checksum sum;
    const auto put = [&](std::string_view bytes) {
        file << bytes;
        sum.add(bytes);
    };
    const auto put_checksum = [&] {
        std::string bytes;
        append(bytes, sum.value());
        put(bytes);
    };
    put(front);
    put_checksum();
    put(header);
    for (const auto& block : snapshot.blocks) put(bytes_of(block));
    put_checksum();
    file.finish();
    file.commit();
}

StateFile read_state_file(const std::filesystem::path& path) {
    return io::within_memory(path, [&] { return Reader(path).read(); });
}

}  // namespace flipscope
