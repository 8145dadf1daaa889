import type { Dto } from '../../api/client';

/** What a plan asks of events. */
type Content = Pick<Dto['TrackingPlanDto'], 'unplannedEvents' | 'unplannedProperties' | 'rules'>;

/** To begin with: nothing is refused, and everything is told. */
const EXAMPLE: Content = {
  unplannedEvents: 'observe',
  unplannedProperties: 'observe',
  rules: [
    {
      type: 'track',
      event: 'Order Completed',
      schema: {
        properties: {
          properties: { required: ['total'], properties: { total: { type: 'number', minimum: 0 } } },
        },
      },
      onViolation: 'observe',
    },
  ],
};

/** What the service takes a plan for that says nothing: a member that is left out of a change would stay as it was. */
export const NOTHING_ASKED: Content = { unplannedEvents: 'allow', unplannedProperties: 'allow', rules: [] };

/** That part of a plan, or of a version of it. */
export function contentOf(plan: Content | undefined): Content {
  const { unplannedEvents, unplannedProperties, rules } = plan ?? EXAMPLE;
  return { unplannedEvents, unplannedProperties, rules };
}
