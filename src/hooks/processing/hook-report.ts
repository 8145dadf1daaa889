import { Injectable } from '@nestjs/common';
import { IntakeReport } from '../../ingestion/intake-report';
import type { FailedHook } from './hook-events';
import type { SettledHook } from './hook-settling';

/** Tells what became of requests, as of those of SDKs. */
@Injectable()
export class HookReport {
  constructor(private readonly report: IntakeReport) {}

  stored({ request, source, valid, quarantined, duplicates }: SettledHook): void {
    const outcomes = valid.map(({ id }) => (duplicates.has(id) ? 'duplicate' : 'stored'));
    this.report.stored({
      requestId: request.id,
      sourceId: source.id,
      sourceName: source.name,
      accepted: valid.length - duplicates.size,
      duplicates: duplicates.size,
      events: valid,
      outcomes,
      quarantined,
      rejected: [],
    });
  }

  failed({ source, failure: { code, problems }, notes }: FailedHook): void {
    if (source === undefined) return;
    const message = problems[0]?.message ?? '';
    this.report.refused(source.id, [{ index: 0, code, path: '', message, problems: [] }]);
    for (const note of notes) note.writeDown();
  }
}
