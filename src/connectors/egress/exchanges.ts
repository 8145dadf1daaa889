import type { HttpExchange } from './http-exchange';

/**
 * The exchanges under way. Each knows its index in the list: a `Set` that is added to and deleted from thousands of
 * times a second leaves behind a chain of its old tables, and whatever they held lives until a full collection.
 */
export class Exchanges {
  private readonly underWay: HttpExchange[] = [];

  get isEmpty(): boolean {
    return this.underWay.length === 0;
  }

  add(exchange: HttpExchange): void {
    exchange.index = this.underWay.push(exchange) - 1;
  }

  remove(exchange: HttpExchange): void {
    const last = this.underWay.pop();
    if (last === undefined || last === exchange) return;
    this.underWay[exchange.index] = last;
    last.index = exchange.index;
  }

  /** Ends those whose deadline has passed. */
  expire(now: number): void {
    // From the end, because what ends is removed, and the last one takes its place.
    for (let index = this.underWay.length - 1; index >= 0; index -= 1) {
      const exchange = this.underWay[index];
      if (exchange !== undefined && exchange.request.deadline <= now) exchange.expire();
    }
  }
}
