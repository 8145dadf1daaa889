import { spawnSync } from 'node:child_process';
import { HEAP_FLAGS } from './tune-heap';

/** Makes more objects than the young generation has room for, and keeps all of them. */
const KEEP_MANY = `
  const { setFlagsFromString } = require('node:v8');
  for (const flag of process.argv.slice(1)) setFlagsFromString(flag);
  const kept = [];
  const make = (i) => ({ id: 'e-' + i, payload: { i } });
  for (let i = 0; i < 200_000; i++) kept.push(make(i));`;

/** What V8 concludes from how long the objects live that are made at one place. */
function conclusions(flags: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--trace-pretenuring-statistics', '-e', KEEP_MANY, ...flags],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe('the flags of the heap', () => {
  it('keep V8 from concluding where objects are made from how long others lived', () => {
    expect(conclusions([])).toContain('tenure');
    expect(conclusions(HEAP_FLAGS)).toBe('');
  });
});
