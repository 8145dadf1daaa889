import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Deliveries } from '../delivery/deliveries';
import type { NewDeliveries } from '../delivery/delivery-writer';
import { serviceNotice } from '../delivery/new-notices';
import { ActiveDestinations } from '../destinations/active-destinations';
import { Lookout, type Watch } from '../platform/background/lookout';
import { Database, type OpenTransaction } from '../platform/database/database';
import type { Look } from './look';
import { forgetLook, keepTold, readTold, takeLook, type TakenLook, takenLooksSql } from './told';

export const LOOKS = Symbol('LOOKS');

/**
 * Tells the destinations that ask for it what is the matter with the service. Every few seconds one of the processes
 * compares how things are with what was told; what it tells and that it was told are written in one transaction, so
 * each change is told once, whichever process dies when.
 */
@Injectable()
export class ServiceWatch implements OnModuleDestroy {
  private readonly logger = new Logger(ServiceWatch.name);
  private readonly watches: readonly Watch[];

  constructor(
    @Inject(LOOKS) looks: readonly Look[],
    private readonly database: Database,
    private readonly destinations: ActiveDestinations,
    private readonly deliveries: Deliveries,
    lookout: Lookout,
  ) {
    this.watches = looks.map((look) =>
      lookout.watch<TakenLook[]>({
        sql: takenLooksSql,
        act: (taken) => this.takeLookOnceDue(look, taken),
        report: (error) => this.logger.warn(`Operators are told of ${look.name} later: ${String(error)}`),
      }),
    );
  }

  onModuleDestroy(): void {
    for (const watch of this.watches) void watch.stop();
  }

  private async takeLookOnceDue(look: Look, taken: readonly TakenLook[]): Promise<void> {
    const last = taken.find(({ name }) => name === look.name);
    if (last?.isDue === false) return;
    if (this.isAskedFor(look))
      await this.deliveries.enqueue(...(await this.database.transaction((tx) => this.takeLook(look, tx))));
    else if (last !== undefined) await this.database.transaction((tx) => this.forgetIfNobodyAsks(look, tx));
  }

  private isAskedFor({ kinds }: Look): boolean {
    const destinations = [...this.destinations.snapshot.values()];
    return destinations.some(({ notices }) => kinds.some((kind) => notices.includes(kind)));
  }

  private async takeLook(look: Look, tx: OpenTransaction): Promise<readonly NewDeliveries[]> {
    const at = await takeLook(look, tx);
    if (at === undefined) return [];
    const { told, facts } = await look.look(await readTold(look, tx), tx);
    await keepTold(look, told, tx);
    const notices = facts.map((fact) => serviceNotice(fact, at.toISOString()));
    return [(await this.deliveries.announce(notices, tx)).made];
  }

  /** Whoever asks next is told what is the matter by then, and nothing is kept of what is deleted meanwhile. */
  private async forgetIfNobodyAsks(look: Look, tx: OpenTransaction): Promise<void> {
    if ((await takeLook(look, tx)) === undefined) return;
    await this.destinations.refresh(undefined, tx);
    if (this.isAskedFor(look)) return;
    await forgetLook(look, tx);
    await look.forget?.(tx);
  }
}
