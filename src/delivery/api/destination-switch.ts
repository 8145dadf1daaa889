import { Injectable } from '@nestjs/common';
import { DestinationsService } from '../../destinations/destinations.service';
import { Database } from '../../platform/database/database';

const pauseSql = `
  update destination set enabled = false, version = version + 1, updated_at = now() where id = $1 and enabled`;
// The trigger destination_switch_tr forgets its breaker, and why the service disabled it.
const resumeSql = `
  update destination set enabled = true, version = version + 1, updated_at = now() where id = $1 and not enabled`;

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
