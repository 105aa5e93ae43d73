// All words of the page, one object a language, with the same keys in both (tests/web/page_test.mjs
// sees to it). {name} is filled in by the caller. Codes of the API stand under `group.code`.

import { english } from './words_en.js';
import { spanish } from './words_es.js';

export const words = { es: spanish, en: english };
