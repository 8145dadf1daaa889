// A tracking plan as teams have them: 200 rules with some ten members each, the first for the events of the benchmarks.
import { randomUUID } from 'node:crypto';

const RULES = 200;
/** One for each rule. */
export const EVENT_NAMES = Array.from({ length: RULES }, (_, index) =>
  index === 0 ? 'Order Completed' : `Event ${index}`,
);

export function planContent() {
  return { rules: EVENT_NAMES.map(ruleFor), unplannedEvents: 'observe', unplannedProperties: 'observe' };
}

/** Writes the plan into the database; returns its id. */
export async function makePlan(database) {
  const id = randomUUID();
  const { rules, ...content } = planContent();
  await database.query(
    `insert into tracking_plan (id, name, description, rules, unplanned_events, unplanned_properties, version)
     values ($1, 'benchmark', '', $2, 'observe', 'observe', 1)`,
    [id, JSON.stringify(rules)],
  );
  await database.query('insert into tracking_plan_version (plan_id, version, content) values ($1, 1, $2)', [
    id,
    JSON.stringify({ name: 'benchmark', description: '', rules, ...content }),
  ]);
  await database.query('update tracking_plan_change set version = version + 1');
  return id;
}

function ruleFor(event) {
  return {
    type: 'track',
    event,
    onViolation: 'observe',
    schema: {
      title: event,
      type: 'object',
      required: ['userId', 'properties'],
      properties: {
        userId: { type: 'string', minLength: 1 },
        properties: {
          type: 'object',
          required: ['orderId', 'revenue', 'currency'],
          properties: {
            orderId: { type: 'string', pattern: '^o-[0-9]+$' },
            revenue: { type: 'number', minimum: 0 },
            currency: { enum: ['EUR', 'USD', 'GBP', 'CHF', 'JPY'] },
            coupon: { type: ['string', 'null'], maxLength: 40 },
            products: { type: 'integer', minimum: 1 },
            shippedAt: { type: 'string', format: 'date-time' },
          },
        },
        context: {
          type: 'object',
          properties: { locale: { type: 'string' }, page: { type: 'object', required: ['url'] } },
        },
      },
    },
  };
}
