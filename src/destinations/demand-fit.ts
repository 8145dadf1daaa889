import { type Connector, sendsBatches } from '../connectors/connector';
import type { JsonObject } from '../events/customer-event';
import { InvalidRequestError } from '../platform/http/problems/problem';

const OF_SINGLE_EVENTS = ['transformationId', 'rateLimit', 'order'] as const;

/** As far as it is asked how events travel; members that are null are not asked for. */
type AskedOfEvents = { readonly config: JsonObject } & {
  readonly [Member in (typeof OF_SINGLE_EVENTS)[number]]: unknown;
};

/** @throws InvalidRequestError where events travel in batches, and something is asked for that is of single ones */
export function demandFit(destination: AskedOfEvents, connector: Connector | undefined): void {
  if (connector === undefined || !sendsBatches(connector, destination.config)) return;
  const unfit = OF_SINGLE_EVENTS.filter((path) => destination[path] !== null);
  if (unfit.length === 0) return;
  const message = `is not for a destination of type ${connector.id} that gets batches`;
  throw new InvalidRequestError(
    unfit.map((path) => ({ path, code: 'not_supported', message: `${path} ${message}` })),
  );
}
