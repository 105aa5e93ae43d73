// What must outlive this program: the request under way, and the seeds of the calls of open tables.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync,
  writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Misused } from './errors.js';

export class Journal {
  /// `path` undefined: a crash forgets.
  constructor(path) {
    this.path = path;
    this.pending = null;  // {path, body, key}: sent, perhaps, and not answered
    this.calls = {};      // table: what it keeps of its calls
    if (path === undefined || !existsSync(path)) return;
    let kept;
    try {
      kept = JSON.parse(readFileSync(path, 'utf8'));
    } catch (error) {
      throw new Misused(`${path}: is no journal: ${error.message}`);
    }
    const { calls = {}, ...pending } = kept;
    this.calls = calls;
    this.pending = pending.key === undefined ? null : pending;
  }

  /// Durable once it returns.
  keep(pending, calls) {
    Object.assign(this, { pending, calls });
    if (this.path === undefined) return;
    if (pending === null && Object.keys(calls).length === 0) {
      rmSync(this.path, { force: true });
    } else {
      this.write({ ...pending, ...(Object.keys(calls).length > 0 ? { calls } : {}) });
    }
    const folder = openSync(dirname(resolve(this.path)), 'r');
    fsyncSync(folder);
    closeSync(folder);
  }

  write(what) {
    const file = openSync(`${this.path}.new`, 'w', 0o600);
    const bytes = Buffer.from(JSON.stringify(what));
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
    closeSync(file);
    renameSync(`${this.path}.new`, this.path);
  }
}
