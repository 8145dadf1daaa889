import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../platform/config/config';

@Module({})
export class DeliveryModule {
  static forRoles(_config: Config): DynamicModule {
    return { module: DeliveryModule };
  }
}
