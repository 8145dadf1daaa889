// Runs a measuring script as a process and passes on its lines of JSON.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Resolves with the script's `result`. `onLine` sees every other line. */
export async function runMeasurement(script, options, onLine = () => undefined, nodeArgs = []) {
  const child = spawn('node', [...nodeArgs, script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let result;
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line);
    if (message.result === undefined) onLine(message);
    else result = message.result;
  }
  if (result === undefined) throw new Error(`${script} ended without a result.`);
  return result;
}
