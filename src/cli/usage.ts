import { COMMANDS } from './commands';
import { OF_ENVIRONMENT } from './help-texts';

const VERSION = 'cdp --version                                print the version of this service';

/** What `cdp <command> --help` prints; for any other name, or none, of all commands. */
export function usageOf(name: string | undefined): string {
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) {
    const help = new Set(COMMANDS.flatMap((one) => one.help));
    const exceptions = "'import-plan', 'types' with a FILE and 'token' need neither.";
    return text(...COMMANDS.map(({ usage }) => usage), VERSION, '', ...help, OF_ENVIRONMENT, exceptions);
  }
  const { usage, help, ownHelp, needsService } = command;
  return text(usage, '', ...help, ...(ownHelp ? [ownHelp] : []), ...(needsService ? [OF_ENVIRONMENT] : []));
}

function text(...lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
