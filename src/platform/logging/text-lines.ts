import { Writable } from 'node:stream';

const LEVELS: Record<number, string> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO ',
  40: 'WARN ',
  50: 'ERROR',
  60: 'FATAL',
};
const COLORS: Record<number, number> = { 40: 33, 50: 31, 60: 31 };

interface LogRecord {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly context?: string;
  readonly err?: { readonly stack?: string };
  readonly stack?: string;
  readonly [field: string]: unknown;
}

/** Where pino writes when a person reads: turns its JSON lines into `12:00:01 WARN  [Context] message field=value`. */
export function textLines(output: NodeJS.WriteStream): Writable {
  const colors = output.isTTY;
  return new Writable({
    decodeStrings: false,
    write(line: string | Buffer, _encoding, done) {
      output.write(`${asText(JSON.parse(line.toString()) as LogRecord, colors)}\n`, () => done());
    },
  });
}

/** One record of pino as a line for people; the stack of an error follows on lines of its own. */
export function asText(record: LogRecord, colors: boolean): string {
  const { level, time, msg, context, err, stack = err?.stack, ...fields } = record;
  const clock = new Date(time).toISOString().slice(11, 19);
  const label = paint(LEVELS[level] ?? String(level), colors ? COLORS[level] : undefined);
  const where = context === undefined ? '' : ` [${context}]`;
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${asValue(value)}`);
  const below = stack === undefined ? '' : `\n${stack}`;
  return `${clock} ${label}${where} ${msg ?? ''}${rest.join('')}${below}`;
}

function asValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function paint(text: string, color: number | undefined): string {
  return color === undefined ? text : `\u001b[${color}m${text}\u001b[0m`;
}
