import { parseArgs } from 'node:util';
import { BootError } from '../platform/boot/boot-error';

/** The command line is not one of ours. */
export class UsageError extends Error {
  /** @param command whose help says what would be; without it that of all */
  constructor(
    message: string,
    readonly command?: string,
  ) {
    super(message);
  }
}

/** Of any command. */
const OPTIONS = {
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
  version: { type: 'boolean' },
} as const;

export type Option = keyof typeof OPTIONS;
export type Values = ReturnType<typeof parseOptions>['values'];

/** @throws UsageError, BootError when an option lacks its value */
export function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' ? new BootError(message) : new UsageError(message);
  }
}
