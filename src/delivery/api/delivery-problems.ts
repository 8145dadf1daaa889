import { problem } from '../../platform/http/problem';

export class DeliveryNotFoundError extends problem(
  404,
  'delivery_not_found',
  'There is no delivery with this id.',
) {
  constructor(deliveryId: string) {
    super(`There is no delivery ${deliveryId}.`);
  }
}

export class DeliveryOverError extends problem(409, 'delivery_over', 'The delivery was made or cancelled.') {
  constructor(deliveryId: string, state: string) {
    super(`Delivery ${deliveryId} is ${state}: only pending and dead ones can be retried.`);
  }
}

export class DestinationDeletedError extends problem(
  409,
  'destination_deleted',
  'The destination was deleted.',
) {
  constructor(deliveryId: string) {
    super(`The destination of delivery ${deliveryId} was deleted.`);
  }
}

export class DeadLetterNotFoundError extends problem(
  404,
  'dead_letter_not_found',
  'There is no dead letter with this id.',
) {
  constructor(deliveryId: string) {
    super(`There is no dead letter ${deliveryId}.`);
  }
}

export class ReplayNotFoundError extends problem(
  404,
  'replay_not_found',
  'There is no replay with this id.',
) {
  constructor(replayId: string) {
    super(`There is no replay ${replayId}.`);
  }
}
