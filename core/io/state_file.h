// Saved states of runs: one binary file that holds a header, a text that this folder does not look into, and the blocks
// of a snapshot. The caller says in the header what the blocks belong to.
//
// The format, whole numbers with the lowest byte first:
//   8 bytes   89 46 53 43 0D 0A 1A 0A; a transfer as text changes them
//   uint32    version of the format: 1
//   uint32    0
//   uint64    bytes of the header
//   uint64    number of blocks
//   uint64    bytes of each block, one after the other
//   uint64    checksum of all bytes before it
//   header, blocks
//   uint64    checksum of all bytes before it
// Blocks are as they lie in the memory of a machine with the lowest byte first.
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

/// The ending of such files: ".state".
inline constexpr const char* kStateExtension = ".state";

/// Complete or not at all, as every OutputFile. Throws Error when it cannot be written.
void write_state_file(const std::filesystem::path& path, const std::string& header, const Snapshot& snapshot);

/// Throws Error for a file that cannot be read, is none of these, was cut or damaged, or is of a newer format:
/// "run.state: ends after 120 of 4096 bytes: it was cut". Needs memory for the file twice.
StateFile read_state_file(const std::filesystem::path& path);

}  // namespace flipscope
