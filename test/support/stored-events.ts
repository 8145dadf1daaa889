import type { CustomerEvent, Subject } from '../../src/events/customer-event';
import { EventStore } from '../../src/events/event-store';
import { Database } from '../../src/platform/database/database';
import type { TestService } from './test-service';

/** The stored events of a subject, in order of arrival. */
export async function storedEvents(service: TestService, subject: Subject): Promise<CustomerEvent[]> {
  const database = service.app.get(Database);
  const keys = await database.query<{ subject: Subject; timestamp: string; id: string }>(
    `select subject, to_json("timestamp") #>> '{}' as "timestamp", id from event where subject = $1 order by id`,
    [subject],
  );
  return service.app.get(EventStore).readEvents(keys, database);
}
