import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Config } from '../platform/config/config';
import { Source } from './source.entity';
import { SourcesController } from './sources.controller';
import { SourcesService } from './sources.service';
import { WriteKeysModule } from './write-keys.module';

@Module({})
export class SourcesModule {
  static forRoles(config: Config): DynamicModule {
    return {
      module: SourcesModule,
      imports: [TypeOrmModule.forFeature([Source]), WriteKeysModule],
      controllers: config.hasRole('management') ? [SourcesController] : [],
      providers: [SourcesService],
      exports: [SourcesService],
    };
  }
}
