import { Injectable } from '@nestjs/common';
import type { Subject } from '../events/customer-event';
import type { Actor } from '../platform/auth/principal';
import { Database, LONG_STATEMENT_MS, type Statement } from '../platform/database/database';
import type { ExportPart } from '../platform/database/statements/export-part';
import { ProfileNotFoundError } from '../profiles/profile-problems';
import { Family } from './family';
import { HELD_OF_PEOPLE, isHeld } from './held-of-people';
import { PrivacyTrail } from './privacy-trail';

/** Rows read at once: what is held about one person may be more than fits into memory. */
const PAGE_ROWS = 500;

/** Everything that is held about a person. */
@Injectable()
export class Exporter {
  constructor(
    private readonly database: Database,
    private readonly family: Family,
    private readonly trail: PrivacyTrail,
  ) {}

  /** Finds the person and notes who asked. @throws ProfileNotFoundError */
  async open(subject: Subject, actor: Actor): Promise<AsyncGenerator<string>> {
    const subjects = await this.family.of(subject, this.database);
    if (!(await isHeld(subjects, this.database))) throw new ProfileNotFoundError(subject);
    await this.trail.prepare();
    await this.trail.record('export', { subject }, actor, this.database);
    return this.lines(subjects);
  }

  /** One JSON object per line, each with its `kind`; some hundred lines at a time. */
  private async *lines(subjects: readonly Subject[]): AsyncGenerator<string> {
    for (const { exported } of HELD_OF_PEOPLE) if (exported) yield* this.linesOf(exported, subjects);
  }

  private async *linesOf(
    { kind, sql, first, pageRows = PAGE_ROWS }: ExportPart,
    subjects: readonly Subject[],
  ): AsyncGenerator<string> {
    // Of somebody with very much a page may take its time.
    const readPage: Statement = {
      name: `export_${kind}`,
      text: `${sql} limit ${pageRows}`,
      limitMs: LONG_STATEMENT_MS,
      plannedOnce: true,
    };
    for (let after = first; ;) {
      const rows = await this.database.query<{ data: string; key: string[] }>(readPage, [subjects, ...after]);
      if (rows.length > 0) {
        yield rows.map(({ data }) => `{"kind":"${kind}",${data.trimStart().slice(1)}\n`).join('');
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) return;
      after = last.key;
    }
  }
}
