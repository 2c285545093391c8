// Saved states of runs: a binary file with a header, which is opaque here, and the blocks of a snapshot. The caller
// describes the run in the header.
//
// The format, little-endian:
//   8 bytes   89 46 53 43 0D 0A 1A 0A; a transfer as text changes them
//   uint32    version of the format: 1
//   uint32    0
//   uint64    bytes of the header
//   uint64    number of blocks
//   uint64    bytes of each block, one after the other
//   uint64    checksum of all bytes before it
//   header, blocks
//   uint64    checksum of all bytes before it
// Blocks are memory images of a little-endian machine.
#pragma once

#include <filesystem>
#include <string>

#include "compute/error.h"
#include "compute/snapshot.h"

namespace flipscope {

struct StateFile {
    std::string header;
    Snapshot snapshot;
};

/// The extension: ".state".
inline constexpr const char* kStateExtension = ".state";

/// Written completely or not at all (OutputFile). Throws Error.
void write_state_file(const std::filesystem::path& path, const std::string& header, const Snapshot& snapshot);

/// Throws Error for a file that cannot be read, has another or a newer format, or is truncated or corrupt: "run.state:
/// ends after 120 of 4096 bytes: it was cut". Needs twice the file's size in memory.
StateFile read_state_file(const std::filesystem::path& path);

}  // namespace flipscope
