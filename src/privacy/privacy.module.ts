import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { ProfilesModule } from '../profiles/profiles.module';
import { BulkEraser } from './bulk-eraser';
import { Eraser } from './eraser';
import { ErasureResumer } from './erasure-resumer';
import { Exporter } from './exporter';
import { Family } from './family';
import { PrivacyController } from './privacy.controller';
import { PrivacyTrail } from './privacy-trail';
import { SuppressionLifter } from './suppression-lifter';

/** The rights of the people whose events these are. Asks each module for what it has of them, and has it forget. */
@Module({
  imports: [ProfilesModule, DeliveryModule],
  controllers: [PrivacyController],
  providers: [BulkEraser, Eraser, ErasureResumer, Exporter, Family, PrivacyTrail, SuppressionLifter],
})
export class PrivacyModule {}
