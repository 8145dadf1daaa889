import { parseUrl } from './parse-url';

describe('parsing a URL', () => {
  it('says the same of a host that is not ASCII however often it is asked', () => {
    const urls = ['https://bücher.example/', 'https://example.com/', 'https://例え.example/'];
    const hosts = ['xn--bcher-kva.example', 'example.com', 'xn--r8jz45g.example'];
    let wrong = 0;
    for (let call = 0; call < 60_000; call++) {
      if (parseUrl(urls[call % 3]!)?.host !== hosts[call % 3]) wrong++;
    }
    expect(wrong).toBe(0);
  });

  it('knows what is none, and takes a base', () => {
    for (const text of ['', 'x', '/path', 'http://', 'https://a b/']) expect(parseUrl(text)).toBeUndefined();
    expect(parseUrl('/path', 'https://example.com')?.href).toBe('https://example.com/path');
  });
});
