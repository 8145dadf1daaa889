import { returnPathOf } from './return-path';

describe('returnPathOf', () => {
  it.each([
    '/console',
    '/console/events?type=track&name=%3Cscript%3E',
    '/queues',
    '/queues/queue/events?status=delayed',
  ])('leads back to %s', (path) => {
    expect(returnPathOf(path)).toBe(path);
  });

  it.each([
    undefined,
    ['/console'],
    '',
    '/',
    'https://evil.example/console',
    '//evil.example/console',
    '/\\evil.example/console',
    '\\\\evil.example/console',
    'javascript:alert(1)//console',
    '/console/../v1/batch',
    '/consoles',
    'http://[',
  ])('leads to the console instead of %p', (path) => {
    expect(returnPathOf(path)).toBe('/console');
  });

  it('leaves nothing that ends an attribute or a header', () => {
    expect(returnPathOf('/console/"><script>\r\nset-cookie: a=b')).toBe(
      '/console/%22%3E%3Cscript%3Eset-cookie:%20a=b',
    );
  });
});
