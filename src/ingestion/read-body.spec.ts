import { PassThrough } from 'node:stream';
import { BodyReader } from './read-body';

const MAX_BYTES = 6 * 1024 * 1024;

describe('BodyReader', () => {
  const open: PassThrough[] = [];
  let full: boolean;
  let bodies: BodyReader;

  beforeEach(() => {
    full = false;
    bodies = new BodyReader(MAX_BYTES, () => full);
  });

  afterEach(() => open.splice(0).forEach((stream) => stream.destroy()));

  const begin = (length?: number): { stream: PassThrough; body: Promise<unknown> } => {
    const stream = new PassThrough();
    open.push(stream);
    const headers = length === undefined ? {} : { 'content-length': String(length) };
    return { stream, body: bodies.read(headers, stream).catch((error: unknown) => error) };
  };

  it('counts a body whole from its first byte, and no longer once it is there', async () => {
    const first = begin(MAX_BYTES);
    const second = begin(MAX_BYTES);
    expect(await begin(1).body).toMatchObject({ status: 429, code: 'overloaded' });
    first.stream.end('short');
    expect(await first.body).toBe('short');
    const third = begin(1);
    third.stream.end('x');
    expect(await third.body).toBe('x');
    second.stream.destroy();
    expect(await second.body).toMatchObject({ code: 'incomplete_body' });
  });

  it('counts what comes unannounced', async () => {
    begin(MAX_BYTES);
    begin(MAX_BYTES - 4);
    const chunked = begin();
    chunked.stream.write('12345');
    expect(await chunked.body).toMatchObject({ status: 429 });
  });

  it('refuses the small ones unread while nothing can be stored', async () => {
    expect(bodies.mustRefuseUnread({ 'content-length': '1000' })).toBe(false);
    full = true;
    expect(bodies.mustRefuseUnread({ 'content-length': '1000' })).toBe(true);
    expect(bodies.mustRefuseUnread({ 'content-length': '500000' })).toBe(false);
    expect(bodies.mustRefuseUnread({})).toBe(false);
    expect(await begin(500_000).body).toMatchObject({ status: 429 });
  });
});
