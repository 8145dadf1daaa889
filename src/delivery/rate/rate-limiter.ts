import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { isMissingReference } from '../../platform/database/failure';
import { prepared } from '../../platform/database/statements/prepared';

/** What may be sent now, and when it makes sense to ask again. */
interface Grant {
  readonly granted: number;
  readonly waitMs: number;
}

/** Rates are granted this far in advance: as much may be sent at once after a pause. */
const BURST_SECONDS = 0.5;
/** A lane that was not granted enough asks again after this time, at the earliest and at the latest. */
const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 1_000;

// A token bucket per destination, one for all workers: $2 tokens come per second, $4 fit in. `now()` is one time in the
// whole statement, and may lie before that of another one which had the row first. Much later times were written while
// PostgreSQL's clock was ahead.
const MISDATED = `r.at - excluded.at > interval '1 minute'`;
const FILLED = `least($4::float8, r.tokens + $2::float8 * greatest(0, extract(epoch from excluded.at - r.at)::float8))`;
const takePermitsSql = prepared('take_rate_permits')`
  insert into destination_rate as r (destination_id, tokens, granted, at)
  values ($1, $4::float8 - least($3::float8, floor($4::float8)), least($3::float8, floor($4::float8)), now())
  on conflict (destination_id) do update set
    granted = least($3::float8, floor(${FILLED})), tokens = ${FILLED} - least($3::float8, floor(${FILLED})),
    at = case when ${MISDATED} then excluded.at else greatest(r.at, excluded.at) end
  returning granted, tokens`;

/** Limits how many requests per second a destination gets from all workers together. */
@Injectable()
export class RateLimiter {
  constructor(private readonly database: Database) {}

  /**
   * Asks for `wanted` permits to send to a destination; what is granted is used up.
   * @throws when PostgreSQL is away
   */
  async takePermits(destinationId: string, perSecond: number, wanted: number): Promise<Grant> {
    const capacity = Math.max(1, perSecond * BURST_SECONDS);
    const row = await this.takeTokens([destinationId, perSecond, wanted, capacity]);
    // The destination is gone: what is left of its deliveries is claimed to be cancelled.
    if (row === undefined) return { granted: wanted, waitMs: 0 };
    const untilNextMs = ((1 - row.tokens) / perSecond) * 1000;
    return { granted: row.granted, waitMs: Math.min(Math.max(untilNextMs, MIN_WAIT_MS), MAX_WAIT_MS) };
  }

  /** The bucket, from which was taken; none of a destination that is gone. */
  private async takeTokens(
    values: readonly unknown[],
  ): Promise<{ granted: number; tokens: number } | undefined> {
    try {
      const [row] = await this.database.query<{ granted: number; tokens: number }>(takePermitsSql, values);
      return row;
    } catch (error) {
      if (isMissingReference(error)) return undefined;
      throw error;
    }
  }
}
