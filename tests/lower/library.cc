// The standard library, coroutines: what real C++ brings along passes the validator.
// flags: -std=c++20
// expect: source "sum"
// expect: struct "std::
#include <coroutine>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <vector>
struct Steps {
    struct promise_type {
        int value;
        Steps get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int v) { value = v; return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};
Steps count(int n) { for (int i = 0; i < n; i++) co_yield i; }
int sum(const std::map<std::string, std::vector<int>> &m)
{
    int s = 0;
    std::function<void(int)> add = [&](int n) { s += n; };
    for (auto &[key, list] : m)
        for (int n : list) add(n);
    std::thread t([&] { std::cout << s << std::endl; });
    t.join();
    auto shared = std::make_shared<std::string>("a");
    return std::regex_match(*shared, std::regex("a+")) ? s : 0;
}
