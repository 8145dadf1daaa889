import { isTakenForJson } from './media-type';

describe('isTakenForJson', () => {
  it.each([
    undefined,
    '',
    'application/json',
    'application/json; charset=utf-8',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'application/vnd.api+json',
    'nonsense',
  ])('takes %s', (contentType) => {
    expect(isTakenForJson(contentType)).toBe(true);
  });

  it.each([
    'multipart/form-data; boundary=x',
    'application/xml',
    'text/xml',
    'image/svg+xml',
    'application/octet-stream',
    'text/html',
  ])('refuses %s', (contentType) => {
    expect(isTakenForJson(contentType)).toBe(false);
  });
});
