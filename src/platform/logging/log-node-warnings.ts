import { Logger } from '@nestjs/common';

/** Has warnings of Node.js and of libraries (`process.emitWarning`) logged; Node.js prints them as text. */
export function logNodeWarnings(): void {
  // None where they are switched off, as by `--no-warnings`.
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, ...rest }) => {
    const code = 'code' in rest ? rest.code : undefined;
    Logger.warn(message, { name, code }, 'Node.js');
  });
}
