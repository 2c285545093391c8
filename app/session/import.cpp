// Session, about tables: what is pasted, and columns that the user chooses while the picture follows.
#include <utility>

#include "app/session/session.h"

namespace flipscope::app {

void Session::paste(std::string text) {
    const TableSource source{{}, std::make_shared<const std::string>(std::move(text))};
    leave_edits("Opening what was pasted", "Open it", [this, source] {
        import_.reset();
        request(command::ReadTable{source, {}});
    });
}

command::OpenAtEnd Session::present_opening() const {
    command::OpenAtEnd open{model().info.id, begun_with_, loader_.input(), loader_.source()};
    open.at = model().position;
    open.origin = loader_.origin();
    return open;
}

/// What the strip can go back to is kept.
void Session::start_reading(Opening opening) {
    before_reading_ = model().loaded ? present_opening() : command::OpenAtEnd{};
    start_opening(std::move(opening), Task::kOpen);
}

void Session::open_import() {
    if (import_) return;
    if (!has_columns()) return reply(Message::Kind::kNote, "The input is no table, so there are no columns to choose.");
    before_import_ = present_opening();
    import_ = TableImport{loader_.table(), loader_.read(), *loader_.layout(), ""};
}

void Session::import_as(ReadOptions read) {
    if (!import_) return;
    leave_edits("Reading the table in another way", "Read it", [this, read = std::move(read)] {
        if (!import_) return;
        import_->read = read;
        commands_.withdraw<command::ReadTable>();
        request(command::ReadTable{import_->source, read});
    });
}

void Session::end_import(bool keeps) {
    if (!import_) return;
    import_.reset();
    commands_.withdraw<command::ReadTable>();
    if (!keeps && before_import_.input && before_import_.input != loader_.input())
        open_at_end(std::exchange(before_import_, {}));
}

/// After a table was read, or was refused. The strip opens by itself where something was guessed, and where a refused
/// table has other columns.
void Session::follow_import(const Opening& asked, const std::optional<TableLayout>& table, const std::string& refusal) {
    if (import_ && asked.table == import_->source) {
        if (table) import_->layout = *table;
        import_->refusal = refusal;
        return;
    }
    if (refusal.empty()) import_.reset();
    if (!asked.asks_columns || !table) return;
    if (!table->guessed && (refusal.empty() || table->columns.size() <= 2)) return;
    before_import_ = before_reading_.input ? before_reading_ : present_opening();
    import_ = TableImport{asked.table, asked.read, *table, refusal};
}

}  // namespace flipscope::app
