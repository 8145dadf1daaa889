import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Lookout, type Watch } from '../../platform/background/lookout';
import { Database } from '../../platform/database/database';
import { refusesValues } from '../../platform/database/failure';
import { anyDueSql, beginHookTurns, type HookRequest } from '../requests/hook-turns';
import { HookEvents } from './hook-events';
import { HookReport } from './hook-report';
import { type FailedHook, HookSettling, type MadeEvents } from './settle-hooks';

/**
 * Makes events of the requests that others have posted. A request waits in PostgreSQL; whoever looks first has its turn,
 * and a turn that does not end is given to another worker.
 */
@Injectable()
export class HookProcessor implements OnModuleDestroy {
  private readonly logger = new Logger(HookProcessor.name);
  private readonly watch: Watch;

  constructor(
    private readonly database: Database,
    private readonly events: HookEvents,
    private readonly settling: HookSettling,
    private readonly report: HookReport,
    lookout: Lookout,
  ) {
    this.watch = lookout.watch<boolean>({
      sql: anyDueSql,
      act: async (isAny) => isAny && this.processAll(),
      report: (error) => this.logger.warn(`Webhooks are processed later: ${String(error)}`),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.watch.stop();
  }

  private async processAll(): Promise<void> {
    let requests: HookRequest[];
    do {
      requests = await beginHookTurns(this.database);
      await this.process(requests);
    } while (requests.length > 0 && !this.watch.stopping);
  }

  private async process(requests: readonly HookRequest[]): Promise<void> {
    const outcomes = await Promise.all(requests.map((request) => this.events.of(request)));
    const made = outcomes.filter((outcome): outcome is MadeEvents => outcome.failure === undefined);
    for (const outcome of outcomes) if (outcome.failure !== undefined) await this.fail(outcome);
    if (made.length > 0) await this.store(made);
  }

  /** What PostgreSQL refuses is found by storing each alone. */
  private async store(made: readonly MadeEvents[]): Promise<void> {
    try {
      for (const settled of await this.settling.storeAll(made)) this.report.stored(settled);
    } catch (error) {
      const [only] = made;
      if (!refusesValues(error) || only === undefined) throw error;
      if (made.length > 1) for (const one of made) await this.store([one]);
      else await this.fail(notStorable(only));
    }
  }

  private async fail(outcome: FailedHook): Promise<void> {
    if (await this.settling.fail(outcome)) this.report.failed(outcome);
  }
}

function notStorable({ request, source }: MadeEvents): FailedHook {
  const code = 'event_not_storable';
  const problems = [{ code, path: '', message: 'The store refused its events. Please report it.' }];
  return { request, source, failure: { code, problems, subjects: [] }, noted: false };
}
