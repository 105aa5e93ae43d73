// Requests of a contributor: by the token of its link, to this server alone.

/// The appliance said no: its problem document.
export class Problem extends Error {
  constructor(status, { code = '', detail = '', next }) {
    super(`${status} ${code}: ${detail}`);
    Object.assign(this, { status, code, detail, next });
  }
}

const BYTES_MAX = 64 * 1024 * 1024;

export class Api {
  constructor(token, fetcher = (...asked) => fetch(...asked), base = '') {
    Object.assign(this, { token, fetcher, base });
  }

  /// `more.open`: what everybody may read; the token stays here.
  async ask(path, more = {}) {
    const { open = false, headers, ...rest } = more;
    const reply = await this.fetcher(this.base + path, { redirect: 'error', cache: 'no-store',
      credentials: 'omit', ...rest,
      headers: { ...(open ? {} : { Authorization: `Bearer ${this.token}` }), ...headers } });
    const text = await reply.text();
    if (text.length > BYTES_MAX) throw new Error(`${path}: an answer without end`);
    if (reply.ok) return text;
    let problem = {};
    try {
      problem = JSON.parse(text);
    } catch {
      // The status alone says enough.
    }
    throw new Problem(reply.status, problem ?? {});
  }

  async get(path) {
    return JSON.parse(await this.ask(path));
  }

  async post(path, body) {
    return JSON.parse(await this.ask(path, { method: 'POST', body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' } }));
  }
}
