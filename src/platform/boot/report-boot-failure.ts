import { InvalidConfigError } from '../config/invalid-config-error';
import { BootError } from './boot-error';

/** Says why the process does not start: one line when the operator can help, the whole error when it is a bug. */
export function reportBootFailure(error: unknown): void {
  const known = error instanceof BootError || error instanceof InvalidConfigError;
  process.stderr.write(`${known ? error.message : describe(error)}\n`);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
