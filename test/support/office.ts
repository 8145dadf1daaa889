import { Database } from '../../src/platform/database/database';
import type { ApiClient } from './api-client';
import { eventually } from './eventually';
import { Receiver } from './receiver';
import type { TestService } from './test-service';

/** A notice as a receiver gets it. */
export interface ReceivedNotice {
  readonly type: string;
  readonly event: string;
  readonly messageId: string;
  readonly text: string;
  readonly properties: Record<string, unknown>;
}

/** A receiver at which operators are told. */
export class Office {
  private constructor(readonly receiver: Receiver) {}

  static async open(): Promise<Office> {
    return new Office(await Receiver.start());
  }

  /** Makes a destination that gets these notices here, and no events. */
  async ask(api: ApiClient, notices: readonly string[]): Promise<{ id: string; config: { secret: string } }> {
    const { body } = await api.post('/destinations', {
      name: `Office ${Math.random()}`,
      type: 'webhook',
      config: { url: this.receiver.url },
      filter: { types: [] },
      notices,
    });
    return body;
  }

  /** In the order in which they came. */
  get told(): ReceivedNotice[] {
    return this.receiver.received.map(({ body }) => JSON.parse(body) as ReceivedNotice);
  }

  /** Waits for exactly these notices. */
  untilTold(...events: string[]): Promise<ReceivedNotice[]> {
    return eventually(() => {
      if (this.told.map(({ event }) => event).join() !== events.join()) {
        throw new Error(`Told so far: ${JSON.stringify(this.told)}`);
      }
      return this.told;
    });
  }

  close(): Promise<void> {
    return this.receiver.stop();
  }
}

// The statement that has taken a look still answers when the next one would have been.
const lookOftenSql = `
  create function look_often() returns trigger language plpgsql as
  $$ begin update notice_look set due_at = now() where name = new.name; return null; end $$;
  create trigger look_often after insert or update on notice_look for each row when (new.due_at > now())
  execute function look_often()`;

/** From now on there is a look every second, whatever its usual time. */
export async function lookOften(service: TestService): Promise<void> {
  await service.app.get(Database).query(lookOftenSql);
}

const makeDueSql = `
  insert into notice_look (name, due_at) values ($1, '-infinity')
  on conflict (name) do update set due_at = excluded.due_at`;
const lookedSql = `select from notice_look where name = $1 and due_at > '-infinity'`;

/** Until all that is there now was looked at. The looks are due at once: nobody waits for their usual time. */
export async function untilLookedTwice(service: TestService, look: string): Promise<void> {
  const database = service.app.get(Database);
  for (let looks = 0; looks < 3; looks += 1) {
    await database.query(makeDueSql, [look]);
    await eventually(async () => expect(await database.query(lookedSql, [look])).toHaveLength(1));
  }
}
