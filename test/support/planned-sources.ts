import type { ApiAnswer, ApiClient } from './api-client';

/** Of the rule for "Order Completed". */
export const ORDER_SCHEMA = {
  properties: {
    properties: {
      required: ['total'],
      properties: { total: { type: 'number' }, card: { type: 'string', maxLength: 4 } },
    },
  },
};

/** A source with a tracking plan. */
export interface PlannedSource {
  readonly id: string;
  readonly writeKey: string;
  readonly planId: string;
}

/** A track, as an SDK sends it. */
export function anOrder(messageId: string, properties: object, event = 'Order Completed'): object {
  const timestamp = '2026-11-20T12:00:00.000Z';
  return { type: 'track', event, userId: `u-${messageId}`, messageId, timestamp, properties };
}

/** Sources with tracking plans, what is sent to them, and what becomes of it. */
export class PlannedSources {
  private made = 0;

  constructor(private readonly api: ApiClient) {}

  /** Its plan has a rule for "Order Completed". */
  async make(onViolation: string, plan: object = {}): Promise<PlannedSource> {
    const rules = [{ type: 'track', event: 'Order Completed', schema: ORDER_SCHEMA, onViolation }];
    this.made += 1;
    const given = { name: `P ${this.made}`, rules, ...plan };
    const { id: trackingPlanId } = (await this.api.post('/tracking-plans', given)).body as { id: string };
    const { body } = await this.api.post('/sources', { name: `S ${this.made}`, trackingPlanId });
    return { ...(body as Omit<PlannedSource, 'planId'>), planId: trackingPlanId };
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- bodies are asserted on member by member.
  send({ writeKey }: PlannedSource, batch: unknown, query = ''): Promise<ApiAnswer<any>> {
    const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
    const body = typeof batch === 'string' ? batch : { batch };
    return this.api.with({ authorization }).post(`/v1/batch${query}`, body);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  async stored({ id }: PlannedSource, messageId: string): Promise<any> {
    const { body } = await this.api.get(`/events?sourceId=${id}&messageId=${messageId}`);
    expect(body).toHaveLength(1);
    return body[0].payload;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  async quarantined({ id }: PlannedSource, query = ''): Promise<any[]> {
    return (await this.api.get(`/quarantined-events?sourceId=${id}${query}`)).body;
  }
}
