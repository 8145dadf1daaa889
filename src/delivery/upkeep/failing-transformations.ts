import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop } from '../../platform/background/background-loop';
import { SwitchOff } from '../breaker/switch-off';

const INTERVAL_MS = 60_000;

/** Looks once a minute for destinations whose transformation fails. Any number of workers may. */
@Injectable()
export class FailingTransformations implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(FailingTransformations.name);
  private readonly loop = new BackgroundLoop(
    () => this.switchOff.switchOffUntransformed(),
    INTERVAL_MS,
    (error) => this.logger.warn(`The look at transformations did not succeed: ${String(error)}`),
  );

  constructor(private readonly switchOff: SwitchOff) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): void {
    void this.loop.stop();
  }
}
