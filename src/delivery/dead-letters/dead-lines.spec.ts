import { DeadLines } from './dead-lines';

describe('lines of the log about deliveries that are dead', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are one for each destination, and a minute later one with the number of the others', () => {
    const lines: unknown[] = [];
    const log = new DeadLines({ warn: (...line: unknown[]) => void lines.push(line) }, (id) =>
      id.toUpperCase(),
    );
    const die = (destinationId: string, deliveryId: string): void =>
      log.tell({ deliveryId, destinationId, attempt: 1, reason: 'http_4xx', status: 400 });
    for (const deliveryId of ['1', '2', '3']) die('shop', deliveryId);
    die('other', '4');
    jest.advanceTimersByTime(60_000);
    die('shop', '5');
    jest.advanceTimersByTime(60_000);
    expect(lines).toEqual([
      ['Delivery dead', expect.objectContaining({ deliveryId: '1', destination: 'SHOP', state: 'dead' })],
      ['Delivery dead', expect.objectContaining({ deliveryId: '4', destination: 'OTHER' })],
      ['More deliveries dead', { destinationId: 'shop', destination: 'SHOP', count: 2 }],
      ['Delivery dead', expect.objectContaining({ deliveryId: '5' })],
    ]);
  });
});
