import { asRecord } from './pino-logger.service';
import { asText } from './text-lines';

describe('asRecord', () => {
  const error = new Error('no route');
  it.each([
    ['a message and its context', ['Ready', 'Service'], { message: 'Ready', fields: { context: 'Service' } }],
    [
      'fields beside the message',
      ['Delivery failed', { deliveryId: 'd1', attempt: 2 }, 'Sender'],
      { message: 'Delivery failed', fields: { deliveryId: 'd1', attempt: 2, context: 'Sender' } },
    ],
    [
      'fields with the message among them',
      [{ msg: 'Delivery failed', deliveryId: 'd1' }, 'Sender'],
      { message: undefined, fields: { msg: 'Delivery failed', deliveryId: 'd1', context: 'Sender' } },
    ],
    [
      'an error beside the message',
      ['Could not connect', error, 'Sender'],
      { message: 'Could not connect', fields: { err: error, context: 'Sender' } },
    ],
    [
      'an error as the message',
      [error, 'Sender'],
      { message: 'no route', fields: { err: error, context: 'Sender' } },
    ],
    [
      'a stack beside the message',
      ['Failed', 'Error: no route\n    at x', 'Sender'],
      { message: 'Failed', fields: { stack: 'Error: no route\n    at x', context: 'Sender' } },
    ],
  ])('takes %s', (_what, [message, ...details], expected) => {
    expect(asRecord(message, details)).toEqual(expected);
  });
});

describe('asText', () => {
  const time = Date.UTC(2026, 0, 31, 12, 0, 1);

  it('makes one line with the fields behind the message', () => {
    expect(asText({ level: 40, time, context: 'Sender', msg: 'Delivery failed', attempt: 2 }, false)).toBe(
      '12:00:01 WARN  [Sender] Delivery failed attempt=2',
    );
  });

  it('puts a stack on lines of its own', () => {
    const record = { level: 50, time, msg: 'Failed', err: { stack: 'Error: no route\n    at x' } };
    expect(asText(record, false)).toBe('12:00:01 ERROR Failed\nError: no route\n    at x');
    const plain = { level: 50, time, msg: 'Failed', stack: 'Error: no route\n    at x' };
    expect(asText(plain, false)).toBe('12:00:01 ERROR Failed\nError: no route\n    at x');
  });
});
