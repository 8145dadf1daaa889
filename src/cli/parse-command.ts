import { parseArgs } from 'node:util';

const COMMANDS = {
  plan: 'cdp plan   FILE [--prune] [--json]   say what applying FILE would change; exits with 2 if anything',
  apply: 'cdp apply  FILE [--prune] [--json]   make the configuration what FILE says',
  export: 'cdp export                           print the configuration',
  tail: 'cdp tail   [filter] [--json]         show events as they come in, accepted and rejected',
  token:
    'cdp token --bootstrap                print a token with cdp:admin for an hour, to be run on the server of the service',
};
type CommandName = keyof typeof COMMANDS;

const OF_FILES = `FILE is YAML or JSON, - is the standard input. --prune deletes what the lists of FILE do not hold.
References such as \${env:NAME} in FILE are replaced by variables of the environment.`;
const OF_FILTER = `The filter of tail: --outcome accepted|rejected, --source ID, --type TYPE, --name NAME (* stands for any characters),
--user ID, --anonymous ID, --segment ID, --filter JSON (as a destination has it); all parts must hold.`;
const OF_ENVIRONMENT = `Set CDP_URL to the address of the service (in development http://localhost:3000 without it) and CDP_TOKEN to a token
with the scope cdp:write, for tail and export cdp:read (in development: npm run -s token).`;

/** All commands. */
export const USAGE = text(
  ...Object.values(COMMANDS),
  '',
  OF_FILES,
  OF_FILTER,
  OF_ENVIRONMENT,
  "'token' needs neither.",
);

/** What `cdp <command> --help` prints; without a command, all of them. */
export function usageOf(topic: CommandName | undefined): string {
  switch (topic) {
    case undefined:
      return USAGE;
    case 'plan':
    case 'apply':
      return text(COMMANDS[topic], '', OF_FILES, OF_ENVIRONMENT);
    case 'export':
      return text(COMMANDS.export, '', OF_ENVIRONMENT);
    case 'tail':
      return text(COMMANDS.tail, '', OF_FILTER, OF_ENVIRONMENT);
    case 'token':
      return text(COMMANDS.token, '', NO_OTHER_TOKENS);
  }
}

const NO_OTHER_TOKENS =
  'Other tokens come from your identity provider; in development npm run token prints one, with all scopes.';

function text(...lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

export type Command =
  | { readonly name: 'help'; readonly topic: CommandName | undefined }
  | { readonly name: 'export' }
  | { readonly name: 'token' }
  | { readonly name: 'tail'; readonly query: URLSearchParams; readonly json: boolean }
  | {
      readonly name: 'plan' | 'apply';
      readonly file: string;
      readonly prune: boolean;
      readonly json: boolean;
    };

/** Options of `tail`, and the parameters of `GET /events/tail` that they are. */
const TAIL_PARAMETERS = {
  outcome: 'outcome',
  source: 'sourceId',
  type: 'type',
  name: 'name',
  user: 'userId',
  anonymous: 'anonymousId',
  segment: 'segmentId',
  filter: 'filter',
} as const;
type TailOption = keyof typeof TAIL_PARAMETERS;

/** The command line is not one of ours. */
export class UsageError extends Error {}

/** @throws UsageError */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const [name, file, ...rest] = positionals;
  if (name === 'help') return { name, topic: commandName(file) };
  if (values.help === true) return { name: 'help', topic: commandName(name) };
  if (name === 'export' && file === undefined) return { name };
  if (name === 'tail' && file === undefined) {
    return { name, query: tailQuery(values), json: values.json === true };
  }
  if (name === 'token' && file === undefined) {
    if (values.bootstrap === true) return { name };
    throw new UsageError(`cdp token --bootstrap prints the first token. ${NO_OTHER_TOKENS}`);
  }
  if ((name === 'plan' || name === 'apply') && file !== undefined && rest.length === 0) {
    return { name, file, prune: values.prune === true, json: values.json === true };
  }
  throw new UsageError(name === undefined ? 'Which command?' : `Not understood: cdp ${args.join(' ')}`);
}

function commandName(text: string | undefined): CommandName | undefined {
  return text !== undefined && text in COMMANDS ? (text as CommandName) : undefined;
}

function tailQuery(values: Partial<Record<TailOption, string>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [option, parameter] of Object.entries(TAIL_PARAMETERS)) {
    const value = values[option as TailOption];
    if (value !== undefined) query.set(parameter, value);
  }
  return query;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        prune: { type: 'boolean' },
        json: { type: 'boolean' },
        bootstrap: { type: 'boolean' },
        outcome: { type: 'string' },
        source: { type: 'string' },
        type: { type: 'string' },
        name: { type: 'string' },
        user: { type: 'string' },
        anonymous: { type: 'string' },
        segment: { type: 'string' },
        filter: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
