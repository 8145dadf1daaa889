import { Injectable } from '@nestjs/common';
import { DestinationRepository } from '../../destinations/destination.repository';

const noteSwitchSql = `
  insert into destination_health as h (destination_id, switched_at) values ($1, now())
  on conflict (destination_id) do update set switched_at = excluded.switched_at`;
const forgetHealthSql = `
  update destination_health set breaker = 'closed', reason = null, since = now(), probe_at = null, probes = 0,
    disabled_reason = null, disabled_at = null
  where destination_id = $1`;

/** However an operator switches a destination on again, what was known of its health is past. */
@Injectable()
export class SwitchedDestinations {
  constructor(destinations: DestinationRepository) {
    destinations.whenSwitched(async (destinationId, enabled, tx) => {
      await tx.query(noteSwitchSql, [destinationId]);
      if (enabled) await tx.query(forgetHealthSql, [destinationId]);
    });
  }
}
