import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Config } from '../platform/config/config';
import { loadConnectors } from './load-connectors';
import { LOADED_CONNECTORS } from './registry';
import { resolveKit } from './resolve-kit';

/** The connectors that `CDP_CONNECTORS` names, loaded before anything else of the service is built. */
@Global()
@Module({})
export class InstalledConnectorsModule {
  /** @throws BootError that names the connector and what is wrong with it. */
  static async load({ connectors: { specifiers } }: Config): Promise<DynamicModule> {
    if (specifiers.length > 0) resolveKit();
    const connectors = await loadConnectors(specifiers, process.cwd());
    return {
      module: InstalledConnectorsModule,
      providers: [{ provide: LOADED_CONNECTORS, useValue: connectors }],
      exports: [LOADED_CONNECTORS],
    };
  }
}
