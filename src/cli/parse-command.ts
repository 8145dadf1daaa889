import { type Command, COMMANDS } from './commands';
import { parseOptions, UsageError, type Values } from './options';
import { usageOf } from './usage';

/** What was asked for. */
export interface AskedCommand {
  readonly name: string;
  /** Returns the exit code. @throws UsageError, BootError */
  readonly run: () => Promise<number>;
}

/** @throws UsageError, BootError when an option lacks its value */
export function parseCommand(args: readonly string[]): AskedCommand {
  const { values, positionals } = parseOptions(args);
  const [name, ...files] = positionals;
  if (name === 'help') return showHelp(files[0]);
  if (values.help === true) return showHelp(name);
  const command = COMMANDS.find((one) => one.name === name);
  if (command !== undefined) demandOwnOptions(command, values);
  const run = command && runOf(command, values, files);
  if (command !== undefined && run !== undefined) return { name: command.name, run };
  throw new UsageError(name === undefined ? 'Which command?' : `Not understood: cdp ${args.join(' ')}`);
}

function showHelp(topic: string | undefined): AskedCommand {
  return {
    name: 'help',
    run: async () => {
      process.stdout.write(usageOf(topic));
      return 0;
    },
  };
}

/** An option that is not looked at would be one that the caller relies on. */
function demandOwnOptions({ name, options }: Command, values: Values): void {
  const own: readonly string[] = options;
  const foreign = Object.keys(values).find((option) => !own.includes(option));
  if (foreign !== undefined) throw new UsageError(`cdp ${name} has no --${foreign}.`);
}

/** Undefined for more or fewer files than it takes. */
function runOf(
  command: Command,
  values: Values,
  [file, ...others]: readonly string[],
): (() => Promise<number>) | undefined {
  if (others.length > 0) return undefined;
  if (command.file === 'required') return file === undefined ? undefined : () => command.run(values, file);
  return file !== undefined && command.file === 'none' ? undefined : () => command.run(values, file);
}
