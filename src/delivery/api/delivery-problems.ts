import { notFound, problem } from '../../platform/http/problems/problem';

export class DeliveryNotFoundError extends notFound('delivery') {}

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

export class DeadLetterNotFoundError extends notFound('dead letter') {}

export class ReplayNotFoundError extends notFound('replay') {}
