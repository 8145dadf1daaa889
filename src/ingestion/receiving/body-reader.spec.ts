import { PassThrough } from 'node:stream';
import { deflateSync, gzipSync } from 'node:zlib';
import { eventually } from '../../../test/support/eventually';
import { BodyReader } from './body-reader';
import type { BodySender } from './reception-budget';

const KB = 1024;
/** The budget is then 8 MB: for strangers 6 MB, for their large bodies 4 MB, for an address 2 MB. */
const MAX_BYTES = 600 * KB;

const stranger = (address: string): BodySender => ({ address, known: false });
const known: BodySender = { address: '192.0.2.1', known: true };

describe('BodyReader', () => {
  const open: PassThrough[] = [];
  let full: boolean;
  let bodies: BodyReader;

  beforeEach(() => {
    full = false;
    bodies = new BodyReader(MAX_BYTES, () => full);
  });

  afterEach(() => open.splice(0).forEach((stream) => stream.destroy()));

  interface Begun {
    readonly stream: PassThrough;
    readonly body: Promise<unknown>;
  }

  /** A body that has arrived but for its last byte; resolves to its bytes or to its error. */
  const begin = (sender: BodySender, arrived: number, headers: Record<string, string> = {}): Begun => {
    const stream = new PassThrough();
    open.push(stream);
    const body = bodies.read(headers, stream, sender).catch((error: unknown) => error);
    stream.write(Buffer.alloc(arrived, 'x'));
    return { stream, body };
  };
  const end = async ({ stream, body }: Begun): Promise<number> => {
    stream.end('x');
    const outcome = await body;
    return Buffer.isBuffer(outcome) ? outcome.length : (outcome as { status: number }).status;
  };
  const beginAll = (count: number, sender: (index: number) => BodySender, arrived: number): Begun[] =>
    Array.from({ length: count }, (_, index) => begin(sender(index), arrived));

  it('counts nothing of a body that was announced and does not come', async () => {
    beginAll(1_000, (index) => stranger(`192.0.2.${index}`), 0);
    expect(bodies.mustRefuseUnread({ 'content-length': '1000' }, () => false)).toBe(false);
    expect(await end(begin(stranger('192.0.2.9'), 500 * KB))).toBe(500 * KB + 1);
  });

  it('takes all addresses of a network of IPv6 for one', async () => {
    beginAll(4, (index) => stranger(`2001:db8:1:2::${index}`), 500 * KB);
    expect(await end(begin(stranger('2001:db8:1:2::9'), 100 * KB))).toBe(429);
    expect(await end(begin(stranger('2001:db8:1:3::9'), 100 * KB))).toBe(100 * KB + 1);
  });

  it('gives an address a quarter, and what is done makes room again', async () => {
    const one = beginAll(4, () => stranger('192.0.2.9'), 500 * KB);
    expect(await end(begin(stranger('192.0.2.9'), 100 * KB))).toBe(429);
    expect(await end(begin(stranger('192.0.2.8'), 100 * KB))).toBe(100 * KB + 1);
    for (const body of one) expect(await end(body)).toBe(500 * KB + 1);
    expect(await end(begin(stranger('192.0.2.9'), 500 * KB))).toBe(500 * KB + 1);
  });

  it('keeps room for small bodies beside the large ones of strangers', async () => {
    beginAll(8, (index) => stranger(`192.0.2.${index}`), 500 * KB);
    expect(await end(begin(stranger('192.0.2.99'), 500 * KB))).toBe(429);
    expect(await end(begin(stranger('192.0.2.99'), 50 * KB))).toBe(50 * KB + 1);
  });

  it('keeps room for those with a known key beside strangers', async () => {
    beginAll(200, (index) => stranger(`192.0.2.${index}`), 60 * KB);
    expect(await end(begin(stranger('192.0.2.250'), 60 * KB))).toBe(429);
    expect(bodies.mustRefuseUnread({ 'content-length': '1000' }, () => true)).toBe(true);
    expect(bodies.mustRefuseUnread({ 'content-length': '1000' }, () => false)).toBe(false);
    expect(await end(begin(known, 500 * KB))).toBe(500 * KB + 1);
  });

  it('never holds more than its budget', async () => {
    const all = beginAll(30, () => known, 500 * KB);
    const outcomes = await Promise.all(all.map(end));
    expect(outcomes.filter((outcome) => outcome !== 429)).toHaveLength(16);
  });

  it('lets go of a body that was broken off or too large', async () => {
    const broken = beginAll(16, () => known, 500 * KB);
    broken.forEach(({ stream }) => stream.destroy());
    for (const { body } of broken) expect(await body).toMatchObject({ code: 'incomplete_body' });
    expect(await end(begin(known, MAX_BYTES))).toBe(413);
    expect(await end(begin(known, MAX_BYTES - 1))).toBe(MAX_BYTES);
  });

  it('counts what each piece of a body costs', async () => {
    const inPieces = beginAll(9, () => stranger('192.0.2.9'), 1);
    for (const { stream } of inPieces) for (let piece = 0; piece < 900; piece += 1) stream.write('x');
    await new Promise(setImmediate);
    expect(await end(begin(stranger('192.0.2.9'), 100 * KB))).toBe(429);
    for (const body of inPieces) expect(await end(body)).toBe(902);
    expect(await end(begin(stranger('192.0.2.9'), 100 * KB))).toBe(100 * KB + 1);
  });

  it('breaks off a body that comes in crumbs, one that was refused as well', async () => {
    beginAll(4, () => stranger('192.0.2.9'), 500 * KB);
    const bodies = [begin(known, 1), begin(stranger('192.0.2.9'), 100 * KB)];
    for (const { stream, body } of bodies) {
      for (let piece = 0; piece < 5_000; piece += 1) stream.write('x');
      await body;
      await eventually(() => expect(stream.destroyed).toBe(true));
    }
    expect(await bodies[0]?.body).toMatchObject({ code: 'incomplete_body' });
    expect(await bodies[1]?.body).toMatchObject({ status: 429 });
  });

  it('refuses the small ones unread while nothing can be stored', async () => {
    expect(bodies.mustRefuseUnread({ 'content-length': '1000' }, () => false)).toBe(false);
    full = true;
    expect(bodies.mustRefuseUnread({ 'content-length': '1000' }, () => false)).toBe(true);
    expect(bodies.mustRefuseUnread({ 'content-length': '500000' }, () => false)).toBe(false);
    expect(bodies.mustRefuseUnread({}, () => false)).toBe(false);
    expect(await end(begin(known, 500_000))).toBe(429);
  });

  it('ends a body of which next to nothing comes, and none that keeps on coming', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const slow = begin(known, 100 * KB);
      const steady = begin(known, 1);
      for (let seconds = 0; seconds < 20; seconds += 5) {
        await new Promise(setImmediate);
        steady.stream.write(Buffer.alloc(6 * KB));
        slow.stream.write('x');
        await new Promise(setImmediate);
        jest.advanceTimersByTime(5_000);
      }
      expect(await slow.body).toMatchObject({ status: 408, code: 'request_timeout' });
      expect(await end(steady)).toBe(24 * KB + 2);
    } finally {
      jest.useRealTimers();
    }
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
  ])('inflates %s, many at once', async (encoding, compress) => {
    const compressed = compress(Buffer.alloc(MAX_BYTES, 'x'));
    const texts = await Promise.all(
      Array.from({ length: 50 }, () => {
        const stream = new PassThrough();
        const body = bodies.read({ 'content-encoding': encoding }, stream, stranger('192.0.2.9'));
        stream.end(compressed);
        return body;
      }),
    );
    expect(texts.map(({ length }) => length)).toEqual(texts.map(() => MAX_BYTES));
  });

  it.each(['br', 'zstd', 'gzip, gzip', 'toString'])('refuses %s unread', async (encoding) => {
    expect(await begin(known, 10, { 'content-encoding': encoding }).body).toMatchObject({ status: 415 });
  });
});
