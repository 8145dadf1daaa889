import { Injectable } from '@nestjs/common';
import { DestinationsService } from '../../destinations/destinations.service';
import { Database } from '../../platform/database/database';

const pauseSql = `
  update destination set enabled = false, version = version + 1, updated_at = now() where id = $1 and enabled`;
const resumeSql = `
  with resumed as (
    update destination set enabled = true, version = version + 1, updated_at = now() where id = $1 and not enabled
    returning id
  )
  update destination_health set breaker = 'closed', reason = null, since = now(), probe_at = null, probes = 0,
    disabled_reason = null, disabled_at = null
  where destination_id in (select id from resumed)`;

/** Pauses and resumes destinations. While one is paused its deliveries wait; nothing is lost. */
@Injectable()
export class DestinationSwitch {
  constructor(
    private readonly database: Database,
    private readonly destinations: DestinationsService,
  ) {}

  /** @throws DestinationNotFoundError */
  async pause(destinationId: string): Promise<void> {
    await this.destinations.findOne(destinationId);
    await this.database.query(pauseSql, [destinationId]);
  }

  /** Also after the service disabled it. @throws DestinationNotFoundError */
  async resume(destinationId: string): Promise<void> {
    await this.destinations.findOne(destinationId);
    await this.database.query(resumeSql, [destinationId]);
  }
}
