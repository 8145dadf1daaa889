import { Problem } from '../../platform/http/problem';

export class DeliveryNotFoundError extends Problem {
  static readonly status = 404;
  static readonly code = 'delivery_not_found';
  static readonly when = 'There is no delivery with this id.';
  readonly status = DeliveryNotFoundError.status;
  readonly code = DeliveryNotFoundError.code;

  constructor(deliveryId: string) {
    super(`There is no delivery ${deliveryId}.`);
  }
}

export class DeliveryOverError extends Problem {
  static readonly status = 409;
  static readonly code = 'delivery_over';
  static readonly when = 'The delivery was made or cancelled.';
  readonly status = DeliveryOverError.status;
  readonly code = DeliveryOverError.code;

  constructor(deliveryId: string, state: string) {
    super(`Delivery ${deliveryId} is ${state}: only pending and dead ones can be retried.`);
  }
}

export class DestinationDeletedError extends Problem {
  static readonly status = 409;
  static readonly code = 'destination_deleted';
  static readonly when = 'The destination was deleted.';
  readonly status = DestinationDeletedError.status;
  readonly code = DestinationDeletedError.code;

  constructor(deliveryId: string) {
    super(`The destination of delivery ${deliveryId} was deleted.`);
  }
}

export class DeadLetterNotFoundError extends Problem {
  static readonly status = 404;
  static readonly code = 'dead_letter_not_found';
  static readonly when = 'There is no dead letter with this id.';
  readonly status = DeadLetterNotFoundError.status;
  readonly code = DeadLetterNotFoundError.code;

  constructor(deliveryId: string) {
    super(`There is no dead letter ${deliveryId}.`);
  }
}

export class ReplayNotFoundError extends Problem {
  static readonly status = 404;
  static readonly code = 'replay_not_found';
  static readonly when = 'There is no replay with this id.';
  readonly status = ReplayNotFoundError.status;
  readonly code = ReplayNotFoundError.code;

  constructor(replayId: string) {
    super(`There is no replay ${replayId}.`);
  }
}
