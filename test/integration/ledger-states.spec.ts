import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesOf } from '../support/sql-state-changes';

const LEDGER = join(__dirname, '../../src/delivery/ledger');
const PREPARED = '../../src/platform/database/statements/prepared';
const PRUNED = '../../src/delivery/ledger/pruned-statement';

type Prepared = typeof import('../../src/platform/database/statements/prepared');
type Pruned = typeof import('../../src/delivery/ledger/pruned-statement');

const files = readdirSync(LEDGER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file, source: readFileSync(join(LEDGER, file), 'utf8') }));

describe('the statements of the ledger', () => {
  const texts = textsByName();

  it.each(files.filter(({ source }) => source.includes('@transition ')))(
    'change states as $file says',
    ({ source }) => {
      const own = [...texts].filter(([name]) => source.includes(`'${name}'`)).map(([, text]) => text);
      const told = [...source.matchAll(/@transition (.* --> \S+)/g)].map(([, change]) => change);
      expect(new Set(told)).toEqual(new Set(own.flatMap(changesOf)));
    },
  );

  it('are all known', () => {
    const writing = [...texts.values()].filter((text) => changesOf(text).length > 0);
    expect(writing.length).toBeGreaterThan(30);
  });
});

/** The texts of the statements, put together from their parts as at run time. */
function textsByName(): Map<string, string> {
  const texts = new Map<string, string>();
  jest.doMock(PREPARED, () => {
    const actual: Prepared = jest.requireActual(PREPARED);
    const prepared: Prepared['prepared'] =
      (name, options) =>
      (parts, ...values) => {
        const statement = actual.prepared(name, options)(parts, ...values);
        texts.set(name, statement.text);
        return statement;
      };
    return { ...actual, prepared };
  });
  jest.doMock(PRUNED, () => {
    const actual: Pruned = jest.requireActual(PRUNED);
    const prunedStatement: Pruned['prunedStatement'] = (name, textFor) => {
      texts.set(name, textFor('$from'));
      return actual.prunedStatement(name, textFor);
    };
    return { ...actual, prunedStatement };
  });
  for (const { file, source } of files)
    if (source.includes('@transition ')) jest.requireActual(join(LEDGER, file));
  return texts;
}
