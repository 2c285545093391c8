// What a page for a browser holds, as the tests read it.
#pragma once

#include <zlib.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "test_support.h"

namespace flipscope::app {

/// An array of the page, restored from its differences.
inline std::vector<int64_t> array_of_page(const nlohmann::json& data, size_t k) {
    const nlohmann::json& stored = data["arrays"][k];
    if (stored.is_array()) return stored.get<std::vector<int64_t>>();
    std::vector<int64_t> values = array_of_page(data, stored["of"]);
    for (size_t i = 0; i < stored["at"].size(); ++i) values.at(stored["at"][i]) = stored["to"][i];
    return values;
}

/// The data of a whole page.
inline nlohmann::json data_of_page(const std::string& html) {
    const size_t begin = html.find('>', html.find("<script id=\"data\"")) + 1;
    const std::string text = html.substr(begin, html.find('<', begin) - begin);
    std::string packed;
    uint32_t bits = 0;
    int count = 0;
    static const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (const char one : text) {
        const size_t digit = kDigits.find(one);
        if (digit == std::string::npos) break;
        bits = bits << 6 | static_cast<uint32_t>(digit);
        if ((count += 6) >= 8) packed += static_cast<char>(bits >> (count -= 8) & 255);
    }
    std::string json(1 << 16, '\0');
    for (;;) {
        uLongf size = static_cast<uLongf>(json.size());
        const int status = uncompress(reinterpret_cast<Bytef*>(json.data()), &size,
                                      reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
        REQUIRE((status == Z_OK || status == Z_BUF_ERROR));
        if (status == Z_OK) return nlohmann::json::parse(json.substr(0, size));
        json.resize(2 * json.size());
    }
}

}  // namespace flipscope::app
