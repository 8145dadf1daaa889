import { array, assert, boolean, integer, property, record } from 'fast-check';
import { Exchanges } from './exchanges';
import { ExchangeError, HttpExchange, type HttpRequest } from './http-exchange';

const request: Omit<HttpRequest, 'deadline'> = {
  destinationId: 'd1',
  target: { origin: 'http://localhost', path: '/', host: 'localhost' },
  method: 'POST',
  headers: [],
  body: undefined,
  maxKeptBytes: 0,
  maxReadBytes: 0,
};

describe('the exchanges under way', () => {
  it('end once, when their deadline has passed, unless they were over before', () => {
    const plan = array(record({ deadline: integer({ min: 0, max: 9 }), over: boolean() }), { maxLength: 40 });
    assert(
      property(plan, integer({ min: 0, max: 9 }), (all, now) => {
        const exchanges = new Exchanges();
        const ended: number[] = [];
        const begun = all.map(({ deadline }, number) => {
          const exchange = new HttpExchange({ deadline, ...request }, (result) => {
            expect(result).toBeInstanceOf(ExchangeError);
            exchanges.remove(exchange);
            ended.push(number);
          });
          exchanges.add(exchange);
          return exchange;
        });
        all.forEach(({ over }, number) => over && exchanges.remove(begun[number]!));
        const expected = (time: number): number[] =>
          all.flatMap(({ deadline, over }, number) => (!over && deadline <= time ? [number] : []));
        exchanges.expire(now);
        expect(ended.toSorted((a, b) => a - b)).toEqual(expected(now));
        exchanges.expire(9);
        expect(ended.toSorted((a, b) => a - b)).toEqual(expected(9));
      }),
    );
  });
});
