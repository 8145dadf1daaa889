import type { Tx } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';

/** A source that has sent nothing for as long as its operator finds strange. */
export interface SilentSource {
  readonly id: string;
  readonly name: string;
  readonly silentAfterMinutes: number;
  /** Within some seconds; null when it has not sent anything yet. */
  readonly lastEventAt: Date | null;
}

// A change of the source, such as to be enabled again, gives it as long as an event.
const readSilentSql = prepared('read_silent_sources')`
  select s.id, s.name, s.silent_after_minutes as "silentAfterMinutes", h.heard_at as "lastEventAt"
  from source s left join source_heard h on h.source_id = s.id
  where s.enabled and greatest(h.heard_at, s.updated_at) < now() - make_interval(mins => s.silent_after_minutes)
  order by s.id`;

export function readSilentSources(tx: Tx): Promise<SilentSource[]> {
  return tx.query<SilentSource>(readSilentSql);
}
