#include "app/session/worker.h"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <stdexcept>

#include "app/bell.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("worker: a job runs on another thread, and is collected once") {
    Bell bell;
    Worker worker([&] { bell.ring(); });
    CHECK_FALSE(worker.busy());
    CHECK_THROWS_AS(worker.collect(), std::logic_error);
    for (int job = 1; job <= 100; ++job) {
        std::thread::id ran_on;
        worker.start([&] { ran_on = std::this_thread::get_id(); });
        CHECK(worker.busy());
        bell.wait_for(job);
        CHECK(worker.finished());
        CHECK(worker.busy());  // until collected
        CHECK_FALSE(worker.collect());
        CHECK_FALSE(worker.busy());
        CHECK_FALSE(worker.finished());
        CHECK(ran_on != std::this_thread::get_id());
    }
}

TEST_CASE("worker: a second job is refused without disturbing the running one") {
    Bell over, go_on;
    Worker worker([&] { over.ring(); });
    int result = 0;
    worker.start([&] {
        go_on.wait_for(1);
        result = 7;
    });
    CHECK_THROWS_AS(worker.start([] {}), std::logic_error);
    CHECK_THROWS_AS(worker.collect(), std::logic_error);
    go_on.ring();
    over.wait_for(1);
    CHECK_THROWS_AS(worker.start([] {}), std::logic_error);  // finished but uncollected
    worker.collect();
    CHECK(result == 7);
}

TEST_CASE("worker: an exception of a job is handed over and does not affect the next job") {
    Bell bell;
    Worker worker([&] { bell.ring(); });
    worker.start([] { throw std::runtime_error("no more paper"); });
    bell.wait_for(1);
    const std::exception_ptr failure = worker.collect();
    REQUIRE(failure);
    CHECK_THROWS_WITH_AS(std::rethrow_exception(failure), "no more paper", std::runtime_error);
    worker.start([] {});
    bell.wait_for(2);
    CHECK_FALSE(worker.collect());
}

TEST_CASE("worker: a job's captures are destroyed when it ends") {
    Bell bell;
    auto held = std::make_shared<int>(1);
    const std::weak_ptr<int> left = held;
    Worker worker([&] { bell.ring(); });
    worker.start([kept = std::move(held)] { CHECK(*kept == 1); });
    bell.wait_for(1);
    CHECK(left.expired());
    worker.collect();
}

TEST_CASE("worker: its destructor waits for the running job") {
    std::atomic<bool> over{false};
    Bell begun, go_on;
    std::thread other;
    {
        Worker worker({});
        worker.start([&] {
            begun.ring();
            go_on.wait_for(1);
            over = true;
        });
        begun.wait_for(1);
        other = std::thread([&] { go_on.ring(); });
    }
    CHECK(over);
    other.join();
}
