import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ConnectorRegistry } from '../../connectors/registry';
import { ActiveDestinations } from '../../destinations/active-destinations';

/** Says at start which destinations get nothing because their connector was taken away. */
@Injectable()
export class MissingConnectors implements OnApplicationBootstrap {
  private readonly logger = new Logger(MissingConnectors.name);

  constructor(
    private readonly destinations: ActiveDestinations,
    private readonly connectors: ConnectorRegistry,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.destinations.refresh();
    for (const { id, name, type } of this.destinations.snapshot.values()) {
      if (this.connectors.get(type) !== undefined) continue;
      this.logger.warn(
        `Connector "${type}" is not installed (CDP_CONNECTORS): the deliveries of destination "${name}" (${id}) wait.`,
      );
    }
  }
}
