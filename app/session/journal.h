// Manual edits that no file has: the window keeps them in a journal, so that they can be made again when the program
// ended before its window was closed. One journal for every program that runs, in state_folder(), replaced as a whole;
// a lock beside it tells the journal of a program that runs from one that was left.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <memory>
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

/// What a journal holds: a line with its length and its checksum, then JSON. Waits for nothing; reads the whole input.
std::string journal_text(const EditedRun& run);

struct ReadJournal {
    EditedRun run;
    uint64_t input_hash = 0;  // contents_hash() of the input
};
/// Throws Error for one that was cut, damaged, or written by a newer version: "x.journal: ends after 12 of 400 bytes".
ReadJournal parse_journal(std::string_view text, const std::filesystem::path& file);

class Journal {
  public:
    explicit Journal(std::filesystem::path folder);
    /// The file stays, unless forget() was called.
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    /// Takes up what programs have left that run no more. Returns what there is to say: a sentence for each that
    /// cannot be read, which is kept under another name.
    std::vector<std::string> take_up();
    /// "Flipscope ended before your 7 edits of uniform:1000 were saved, 12 minutes ago."; empty: nothing was left.
    std::string offer() const;
    void restore(Session& session);
    /// The file goes.
    void discard();
    /// It is offered again when the program starts next.
    void postpone();

    /// Between two frames: has what changed written, at most four times a second. `now`: seconds.
    void follow(Session& session, double now);
    /// The window was closed by the user: nothing has to be kept.
    void forget();
    /// Edits that the file has.
    size_t kept() const;

  private:
    struct Left {
        std::filesystem::path file;
        io::Descriptor lock;
        ReadJournal read;
        double seconds = 0;  // since it was written
    };
    void write_on();
    void remove(const Left& left);

    std::filesystem::path folder_, file_;
    io::Descriptor lock_;
    std::vector<Left> left_;  // the newest last, which is offered
    bool restoring_ = false, restored_ = false;

    uint64_t seen_ = 0;       // state_id() that was written
    double written_at_ = -1;  // seconds
    bool warned_ = false;     // that it cannot be kept

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<EditedRun> next_;
    std::string failure_;  // why the last could not be written
    size_t kept_ = 0;
    double cost_ = 0;  // seconds, of writing it last
    bool busy_ = false, ends_ = false;
    std::thread writer_;
};

}  // namespace flipscope::app
