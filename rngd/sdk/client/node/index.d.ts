// @talla/client: a table's side of a Talla appliance.
import type { Core, Problem, Receipt, Reply, Table as TablePicture } from './api.js';

import type * as Api from './api.js';
export type { Api };

/** The appliance said no. Nothing was done under this request. */
export class Refused extends Error {
  readonly problem: Problem;
}

/**
 * The call of a draw or mix did not stand any more; the VOID that says so was checked. Its turn is
 * spent, the next call is free.
 */
export class Lapsed extends Refused {}

/** The call ended without a result; the next one is free and goes without `problem.missing`. */
export class Withheld extends Refused {
  readonly problem: Problem & { cause: string; missing: string[] };
}

/** No answer within `patience`: it stays pending, `resume` asks for it again. */
export class Unanswered extends Error {}

/** The reply does not follow from the signed log: do not pay, do not go on, call the inspector. */
export class NotBelieved extends Error {}

/** What was asked for cannot be asked now: nothing was sent. */
export class Misused extends Error {}

/** A record of the log, verified (certs/FORMAT.md, section 6). */
export interface LogRecord {
  readonly v: 2;
  readonly origin: string;
  readonly seq: number;
  readonly kind: string;
  /** microseconds since 1970, UTC */
  readonly time: number;
  readonly object?: string;
  readonly table?: string;
  readonly key?: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Options {
  /** File that keeps the request under way, and the seeds of open tables, over a crash. */
  journal?: string;
  /** Seconds for one try; 10. */
  timeout?: number;
  /** Seconds for lost connections and refusals that may be asked again; 120. */
  patience?: number;
  /**
   * Every reply of a POST once it is believed, with its records, before the journal forgets the
   * request: write your own books there. After a crash the last reply comes a second time.
   */
  onReply?: (reply: AnyReply, records: readonly LogRecord[]) => void | Promise<void>;
  /** What the root says about the end of logs: files or folders, beside those of client.toml. */
  ended?: string | string[];
}

/** Members that replies to POST have. */
export interface AnyReply {
  receipts?: Receipt[];
  [member: string]: unknown;
}

export interface Look {
  seat: number;
  place: string;
  card: string;
  leaf: number;
  path: string[];
  salt: string;
}

/**
 * One table, or several, of one certificate. One request is under way at a time: await each call
 * before the next.
 */
export class Table {
  private constructor();
  /** `folder` holds client.toml. Connects to nothing yet. */
  static open(folder: string, options?: Options): Promise<Table>;

  /** Path of the request that is pending, or null. */
  readonly pending: string | null;
  get<T = unknown>(path: string): Promise<T>;
  /** One act, done once however often the connection breaks; the reply is checked. */
  post<T = AnyReply>(path: string, body?: unknown): Promise<T>;
  /** Asks for what is pending until it is answered; null when nothing is. */
  resume<T = AnyReply>(): Promise<T | null>;

  /** All there is to know when one comes back. */
  picture(table: string): Promise<TablePicture>;
  /** The call that mixes the shoe's newest root, whose commitment is verified. */
  mix(shoe: string): Promise<Reply<'mixShoe'>>;
  /**
   * A result from the table's committed batch. `round`: at a table that the appliance settles;
   * `bets`: digest of bets held elsewhere.
   */
  draw(table: string, options?: { round?: string; bets?: string }): Promise<Reply<'draw'>>;
  /** The covered card there, for every seat whose copy is for this client's own key. */
  look(shoe: string, position: number, recommits?: number): Promise<Look[]>;

  /** From now on calls of the table name everybody who has handed in commitments. */
  nameContributors(table: string): Promise<void>;
  /** The link by which a seat takes part, for the person there and nobody else. */
  invite(table: string, seat: number, base: string): Promise<string>;

  /** The log's records as they come, behind number `after` (-1: all), for ever. */
  events(after?: number): AsyncGenerator<{ seq: number; kind: string; record: LogRecord }>;
  close(): void;
}

/** Which card for whom. */
export interface CoveredPlace {
  origin: string;
  shoe: string;
  position: number;
  seat: number;
  recommits?: number;
}

/** SPKI digest of a private key: the `key` of the copies that are for it. */
export function keyDigest(pem: string): Promise<Uint8Array>;
/** What a copy says to the private key of its seat (certs/FORMAT.md, section 7). */
export function openCopy(pem: string, place: CoveredPlace, copy: Uint8Array):
  Promise<{ card: string; leaf: number; path: string[]; salt: string }>;
/** Digest that a call binds bets by. */
export function betsDigest(bets: readonly unknown[]): Promise<string>;
export function requestDigest(method: string, path: string, body: string): Promise<string>;
/** `root`, `opening`: 32 bytes each. */
export function makeLink(base: string, token: string, table: string, seat: number,
  opening: Uint8Array, root: Uint8Array, origin: string): string;

export interface Verdict {
  code: number;
  development: boolean;
  checked: string[];
  notChecked: string[];
}
/** The browser's verifier of bundles; `roots`: PEM. Throws where something does not hold. */
export function verifyBundle(bundle: string, options: { roots: string; mine?: string | null }):
  Promise<Verdict>;
export const VERDICTS: Readonly<Record<number, string>>;
export type { Core };
