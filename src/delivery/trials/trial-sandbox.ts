import { Injectable } from '@nestjs/common';
import { Sandbox } from '../../transformations/sandbox/sandbox';

/** A thread of its own: code that is tried out takes none from deliveries, however long it runs. */
@Injectable()
export class TrialSandbox extends Sandbox {
  protected override readonly maxThreads = 1;
}
