// Asking: one request at a time over TLS 1.3 with the table's certificate, the same bytes under the
// same key until there is an answer.
import { Agent, request } from 'node:https';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotBelieved, Refused, Unanswered } from './errors.js';

const BYTES_MAX = 64 * 1024 * 1024;
const PAUSE_FIRST = 0.02;
const PAUSE_MAX = 5;

/// Between half of it and all: many tables do not come back at the same moment.
const spread = (pause) => pause * (0.5 + Math.random() / 2);

/// Seconds on a clock that nobody sets.
export const now = () => performance.now() / 1000;

export class Connection {
  /// `file`: of readClientFile. `timeout`: seconds for one try; `patience`: for all of them.
  constructor(file, timeout, patience) {
    Object.assign(this, { file, timeout, patience });
    this.agent = new Agent({ keepAlive: true, maxSockets: 1 });
  }

  options(method, path, headers) {
    const { host, port, serverName, pem } = this.file;
    return { host, port, method, path, cert: pem.certificate, key: pem.key, ca: pem.root,
      minVersion: 'TLSv1.3', servername: isIP(serverName) ? '' : serverName,
      checkServerIdentity: (_, certificate) => checkServerIdentity(serverName, certificate),
      headers: { Host: `${serverName}:${port}`, ...headers } };
  }

  /// One try: status, headers and text of the reply; rejects when the connection is lost.
  send(method, path, body, key) {
    const headers = { 'Content-Type': 'application/json' };
    if (body !== undefined) headers['Content-Length'] = Buffer.byteLength(body);
    if (key !== undefined) headers['Idempotency-Key'] = key;
    return new Promise((done, lost) => {
      const asked = request({ ...this.options(method, path, headers), agent: this.agent },
        (reply) => {
          const pieces = [];
          let size = 0;
          reply.on('data', (piece) => {
            size += piece.length;
            if (size > BYTES_MAX) asked.destroy(new Error('an answer without end'));
            pieces.push(piece);
          });
          reply.on('error', lost);
          reply.on('aborted', () => lost(new Error('the connection was lost')));
          reply.on('end', () => (reply.complete
            ? done({ status: reply.statusCode, headers: reply.headers,
              text: Buffer.concat(pieces).toString('utf8') })
            : lost(new Error('the connection was lost'))));
        });
      // of the whole try, whatever trickles in meanwhile
      const limit = setTimeout(() => asked.destroy(new Error('no answer in time')),
        1000 * this.timeout);
      asked.on('close', () => clearTimeout(limit));
      asked.on('error', lost);
      asked.end(body);
    });
  }

  /// Text of a good reply. A lost connection or time-out: once more. A refusal: as its `retry`
  /// says.
  async untilAnswered(method, path, body, key) {
    const end = now() + this.patience;
    for (let pause = PAUSE_FIRST; ; pause = Math.min(2 * pause, PAUSE_MAX)) {
      let wait = 0;
      let why;
      try {
        const { status, headers, text } = await this.send(method, path, body, key);
        if (status >= 200 && status < 300) return text;
        why = `status ${status}`;
        if (headers['content-type'] === 'application/problem+json') {
          const problem = JSON.parse(text);
          why = `${problem.code}: ${problem.detail ?? ''}`;
          if (problem.retry === 'never') throw new Refused(problem);
          wait = Number(headers['retry-after'] ?? 1) || 1;
        }
      } catch (lost) {
        if (lost instanceof Refused) throw lost;
        why = lost.message;
      }
      wait = Math.max(wait, spread(pause));
      if (now() + wait > end) throw new Unanswered(`${method} ${path}: ${why}`);
      await sleep(1000 * wait);
    }
  }

  async get(path) {
    const text = await this.untilAnswered('GET', path);
    try {
      return JSON.parse(text);
    } catch {
      throw new NotBelieved(`GET ${path}: the reply is no JSON`);
    }
  }

  /// The stream of events as lines, behind record `after`; ends when the connection does.
  async* lines(path, headers) {
    let ended;
    const stream = await new Promise((done, lost) => {
      const asked = request({ ...this.options('GET', path, headers), agent: false }, done);
      // a comment comes every 10 s
      asked.setTimeout(1000 * Math.max(this.timeout, 15), () => asked.destroy(
        new Error('the stream is silent')));
      asked.on('error', lost);
      asked.end();
      ended = asked;
    });
    try {
      let rest = '';
      stream.setEncoding('utf8');
      for await (const piece of stream) {
        const lines = (rest + piece).split('\n');
        rest = lines.pop();
        yield* lines;
      }
    } finally {
      ended.destroy();
    }
  }

  close() {
    this.agent.destroy();
  }
}
