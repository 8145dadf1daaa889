import type { LoggerService } from '@nestjs/common';
import { type Logger, pino, stdSerializers } from 'pino';
import type { Config } from '../config/config';
import { processSlot } from '../processes/process-slot';
import { textLines } from './text-lines';

/**
 * What Nest tells about its own start: a line per module and route, of no use to an operator. Nest throws its errors as
 * well, and the code that catches them reports them.
 */
const CHATTER = new Set([
  'InstanceLoader',
  'NestFactory',
  'NestApplication',
  'RouterExplorer',
  'RoutesResolver',
]);

/**
 * Nest's logger on pino: JSON lines, or text for people, see `CDP_LOG_FORMAT`.
 * `logger.warn('Delivery failed', { deliveryId, attempt })` logs the message with the fields; an `Error` among
 * the arguments is logged with its stack.
 */
export class PinoLoggerService implements LoggerService {
  private readonly pino: Logger;

  constructor(config: Config) {
    const slot = processSlot();
    const base = slot === undefined ? undefined : { process: slot };
    const options = { level: config.log.level, base, serializers: { err: withoutRows } };
    this.pino = config.log.format === 'json' ? pino(options) : pino(options, textLines(process.stdout));
  }

  log(message: unknown, ...details: unknown[]): void {
    const { fields, message: text } = asRecord(message, details);
    if (!CHATTER.has(String(fields.context))) this.pino.info(fields, text);
  }

  fatal(message: unknown, ...details: unknown[]): void {
    const { fields, message: text } = asRecord(message, details);
    this.pino.fatal(fields, text);
  }

  error(message: unknown, ...details: unknown[]): void {
    const { fields, message: text } = asRecord(message, details);
    if (!CHATTER.has(String(fields.context))) this.pino.error(fields, text);
  }

  warn(message: unknown, ...details: unknown[]): void {
    const { fields, message: text } = asRecord(message, details);
    this.pino.warn(fields, text);
  }

  debug(message: unknown, ...details: unknown[]): void {
    const { fields, message: text } = asRecord(message, details);
    this.pino.debug(fields, text);
  }

  verbose(message: unknown, ...details: unknown[]): void {
    const { fields, message: text } = asRecord(message, details);
    this.pino.trace(fields, text);
  }
}

/**
 * Members in which errors of PostgreSQL and TypeORM have what rows and parameters hold: no deletion would find it in a
 * log.
 */
const OF_ROWS = ['detail', 'where', 'internalQuery', 'parameters', 'driverError'];

function withoutRows(error: Error): object {
  const { raw: _, ...members } = stdSerializers.err(error);
  return Object.fromEntries(Object.entries(members).filter(([name]) => !OF_ROWS.includes(name)));
}

interface LogRecord {
  /** Undefined when it is among the fields, as `msg`. */
  readonly message: string | undefined;
  readonly fields: Record<string, unknown>;
}

/** Nest appends the context, a string, as the last argument; `error` may have a stack, a string too, before it. */
export function asRecord(message: unknown, details: readonly unknown[]): LogRecord {
  const fields: Record<string, unknown> = {};
  const last = details.at(-1);
  const rest = typeof last === 'string' ? details.slice(0, -1) : details;
  if (typeof last === 'string') fields.context = last;
  for (const detail of [message, ...rest]) {
    if (detail instanceof Error) fields.err = detail;
    else if (typeof detail === 'object' && detail !== null) Object.assign(fields, detail);
  }
  const stack = rest.find((detail) => typeof detail === 'string');
  if (stack !== undefined && fields.err === undefined) fields.stack = stack;
  return { message: textOf(message), fields };
}

function textOf(message: unknown): string | undefined {
  if (message instanceof Error) return message.message;
  return typeof message === 'string' ? message : undefined;
}
