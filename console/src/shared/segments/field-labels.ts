/** What the fields of rules and computed traits are called, by the members that they write. */
export const LABELS = {
  name: 'Name',
  description: 'Description',
  aggregate: 'Aggregate',
  of: 'Of',
  event: 'Event name',
  type: 'Type',
  within: 'In the last',
  allWithin: 'All steps within',
  from: 'From',
  to: 'Before',
  field: 'Field',
  operator: 'Operator',
  value: 'Value',
} as const;

/** And those of a condition or step that are called in another way there. */
export const INNER_LABELS = { field: 'Path in the event', within: 'Within' } as const;

/** What comes in lists, by the member that is the list, with its number. */
export const PARTS = {
  where: conditionLabel,
  conditions: conditionLabel,
  sequence: (index: number): string => `Step ${index + 1}`,
  value: (index: number): string => `Value ${index + 1}`,
} as const;

export const ABSENT_LABEL = 'What does not follow';

/** The labels of fields that stand inside of something: `Condition 1, Value`. */
export function labelsInside(place: string, labels: readonly string[]): string[] {
  return labels.map((label) => `${place}, ${label}`);
}

function conditionLabel(index: number): string {
  return `Condition ${index + 1}`;
}
