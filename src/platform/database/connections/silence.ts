import type { Socket } from 'node:net';
import { Client, type ClientBase, type ClientConfig } from 'pg';

/** In milliseconds, for {@link endWhenSilent}. PostgreSQL itself gives up a statement earlier, see `open-pool.ts`. */
export const MAX_SILENCE_MS = 30_000;

/** What `pg` does not tell of in its types. */
interface Connected extends ClientBase {
  readonly connection: { readonly stream: Socket };
  /** False while PostgreSQL owes an answer. */
  readonly readyForQuery?: boolean | null;
  /** A goodbye was said. */
  readonly _ending: boolean;
}

/** The connections of this process that are looked after, and when each was opened. */
const inCare = new Map<Connected, number>();

/**
 * Gives up a connection on which PostgreSQL owes an answer and says nothing for this long: its host was
 * fenced, or a firewall forgot the connection. Neither side closes it then, and what is sent into it is repeated by the
 * kernel for a quarter of an hour. The query fails as in any other outage and its pool lets go of the connection.
 *
 * It has two seconds more to be heard: where the process, or the whole machine, did not run for so long, the time is over
 * before anything that came is read. One that only listens owes nothing, and may be silent for ever.
 */
export function endWhenSilent(client: ClientBase, ms: number): void {
  const connected = client as Connected;
  const { stream } = connected.connection;
  limitSilence(client, ms);
  inCare.set(connected, performance.now());
  stream.once('close', () => inCare.delete(connected));
  stream.on('timeout', () => {
    if (owesAnswer(connected)) giveUpUnlessHeard([connected], `says nothing for ${stream.timeout} ms`);
  });
}

/** Those that are being opened, and since when. */
const opening = new Map<Connected, number>();

/** A client whose connection is looked after already while it is being opened. */
export class OpeningClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    const connected = this as unknown as Connected;
    opening.set(connected, performance.now());
    const forget = (): void => void opening.delete(connected);
    this.once('connect', forget);
    connected.connection.stream.once('close', forget);
  }
}

/** How long a connection that is in doubt may owe an answer. */
const DOUBT_MS = 2_000;

/**
 * PostgreSQL, which was silent since `sinceMs` (of `performance.now()`), answers a new connection; or is silent now, when
 * the process stops. Connections of before may be dead, and each use of one waits for its limit: idle ones are given up,
 * and those that are busy or being opened and hear nothing for two seconds more. What may take long keeps its time.
 */
export function doubtConnections(sinceMs: number): void {
  const older = olderThan(sinceMs, inCare);
  for (const client of older.filter(isIdle)) giveUp(client, 'was open in an outage');
  const owing = older.filter((client) => !isIdle(client) && !hasTime(client));
  owing.push(...olderThan(sinceMs, opening));
  giveUpUnlessHeard(owing, 'is silent after an outage');
}

/** Changes the limit of a connection that {@link endWhenSilent} has in its care. */
export function limitSilence(client: ClientBase, ms: number): void {
  (client as Connected).connection.stream.setTimeout(ms);
}

function olderThan(sinceMs: number, clients: ReadonlyMap<Connected, number>): Connected[] {
  return [...clients].filter(([, beganMs]) => beganMs < sinceMs).map(([client]) => client);
}

/** Gives up those that still owe an answer in a while, and of which nothing was heard until then. */
function giveUpUnlessHeard(clients: readonly Connected[], why: string): void {
  const heard = new Map(clients.map((client) => [client, client.connection.stream.bytesRead]));
  const timer = setTimeout(() => {
    for (const [client, bytes] of heard) {
      if (owesAnswer(client) && client.connection.stream.bytesRead === bytes) giveUp(client, why);
    }
  }, DOUBT_MS);
  timer.unref();
}

function giveUp({ connection }: Connected, why: string): void {
  const error = new Error(`The connection to PostgreSQL ${why}; it is given up.`);
  connection.stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
}

function owesAnswer({ readyForQuery, _ending }: Connected): boolean {
  return readyForQuery !== true || _ending;
}

function isIdle(client: Connected): boolean {
  return client.readyForQuery === true && client.getTransactionStatus() === 'I';
}

function hasTime({ connection }: Connected): boolean {
  return (connection.stream.timeout ?? 0) > MAX_SILENCE_MS;
}
