// What this browser keeps of a seat: a key and a seed that no script can read, and what was
// answered, durable before it leaves.
import { base64, concat } from '../verify/bytes.js';
import { subtle } from '../verify/hashes.js';

const NAME = 'talla.contribute';
const SEATS = 'seats';

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/// Keys made by this browser, for Contributor (contributor.js).
export class Hands {
  constructor({ key, seed, spki }) {
    Object.assign(this, { key, seed, spki });
  }

  static async fresh() {
    const [pair, seed] = await Promise.all([
      subtle().generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']),
      subtle().generateKey({ name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign']),
    ]);
    const spki = base64(new Uint8Array(await subtle().exportKey('spki', pair.publicKey)));
    return new Hands({ key: pair.privateKey, seed, spki });
  }

  async sign(bytes) {
    const how = { name: 'ECDSA', hash: 'SHA-256' };
    return new Uint8Array(await subtle().sign(how, this.key, bytes));
  }

  async mac(...parts) {
    return new Uint8Array(await subtle().sign('HMAC', this.seed, concat(...parts)));
  }
}

/// One seat of one opening of a table: `name` is the same for every visit.
export class Store {
  constructor(database, name) {
    Object.assign(this, { database, name });
  }

  static async open({ origin, opening, id }) {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(SEATS);
    return new Store(await done(request), `${origin} ${opening} ${id}`);
  }

  /// {hands, memory, history} or null.
  async read() {
    const found = await done(this.database.transaction(SEATS).objectStore(SEATS).get(this.name));
    return found === undefined ? null
      : { hands: new Hands(found.hands), memory: found.memory, history: found.history };
  }

  write({ hands: { key, seed, spki }, memory, history }) {
    return new Promise((resolve, reject) => {
      const work = this.database.transaction(SEATS, 'readwrite', { durability: 'strict' });
      work.objectStore(SEATS).put({ hands: { key, seed, spki }, memory, history }, this.name);
      work.oncomplete = () => resolve();
      work.onabort = () => reject(work.error);
      work.onerror = () => reject(work.error);
    });
  }
}
