// The languages of the page, and the function that gives its words in one of them.

import { words } from './words.js';

export const languages = Object.keys(words);

/// t(key, {name: value}) gives the words of a key with each {name} filled in; t.code(group, code)
/// those of a code of the API, or the code itself where it has none (a newer daemon may know more).
export function words_of(language) {
  const table = words[language];
  const t = (key, values = {}) => {
    const text = table[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name])
                                                        : whole));
  };
  t.language = language;
  t.has = (key) => key in table;
  t.code = (group, code) => table[`${group}.${code}`] ?? String(code);
  return t;
}
