#include "io/table_roles.h"

#include <algorithm>
#include <cctype>
#include <climits>
#include <map>

#include "compute/error.h"
#include "compute/printable.h"
#include "compute/suggest.h"
#include "io/parse.h"

namespace flipscope::io {
namespace {

/// Words separated by commas.
using Spellings = std::string_view;

/// The index of a word; npos: not among them.
size_t index_among(std::string_view word, Spellings words) {
    for (size_t index = 0;; ++index) {
        const size_t end = std::min(words.find(','), words.size());
        if (words.substr(0, end) == word) return index;
        if (end == words.size()) return words.npos;
        words.remove_prefix(end + 1);
    }
}

bool among(std::string_view word, Spellings words) { return index_among(word, words) != words.npos; }

bool is_length(std::string_view word) {
    return among(word, "nm,um,µm,μm,micron,microns,mm,cm,m,km,px,pixel,pixels,pix,deg,inch,ft,au,pc,kpc,mpc");
}
bool is_degrees(std::string_view word) { return among(word, "deg,degree,degrees,°"); }
bool is_duration(std::string_view word) {
    return among(word, "s,sec,secs,second,seconds,ms,msec,us,µs,min,mins,h,hr,hours");
}

std::string_view bare(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '"' || c == '\''; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

/// "LocationCenterX" and "Location_Center_X" as location, center, x; digits after letters stay with them.
std::vector<std::string> words_in(std::string_view name) {
    std::vector<std::string> words;
    std::string word;
    const auto end = [&] {
        if (!word.empty()) words.push_back(lower_case(word));
        word.clear();
    };
    for (size_t i = 0; i < name.size(); ++i) {
        const auto c = static_cast<unsigned char>(name[i]);
        static constexpr std::string_view kUnseen[] = {"\xc2\xa0", "\xe2\x80\x8b", "\xef\xbb\xbf"};  // blanks
        const auto unseen =
            std::ranges::find_if(kUnseen, [&](std::string_view one) { return name.substr(i).starts_with(one); });
        if (unseen != std::end(kUnseen)) {
            end();
            i += unseen->size() - 1;
            continue;
        }
        if (!std::isalnum(c) && c < 0x80) {
            end();
            continue;
        }
        const bool next_lower = i + 1 < name.size() && std::islower(static_cast<unsigned char>(name[i + 1]));
        const bool before_lower = i > 0 && std::islower(static_cast<unsigned char>(name[i - 1]));
        const bool before_upper = i > 0 && std::isupper(static_cast<unsigned char>(name[i - 1]));
        if (std::isupper(c) && (before_lower || (before_upper && next_lower))) end();
        word += static_cast<char>(c);
    }
    end();
    return words;
}

enum class Axis { kNone, kX, kY, kZ };

/// A coordinate by its name: "x", "longitude", "easting", "axis-1".
struct Coordinate {
    Axis axis = Axis::kNone;
    int family = 0;    // lower: preferred
    std::string stem;  // the rest of the name: "location center"; equal for x and y of a point
    std::string unit;
    bool degrees = false, of_image = false;
    int number = -1;  // of "axis-1"
};

/// Words beside an x that do not change its meaning.
bool says_place(std::string_view word) {
    return among(word,
                 "location,loc,center,centre,centroid,cent,cen,ctr,pos,position,coord,coords,coordinate,coordinates,"
                 "point,pt,points,spot,gps,geo,site,cell,particle,object,nucleus,bubble,droplet,abs,world,utm,wgs84,"
                 "mean,map,plot,tree,image,projected,wcs,decimal,dd,of,the,in,weighted,mass,local,global,stem,nuclei,"
                 "peak,fit,sub,start,lv95,lv03,m,value,geometry,xy,xyz,lonlat,lnglat,latlon,latlng,area,shape,"
                 "areashape,koordinate,koordinat,koord,coordonnée,coordonnee,coordenada,coordinata,geogr,geographische,"
                 "geographic,degrees,icrs,j2000,fk5,wgs,etrs89,l93,lambert93,epsg,gauss,krueger,net");
}

constexpr int kStrange = 9;  // families from here on have names with unknown words

Coordinate coordinate_of(const HeaderName& header, bool any_words) {
    Coordinate found;
    found.unit = header.unit;
    std::vector<std::string> words = words_in(header.name);
    if (words.empty()) return found;
    if (words.size() > 1 && found.unit.empty() && is_length(words.back())) {
        found.unit = words.back();
        words.pop_back();
    }
    bool is_strange = false;
    const auto one = [&](Spellings names) {
        size_t hits = 0;
        bool strange = false;
        found.stem.clear();
        for (const std::string& word : words) {
            if (among(word, names)) {
                ++hits;
                continue;
            }
            if (names.find(',') != names.npos && words.size() == 2 && (word == "x" || word == "y"))
                continue;  // of "X_lon"
            found.stem += word + " ";
            strange = strange || !says_place(word);
        }
        is_strange = strange && hits == 1 && any_words;
        const bool is_one = hits == 1 && strange == is_strange;
        if (!is_one) found.stem.clear();
        return is_one;
    };
    // "centroid-0" and "axis-1" count rows before columns of an array; "Points:0" is x.
    if (words.size() >= 2 && words.back().size() == 1 && std::isdigit(static_cast<unsigned char>(words.back()[0]))) {
        found.of_image =
            among(words[words.size() - 2], "axis,dim") || std::ranges::find(words, "centroid") != words.end();
        if (found.of_image || among(words[words.size() - 2], "points,point,pos,position,coords,coord,coordinates")) {
            found.number = words.back()[0] - '0';
            found.stem = words[words.size() - 2];
            found.family = 5;
            found.axis = Axis::kZ;  // decided when all of them are known
            return found;
        }
    }
    // "xnm"; "xm" is ImageJ's centre of mass.
    if (words.size() == 1 && words[0].size() > 2 && words[0][0] >= 'x' && words[0][0] <= 'z' &&
        is_length(words[0].substr(1))) {
        found.unit = words[0].substr(1);
        words[0].resize(1);
    }
    // "posx", "xpos", "centroidx", "xcoord" in one word.
    std::string stuck;
    if (words.size() == 1 || (words.size() == 2 && among(words[1], "image,world"))) {
        const std::string& word = words[0];
        for (const std::string_view around : {"pos", "position", "coord", "coordinate", "centroid", "center", "centre",
                                              "loc", "point", "c", "p", "gps", "map", "utm", "win", "cor", "peak"}) {
            if (word.size() != around.size() + 1) continue;
            const char axis = word.starts_with(around) ? word.back() : word.ends_with(around) ? word.front() : '\0';
            if (axis >= 'x' && axis <= 'z') stuck = std::string(around) + axis;
        }
    }
    const auto set = [&](Axis axis, int family) {
        found.axis = axis;
        found.family = !is_strange                                               ? family
                       : words.size() > 1 && says_place(words[words.size() - 2]) ? kStrange
                                                                                 : kStrange + 1;
        return found;
    };
    if (!stuck.empty()) {
        const char axis = stuck.back();
        found.stem = stuck.substr(0, stuck.size() - 1);
        return set(axis == 'x' ? Axis::kX : axis == 'y' ? Axis::kY : Axis::kZ, 1);
    }
    if (one("x")) return set(Axis::kX, found.stem.empty() ? 0 : 1);
    if (one("y")) return set(Axis::kY, found.stem.empty() ? 0 : 1);
    if (one("z")) return set(Axis::kZ, found.stem.empty() ? 0 : 1);
    if (one("easting,eastings,east,rechtswert,ostwert,rechts,ost,hochost,este,est,ostlig,östlig"))
        return set(Axis::kX, 2);
    if (one("northing,northings,north,hochwert,nordwert,hoch,norte,nord,nordlig")) return set(Axis::kY, 2);
    found.degrees = true;
    if (one("lon,long,lng,longitude,longitud,longitudine,glon,laengengrad,längengrad,lengtegraad,boylam,długość,"
            "долгота,Долгота,経度,经度,경도,laenge,länge,længde"))
        return set(Axis::kX, 3);
    if (one("lat,latitude,latitud,latitudine,glat,breite,bredde,breitengrad,breedtegraad,enlem,szerokość,широта,Широта,"
            "緯度,纬度,위도"))
        return set(Axis::kY, 3);
    if (one("ra,raj2000,rightascension,alpha,alphawin") ||
        (words.size() == 2 && words[0] == "r" && words[1] == "adeg") ||  // "RAdeg"
        (words.size() == 2 && words[0] == "right" && words[1] == "ascension")) {
        if (words.size() == 2 && words[0].starts_with('r') && words[1].starts_with('a')) found.stem.clear();
        return set(Axis::kX, 4);
    }
    if (one("dec,decl,de,dej2000,declination,delta,deltawin") ||
        (words.size() == 2 && words[0] == "d" && words[1] == "edeg"))
        return set(Axis::kY, 4);
    found.degrees = false;
    if (one("e")) return set(Axis::kX, 6);
    if (one("n")) return set(Axis::kY, 6);
    if (one("elevation,altitude,alt,height,depth")) return set(Axis::kZ, 7);
    // ImageJ: centre of mass, centroid of the selection.
    if (words.size() == 1 && (words[0] == "xm" || words[0] == "ym")) {
        found.stem = "m";
        found.of_image = true;
        return set(words[0] == "xm" ? Axis::kX : Axis::kY, 7);
    }
    if (words.size() == 1 && among(words[0], "col,column")) {
        found.of_image = true;
        return set(Axis::kX, 8);
    }
    if (words.size() == 1 && words[0] == "row") {
        found.of_image = true;
        return set(Axis::kY, 8);
    }
    return found;
}

// Names of columns, the best first.
constexpr Spellings kIds =
    "track id,trackid,track,track n°,track no,track nr,trajectory id,trajectory,traj,traj id,tid,particle,"
    "particle id,particleid,bubble,bubble id,cell id,cellid,droplet,track objects label,id,spot id,uid,fid,"
    "objectid,ids,particles,tracks,pers id,person id,person,ped id,agent id,agent,animal id,animal,individual id,"
    "individual,individual local identifier,mmsi,identity,vehicle id,vehicle,atom id,atom,who,subject,subject id,"
    "object id,target id,player id,player,mouse,fish,fly,worm";
constexpr Spellings kTimes =
    "t,time,position t,timestamp,time step,timestep,times,elapsed,elapsed time,tim,date time,datetime,"
    "base date time,tick,ticks,cycle,timestep time,global time";
constexpr Spellings kFrames =
    "frame,frame number,frame no,frame id,frames,step,slice,slice n°,slice no,slice number,image number,"
    "time point,timepoint,frame index,frame idx,frame ix,frame nr,frame num,fr";

/// The index of a column's name in `ranked`, lower-case words joined by blanks; the first is the best. npos: none.
size_t rank_of(const HeaderName& header, Spellings ranked) {
    std::vector<std::string> words = words_in(header.name);
    // "time_s", and "TrackObjects_Label_50", the label of a search within 50 pixels.
    const auto is_count = [](const std::string& word) { return word.find_first_not_of("0123456789") == word.npos; };
    if (words.size() > 1 && (is_duration(words.back()) || is_count(words.back()))) words.pop_back();
    std::string joined;
    for (const std::string& word : words) joined += (joined.empty() ? "" : " ") + word;
    return index_among(joined, ranked);
}

std::optional<size_t> best_of(const std::vector<HeaderName>& names, Spellings ranked) {
    std::vector<size_t> ranks;
    for (const HeaderName& name : names) ranks.push_back(rank_of(name, ranked));
    const auto best = std::ranges::min_element(ranks);
    if (best == ranks.end() || *best == ranked.npos) return std::nullopt;
    return static_cast<size_t>(best - ranks.begin());
}

/// "x1", "1x", "x[1]", "bodyA_x": the axis, and the rest of the name.
std::pair<char, std::string> axis_and_rest(const std::string& name) {
    const std::string text = lower_case(name);
    if (text.size() < 2) return {'\0', ""};
    const auto is_axis = [](char c) { return c == 'x' || c == 'y'; };
    const auto separates = [](char c) { return c == '_' || c == ' ' || c == '.' || c == '-' || c == '[' || c == '('; };
    if (is_axis(text.front()) && (is_decimal_digit(text[1]) || separates(text[1])))
        return {text.front(), text.substr(separates(text[1]) ? 2 : 1, text.find_last_not_of("])"))};
    const char before = text[text.size() - 2];
    if (is_axis(text.back()) && (is_decimal_digit(before) || separates(before)))
        return {text.back(), text.substr(0, text.size() - (separates(before) ? 2 : 1))};
    return {'\0', ""};
}

/// "x, y, x, y", which pandas renames to "x, y, x.1, y.1"; none if there is a single x.
std::vector<TableRoles::Pair> repeated_pairs(const std::vector<HeaderName>& names) {
    std::vector<size_t> places[2];
    for (size_t i = 0; i < names.size(); ++i) {
        const std::string name = lower_case(names[i].name);
        if (name.empty() || (name[0] != 'x' && name[0] != 'y')) continue;
        if (name.size() == 1 || (name.size() > 2 && name[1] == '.' && whole(std::string_view(name).substr(2))))
            places[name[0] - 'x'].push_back(i);
    }
    std::vector<TableRoles::Pair> pairs;
    if (places[0].size() < 2 || places[0].size() != places[1].size()) return pairs;
    for (size_t k = 0; k < places[0].size(); ++k) pairs.push_back({places[0][k], places[1][k], std::to_string(k)});
    return pairs;
}

std::vector<TableRoles::Pair> pairs_of(const std::vector<HeaderName>& names) {
    std::vector<TableRoles::Pair> pairs;
    std::map<std::string, size_t> xs, ys;
    std::vector<std::string> order;
    for (size_t i = 0; i < names.size(); ++i) {
        const auto [axis, rest] = axis_and_rest(names[i].name);
        if (axis == '\0' || rest.empty()) continue;
        if (among(rest, "min,max,err,error,std,sd,sigma")) continue;  // of the same place
        if ((axis == 'x' ? xs : ys).emplace(rest, i).second && axis == 'x') order.push_back(rest);
    }
    for (const std::string& rest : order)
        if (const auto y = ys.find(rest); y != ys.end()) pairs.push_back({xs[rest], y->second, rest});
    return pairs.size() > 1 ? pairs : std::vector<TableRoles::Pair>();
}

}  // namespace

HeaderName header_name(std::string_view written) {
    const std::string_view header = bare(written);
    HeaderName made;
    const char close = header.empty() ? '\0' : header.back();
    const char open = close == ']' ? '[' : close == ')' ? '(' : close == '}' ? '{' : '\0';
    made.written = written;
    if (const size_t begin = open ? header.rfind(open) : header.npos; begin != header.npos && begin > 0) {
        made.unit = bare(header.substr(begin + 1, header.size() - begin - 2));
        made.name = bare(header.substr(0, begin));
        if (made.unit.find_first_not_of("0123456789") != std::string::npos && !made.name.empty()) return made;
    }
    return {std::string(written), "", std::string(written)};
}

std::optional<size_t>& TableRoles::place(ColumnRole role) {
    static constexpr std::optional<size_t> TableRoles::*kPlaces[] = {
        &TableRoles::x,  &TableRoles::y,    &TableRoles::z,      &TableRoles::time,
        &TableRoles::id, &TableRoles::name, &TableRoles::weight, &TableRoles::radius};  // as kColumnRoles
    return this->*kPlaces[static_cast<size_t>(role)];
}

TableRoles roles_of(const std::vector<HeaderName>& names, const std::vector<bool>& is_text, bool any_words) {
    TableRoles roles;
    std::vector<Coordinate> coordinates;
    for (size_t i = 0; i < names.size(); ++i)
        coordinates.push_back(is_text[i] ? Coordinate() : coordinate_of(names[i], any_words));
    // Of an array's axes the last is x, the one before it y; for "Points:0" the first is x, the next y.
    for (const bool of_image : {true, false}) {
        int first = INT_MAX, last = -1;
        for (const Coordinate& one : coordinates) {
            if (one.number < 0 || one.of_image != of_image) continue;
            first = std::min(first, one.number);
            last = std::max(last, one.number);
        }
        for (Coordinate& one : coordinates)
            if (one.number >= 0 && one.of_image == of_image)
                one.axis = one.number == (of_image ? last : first)           ? Axis::kX
                           : one.number == (of_image ? last - 1 : first + 1) ? Axis::kY
                                                                             : Axis::kZ;
    }
    int best = 100;
    size_t strange = 0;  // pairs of the last family
    for (size_t i = 0; i < names.size(); ++i) {
        if (coordinates[i].axis != Axis::kX) continue;
        for (size_t j = 0; j < names.size(); ++j) {
            const Coordinate &x = coordinates[i], &y = coordinates[j];
            if (y.axis != Axis::kY || y.family != x.family || y.stem != x.stem) continue;
            strange += x.family > kStrange && names[i].name.find('.') != std::string::npos;
            if (x.family >= best) continue;
            best = x.family;
            roles.x = i;
            roles.y = j;
            roles.x_unit = x.unit;
            roles.y_unit = y.unit;
            roles.degrees = x.degrees && y.degrees;
            const auto pixels = [](const std::string& unit) { return among(lower_case(unit), "px,pixel,pixels,pix"); };
            roles.of_image = x.of_image || pixels(x.unit) || names[i].name == "POSITION_X";  // TrackMate
        }
    }
    if (best > kStrange && strange > 1) roles = {};
    if (!roles.x) roles.pairs = pairs_of(names);
    // "x1" and "x2", "UMAP_1" and "UMAP_2": the axes of a space.
    const auto axis_of = [&](const HeaderName& name) {
        const std::string text = lower_case(name.name);
        const size_t digit = text.find_last_not_of("0123456789") + 1;
        std::string_view stem = std::string_view(text).substr(0, digit);
        while (!stem.empty() && std::string_view("_ .-").find(stem.back()) != stem.npos) stem.remove_suffix(1);
        const bool known = among(stem, "x,coords.x,umap,tsne,t-sne,pc,pca,mds,component");
        return known && digit + 1 == text.size() ? text[digit] - '0' : -1;
    };
    for (const int first : {1, 0}) {
        if (roles.x || !roles.pairs.empty()) break;
        const auto find = [&](int axis) {
            return static_cast<size_t>(
                std::ranges::find_if(names, [&](const auto& one) { return axis_of(one) == axis; }) - names.begin());
        };
        const size_t x = find(first), y = find(first + 1);
        if (x == names.size() || y == names.size() || is_text[x] || is_text[y]) continue;
        roles.x = x;
        roles.y = y;
        roles.x_unit = names[x].unit;
        roles.y_unit = names[y].unit;
    }
    for (size_t i = 0; i < names.size() && roles.x; ++i)
        if (coordinates[i].axis == Axis::kZ && !roles.z) roles.z = i;

    roles.id = best_of(names, kIds);
    const auto time = best_of(names, kTimes);
    const auto frames = best_of(names, kFrames);
    roles.time = time ? time : frames;
    if (roles.time && is_text[*roles.time]) roles.time = frames && !is_text[*frames] ? frames : std::nullopt;
    if (roles.time) {
        roles.time_unit = names[*roles.time].unit;
        const auto words = words_in(names[*roles.time].name);
        if (roles.time_unit.empty() && words.size() > 1 && is_duration(words.back())) roles.time_unit = words.back();
    }
    // Repeated places: beside a time, or an index as in DeepLabCut; a join of tables also repeats x and y.
    if (auto pairs = repeated_pairs(names);
        !pairs.empty() && (roles.time || among(lower_case(names[0].name), ",index,coords"))) {
        roles.x.reset();
        roles.y.reset();
        roles.pairs = std::move(pairs);
    }
    // Several places of each animal in a row, beside its track and the frame: use the first.
    if (!roles.pairs.empty() && roles.time && roles.id &&
        !among(lower_case(names[*roles.id].name), "id,ids,uid,fid,objectid,spot id")) {
        roles.x = roles.pairs[0].x;
        roles.y = roles.pairs[0].y;
        roles.pairs.clear();
    }
    roles.name = best_of(names, "name,names,label,site,station,place,city,town,title");
    if (roles.name && !is_text[*roles.name] && rank_of(names[*roles.name], "name,names") > 1) roles.name.reset();
    if (roles.name && roles.name == roles.id) roles.name.reset();
    const auto number = [&](Spellings words) {
        const auto found = best_of(names, words);
        return found && is_text[*found] ? std::nullopt : found;
    };
    roles.weight = number("weight,weights");
    roles.radius = number("radius,radii");
    for (std::optional<size_t>* one : {&roles.z, &roles.time, &roles.id, &roles.name, &roles.weight, &roles.radius})
        if (*one && (*one == roles.x || *one == roles.y)) one->reset();
    return roles;
}

bool is_unit_of_places(std::string_view text) { return is_length(lower_case(text)) || is_degrees(lower_case(text)); }

std::string unit_of(const TableRoles& roles) {
    if (is_degrees(roles.x_unit) || (roles.degrees && roles.x_unit.empty())) return "°";
    if (roles.x_unit != roles.y_unit) return "";
    return among(roles.x_unit, "pixel,pixels,pix") ? "px" : roles.x_unit;
}

std::string source_of(const std::vector<HeaderName>& names, size_t column) {
    const std::string& written = names[column].written;
    return written.empty() ? "column " + std::to_string(column + 1) : "\"" + printable_within(written, 64) + "\"";
}

void refuse_columns(const std::string& place, const std::string& what, const std::vector<HeaderName>& names) {
    std::string there_is;
    for (size_t c = 0; c < names.size() && c < 12; ++c) there_is += (c ? ", " : "") + source_of(names, c);
    throw Error(place + ": " + what + "; its columns are " + there_is + (names.size() > 12 ? ", …" : ""));
}

bool is_chosen(const ReadOptions& options, ColumnRole role) {
    return std::ranges::any_of(options.columns, [&](const auto& one) { return one.role == role; });
}

void choose_roles(TableRoles& roles, const std::vector<HeaderName>& names, const ReadOptions& options,
                  const std::string& place, std::span<const ColumnRole> which) {
    const size_t m = names.size();
    for (const ReadOptions::Column& chosen : options.columns) {
        if (std::ranges::find(which, chosen.role) == which.end()) continue;
        if (chosen.name == "-") {
            roles.place(chosen.role).reset();
            continue;
        }
        std::optional<size_t> found;
        for (size_t c = 0; c < m && !found; ++c)
            if (!names[c].written.empty() && (lower_case(names[c].written) == lower_case(chosen.name) ||
                                              lower_case(names[c].name) == lower_case(chosen.name)))
                found = c;
        if (const auto number = whole<size_t>(chosen.name); !found && number && *number >= 1 && *number <= m)
            found = *number - 1;
        if (!found) {
            std::vector<std::string> known;
            for (const HeaderName& name : names) known.push_back(name.name);
            const std::string near = nearest_word(chosen.name, known);
            refuse_columns(place,
                           "there is no column " + excerpt(chosen.name) + " for " +
                               std::string(kColumnRoleNames[static_cast<size_t>(chosen.role)]) +
                               (near.empty() ? "" : "; did you mean \"" + printable_within(near, 64) + "\"?"),
                           names);
        }
        for (const ColumnRole other : kColumnRoles)
            if (auto& one = roles.place(other); one == found) one.reset();
        roles.place(chosen.role) = found;
        if (chosen.role == ColumnRole::kX) roles.x_unit = names[*found].unit;
        if (chosen.role == ColumnRole::kY) roles.y_unit = names[*found].unit;
        if (chosen.role == ColumnRole::kTime) roles.time_unit = names[*found].unit;
        roles.pairs.clear();
    }
}

}  // namespace flipscope::io
