// Keeps unsaved manual edits in a journal, so that they can be restored after a crash. Each running program has one
// journal file in state_folder(), always rewritten as a whole; a lock file tells live journals from abandoned ones.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "app/session/edited_run.h"
#include "io/descriptor.h"

namespace flipscope::app {

class Session;

/// The text of a journal: a line with length and checksum, then JSON. Does not block; hashes the whole input.
std::string journal_text(const EditedRun& run);

/// Throws Error for a truncated or damaged journal, or one by a newer version: "x.journal: ends after 12 of 400 bytes".
EditedRun parse_journal(std::string_view text, const std::filesystem::path& file);

class Journal {
  public:
    explicit Journal(std::filesystem::path folder);
    /// Keeps the file, unless forget() was called.
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    /// Collects the journals of programs that have ended. Returns a sentence for each unreadable one, which is renamed
    /// and kept.
    std::vector<std::string> take_up();
    /// "Flipscope ended before your 7 edits of uniform:1000 were saved, 12 minutes ago."; empty: no journal is left.
    std::string offer() const;
    void restore(Session& session);
    /// Deletes the offered journal.
    void discard();
    /// Offers it again at the next start.
    void postpone();

    /// Call between two frames: writes changes, at most four times a second. `now`: seconds.
    void follow(Session& session, double now);
    /// Call when the user closes the window: deletes the file.
    void forget();
    /// The number of edits in the file; 0 while a write is pending.
    size_t kept() const;

  private:
    struct Left {
        std::filesystem::path file;
        io::Descriptor lock;
        EditedRun run;
        double seconds = 0;  // age
    };
    void write_on();
    void remove(const Left& left);

    std::filesystem::path folder_, file_;
    io::Descriptor lock_;
    std::vector<Left> left_;  // sorted by age; offer() names the last, which is the newest
    bool restoring_ = false, restored_ = false;

    uint64_t seen_ = 0;       // state_id() last written
    double written_at_ = -1;  // seconds
    bool warned_ = false;     // the user was warned that edits are not kept

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<EditedRun> next_;
    std::string failure_;  // of the last write; or empty
    size_t kept_ = 0;
    double cost_ = 0;  // seconds, of the last write
    bool busy_ = false, ends_ = false;
    std::thread writer_;
};

}  // namespace flipscope::app
