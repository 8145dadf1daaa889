import { parseArgs } from 'node:util';
import { BootError } from '../platform/boot/boot-error';
import type { Asked } from './choose-trials';
import { COMMANDS, type CommandName, NO_OTHER_TOKENS } from './usage';

/** `cdp plan`. */
export interface PlanCommand {
  readonly name: 'plan';
  readonly file: string;
  readonly prune: boolean;
  readonly json: boolean;
  readonly asked: Asked;
  /** How many stored events tracking plans are tried on; none when 0. */
  readonly last: number;
  readonly failOn: FailOn | undefined;
}

/** `cdp types`. */
export interface TypesCommand {
  readonly name: 'types';
  /** The service is asked when there is none. */
  readonly file: string | undefined;
  readonly plan: string | undefined;
  readonly language: string;
  readonly output: string | undefined;
}

export type Command =
  | { readonly name: 'help'; readonly topic: CommandName | undefined }
  | { readonly name: 'export' }
  | { readonly name: 'token' }
  | { readonly name: 'import-plan'; readonly file: string }
  | { readonly name: 'tail'; readonly query: URLSearchParams; readonly json: boolean }
  | { readonly name: 'apply'; readonly file: string; readonly prune: boolean; readonly json: boolean }
  | PlanCommand
  | TypesCommand;

/** From the weakest to the strongest. */
const FAIL_ON = ['observe', 'omit', 'quarantine', 'block'] as const;
type FailOn = (typeof FAIL_ON)[number];

const DEFAULT_LAST = 10_000;

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

type Option = keyof Values;
const OPTIONS: Readonly<Record<CommandName, readonly Option[]>> = {
  plan: ['prune', 'json', 'plan', 'source', 'last', 'fail-on'],
  apply: ['prune', 'json'],
  export: [],
  'import-plan': [],
  types: ['plan', 'language', 'output'],
  tail: ['json', ...(Object.keys(TAIL_PARAMETERS) as TailOption[])],
  token: ['bootstrap'],
};

/** The command line is not one of ours. */
export class UsageError extends Error {}

/** @throws UsageError, BootError when the value of an option is none */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const [name, file, ...rest] = positionals;
  if (name === 'help') return { name, topic: commandName(file) };
  if (values.help === true) return { name: 'help', topic: commandName(name) };
  demandOwnOptions(commandName(name), values);
  if (name === 'export' && file === undefined) return { name };
  if (name === 'tail' && file === undefined) {
    return { name, query: tailQuery(values), json: values.json === true };
  }
  if (name === 'token' && file === undefined) {
    if (values.bootstrap === true) return { name };
    throw new UsageError(`cdp token --bootstrap prints the first token. ${NO_OTHER_TOKENS}`);
  }
  if (name === 'types' && rest.length === 0) {
    const { plan, language = 'typescript', output } = values;
    return { name, file, plan, language, output };
  }
  const [prune, json] = [values.prune === true, values.json === true];
  if (file !== undefined && rest.length === 0) {
    if (name === 'import-plan') return { name, file };
    if (name === 'apply') return { name, file, prune, json };
    if (name === 'plan') return { name, file, prune, json, ...readTrial(values) };
  }
  throw new UsageError(name === undefined ? 'Which command?' : `Not understood: cdp ${args.join(' ')}`);
}

function commandName(text: string | undefined): CommandName | undefined {
  return text !== undefined && text in COMMANDS ? (text as CommandName) : undefined;
}

/** An option that is not looked at would be one that the caller relies on. */
function demandOwnOptions(command: CommandName | undefined, values: Values): void {
  const foreign = Object.keys(values).find(
    (option) => command && !OPTIONS[command].includes(option as Option),
  );
  if (foreign !== undefined) throw new UsageError(`cdp ${command} has no --${foreign}.`);
}

function readTrial(values: Values): Pick<PlanCommand, 'asked' | 'last' | 'failOn'> {
  const { plan, source, last = String(DEFAULT_LAST) } = values;
  if (!/^\d+$/.test(last)) throw new BootError(`--last: ${last} is no number of events.`);
  const failOn = FAIL_ON.find((one) => one === values['fail-on']);
  if (failOn === undefined && values['fail-on'] !== undefined) {
    throw new BootError(`--fail-on: ${values['fail-on']} is none of ${FAIL_ON.join(', ')}.`);
  }
  return { asked: { plan, source }, last: Number(last), failOn };
}

function tailQuery(values: Values): URLSearchParams {
  const query = new URLSearchParams();
  for (const [option, parameter] of Object.entries(TAIL_PARAMETERS)) {
    const value = values[option as TailOption];
    if (value !== undefined) query.set(parameter, value);
  }
  return query;
}

type Values = ReturnType<typeof parse>['values'];

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
        plan: { type: 'string' },
        last: { type: 'string' },
        'fail-on': { type: 'string' },
        language: { type: 'string' },
        output: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' ? new BootError(message) : new UsageError(message);
  }
}
