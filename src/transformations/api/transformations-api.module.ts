import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SandboxModule } from '../sandbox/sandbox.module';
import { Transformation } from '../transformation.entity';
import { TransformationRepository } from '../transformation.repository';
import { TransformationsController } from './transformations.controller';
import { TransformationsService } from './transformations.service';

/** Transformations over HTTP. */
@Module({
  imports: [TypeOrmModule.forFeature([Transformation]), SandboxModule],
  controllers: [TransformationsController],
  providers: [TransformationRepository, TransformationsService],
  exports: [TransformationRepository, TransformationsService],
})
export class TransformationsApiModule {}
