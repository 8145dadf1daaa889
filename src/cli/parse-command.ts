import { packageVersion } from '../platform/boot/package-version';
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
  if (values.version === true) return { name: 'version', run: () => print(`${packageVersion()}\n`) };
  if (name === 'help') return showHelp(files[0]);
  if (values.help === true) return showHelp(name);
  if (name === undefined) throw new UsageError('Which command?');
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) throw new UsageError(`There is no command cdp ${name}.`);
  demandOwnOptions(command, values);
  return { name, run: runOf(command, values, files) };
}

function showHelp(topic: string | undefined): AskedCommand {
  return { name: 'help', run: () => print(usageOf(topic)) };
}

async function print(text: string): Promise<number> {
  process.stdout.write(text);
  return 0;
}

/** An option that is not looked at would be one that the caller relies on. */
function demandOwnOptions({ name, options }: Command, values: Values): void {
  const own: readonly string[] = options;
  const foreign = Object.keys(values).find((option) => !own.includes(option));
  if (foreign !== undefined) throw new UsageError(`cdp ${name} has no --${foreign}.`, name);
}

/** @throws UsageError for more or fewer files than it takes */
function runOf(
  command: Command,
  values: Values,
  [file, ...others]: readonly string[],
): () => Promise<number> {
  const { name } = command;
  if (others.length > 0 && command.file !== 'none') throw new UsageError(`cdp ${name} takes one FILE.`, name);
  if (command.file === 'required') {
    if (file === undefined) throw new UsageError(`cdp ${name} needs a FILE.`, name);
    return () => command.run(values, file);
  }
  if (file !== undefined && command.file === 'none')
    throw new UsageError(`cdp ${name} takes no FILE: ${file}`, name);
  return () => command.run(values, file);
}
