import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '../../platform/background/background-work';
import { DestinationDisabler } from '../breaker/destination-disabler';

const INTERVAL_MS = 60_000;

/** Looks once a minute for destinations whose transformation fails. Any number of workers may. */
@Injectable()
export class FailingTransformations extends BackgroundWork {
  protected readonly loop = this.every(
    INTERVAL_MS,
    () => this.disabler.disableUntransformed(),
    'The look at transformations did not succeed',
  );

  constructor(private readonly disabler: DestinationDisabler) {
    super();
  }
}
