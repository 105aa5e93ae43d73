// Which language a reader is shown, for every page of this server: what was chosen before, then
// what the browser speaks, then English.
//
// The choice is kept in the browser's storage, which may be switched off: then it lasts as long as
// the page.

const STORAGE_NAME = 'talla.language';

/// The first of `spoken` (tags as "es-MX") that is among `known`, unless one was `remembered`.
export function firstLanguage(known, remembered, spoken) {
  if (known.includes(remembered)) return remembered;
  for (const tag of spoken) {
    const short = String(tag).toLowerCase().split('-')[0];
    if (known.includes(short)) return short;
  }
  return 'en';
}

/// Storage throws when a reader has forbidden it.
export function rememberedLanguage() {
  try {
    return globalThis.localStorage.getItem(STORAGE_NAME);
  } catch {
    return null;
  }
}

export function rememberLanguage(language) {
  try {
    globalThis.localStorage.setItem(STORAGE_NAME, language);
  } catch {
    // Nothing is lost but the memory of the choice.
  }
}

/// The page in a language: its title, every text that is named by `data-word`, and which of the two
/// buttons is pressed. `words(key)` gives a text.
export function showLanguage(language, title, words) {
  document.documentElement.lang = language;
  document.title = title;
  for (const node of document.querySelectorAll('[data-word]')) {
    node.textContent = words(node.dataset.word);
  }
  for (const button of document.querySelectorAll('[data-language]')) {
    button.setAttribute('aria-pressed', String(button.dataset.language === language));
  }
}

/// Calls `speak(language)` now with the reader's language of those `known`, and at each choice.
export function startLanguage(known, speak) {
  for (const button of document.querySelectorAll('[data-language]')) {
    button.addEventListener('click', () => {
      rememberLanguage(button.dataset.language);
      speak(button.dataset.language);
    });
  }
  const { languages, language } = globalThis.navigator;
  speak(firstLanguage(known, rememberedLanguage(), languages ?? [language]));
}
