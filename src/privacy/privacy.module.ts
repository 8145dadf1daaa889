import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../platform/config/config';
import { ProfilesModule } from '../profiles/profiles.module';
import { Eraser } from './eraser';
import { Exporter } from './exporter';
import { Family } from './family';
import { NoticeCleaner } from './notice-cleaner';
import { PrivacyTrail } from './privacy-trail';
import { SuppressionLifter } from './suppression-lifter';
import { PrivacyController } from './privacy.controller';

/** The rights of the people whose events these are. Knows every table that says something about them. */
@Module({})
export class PrivacyModule {
  /** @param delivery the module that exports `Deliveries` */
  static forRoles(config: Config, delivery: DynamicModule): DynamicModule {
    const management = config.hasRole('management');
    return {
      module: PrivacyModule,
      imports: [ProfilesModule, delivery],
      controllers: management ? [PrivacyController] : [],
      providers: [
        ...(management ? [Eraser, Exporter, Family, PrivacyTrail, SuppressionLifter] : []),
        ...(config.hasRole('worker') ? [NoticeCleaner] : []),
      ],
    };
  }
}
