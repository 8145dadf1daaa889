import { problemText } from '../platform/http/problems/problem-text';
import { printable } from './describe-event';

/** Why there is no answer. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** What an answer says that is a problem: one line per thing that is wrong, each with its path in the document. */
export function messageOf(text: string): string {
  try {
    const {
      code,
      message,
      errors = [],
    } = JSON.parse(text) as {
      code: string;
      message: string;
      errors?: Fault[];
    };
    if (errors.length === 0) return printable(`${message} (${code})`);
    return linesOf(code, errors);
  } catch {
    return text.slice(0, 500).split(/\r?\n/).map(printable).join('\n'); // Not from the service: something in between answered.
  }
}

/** One thing that is wrong, and where. */
interface Fault {
  readonly path: string;
  readonly message: string;
}

export function linesOf(title: string, faults: readonly Fault[]): string {
  return [title, ...faults.map((fault) => `  ${problemText(fault)}`)].map(printable).join('\n');
}
