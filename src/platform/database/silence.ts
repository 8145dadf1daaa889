import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** In milliseconds, for {@link endWhenSilent}. PostgreSQL itself gives up a statement earlier, see `open-pool.ts`. */
export const MAX_SILENCE_MS = 30_000;

/** What `pg` does not tell of in its types. */
interface Connected {
  readonly connection: { readonly stream: Socket };
  /** False while PostgreSQL owes an answer. */
  readonly readyForQuery?: boolean | null;
  /** A goodbye was said. */
  readonly _ending: boolean;
}

/**
 * Gives up a connection on which PostgreSQL owes an answer and says nothing for so long: its host was
 * fenced, or a firewall forgot the connection. Nobody closes it then, and what is sent into it is repeated by the
 * kernel for a quarter of an hour. The query fails as in any other outage and its pool lets go of the connection.
 */
export function endWhenSilent(client: ClientBase, ms: number): void {
  const connected = client as ClientBase & Connected;
  const { stream } = connected.connection;
  limitSilence(client, ms);
  stream.on('timeout', () => {
    if (connected.readyForQuery === true && !connected._ending) return;
    const error = new Error(`PostgreSQL says nothing for ${stream.timeout} ms; the connection is given up.`);
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
}

/** Changes the limit of a connection that {@link endWhenSilent} has in its care. */
export function limitSilence(client: ClientBase, ms: number): void {
  (client as ClientBase & Connected).connection.stream.setTimeout(ms);
}
