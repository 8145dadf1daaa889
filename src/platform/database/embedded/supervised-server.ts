import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Client, DatabaseError } from 'pg';
import { BootError } from '../../boot/boot-error';
import { killLeftovers, stopServer } from './orphan-server';
import type { ServerUser } from './server-user';

interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** The folder of its cluster, which `args` name as well. */
  readonly clusterPath: string;
  readonly user: ServerUser | undefined;
  /** Where the server's own messages go. */
  readonly logFile: string;
  /** A database that always exists, to see when the server answers. */
  readonly probeUrl: string;
}

/** A server that was killed leaves processes, which need a moment to end; until then a new one refuses. */
const REFUSAL_PATIENCE_MS = 15_000;
const RETRY_PAUSE_MS = 250;
const READY_POLL_MS = 30;
/** One that was stopped in order answers sooner. */
const USUAL_START_MS = 5_000;
/** From then on: each question that comes too early is two lines of the log that the operator is to read. */
const RECOVERY_POLL_MS = 1_000;
/** The class of SQLSTATEs of a server that starts or stops. */
const OPERATOR_INTERVENTION = '57';
/** Not what those are told who ask too early. */
const WHY_IT_ENDED = /(?:FATAL|PANIC): {2}(?!the database system is )|terminated by signal/;
const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** A PostgreSQL process that is started again when it dies, until it is told to stop. */
export class SupervisedServer {
  private readonly logger = new Logger('EmbeddedPostgres');
  private server: ChildProcess | undefined;
  private stopping = false;
  /** Where what the last one that was launched says begins. */
  private logStart = 0;

  constructor(private readonly command: ServerCommand) {
    process.once('exit', this.killOnExit);
  }

  /**
   * Resolves when the server answers.
   * @throws BootError with the server's last words when it does not come up; the reason when it is called off.
   */
  async start(calledOff?: AbortSignal): Promise<void> {
    const giveUpAt = Date.now() + REFUSAL_PATIENCE_MS;
    while (!this.stopping) {
      const server = this.launch();
      if (await this.isReady(server, calledOff)) return this.watch(server);
      if (calledOff?.aborted === true) {
        await this.stop();
        calledOff.throwIfAborted();
      }
      if (this.stopping) return;
      if (Date.now() > giveUpAt)
        throw new BootError(`The embedded PostgreSQL does not start: ${this.lastWords()}`);
      this.endLeftovers();
      await delay(RETRY_PAUSE_MS);
    }
  }

  async stop(): Promise<void> {
    this.stopping = true;
    process.off('exit', this.killOnExit);
    const { server } = this;
    if (server?.pid !== undefined && !hasExited(server)) await stopServer(server.pid);
  }

  private endLeftovers(): void {
    const leftovers = killLeftovers(this.command.clusterPath);
    if (leftovers.length > 0)
      this.logger.warn(
        `Killed what a PostgreSQL that was killed had left (processes ${leftovers.join(', ')})`,
      );
  }

  private launch(): ChildProcess {
    const { program, args, user, logFile } = this.command;
    const logBytes = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    const tooLong = logBytes > MAX_LOG_BYTES;
    this.logStart = tooLong ? 0 : logBytes;
    const log = openSync(logFile, tooLong ? 'w' : 'a', 0o600);
    // Detached: Ctrl-C in a terminal must not reach PostgreSQL before the service has let go of it.
    const server = spawn(program, args, { ...user, cwd: '/', detached: true, stdio: ['ignore', log, log] });
    server.once('error', () => undefined); // It has no process id then, and is never ready.
    closeSync(log);
    this.server = server;
    return server;
  }

  /** Why it ended. What comes after that says only that it did. */
  private lastWords(): string {
    const lines = readFileSync(this.command.logFile).toString('utf8', this.logStart).trimEnd().split('\n');
    return lines.findLast((line) => WHY_IT_ENDED.test(line)) ?? lines.slice(-2).join(' ');
  }

  /** Resolves to whether it answers. One that recovers from a crash takes as long as its log is to read. */
  private async isReady(server: ChildProcess, calledOff?: AbortSignal): Promise<boolean> {
    const isAwaited = (): boolean =>
      server.pid !== undefined && !hasExited(server) && !this.stopping && calledOff?.aborted !== true;
    let pollMs = READY_POLL_MS;
    const patience = setTimeout(() => {
      pollMs = RECOVERY_POLL_MS;
      const why = 'After a crash it first reads what it had logged, which may take minutes';
      this.logger.warn(`PostgreSQL is not ready yet. ${why}: see ${this.command.logFile}`);
    }, USUAL_START_MS);
    try {
      while (isAwaited()) {
        if (await answers(this.command.probeUrl)) return true;
        await delay(pollMs);
      }
      return false;
    } finally {
      clearTimeout(patience);
    }
  }

  private watch(server: ChildProcess): void {
    if (hasExited(server)) return void this.restart();
    server.once('exit', () => void this.restart());
  }

  private async restart(): Promise<void> {
    if (this.stopping) return;
    this.logger.error('PostgreSQL ended unexpectedly, starting it again');
    try {
      await this.start();
      if (!this.stopping) this.logger.log('PostgreSQL is back');
    } catch (error) {
      this.logger.error(error instanceof Error ? error.message : String(error));
      await delay(RETRY_PAUSE_MS);
      void this.restart();
    }
  }

  /** The last resort when this process ends without having called stop(). */
  private readonly killOnExit = (): void => {
    this.stopping = true;
    if (this.server !== undefined && !hasExited(this.server)) this.server.kill('SIGINT');
  };
}

function hasExited(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}

/** Whether it serves; also when it refuses the one who asks, which will be told why by what is asked next. */
async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    return error instanceof DatabaseError && error.code?.startsWith(OPERATOR_INTERVENTION) !== true;
  } finally {
    await client.end().catch(() => undefined);
  }
}
