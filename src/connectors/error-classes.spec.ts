import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CLASSES } from './error-classes';

const SRC = join(__dirname, '..');

/** The first argument of each error that a delivery fails with. */
const THROWN = /DeliveryError\(([^,]*?)[,)]/g;

describe('the error classes of the service', () => {
  it('have each that it throws', () => {
    const thrown = [...thrownClasses()];
    expect(thrown).toEqual(
      expect.arrayContaining(['timeout', 'gone', 's3_invalid_request', 's3_error', 'batch_gone']),
    );
    expect(thrown.filter((name) => !ERROR_CLASSES.some((known) => known === name))).toEqual([]);
  });
});

function thrownClasses(): ReadonlySet<string> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  const firsts = files.flatMap((file) => [...readFileSync(join(SRC, file), 'utf8').matchAll(THROWN)]);
  return new Set(
    firsts.flatMap(([, first = '']) => [...first.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)),
  );
}
