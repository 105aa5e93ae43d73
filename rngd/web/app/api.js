// Questions and orders to the appliance: the same origin that the page came from, with the
// certificate that the browser showed.

const patience_ms = 15000;

/// Why there is no answer. kind `network`: nothing came back; `damaged`: what came makes no sense;
/// `problem`: refused, with the members of RFC 9457.
export class Refusal extends Error {
  constructor(problem) {
    super(problem.code ?? problem.kind);
    this.problem = problem;
  }
}

/// Throws what a reply whose shape is wrong is: no answer.
export function damaged(what) {
  throw new Refusal({ kind: 'damaged', detail: what });
}

async function members_of(reply) {
  try {
    const body = await reply.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

async function value_of(reply) {
  const text = await reply.text();
  try {
    return JSON.parse(text);
  } catch {
    return damaged('JSON');
  }
}

async function ask(path, more, read) {
  const impatience = new AbortController();
  const timer = setTimeout(() => impatience.abort(), patience_ms);
  try {
    const reply = await fetch(path, {
      ...more,
      headers: {
        Accept: 'application/json, application/problem+json',
        'Accept-Language': globalThis.document?.documentElement?.lang || 'en',
        ...more.headers,
      },
      cache: 'no-store',
      credentials: 'same-origin',
      signal: impatience.signal,
    });
    if (!reply.ok) throw new Refusal({ kind: 'problem', status: reply.status,
                                      ...(await members_of(reply)) });
    return await read(reply);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal({ kind: 'network' });
  } finally {
    clearTimeout(timer);
  }
}

/// The reply as a value; throws a Refusal.
export const get = (path) => ask(path, {}, value_of);

/// The reply as a value, and one of its headers; throws a Refusal.
export const get_with = (path, header) => ask(path, {}, async (reply) =>
  ({ value: await value_of(reply), header: reply.headers.get(header) }));

/// An order. The key makes it the same order when it is sent again after a lost answer.
export const post = (path, body, key) => ask(path, {
  method: 'POST', body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', ...(key ? { 'Idempotency-Key': key } : {}) },
}, value_of);
