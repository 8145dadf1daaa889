import { ApiHeader } from '@nestjs/swagger';

/** Documents `Idempotency-Key`, which every POST of the Management API that changes something takes. */
export const ApiIdempotencyKey = (): MethodDecorator =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'Repeating a request with its key answers what the first one answered, for a day.',
  });
