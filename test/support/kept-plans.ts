import type { PoolClient } from 'pg';
import type { PreparedStatement, Tx } from '../../src/platform/database/database';
import { settingsOf } from '../../src/platform/database/statements/statement';

/** A statement as it is sent. */
export type Sent = readonly [PreparedStatement, readonly unknown[]];

/** What is sent by name, and what is answered to it; nothing where there is no answer. */
export class Sending {
  readonly sent = new Map<string, Sent>();

  constructor(private readonly answers: Readonly<Record<string, readonly object[]>> = {}) {}

  /** For what takes any kind of transaction. */
  get tx(): never {
    const query: Tx['query'] = async (statement, params = []) => {
      const { name } = statement as PreparedStatement;
      this.sent.set(name, [statement as PreparedStatement, params]);
      return (this.answers[name] ?? []) as never;
    };
    return { query, send: query, transaction: (work: (tx: Tx) => unknown) => work({ query }) } as never;
  }
}

/** A part of a plan, as `explain (analyze, format json)` answers it. */
interface PlanPart {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanPart[];
}

/** One plan for each statement, made when it was run first. */
export class KeptPlans {
  private constructor(private readonly client: PoolClient) {}

  static async of(client: PoolClient): Promise<KeptPlans> {
    await client.query('set plan_cache_mode = force_generic_plan');
    return new KeptPlans(client);
  }

  async make(sent: Sent): Promise<void> {
    await this.client.query(`prepare ${sent[0].name} as ${sent[0].text}`);
    await this.run(sent);
  }

  /** Rows of a table of that name that any one part of the plan reads. Takes back what the statement does. */
  async mostRead(sent: Sent, table: RegExp): Promise<number> {
    return mostReadIn(await this.run(sent), table);
  }

  private async run([statement, params]: Sent): Promise<PlanPart> {
    await this.client.query('begin');
    for (const text of settingsOf(statement, true)) await this.client.query(text);
    const { rows } = await this.client.query<{ 'QUERY PLAN': [{ Plan: PlanPart }] }>(
      `explain (analyze, format json) execute ${statement.name}${params.length === 0 ? '' : `(${params.map(literal).join()})`}`,
    );
    await this.client.query('rollback');
    const [row] = rows;
    if (row === undefined) throw new Error('There is no plan.');
    return row['QUERY PLAN'][0].Plan;
  }
}

function mostReadIn(part: PlanPart, table: RegExp): number {
  const rows =
    part['Actual Rows'] +
    (part['Rows Removed by Filter'] ?? 0) +
    (part['Rows Removed by Index Recheck'] ?? 0);
  const own = table.test(part['Relation Name'] ?? '') ? rows * part['Actual Loops'] : 0;
  return Math.max(own, ...(part.Plans ?? []).map((each) => mostReadIn(each, table)));
}

function literal(value: unknown): string {
  return value === null
    ? 'null'
    : `'${Array.isArray(value) ? `{${value.join()}}` : (value as string | number)}'`;
}
