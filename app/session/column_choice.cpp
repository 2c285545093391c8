#include "app/session/column_choice.h"

#include <memory>
#include <utility>

namespace flipscope::app {

ColumnChoice::ColumnChoice(LabWorker& worker, Undo& undo, Opener& opener)
    : worker_(worker), undo_(undo), opener_(opener) {
    opener.on_table = [this](const Opening& opening, const std::optional<TableLayout>& table,
                             const std::string& refusal) { follow(opening, table, refusal); };
}

void ColumnChoice::request(const TableSource& source, const ReadOptions& read) {
    const auto start = [=, this] {
        Opening opening = worker_.loader().read_table(source, read);
        opening.chooses_columns = !import_;
        opener_.start_reading(std::move(opening));
    };
    worker_.request(start, "read table");
}

void ColumnChoice::paste(std::string text) {
    const TableSource source{{}, std::make_shared<const std::string>(std::move(text))};
    undo_.confirm_discard_edits("Opening what was pasted", "Open it", [this, source] {
        import_.reset();
        request(source, {});
    });
}

void ColumnChoice::open() {
    if (import_) return;
    const Opening& present = worker_.loader().present();
    if (!present.layout) return worker_.note("The input is no table, so there are no columns to choose.");
    before_ = opener_.present();
    import_ = TableImport{present.table, present.read, *present.layout, ""};
}

void ColumnChoice::read_as(ReadOptions read) {
    if (!import_) return;
    undo_.confirm_discard_edits("Reading the table in another way", "Read it", [this, read = std::move(read)] {
        if (!import_) return;
        import_->read = read;
        request(import_->source, read);
    });
}

void ColumnChoice::end(bool keeps) {
    if (!import_) return;
    import_.reset();
    worker_.commands().withdraw("read table");
    if (!keeps && before_.input && before_.input != worker_.input()) opener_.open(std::exchange(before_, {}));
}

/// Opens the choice for guessed columns, and for a refused table of more than two columns.
void ColumnChoice::follow(const Opening& opening, const std::optional<TableLayout>& table, const std::string& refusal) {
    if (import_ && opening.table == import_->source) {
        if (table) import_->layout = *table;
        import_->refusal = refusal;
        return;
    }
    if (refusal.empty()) import_.reset();
    if (!opening.chooses_columns || !table) return;
    if (!table->guessed && (refusal.empty() || table->columns.size() <= 2)) return;
    before_ = opener_.before_reading().input ? opener_.before_reading() : opener_.present();
    import_ = TableImport{opening.table, opening.read, *table, refusal};
}

}  // namespace flipscope::app
