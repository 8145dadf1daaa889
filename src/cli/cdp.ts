#!/usr/bin/env node
import { reportBootFailure } from '../platform/boot/report-boot-failure';
import { type Command, parseCommand, USAGE, usageOf, UsageError } from './parse-command';

/** For CI: `plan` answers 2 when something would change, everything answers 1 when it fails. */
const EXIT_CHANGES = 2;
const EXIT_FAILED = 1;

/**
 * `cdp plan|apply|export`: the configuration as a document. `cdp tail`: what comes in. `cdp token --bootstrap`: the first
 * token. A command loads what it needs and no more: the whole service takes seconds.
 */
async function run(): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  switch (command.name) {
    case 'help':
      process.stdout.write(usageOf(command.topic));
      return 0;
    case 'token': {
      const { makeBootstrapToken } = await import('./bootstrap-token.js');
      process.stdout.write(`${await makeBootstrapToken()}\n`);
      return 0;
    }
    case 'tail': {
      const { clientEnvironment } = await import('../platform/config/client-environment.js');
      const { showTail } = await import('./show-tail.js');
      return showTail(clientEnvironment(), command);
    }
    default:
      return configure(command);
  }
}

async function configure(
  command: Extract<Command, { readonly name: 'export' | 'plan' | 'apply' }>,
): Promise<number> {
  const { clientEnvironment } = await import('../platform/config/client-environment.js');
  const { ConfigClient } = await import('./config-client.js');
  const environment = clientEnvironment();
  const client = new ConfigClient(environment);
  if (command.name === 'export') {
    process.stdout.write(await client.export());
    return 0;
  }
  const { readDocument } = await import('./read-document.js');
  const { document, unset } = await readDocument(command.file, (name) => environment.lookUp(name));
  if (unset.length > 0) {
    const names = unset.join(', ');
    process.stderr.write(
      `Not set: ${names}. Secrets that a destination already has stay, anything else needs them.\n`,
    );
  }
  const result = await client.apply(document, { dryRun: command.name === 'plan', prune: command.prune });
  const { describeChanges } = await import('./describe-changes.js');
  process.stdout.write(command.json ? `${JSON.stringify(result, null, 2)}\n` : describeChanges(result));
  return command.name === 'plan' && result.changes.length > 0 ? EXIT_CHANGES : 0;
}

run().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}`);
    else reportBootFailure(error);
    process.exitCode = EXIT_FAILED;
  },
);
