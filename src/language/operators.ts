export const OPERATORS = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'not_contains',
  'exists',
  'not_exists',
  'in',
  'not_in',
  'starts_with',
  'ends_with',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** Whether all or any of some conditions must hold. */
export const MATCHES = ['all', 'any'] as const;
export type Match = (typeof MATCHES)[number];
