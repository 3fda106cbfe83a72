// The client's settings: initializationOptions, or the section "stanch" of its configuration.
#include "lsp/lsp_int.h"

typedef enum { TEXT, TEXTS, NUMBER, YES_NO } SettingType;

// Names as doc/editor.md has them.
static const struct {
    const char *name;
    SettingType type;
    size_t at;
} table[] = {
    {"level", TEXT, offsetof(Settings, level)},
    {"rules", TEXT, offsetof(Settings, rules)},
    {"baseline", TEXT, offsetof(Settings, baseline)},
    {"compilationDatabase", TEXT, offsetof(Settings, database)},
    {"cacheDirectory", TEXT, offsetof(Settings, cache)},
    {"flags", TEXTS, offsetof(Settings, flags)},
    {"specs", TEXTS, offsetof(Settings, specs)},
    {"suppress", TEXTS, offsetof(Settings, suppress)},
    {"jobs", NUMBER, offsetof(Settings, jobs)},
    {"timeout", NUMBER, offsetof(Settings, timeout)},
    {"openFilesOnly", YES_NO, offsetof(Settings, open_only)},
};

enum { SETTINGS = sizeof table / sizeof *table };

static const char *const type_words[] = {"a string", "a list of strings",
                                         "a number from 1 to 86400", "true or false"};

static void clear_texts(Texts *t)
{
    vec_each (i, t) mem_free(t->at[i]);
    vec_clear(t);
}

static bool take_texts(Texts *into, const json_t *v)
{
    if (!json_is_array(v) || json_array_size(v) > 1000) return false;
    size_t i;
    json_t *one;
    json_array_foreach(v, i, one) if (!json_is_string(one)) return false;
    clear_texts(into);
    json_array_foreach(v, i, one) vec_push(into, mem_strdup(json_string_value(one)));
    return true;
}

// False: the type is wrong.
static bool take(Settings *s, uint32_t k, const json_t *v)
{
    void *at = (char *)s + table[k].at;
    switch (table[k].type) {
    case TEXT:
        if (!json_is_string(v)) return false;
        mem_free(*(char **)at);
        *(char **)at = *json_string_value(v) ? mem_strdup(json_string_value(v)) : NULL;
        return true;
    case TEXTS:
        return take_texts(at, v);
    case NUMBER: {
        json_int_t n = json_integer_value(v);
        if (!json_is_integer(v) || n < 0 || n > 86400) return false;
        *(uint32_t *)at = (uint32_t)n; // 0: as if unsaid
        return true;
    }
    case YES_NO:
        if (!json_is_boolean(v)) return false;
        *(bool *)at = json_is_true(v);
        return true;
    }
    return false;
}

void settings_read(Settings *s, const json_t *object, Chars *complaint)
{
    if (!json_is_object(object)) return;
    for (uint32_t k = 0; k < SETTINGS; k++) {
        const json_t *v = json_object_get(object, table[k].name);
        if (!v || json_is_null(v) || take(s, k, v)) continue;
        char *text = mem_printf("%s%s must be %s", complaint->len ? "; " : "", table[k].name,
                                type_words[table[k].type]);
        vec_append(complaint, text, strlen(text));
        mem_free(text);
    }
    const json_t *enable = json_object_get(object, "enable");
    if (json_is_boolean(enable)) s->off = json_is_false(enable);
}

static void copy_texts(Texts *to, const Texts *from)
{
    vec_each (i, from) vec_push(to, mem_strdup(from->at[i]));
}

void settings_copy(Settings *to, const Settings *from)
{
    *to = (Settings){.jobs = from->jobs,
                     .timeout = from->timeout,
                     .off = from->off,
                     .open_only = from->open_only};
    for (uint32_t k = 0; k < SETTINGS; k++) {
        void *t = (char *)to + table[k].at;
        const void *f = (const char *)from + table[k].at;
        if (table[k].type == TEXT && *(char *const *)f)
            *(char **)t = mem_strdup(*(char *const *)f);
        else if (table[k].type == TEXTS)
            copy_texts(t, f);
    }
}

void settings_free(Settings *s)
{
    for (uint32_t k = 0; k < SETTINGS; k++) {
        void *at = (char *)s + table[k].at;
        if (table[k].type == TEXT) mem_free(*(char **)at);
        if (table[k].type == TEXTS) {
            clear_texts(at);
            vec_free((Texts *)at);
        }
    }
    *s = (Settings){0};
}
