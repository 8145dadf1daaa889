import { Injectable } from '@nestjs/common';
import { IntakeReport } from '../../ingestion/intake-report';
import { RejectionLog } from '../../ingestion/rejection-log';
import type { FailedHook, SettledHook } from './settle-hooks';

/** Tells what became of requests, as of those of SDKs. */
@Injectable()
export class HookReport {
  constructor(
    private readonly report: IntakeReport,
    private readonly rejections: RejectionLog,
  ) {}

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

  failed({ request, source, failure, noted }: FailedHook): void {
    const { code, problems } = failure;
    if (source === undefined) return;
    const message = problems[0]?.message ?? '';
    this.report.refused(source.id, [{ index: 0, code, path: '', message, problems: [] }]);
    if (noted) return;
    const sent: unknown = JSON.parse(request.request);
    const messageId = request.sentId ?? undefined;
    this.rejections.note(
      { sourceId: source.id, sent, context: undefined, messageId, type: undefined },
      problems,
    );
  }
}
