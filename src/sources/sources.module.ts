import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Config } from '../platform/config/config';
import { Source } from './source.entity';
import { SourcesController } from './sources.controller';
import { SourcesService } from './sources.service';
import { WriteKeys } from './write-keys';

@Module({})
export class SourcesModule {
  static forRoles(config: Config): DynamicModule {
    return {
      module: SourcesModule,
      imports: [TypeOrmModule.forFeature([Source])],
      controllers: config.hasRole('management') ? [SourcesController] : [],
      providers: [SourcesService, WriteKeys],
      exports: [SourcesService, WriteKeys],
    };
  }
}
