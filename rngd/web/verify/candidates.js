// Several roots of one shoe, of which the call of its first mix picks one: what they are, and what
// the others show once they are opened (FORMAT.md, section 7, "Candidates").
import { concat, domain, hex, unhex } from './bytes.js';
import { deckCards } from './cards.js';
import { H } from './hashes.js';
import { need, Refused } from './refused.js';
import { ShoeRoot } from './shoe_root.js';
import { runRoot } from './shuffles.js';

/// Roots that the next mix picks from; one where there is nothing to pick.
export const candidatesCount = ({ candidates }) => candidates?.length ?? 1;

/// Whether a SHOE_COMMIT is what a table with this `policy.candidates` asks for.
export async function checkCandidates(body, wanted) {
  need(candidatesCount(body) === wanted,
    `candidate_wrong: ${candidatesCount(body)} roots to pick from, the table asks for ${wanted}`);
  if (body.candidates === undefined) return;
  const roots = body.candidates.map(({ root }) => root);
  need(new Set(roots).size === roots.length, 'candidate_wrong: two candidates are one root');
  const digest = hex(await H(domain('shoe-roots'), concat(...roots.map((root) => unhex(root)))));
  need(digest === body.root, 'candidate_wrong: the root is not the digest of the candidates');
}

/// What was opened are all candidates but the one picked (null: all), each a shuffle of the whole
/// deck that gives its root, none like another.
export async function checkOpened(name, body, picked, opened) {
  const others = body.candidates.filter((_, i) => i !== picked);
  need(opened.length === others.length, 'candidate_wrong: not all other candidates are opened');
  for (const member of ['key', 'tape']) {
    need(new Set(opened.map((one) => one[member])).size === opened.length,
      `candidate_wrong: two candidates have one ${member}`);
  }
  const deck = deckCards(body.deck);
  for (const [i, one] of others.entries()) {
    try {
      await runRoot({ name }, new ShoeRoot(name, { ...body, ...one }), opened[i], deck);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      need(false, `candidate_wrong: ${body.candidates.indexOf(one)}: ${error.message}`);
    }
  }
}

/// Takes the pick from the tape of a mix; the root is that candidate's from then on.
export async function pick(root, tape, { picked, opened }) {
  const { candidates, ...body } = root.body;
  if (candidates === undefined) {
    need(picked === undefined, 'candidate_wrong: there is one root, and none to pick');
    return;
  }
  const [index] = await tape.digits([candidates.length]);
  need(picked === index, `candidate_wrong: the tape picks candidate ${index}`);
  await checkOpened(root.name, root.body, index, opened);
  root.body = { ...body, ...candidates[index] };
  root.root = unhex(root.body.root);
}
