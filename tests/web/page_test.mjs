// Goal: the appliance's page (rngd/web) says the right words and draws the right lines, without a
//   browser.
// Method: its modules run in node as they are: pure functions by value, views in a document of a
//   few lines, words against the API's description and the evidence format, all files against the
//   rules of their Content-Security-Policy.
//
//   node tests/web/page_test.mjs        one line a case; 0: all passed, 1: not
import './page_curves.mjs';
import './page_files.mjs';
import './page_pictures.mjs';
import './page_places.mjs';
import './page_words.mjs';
import { all_passed } from './page_parts.mjs';

const passed = await all_passed();
console.log(passed ? 'all passed' : 'not all passed');
process.exitCode = passed ? 0 : 1;
