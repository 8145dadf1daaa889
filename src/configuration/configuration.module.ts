import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../platform/config/config';
import { ConfigurationApplier } from './configuration-applier';
import { ConfigurationController } from './configuration.controller';
import { ConfigurationPlanner } from './configuration-planner';
import { ConfigurationReader } from './configuration-reader';
import { ConfigurationService } from './configuration.service';
import { DestinationPlanner } from './destination-planner';
import { YamlBodies } from './yaml-bodies';

/** Configuration as code. */
@Module({})
export class ConfigurationModule {
  /** @param resources the modules of sources, segments and destinations. */
  static forRoles(config: Config, resources: readonly DynamicModule[]): DynamicModule {
    if (!config.hasRole('management')) return { module: ConfigurationModule };
    return {
      module: ConfigurationModule,
      imports: [...resources],
      controllers: [ConfigurationController],
      providers: [
        ConfigurationApplier,
        ConfigurationPlanner,
        ConfigurationReader,
        ConfigurationService,
        DestinationPlanner,
        YamlBodies,
      ],
    };
  }
}
