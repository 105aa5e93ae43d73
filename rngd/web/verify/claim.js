// What a verified bundle says, for people: the claimed record, and the cards and numbers that it
// rests on (FORMAT.md, section 6). Only verified records are read, up to the claim; what stays
// closed has no card here.

const SHOE_KINDS = ['CARD_DEAL', 'CARD_OPEN', 'SHOE_MIX', 'SHOE_CLOSE', 'SHOE_COMMIT'];

/// Every card dealt of one shoe, in order; `shuffle` counts the times it was shuffled again before.
function cardsOf(chain, until) {
  const cards = [];
  let shuffle = 0;
  for (const { seq, kind, body } of chain.filter((record) => record.seq <= until)) {
    if (kind === 'SHOE_RECOMMIT') shuffle += 1;
    if (kind === 'CARD_DEAL') {
      const { position, place, face, round = null, card = null } = body;
      cards.push({ shuffle, position, place, face, round, card, seqs: [seq] });
    }
    if (kind === 'CARD_OPEN') {
      const under = body.recommits ?? shuffle;
      const dealt = cards.find((one) => one.shuffle === under && one.position === body.position);
      dealt.card = body.card;
      dealt.seqs.push(seq);
    }
  }
  return cards;
}

function drawsOf(chain, until) {
  const cores =
    new Map(chain.filter((one) => one.kind === 'CALL').map(({ seq, body }) => [seq, body.core]));
  const ended = chain.filter(({ seq, kind }) => seq <= until &&
    (kind === 'DRAW' || kind === 'VOID'));
  return ended.map(({ seq, kind, body }) => {
    const { at: index, round } = body.core ?? cores.get(body.call);
    const outcome = body.outcome === 'unknown' ? null : body.outcome;
    return { seqs: [seq], index, round, voided: kind === 'VOID', outcome };
  });
}

/// The order of a shoe as it is dealt, for each shuffle that was mixed and whose secrets are open.
function ordersOf(shoe) {
  if (shoe?.orders === undefined) return [];
  const orders = shoe.orders.map((order, i) => [shoe.roots[i], order]);
  return orders.filter(([root]) => root.mix !== null).map(([root, order]) =>
    order.map((_, position) => root.at(order, position)));
}

function belongs(claim) {
  if (SHOE_KINDS.includes(claim.kind) || claim.kind.startsWith('BATCH_')) return () => true;
  if (claim.kind === 'DRAW' || claim.kind === 'VOID') return (one) => one.seqs.includes(claim.seq);
  return (one) => one.round === claim.object;
}

/// All pieces of a settlement's results, in their order, as they are recorded.
function resultsOf(chain, until) {
  return chain.filter((one) => one.kind === 'SETTLEMENT' && one.seq <= until)
    .flatMap((one) => one.body.results);
}

/// The pockets of a game's wheel, as the catalogue's text in the bundle has them: its digest is the
/// table's (settlement.js). Undefined where it has none, or says it otherwise than here.
export function pocketsOf(catalogue, game) {
  const games = (catalogue ?? '').split(/^\[\[game\]\]$/m).slice(1);
  const own = games.find((one) => /^id = "([^"]*)"$/m.exec(one)?.[1] === game);
  const list = /^draw = \{ kind = "wheel", pockets = \[([^\]]*)\]/m.exec(own ?? '')?.[1];
  const names = list?.match(/"[^"]*"/g)?.map((one) => one.slice(1, -1));
  return names?.length >= 2 ? names : undefined;
}

/// Who played what, where: of the table, and of the round that the claim belongs to.
function settingOf({ claim, chainOf, table, tableRecord, bundle }) {
  const opening = chainOf.get(claim.object)?.[0];
  const round = opening?.kind === 'ROUND_OPEN' ? opening.body.number : null;
  return {
    table: tableRecord.object, place: table.place, game: table.game, round,
    unit: table.unit, currency: table.currency,
    pockets: claim.kind === 'SETTLEMENT' ? pocketsOf(bundle.catalogue, table.game) : undefined,
  };
}

/// Of a laboratory's table: nothing that lay on a table of play.
function laboratoryClaim({ claim, ordered: { samples, count, client } }) {
  const { seq, kind, origin, time } = claim;
  return { seq, kind, origin, object: samples, time, record: claim, cards: [], drawn: [],
    orders: [], results: [], laboratory: { samples, count, client },
    setting: { table: '', place: samples, game: '', round: null },
    words: `LABORATORY, not play: ${count} outcomes of the table ${samples} of class lab, for ` +
      `${client}` };
}

export function claimOf(evidence) {
  const { claim, chainOf } = evidence;
  if (evidence.isLaboratory) return laboratoryClaim(evidence);
  const { seq, kind, origin, object, time } = claim;
  const shoes = [...chainOf].filter(([name]) => name.startsWith('shoe-'));
  const batches = [...chainOf].filter(([name]) => name.startsWith('batch-'));
  const own = ([name]) => !/^(shoe|batch)-/.test(object) || name === object;
  const mark = (one) => ({ ...one, claimed: one.seqs.includes(seq) });
  return {
    seq, kind, origin, object, time, record: claim, setting: settingOf(evidence),
    words: `record ${seq}, ${kind} of ${origin}`,
    cards: shoes.filter(own).flatMap(([shoe, chain]) =>
      cardsOf(chain, seq).filter(belongs(claim)).map((one) => mark({ shoe, ...one }))),
    drawn: batches.filter(own).flatMap(([batch, chain]) =>
      drawsOf(chain, seq).filter(belongs(claim)).map((one) => mark({ batch, ...one }))),
    orders: kind === 'SHOE_CLOSE' ? ordersOf(evidence.shoes.get(object)) : [],
    results: kind === 'SETTLEMENT' ? resultsOf(chainOf.get(object), seq) : [],
  };
}
