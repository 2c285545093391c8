// Owns an open file descriptor. Only this folder includes it.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace flipscope::io {

/// What errno says.
inline std::string system_reason() { return std::generic_category().message(errno); }

class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int file) : file_(file) {}
    Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }
    ~Descriptor() { close(); }

    explicit operator bool() const { return file_ >= 0; }
    int get() const { return file_; }
    /// False, with errno: the last bytes could not be written.
    bool close() {
        const int file = std::exchange(file_, -1);
        return file < 0 || ::close(file) == 0;
    }

  private:
    int file_ = -1;
};

}  // namespace flipscope::io
