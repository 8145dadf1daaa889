import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { ActiveDestinationsModule } from '../destinations/active-destinations.module';
import { ChangeNotices } from './change-notices';
import { DeadLetterLook } from './dead-letter-look';
import { DestinationLook } from './destination-look';
import type { Look } from './look';
import { PlanLook } from './plan-look';
import { SegmentLook } from './segment-look';
import { LOOKS, ServiceWatch } from './service-watch';
import { SourceLook } from './source-look';

const looks = [DestinationLook, DeadLetterLook, SegmentLook, SourceLook, PlanLook];

/** What the service tells operators of itself. */
@Module({
  imports: [DeliveryModule, ActiveDestinationsModule],
  providers: [
    ...looks,
    { provide: LOOKS, useFactory: (...all: Look[]) => all, inject: looks },
    ServiceWatch,
    ChangeNotices,
  ],
})
export class NoticesModule {}
