// The page's money, addresses, places of cards and times, codes of a QR.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { house, money, qr, router, search, pieces, web, en, es, test } from './page_parts.mjs';

// ---- Money, routes, places

test('money is exact, in the currency, or it stays in units', () => {
  const worth = (unit, currency = 'EUR') => ({ unit, currency });
  assert.equal(money.money(40, worth('1/2'), es), '20\u00a0€');
  assert.equal(money.money(41, worth('1/2'), es), '20,50\u00a0€');
  assert.equal(money.money(-1234567, worth('0.25'), en), '\u2212308,641.75\u00a0€');
  assert.equal(money.money(3, worth('1/3'), en), '1\u00a0€');
  assert.equal(money.money(1, worth('1/3'), en), '1 units');
  assert.equal(money.money(Number.MAX_SAFE_INTEGER, worth('1', 'ESP'), en),
    '9,007,199,254,740,991\u00a0pta');
  for (const odd of ['', '0x1', '1/0', '-1', '1e9', null]) {
    assert.equal(money.money(5, worth(odd), en), '5 units', String(odd));
  }
  assert.equal(money.money(2 ** 60, worth('1'), en), '–');
});

test('an address that means nothing leads to the floor', () => {
  for (const one of ['', '#/', '#/table/table-x', '#/round/round-1/2', '#/table/<b>', '#/nothing',
    '#/log/99999999999999999999']) {
    assert.deepEqual(router.route_of(one), { view: 'floor' }, one);
  }
  assert.deepEqual(router.route_of('#/log/table/table-7'),
    { view: 'log', value: 'table-7', kind: 'table' });
});

test('cards belong to the hand of their place', () => {
  assert.deepEqual(['punto-2', 'box-3-1', 'box-3', 'dealer', 'dealer-2', 'seat-4-card-2', 'burn',
    'pano2-1'].map(pieces.handOf),
    ['punto', 'box-3', 'box-3', 'dealer', 'dealer', 'seat-4', 'burn', 'pano2']);
});

test('rounds an hour are those of the last hour, said to be rough where less was seen', () => {
  const minute = 60e6;
  const book = (minutes, every) => {
    const one = new house.House();
    let seq = 0;
    for (let at = 0; at < minutes; at += every) {
      for (const kind of ['ROUND_OPEN', 'ROUND_END']) {
        one.take({ seq: seq += 1, kind, table: 'table-1', object: 'round-1', time: at * minute,
          body: { number: 1 } });
      }
    }
    return one.book('table-1').pace((minutes - every) * minute);
  };
  assert.deepEqual(book(120, 2), { count: 30, rough: false });
  assert.deepEqual(book(22, 2), { count: 33, rough: true });
  assert.equal(book(4, 2), null);
});

test('the place of a time in the log is found by halving', async () => {
  const times = Array.from({ length: 1000 }, (_, i) => 10 * i);
  let asked = 0;
  const read = (seq) => {
    asked += 1;
    return Promise.resolve(times[seq] === undefined ? undefined : { seq, time: times[seq] });
  };
  assert.deepEqual(await Promise.all([0, 5, 5000, 9990, 9991].map((time) =>
    search.seq_at(time, 1000, read))), [0, 1, 500, 999, 1000]);
  assert.ok(asked <= 5 * 11, String(asked));
  assert.equal(search.time_of_field('tomorrow'), undefined);
});

test('a code of a QR holds its text: three finders, and every version up to ten', () => {
  for (const length of [1, 14, 26, 42, 62, 84, 106, 122, 152, 180, 213]) {
    const rows = qr.qr_modules('x'.repeat(length));
    assert.equal(rows.length, rows[0].length);
    assert.ok(rows.length <= 57);
    for (const [x, y] of [[0, 0], [rows.length - 7, 0], [0, rows.length - 7]]) {
      assert.equal(rows.slice(y, y + 7).map((row) => row.slice(x, x + 7)
        .map(Number).join('')).join(' '),
      '1111111 1000001 1011101 1011101 1011101 1000001 1111111');
    }
  }
  assert.equal(qr.qr_modules('x'.repeat(214)), null);
});

test('a stake in prison is neither won nor lost yet', async () => {
  const { netsOf } = await import(pathToFileURL(join(web, 'verify_story.js')).href);
  const results = [{ seat: 1, stake: 50, returned: 0, result: 'prison' },
    { seat: 1, stake: 25, returned: 0, result: 'lose' },
    { seat: 2, stake: 50, returned: 50, result: 'freed' },
    { seat: 0, stake: 10, returned: 0, result: 'lose' }];
  assert.deepEqual(netsOf(results), [[1, -25], [2, 0]]);
  assert.deepEqual(results.map(pieces.netOf), [0, -25, 0, -10]);
});
