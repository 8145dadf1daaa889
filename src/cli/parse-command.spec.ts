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
    ['plan', 'cdp plan needs a FILE.'],
    ['plan --prune', 'cdp plan needs a FILE.'],
    ['apply one.yaml two.yaml', 'cdp apply takes one FILE.'],
    ['types one.yaml two.yaml', 'cdp types takes one FILE.'],
    ['tail Checkout', 'cdp tail takes no FILE: Checkout'],
    ['deploy cdp.yaml', 'There is no command cdp deploy.'],
    ['--json', 'Which command?'],
  ])('says what is wrong with cdp %s', (line, message) => {
    const parse = (): unknown => parseCommand(line.split(' '));
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(message);
  });

  it.each([
    ['plan cdp.yaml --prune --json --plan Shop --source Web --last 5 --fail-on omit', 'plan'],
    ['apply - --prune --json', 'apply'],
    ['types --plan Shop --language kotlin --output Events.kt', 'types'],
    ['tail --json --outcome rejected --user ada', 'tail'],
    ['apply --help', 'help'],
    ['help apply', 'help'],
    ['--version', 'version'],
  ])('takes cdp %s', (line, name) => {
    expect(parseCommand(line.split(' '))).toMatchObject({ name });
  });
});
