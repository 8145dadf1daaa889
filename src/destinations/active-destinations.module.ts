import { Module } from '@nestjs/common';
import { ActiveDestinations } from './active-destinations';

@Module({ providers: [ActiveDestinations], exports: [ActiveDestinations] })
export class ActiveDestinationsModule {}
