import { markOfOtherToken } from './token-type';

describe('markOfOtherToken', () => {
  it.each([
    ['a plain JWT', { typ: 'JWT' }, {}],
    ['no type at all', {}, {}],
    ['RFC 9068', { typ: 'at+jwt' }, {}],
    ['RFC 9068 in full', { typ: 'application/AT+JWT' }, {}],
    ['Keycloak', { typ: 'JWT' }, { typ: 'Bearer', sid: 's' }],
    ['Keycloak before 25', { typ: 'JWT' }, { typ: 'Bearer', nonce: 'n' }],
    ['Amazon Cognito', {}, { token_use: 'access' }],
    ['Auth0', { typ: 'JWT' }, { azp: 'client', scope: 'cdp:read', permissions: [] }],
    ['Entra ID', { typ: 'JWT' }, { ver: '2.0', azp: 'client', roles: ['cdp:read'], uti: 'u', rh: 'r' }],
  ])('finds none in an access token: %s', (_, header, claims) => {
    expect(markOfOtherToken({ alg: 'RS256', ...header }, claims)).toBeUndefined();
  });

  it.each([
    ['a logout token', { typ: 'logout+jwt' }, {}, 'the header typ logout+jwt'],
    ['another type', { typ: 'application/secevent+jwt' }, {}, 'the header typ secevent+jwt'],
    ['a logout token without a type', { typ: 'JWT' }, { events: {} }, 'the claim events'],
    ['a logout token that says it is for access', { typ: 'at+jwt' }, { events: {} }, 'the claim events'],
    ['an ID token of Keycloak', { typ: 'JWT' }, { typ: 'ID', nonce: 'n' }, 'the claim typ id'],
    ['a refresh token of Keycloak', { typ: 'JWT' }, { typ: 'Refresh' }, 'the claim typ refresh'],
    ['an ID token of Amazon Cognito', {}, { token_use: 'id' }, 'the claim token_use id'],
    ['an ID token with the hash of its access token', {}, { at_hash: 'h' }, 'the claim at_hash'],
    ['an ID token with the hash of its code', {}, { c_hash: 'h' }, 'the claim c_hash'],
    ['an ID token of a browser', { typ: 'JWT' }, { nonce: 'n' }, 'the claim nonce'],
  ])('names the mark of %s', (_, header, claims, mark) => {
    expect(markOfOtherToken({ alg: 'RS256', ...header }, claims)).toBe(mark);
  });
});
