import { Problem } from '../../platform/http/problem';

export class DeliveryNotFoundError extends Problem {
  readonly status = 404;
  readonly code = 'delivery_not_found';

  constructor(deliveryId: string) {
    super(`There is no delivery ${deliveryId}.`);
  }
}

export class DeliveryOverError extends Problem {
  readonly status = 409;
  readonly code = 'delivery_over';

  constructor(deliveryId: string, state: string) {
    super(`Delivery ${deliveryId} is ${state}: only pending and dead ones can be retried.`);
  }
}

export class DestinationDeletedError extends Problem {
  readonly status = 409;
  readonly code = 'destination_deleted';

  constructor(deliveryId: string) {
    super(`The destination of delivery ${deliveryId} was deleted.`);
  }
}

export class DeadLetterNotFoundError extends Problem {
  readonly status = 404;
  readonly code = 'dead_letter_not_found';

  constructor(deliveryId: string) {
    super(`There is no dead letter ${deliveryId}.`);
  }
}

export class ReplayNotFoundError extends Problem {
  readonly status = 404;
  readonly code = 'replay_not_found';

  constructor(replayId: string) {
    super(`There is no replay ${replayId}.`);
  }
}
