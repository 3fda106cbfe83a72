// Threads, locks and what is handed to them.
#include <memory>
#include <mutex>
#include <thread>
#include <future>
#include <condition_variable>

struct job {
    int value = 0;
};

static std::mutex lock;

static void work_and_delete(job *j) {
    j->value++;
    delete j;
}

static void work_only(job *j) {
    j->value++;
}

void thread_deletes_it() {
    job *j = new job; // OK
    std::thread t(work_and_delete, j);
    t.join();
}

void thread_never_deletes_it() {
    job *j = new job; // MISSED thread (what a thread is given it may keep)
    std::thread t(work_only, j);
    t.join();
}

void deleted_after_join() {
    job *j = new job; // OK
    std::thread t(work_only, j);
    t.join();
    delete j;
}

void owner_moved_into_the_thread() {
    auto j = std::make_unique<job>(); // OK
    std::thread t([j = std::move(j)]() { j->value++; });
    t.join();
}

void shared_with_the_thread() {
    auto j = std::make_shared<job>(); // OK
    std::thread t([j]() { j->value++; });
    t.join();
}

int early_return_under_a_guard(int n) { // n=4
    std::lock_guard<std::mutex> guard(lock);
    job *j = new job; // LEAK guard
    if (n > 3) return -1; // LOST guard
    j->value = n;
    delete j;
    return n;
}

int freed_under_a_guard(int n) {
    std::lock_guard<std::mutex> guard(lock);
    job *j = new job; // OK
    j->value = n;
    int r = j->value;
    delete j;
    return r;
}

int unique_lock_released(int n) {
    job *j = new job; // OK
    {
        std::unique_lock<std::mutex> guard(lock);
        j->value = n;
        guard.unlock();
        j->value++;
        guard.lock();
    }
    int r = j->value;
    delete j;
    return r;
}

int scoped(int n) {
    auto j = std::make_unique<job>(); // OK
    std::scoped_lock guard(lock);
    j->value = n;
    return j->value;
}

int future_of_an_owner(int n) {
    std::future<std::unique_ptr<job>> f = std::async(std::launch::deferred, [n]() {
        auto j = std::make_unique<job>(); // OK
        j->value = n;
        return j;
    });
    return f.get()->value;
}
