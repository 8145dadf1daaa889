import { Injectable } from '@nestjs/common';
import type { WebhookSource } from '../../sources/webhook-sources';
import { defaultEvent } from './default-event';

/** What has been made of a request, as JSON: an event, a list of them, or null. */
export interface Transformed {
  readonly json: string;
}

/** Makes events of requests as their sources say. */
@Injectable()
export class HookTransformations {
  /**
   * @param request JSON of headers, query and body
   * @returns undefined when the source does not say what is to be made of its requests
   */
  async run({ id, untransformed }: WebhookSource, request: string): Promise<Transformed | undefined> {
    return untransformed === 'track' ? { json: defaultEvent(request, id) } : undefined;
  }
}
