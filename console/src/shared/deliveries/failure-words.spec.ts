import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HEALTH_REASONS } from '../../../../src/delivery/stats/health-of';
import { failureWords } from './failure-words';

const CONNECTORS = join(__dirname, '../../../../src/connectors');

describe('what is the matter, in words', () => {
  it.each(HEALTH_REASONS)('is said of a destination, without a code: %s', (reason) => {
    expect(failureWords(reason)).not.toContain('_');
  });

  it('is said of each error class that the service itself has', () => {
    const classes = [...ownErrorClasses()];
    expect(classes).toEqual(expect.arrayContaining(['timeout', 'gone', 's3_invalid_request']));
    expect(classes.filter((errorClass) => failureWords(errorClass) === errorClass)).toEqual([]);
  });

  it('is the class alone where a connector has one of its own', () => {
    expect(failureWords('out_of_stamps')).toBe('out_of_stamps');
  });
});

/** As the connectors throw them and the requests of the service end with them. */
function ownErrorClasses(): ReadonlySet<string> {
  const files = readdirSync(CONNECTORS, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  const texts = files.map((file) => readFileSync(join(CONNECTORS, file), 'utf8'));
  const thrown = /DeliveryError\(\s*'(\w+)'/g;
  const answered = /return '(\w+)';/g;
  const egress = readFileSync(join(CONNECTORS, 'egress/error-class.ts'), 'utf8');
  return new Set([
    ...texts.flatMap((text) => Array.from(text.matchAll(thrown), ([, found = '']) => found)),
    ...Array.from(egress.matchAll(answered), ([, found = '']) => found),
  ]);
}
