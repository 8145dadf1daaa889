import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '../../platform/background/background-work';
import { SwitchOff } from '../breaker/switch-off';

const INTERVAL_MS = 60_000;

/** Looks once a minute for destinations whose transformation fails. Any number of workers may. */
@Injectable()
export class FailingTransformations extends BackgroundWork {
  protected readonly loop = this.every(
    INTERVAL_MS,
    () => this.switchOff.switchOffUntransformed(),
    'The look at transformations did not succeed',
  );

  constructor(private readonly switchOff: SwitchOff) {
    super();
  }
}
