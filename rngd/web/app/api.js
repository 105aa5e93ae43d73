// Questions to the appliance: the same origin that the page came from, with the certificate that
// the browser showed.

const patience_ms = 15000;

/// Why there is no answer. kind `network`: nothing came back; `problem`: refused, with the members
/// of RFC 9457.
export class Refusal extends Error {
  constructor(problem) {
    super(problem.code ?? problem.kind);
    this.problem = problem;
  }
}

async function members_of(reply) {
  try {
    const body = await reply.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

/// The reply as a value; throws a Refusal.
export async function get(path) {
  const impatience = new AbortController();
  const timer = setTimeout(() => impatience.abort(), patience_ms);
  try {
    const reply = await fetch(path, {
      headers: {
        Accept: 'application/json, application/problem+json',
        'Accept-Language': globalThis.document?.documentElement?.lang || 'en',
      },
      cache: 'no-store',
      credentials: 'same-origin',
      signal: impatience.signal,
    });
    if (!reply.ok) throw new Refusal({ kind: 'problem', status: reply.status,
                                      ...(await members_of(reply)) });
    return await reply.json();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal({ kind: 'network' });
  } finally {
    clearTimeout(timer);
  }
}
