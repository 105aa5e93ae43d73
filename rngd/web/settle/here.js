// The engines of this page: fetched when the first settlement is there, and kept until it is left.
import { MODULE } from './digest.js';
import { enginesOf } from './settle.js';

/// The digest that the page pins, or null where it has no engines.
export const DIGEST = MODULE?.digest ?? null;

let engines = null;

async function fetched() {
  const reply = await fetch(new URL('settle.wasm.gz', import.meta.url), { redirect: 'error' });
  if (!reply.ok) throw new Error(`HTTP ${reply.status}`);
  return enginesOf(new Uint8Array(await reply.arrayBuffer()), MODULE);
}

/// The engines, or null where the page has none or the browser runs none. Throws where they do not
/// come, or are others.
export async function enginesHere() {
  if (MODULE === null || typeof WebAssembly !== 'object') return null;
  engines ??= fetched();
  try {
    return await engines;
  } catch (error) {
    engines = null;  // the next round asks again
    throw error;
  }
}

/// As `settle` of verifyBundle: settles a bundle again; null where nothing here can.
export async function settleHere(text) {
  try {
    return (await enginesHere())?.settleBundle(text) ?? null;
  } catch (error) {
    return { stopped: error.message };
  }
}
