import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../platform/config/config';
import { ProfilesModule } from '../profiles/profiles.module';
import { Eraser } from './eraser';
import { Exporter } from './exporter';
import { NoticeCleaner } from './notice-cleaner';
import { PrivacyController } from './privacy.controller';

/** The rights of the people whose events these are. Knows every table that says something about them. */
@Module({})
export class PrivacyModule {
  static forRoles(config: Config): DynamicModule {
    const management = config.hasRole('management');
    return {
      module: PrivacyModule,
      imports: [ProfilesModule],
      controllers: management ? [PrivacyController] : [],
      providers: [
        ...(management ? [Eraser, Exporter] : []),
        ...(config.hasRole('worker') ? [NoticeCleaner] : []),
      ],
    };
  }
}
