import type { ClientConfig, QueryResult } from 'pg';
import { OpeningClient } from './silence';

type Callback = (error: Error | null, result?: QueryResult) => void;
/** What `pg` does not tell of in its types. */
type Ask = (asked: unknown, values?: unknown, callback?: Callback) => unknown;

/**
 * A client whose answers are kept no longer than they are needed. V8 makes a function in the old generation where it is
 * assigned to a member as it is made (`query.callback = () => …`, as `pg` does it to answer a promise): all that the
 * function knows, and whoever waits for the promise, is then kept until the whole heap is collected. With a callback that
 * `pg` is given it goes with the next collection of the young generation.
 */
export class LeanClient extends OpeningClient {
  constructor(config?: ClientConfig) {
    super(config);
    const ask = this.query.bind(this) as Ask;
    const query: Ask = (asked, values, callback) =>
      hasCallback(asked, values, callback) ? ask(asked, values, callback) : answerOf(ask, asked, values);
    this.query = query as typeof this.query;
  }
}

/** Or is a query that tells of its answer itself. */
function hasCallback(asked: unknown, values: unknown, callback: unknown): boolean {
  const isQuery = typeof (asked as { readonly submit?: unknown }).submit === 'function';
  return isQuery || typeof values === 'function' || callback !== undefined;
}

function answerOf(ask: Ask, asked: unknown, values: unknown): Promise<QueryResult> {
  const answer = new Promise<QueryResult>((resolve, reject) => {
    ask(asked, values, (error, result) => (result === undefined ? reject(error) : resolve(result)));
  });
  // As `pg` does it: the stack is that of whoever asked, not that of the socket.
  return answer.catch((error: Error) => {
    Error.captureStackTrace(error);
    throw error;
  });
}
