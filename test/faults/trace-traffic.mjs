// @ts-check
/**
 * @typedef {object} SentEvent
 * @property {string} messageId
 * @property {string} sourceId
 * @property {string} type
 * @property {string} [name]
 * @property {number} [total]
 * @property {string} [userId]
 * @property {string} [anonymousId]
 * @property {import('./fateful-receiver.mjs').Fate} fate
 * @property {Flaw} [flaw]
 * @property {boolean} [isPoisoned] it cannot be processed
 * @property {boolean} [quits]
 *
 * @typedef {[code: string, spoil: (event: object) => object]} Flaw what is wrong with an event
 * @typedef {{ id: string, writeKey: string }} Source
 */

const TRACKS = ['Order Completed', 'Order Refunded', 'Product Viewed', 'Rare'];
const PEOPLE = 500;
const VISITORS = 200;
const MAX_BATCH = 40;
/** Of events of people whose events cannot be processed. */
const POISON_SHARE = 0.005;
const POISONED = 5;
/** One in so many users quits in the end. */
const QUITS = 5;
const DUPLICATE_SHARE = 0.03;
const INVALID_SHARE = 0.02;
/**
 * Each fate below this number, from the first on.
 * @type {[number, import('./fateful-receiver.mjs').Fate][]}
 */
const FATES = [
  [0.8, 'fine'],
  [0.9, 'flaky'],
  [0.96, 'fail'],
  [0.997, 'refuse'],
  [1, 'hang'],
];

/** @type {Flaw[]} */
const FLAWS = [
  ['missing_event_name', (event) => ({ ...event, type: 'track', event: undefined })],
  ['unknown_type', (event) => ({ ...event, type: 'click' })],
];

/** Sends random events, and remembers them in the order of the answers. The same seed draws the same numbers. */
export class TraceTraffic {
  /** @type {SentEvent[]} */
  sent = [];
  duplicates = 0;
  /**
   * Whom the visitors became.
   * @type {import('./trace-members.mjs').Users}
   */
  users = new Map();
  #made = 0;

  /** @param {{ url: string, sources: Source[], seed: number }} options */
  constructor({ url, sources, seed }) {
    this.url = url;
    this.sources = sources;
    this.random = generator(seed);
  }

  /**
   * One of several senders: goes on until so many events were made by all.
   * @param {number} total
   */
  async send(total) {
    while (this.#made < total) {
      const source = this.#pick(this.sources);
      const size = Math.min(1 + Math.floor(this.random() * MAX_BATCH), total - this.#made);
      this.#made += size;
      const events = Array.from({ length: size }, (_, n) => this.#makeEvent(this.#made - n, source.id));
      const again = this.sent.filter(({ sourceId, flaw }) => sourceId === source.id && flaw === undefined);
      const duplicates = events.flatMap(() =>
        again.length > 0 && this.random() < DUPLICATE_SHARE ? [this.#pick(again)] : [],
      );
      this.duplicates += duplicates.length;
      // What is sent again says something else: the first one is the event.
      const changed = duplicates.map((event) => ({
        ...bodyOf(event),
        context: { fate: 'fine', again: true },
      }));
      await this.#post(source, [...events.map(bodyOf), ...changed]);
      this.sent.push(...events);
    }
  }

  /** Every second visitor becomes a user. */
  async identifyVisitors() {
    const [source] = this.sources;
    /** @type {SentEvent[]} */
    const events = Array.from({ length: VISITORS / 2 }, (_, n) => {
      const [userId, anonymousId] = [`visitor-user-${n}`, `v-${2 * n}`];
      this.users.set(anonymousId, userId);
      return {
        messageId: `link-${n}`,
        sourceId: source.id,
        type: 'identify',
        fate: 'fine',
        userId,
        anonymousId,
      };
    });
    await this.#post(source, events.map(bodyOf));
    this.sent.push(...events);
  }

  /** Some users quit: from then on they are in no segment of those who have not. */
  async quitSome() {
    const [source] = this.sources;
    /** @type {SentEvent[]} */
    const events = Array.from({ length: PEOPLE / QUITS }, (_, n) => ({
      messageId: `quit-${n}`,
      sourceId: source.id,
      type: 'identify',
      fate: 'fine',
      userId: `u-${n * QUITS}`,
      quits: true,
    }));
    await this.#post(source, events.map(bodyOf));
    this.sent.push(...events);
  }

  /**
   * @param {number} number
   * @param {string} sourceId
   * @returns {SentEvent}
   */
  #makeEvent(number, sourceId) {
    const type = this.#pick(['track', 'track', 'track', 'page', 'identify']);
    const draw = this.random();
    const event = {
      messageId: `m-${number}`,
      sourceId,
      type,
      name: type === 'track' ? this.#pick(TRACKS) : type === 'page' ? 'Home' : undefined,
      total: type === 'track' && this.random() < 0.7 ? Math.floor(this.random() * 100) : undefined,
      fate: fateAt(draw),
      flaw: this.random() < INVALID_SHARE ? this.#pick(FLAWS) : undefined,
    };
    if (event.flaw === undefined && this.random() < POISON_SHARE)
      return { ...event, userId: `poison-${number % POISONED}`, isPoisoned: true };
    const isVisitor = this.random() < 0.2;
    return isVisitor
      ? { ...event, anonymousId: `v-${Math.floor(this.random() * VISITORS)}` }
      : { ...event, userId: `u-${Math.floor(this.random() * PEOPLE)}` };
  }

  /**
   * @param {Source} source
   * @param {object[]} batch
   */
  async #post(source, batch) {
    const response = await fetch(`${this.url}/v1/batch?defaults=true`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${source.writeKey}:`)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ batch }),
    });
    const text = await response.text();
    // 400 names those that are not valid; the others are stored.
    if (response.status !== 200 && response.status !== 400)
      throw new Error(`A batch was answered with ${response.status}: ${text}`);
  }

  /**
   * @template T
   * @param {T[]} list
   */
  #pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }
}

/** @param {number} draw */
function fateAt(draw) {
  const found = FATES.find(([below]) => draw < below);
  if (found === undefined) throw new Error(`There is no fate for ${draw}.`);
  return found[1];
}

/** @param {SentEvent} sent */
function bodyOf({ messageId, type, name, total, userId, anonymousId, fate, flaw, quits }) {
  const event = {
    messageId,
    type,
    userId,
    anonymousId,
    context: { fate },
    ...(type === 'track' && { event: name, properties: { total } }),
    ...(type === 'page' && { name }),
    ...(quits && { traits: { quit: true } }),
  };
  return flaw === undefined ? event : flaw[1](event);
}

/**
 * Numbers from 0 to 1: mulberry32.
 * @param {number} seed
 */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
