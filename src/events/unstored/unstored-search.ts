import type { Subject } from '../customer-event';

/** Which events are meant that were rejected, or are kept apart. What is undefined is any. */
export interface UnstoredSearch {
  readonly sourceId?: string | undefined;
  readonly code?: string | undefined;
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly messageId?: string | undefined;
  /** All of them. */
  readonly subjects?: readonly Subject[] | undefined;
  /** Received from here on, and before there. */
  readonly fromId?: string | undefined;
  readonly beforeId?: string | undefined;
}

/** A condition with `$` where its value goes, and what stands behind; left out when the value is undefined. */
type SqlCondition = readonly [condition: string, value: unknown, behind?: string];

/** The part of a statement behind `where`, and its parameters from `$1` on. */
export interface Where {
  readonly where: string;
  readonly values: unknown[];
}

/** Of the tables of such events, which have these columns alike; only of those that may be shown, see `Screening`. */
export function whereUnstored(search: UnstoredSearch, more: readonly SqlCondition[] = []): Where {
  const { sourceId, code, type, name, messageId, subjects, fromId, beforeId } = search;
  const all: readonly SqlCondition[] = [
    ['source_id = $', sourceId],
    ['codes @> $', code === undefined ? undefined : [code]],
    ['type = $', type],
    ['name = $', name],
    ['message_id = $', messageId],
    ['subjects @> $', subjects],
    ['id >= $', fromId],
    ['id < $', beforeId],
    ...more,
  ];
  const given = all.filter(([, value]) => value !== undefined);
  const conditions = given.map(([condition, , behind = ''], index) => `${condition}${index + 1}${behind}`);
  return { where: ['screened', ...conditions].join(' and '), values: given.map(([, value]) => value) };
}
