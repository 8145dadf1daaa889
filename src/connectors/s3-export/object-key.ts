import type { OutboundBatch } from '../connector';
import type { ExportFormat } from './s3-export.config';

const EXTENSIONS: Record<ExportFormat, string> = { ndjson: 'ndjson.gz', parquet: 'parquet' };

/**
 * The key of a batch's object, in the way Hive names partitions:
 * `<prefix>source=<id>/date=2026-11-20/hour=16/<batch id>.ndjson.gz`. It follows from the batch alone.
 */
export function objectKey(
  batch: Pick<OutboundBatch, 'id' | 'sourceId' | 'hour'>,
  prefix: string,
  format: ExportFormat,
): string {
  const [date, hour] = batch.hour.split('T');
  return `${prefix}source=${batch.sourceId}/date=${date}/hour=${hour}/${batch.id}.${EXTENSIONS[format]}`;
}
