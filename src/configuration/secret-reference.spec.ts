import { ReferenceNames } from './secret-reference';

describe('the reference to a secret', () => {
  it.each([
    ['GitHub', ['signature', 'secret'], 'GITHUB_SIGNATURE_SECRET'],
    ['Order service', ['hashKey'], 'ORDER_SERVICE_HASH_KEY'],
    ['orders (EU)', ['config', 'secretAccessKey'], 'ORDERS_EU_CONFIG_SECRET_ACCESS_KEY'],
    ['3PL', ['secret'], 'CDP_3PL_SECRET'],
    ['注文', ['secret'], 'SECRET'],
  ])('of %s, at %j, is called %s', (name, members, variable) => {
    expect(new ReferenceNames().next(name, ...members)).toBe(`\${env:${variable}}`);
  });

  it('has a number where another one is called so', () => {
    const names = new ReferenceNames();
    names.next('GitHub', 'secret');
    expect(names.next('Github', 'secret')).toBe('${env:GITHUB_SECRET_2}');
  });
});
