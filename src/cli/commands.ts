import { BootError } from '../platform/boot/boot-error';
import type { ClientEnvironment } from '../platform/config/client-environment';
import { NO_OTHER_TOKENS, OF_FILES, OF_FILTER, OF_IMPORTS, OF_TRIALS, OF_TYPES } from './help-texts';
import { type Option, UsageError, type Values } from './options';
import type { PlanCommand } from './show-plan';

/** A command of `cdp`. It loads what it needs when it runs, and no more: the whole service takes seconds. */
export type Command = {
  readonly name: string;
  /** Its line in the help. */
  readonly usage: string;
  /** What the help says of it below, that of all commands too. */
  readonly help: readonly string[];
  /** What only its own help says. */
  readonly ownHelp?: string;
  /** Whether it talks to a service, so that its help says how it finds one. */
  readonly needsService: boolean;
  readonly options: readonly Option[];
} & (
  | {
      readonly file: 'required';
      /** Returns the exit code. */
      readonly run: (values: Values, file: string) => Promise<number>;
    }
  | {
      readonly file: 'optional' | 'none';
      readonly run: (values: Values, file: string | undefined) => Promise<number>;
    }
);

/** From the weakest to the strongest. */
const FAIL_ON = ['observe', 'omit', 'quarantine', 'block'] as const;
export type FailOn = (typeof FAIL_ON)[number];

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
const TAIL_OPTIONS = Object.keys(TAIL_PARAMETERS) as (keyof typeof TAIL_PARAMETERS)[];

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'plan',
    usage:
      'cdp plan   FILE [trial] [--prune] [--json]   say what applying FILE would change, and try its tracking plans',
    help: [OF_FILES, OF_TRIALS],
    needsService: true,
    options: ['prune', 'json', 'plan', 'source', 'last', 'fail-on'],
    file: 'required',
    run: async (values, file) => {
      const trial = readTrial(values);
      const { showPlan } = await import('./show-plan.js');
      return showPlan(await serviceOf(), { file, ...flagsOf(values), ...trial });
    },
  },
  {
    name: 'apply',
    usage: 'cdp apply  FILE [--prune] [--json]           make the configuration what FILE says',
    help: [OF_FILES],
    needsService: true,
    options: ['prune', 'json'],
    file: 'required',
    run: async (values, file) => {
      const { apply } = await import('./apply.js');
      return apply(await serviceOf(), { file, ...flagsOf(values) });
    },
  },
  {
    name: 'export',
    usage: 'cdp export                                   print the configuration',
    help: [],
    needsService: true,
    options: [],
    file: 'none',
    run: async () => {
      const { ManagementClient } = await import('./management-client.js');
      process.stdout.write(await new ManagementClient(await serviceOf()).export());
      return 0;
    },
  },
  {
    name: 'import-plan',
    usage:
      'cdp import-plan FILE                         make a document of a tracking plan of Segment or RudderStack',
    help: [],
    ownHelp: OF_IMPORTS,
    needsService: false,
    options: [],
    file: 'required',
    run: async (_values, file) => {
      const { printImport } = await import('./print-import.js');
      return printImport(file);
    },
  },
  {
    name: 'types',
    usage:
      'cdp types  [FILE] [--plan NAME] [--language L]   print types for developers of what a tracking plan describes',
    help: [OF_TYPES],
    needsService: true,
    options: ['plan', 'language', 'output'],
    file: 'optional',
    run: async ({ plan, language = 'typescript', output }, file) => {
      const { printTypes } = await import('./print-types.js');
      return printTypes({ file, plan, language, output });
    },
  },
  {
    name: 'tail',
    usage:
      'cdp tail   [filter] [--json]                 show events as they come in, whatever becomes of them',
    help: [OF_FILTER],
    needsService: true,
    options: ['json', ...TAIL_OPTIONS],
    file: 'none',
    run: async (values) => {
      const { showTail } = await import('./show-tail.js');
      return showTail(await serviceOf(), { query: tailQuery(values), json: values.json === true });
    },
  },
  {
    name: 'token',
    usage:
      'cdp token --bootstrap                        print a token with cdp:admin for an hour, to be run on the server of the service',
    help: [],
    ownHelp: NO_OTHER_TOKENS,
    needsService: false,
    options: ['bootstrap'],
    file: 'none',
    run: async ({ bootstrap }) => {
      if (bootstrap !== true) {
        throw new UsageError(`cdp token --bootstrap prints the first token. ${NO_OTHER_TOKENS}`, 'token');
      }
      const { makeBootstrapToken } = await import('./bootstrap-token.js');
      process.stdout.write(`${await makeBootstrapToken()}\n`);
      return 0;
    },
  },
];

async function serviceOf(): Promise<ClientEnvironment> {
  const { clientEnvironment } = await import('../platform/config/client-environment.js');
  return clientEnvironment();
}

function flagsOf({ prune = false, json = false }: Values): Pick<PlanCommand, 'prune' | 'json'> {
  return { prune, json };
}

/** @throws BootError when the value of an option is none */
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
  for (const option of TAIL_OPTIONS) {
    const value = values[option];
    if (value !== undefined) query.set(TAIL_PARAMETERS[option], value);
  }
  return query;
}
