// Which language the page speaks, and the function that gives its words.
//
// The reader's choice is kept in the browser's storage, which may be switched off: then it lasts as
// long as the page.

import { words } from './words.js';

export const languages = Object.keys(words);
const storage_name = 'talla.language';

/// First what was chosen before, then the browser's own languages, then English.
export function first_language(remembered, browser_languages) {
  if (languages.includes(remembered)) return remembered;
  for (const tag of browser_languages) {
    const short = String(tag).toLowerCase().split('-')[0];
    if (languages.includes(short)) return short;
  }
  return 'en';
}

/// Storage throws when a reader has forbidden it.
export function remembered_language() {
  try {
    return globalThis.localStorage.getItem(storage_name);
  } catch {
    return null;
  }
}

export function remember_language(language) {
  try {
    globalThis.localStorage.setItem(storage_name, language);
  } catch {
    // Nothing is lost but the memory of the choice.
  }
}

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
