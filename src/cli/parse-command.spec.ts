import { UsageError } from './options';
import { parseCommand } from './parse-command';

describe('the command line', () => {
  it.each([
    'apply cdp.yaml --fail-on block',
    'export --json',
    'import-plan plan.json --prune',
    'types --last 5',
    'tail --prune',
    'token --bootstrap --json',
  ])('refuses an option that is of another command: cdp %s', (line) => {
    const option = /--(?!bootstrap)[a-z-]+/.exec(line)?.[0];
    const parse = (): unknown => parseCommand(line.split(' '));
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(`cdp ${line.split(' ')[0]} has no ${option}.`);
  });

  it.each([
    ['plan cdp.yaml --prune --json --plan Shop --source Web --last 5 --fail-on omit', 'plan'],
    ['apply - --prune --json', 'apply'],
    ['types --plan Shop --language kotlin --output Events.kt', 'types'],
    ['tail --json --outcome rejected --user ada', 'tail'],
    ['apply --help', 'help'],
  ])('takes cdp %s', (line, name) => {
    expect(parseCommand(line.split(' '))).toMatchObject({ name });
  });
});
