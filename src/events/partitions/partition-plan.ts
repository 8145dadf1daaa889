import { lowestId } from '../../platform/database/lowest-id';

export { lowestId };

/** A day in milliseconds. */
export const DAY_MS = 86_400_000;

/** A table whose partitions are ranges of UUIDv7 ids, so of time. */
interface IdRangeTable {
  readonly kind: 'id-range';
  readonly table: string;
  /** Days one partition holds. */
  readonly days: number;
  /** A partition is dropped once all of it is older. */
  readonly retentionDays: number;
  /** What each new partition is prepared by, see `PartitionBounds`. */
  readonly prepareSql?: (partition: string) => string;
}

/** A table whose partitions are one number each: floor(time / epoch length). */
interface EpochTable {
  readonly kind: 'epoch';
  readonly table: string;
  /** Days of one epoch. The current and the previous epoch are kept, so at least this long, at most twice. */
  readonly days: number;
}

/**
 * A table whose partitions are ranges of its column `day`, kept for good. What its first ones do not hold is in one
 * partition below them, `<table>_before`.
 */
interface DayRangeTable {
  readonly kind: 'day-range';
  readonly table: string;
  /** Days one partition holds. */
  readonly days: number;
  /** Storage parameters of a partition, which has none of its parent: `fillfactor = 80`. */
  readonly storage: string;
}

export type PartitionedTable = IdRangeTable | EpochTable | DayRangeTable;

/** One partition as it should be: its name, what follows `for values`, and its storage parameters, if any. */
export interface PartitionBounds {
  readonly name: string;
  readonly values: string;
  readonly storage: string;
  /** A statement to run when it has been made, before anything else sees it. */
  readonly prepareSql: string | undefined;
}

/** How many partitions are there beyond the current one: a worker may be away for that long. */
const PARTITIONS_AHEAD = 2;

/** The number of the period that `timeMs` is in, counted from 1970. */
export function periodOf(days: number, timeMs: number): number {
  return Math.floor(timeMs / (days * DAY_MS));
}

/** Above the id of any time. */
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The time of a UUIDv7 in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The partitions that must exist at `nowMs`: the previous period (clocks differ), this one, and the next ones. */
export function partitionsNeeded(table: PartitionedTable, nowMs: number): PartitionBounds[] {
  return partitionsSince(table, periodOf(table.days, nowMs) - 1, nowMs);
}

/**
 * Which of the partitions that must exist at `nowMs` are not there. Days may come of any time, also of one in which
 * nothing ran that would have made a partition: there is none missing between two of them.
 */
export function partitionsMissing(
  table: PartitionedTable,
  existing: readonly string[],
  nowMs: number,
): PartitionBounds[] {
  const hasAllBefore = existing.includes(`${table.table}_before`);
  const needed = hasAllBefore
    ? partitionsSince(table, lowestPeriod(existing), nowMs)
    : partitionsNeeded(table, nowMs);
  return needed.filter(({ name }) => !existing.includes(name));
}

function partitionsSince(table: PartitionedTable, firstPeriod: number, nowMs: number): PartitionBounds[] {
  const needed: PartitionBounds[] = [];
  const last = periodOf(table.days, nowMs) + PARTITIONS_AHEAD;
  for (let period = firstPeriod; period <= last; period += 1) {
    const name = partitionName(table, period);
    needed.push({
      name,
      values: valuesOf(table, period),
      storage: storageOf(table),
      prepareSql: table.kind === 'id-range' ? table.prepareSql?.(name) : undefined,
    });
  }
  return needed;
}

function lowestPeriod(existing: readonly string[]): number {
  return Math.min(...existing.flatMap((name) => parseName(name)?.period ?? []));
}

/** Which of the partitions that exist have outlived their retention at `nowMs`; other names are left alone. */
export function partitionsExpired(
  table: PartitionedTable,
  existing: readonly string[],
  nowMs: number,
): string[] {
  return existing.filter((name) => {
    const endMs = endOf(table, name);
    return endMs !== undefined && endMs <= nowMs;
  });
}

/** The name of the partition that takes what comes at `nowMs`. */
export function currentPartition(table: PartitionedTable, nowMs: number): string {
  return partitionName(table, periodOf(table.days, nowMs));
}

/** One partition that exists: its lowest id, and the lowest after it. */
export interface PartitionRange {
  readonly name: string;
  readonly fromId: string;
  readonly toId: string;
}

/** Which ids a partition has, by its name. */
export function rangeOfPartition(name: string): PartitionRange {
  const { days, period } = parseName(name) ?? { days: 0, period: 0 };
  const lengthMs = days * DAY_MS;
  return { name, fromId: lowestId(period * lengthMs), toId: lowestId((period + 1) * lengthMs) };
}

function partitionName(table: PartitionedTable, period: number): string {
  return `${table.table}_d${table.days}_${period}`;
}

/** When nothing in a partition is needed any more. The name says its width, which may have been another once. */
function endOf(table: PartitionedTable, name: string): number | undefined {
  const parsed = parseName(name);
  if (parsed?.table !== table.table) return undefined;
  const { days, period } = parsed;
  const endMs = (period + 1) * days * DAY_MS;
  switch (table.kind) {
    case 'epoch':
      return endMs + days * DAY_MS;
    case 'id-range':
      return endMs + table.retentionDays * DAY_MS;
    case 'day-range':
      return Infinity;
  }
}

function parseName(name: string): { table: string; days: number; period: number } | undefined {
  const [, table, days, period] = /^(.+)_d(\d+)_(\d+)$/.exec(name) ?? [];
  return table === undefined ? undefined : { table, days: Number(days), period: Number(period) };
}

function valuesOf(table: PartitionedTable, period: number): string {
  if (table.kind === 'epoch') return `in (${period})`;
  const boundOf = table.kind === 'day-range' ? isoDay : lowestId;
  const startMs = period * table.days * DAY_MS;
  const endMs = startMs + table.days * DAY_MS;
  return `from ('${boundOf(startMs)}') to ('${boundOf(endMs)}')`;
}

function isoDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, '2026-01-31'.length);
}

function storageOf(table: PartitionedTable): string {
  return table.kind === 'day-range' ? `with (${table.storage})` : '';
}
