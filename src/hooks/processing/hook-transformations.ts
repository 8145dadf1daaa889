import { Injectable } from '@nestjs/common';
import type { WebhookSource } from '../../sources/webhook-sources';
import { Sandbox } from '../../transformations/sandbox/sandbox';
import { type Transformed, transformEvent } from '../../transformations/transform-event';
import { defaultEvent } from './default-event';

/** Events that one request may become: senders put many into one. */
const MAX_EVENTS_OF_REQUEST = 1_000;

/** Makes events of requests as their sources say. */
@Injectable()
export class HookTransformations {
  constructor(private readonly sandbox: Sandbox) {}

  /**
   * @param request JSON of headers, query and body
   * @returns undefined when the source does not say what is to be made of its requests
   */
  async run(
    { id, untransformed, transformation }: WebhookSource,
    request: string,
  ): Promise<Transformed | undefined> {
    if (transformation !== null)
      return transformEvent(this.sandbox, transformation, request, {
        most: MAX_EVENTS_OF_REQUEST,
      });
    return untransformed === 'track' ? { events: [defaultEvent(request, id)] } : undefined;
  }
}
