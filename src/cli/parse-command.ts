import { parseArgs } from 'node:util';

export const USAGE = `cdp plan   FILE [--prune] [--json]   say what applying FILE would change; exits with 2 if anything
cdp apply  FILE [--prune] [--json]   make the configuration what FILE says
cdp export                           print the configuration
cdp token --bootstrap                print a token with cdp:admin for an hour, to be run on the server of the service

FILE is YAML or JSON, - is the standard input. --prune deletes what the lists of FILE do not hold.
References such as \${env:NAME} in FILE are replaced by variables of the environment.
Set CDP_URL to the address of the service and CDP_TOKEN to a token with the scope cdp:write; 'token' needs neither.
`;

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'export' }
  | { readonly name: 'token' }
  | {
      readonly name: 'plan' | 'apply';
      readonly file: string;
      readonly prune: boolean;
      readonly json: boolean;
    };

/** The command line is not one of ours. */
export class UsageError extends Error {}

/** @throws UsageError */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const [name, file, ...rest] = positionals;
  if (values.help === true || name === 'help') return { name: 'help' };
  if (name === 'export' && file === undefined) return { name };
  if (name === 'token' && file === undefined) {
    if (values.bootstrap === true) return { name };
    throw new UsageError(
      'Tokens come from your identity provider. cdp token --bootstrap makes one without it.',
    );
  }
  if ((name === 'plan' || name === 'apply') && file !== undefined && rest.length === 0) {
    return { name, file, prune: values.prune === true, json: values.json === true };
  }
  throw new UsageError(name === undefined ? 'Which command?' : `Not understood: cdp ${args.join(' ')}`);
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
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
