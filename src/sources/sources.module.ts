import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TransformationsApiModule } from '../transformations/api/transformations-api.module';
import { Source } from './source.entity';
import { SourceReader } from './source-reader';
import { SourceRepository } from './source.repository';
import { SourcesController } from './sources.controller';
import { SourcesService } from './sources.service';
import { WriteKeysModule } from './write-keys.module';

@Module({
  imports: [TypeOrmModule.forFeature([Source]), WriteKeysModule, TransformationsApiModule],
  controllers: [SourcesController],
  providers: [SourceRepository, SourcesService, SourceReader],
  exports: [SourcesService],
})
export class SourcesModule {}
