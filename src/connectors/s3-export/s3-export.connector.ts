import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { Injectable } from '@nestjs/common';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import type { Answer, BatchConnector, BatchLimits, OutboundBatch, OutboundEvent } from '../connector';
import type { ConnectorContext } from '../connector-context';
import { EgressPolicy } from '../egress/egress-policy';
import { RetryableDeliveryError } from '../delivery-error';
import { objectKey } from './object-key';
import { lacksKeys } from './own-credentials';
import { loadS3, type S3, s3Client } from './s3-client';
import { s3Error } from './s3-error';
import { type ExportFormat, S3ExportConfig } from './s3-export.config';
import { writeNdjson } from './write-ndjson';
import { writeParquet } from './write-parquet';

/** Parts of a multipart upload; smaller objects go in one request. With the queue below it bounds the memory. */
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

/** As the client answers it. */
interface WrittenObject {
  readonly ETag?: string | undefined;
  readonly $metadata: { readonly httpStatusCode?: number };
}

const KEYS_NEEDED =
  "accessKeyId and secretAccessKey are needed with an endpoint that is not S3 of AWS: the service's own credentials stay with AWS";

const CONTENT_TYPES: Record<ExportFormat, string> = {
  ndjson: 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
};
const WRITERS: Record<ExportFormat, (events: AsyncIterable<OutboundEvent>) => Readable | Promise<Readable>> =
  {
    ndjson: writeNdjson,
    parquet: writeParquet,
  };

/**
 * Writes each batch as one object. Key and content follow from the batch, so that a second try after a crash
 * overwrites the object with itself. An upload that is cut off leaves no object, at most parts for the bucket's
 * lifecycle rule to clear away.
 */
@Injectable()
export class S3ExportConnector implements BatchConnector<S3ExportConfig> {
  readonly id = 's3-export';
  readonly name = 'S3 export';
  readonly configClass = S3ExportConfig;
  readonly secretFields = ['secretAccessKey'];

  private s3: Promise<S3> | undefined;

  constructor(private readonly policy: EgressPolicy) {}

  async check(config: S3ExportConfig): Promise<ProblemDetail[]> {
    const { endpoint } = config;
    const refusal = endpoint === undefined ? undefined : await this.policy.refusal(endpoint);
    const problems: ProblemDetail[] = [];
    if (refusal !== undefined) {
      problems.push({ path: 'endpoint', code: 'url_not_allowed', message: `endpoint ${refusal}` });
    }
    if (lacksKeys(config)) problems.push({ path: 'accessKeyId', code: 'required', message: KEYS_NEEDED });
    return problems;
  }

  batchLimits(config: S3ExportConfig): BatchLimits {
    return {
      maxEvents: config.maxEvents ?? 10_000,
      maxBytes: config.maxBytes ?? 64 * 1024 * 1024,
      flushSeconds: config.flushSeconds ?? 300,
    };
  }

  async sendBatch(batch: OutboundBatch, config: S3ExportConfig, context: ConnectorContext): Promise<Answer> {
    const format = config.format ?? 'ndjson';
    const Bucket = config.bucket;
    const Key = objectKey(batch, config.prefix ?? '', format);
    return this.withClient(config, context, async (client, { Upload, AbortMultipartUploadCommand }) => {
      const body = await WRITERS[format](batch.events());
      const upload = new Upload({
        client,
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
        // Taken away below: were that refused, the library would not say any more what had gone wrong.
        leavePartsOnError: true,
        params: { Bucket, Key, Body: body, ContentType: CONTENT_TYPES[format] },
      });
      const abort = (): void => void upload.abort();
      context.signal.addEventListener('abort', abort, { once: true });
      try {
        return writtenAnswer(await upload.done());
      } catch (error) {
        const { uploadId: UploadId } = upload;
        // A store that hangs would let this hang as well.
        if (UploadId !== undefined && !isTimeout(error)) {
          const aborted = client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
          // May stop here: the bucket's lifecycle rule takes them away.
          await aborted.catch(() => undefined);
        }
        throw error;
      } finally {
        context.signal.removeEventListener('abort', abort);
        body.destroy();
      }
    });
  }

  /** Writes an empty object beside the data and removes it again, where removing is allowed. */
  async checkAccess(config: S3ExportConfig, context: ConnectorContext): Promise<Answer> {
    const target = { Bucket: config.bucket, Key: `${config.prefix ?? ''}.cdp-access-check` };
    return this.withClient(config, context, async (client, { PutObjectCommand, DeleteObjectCommand }) => {
      const written = await client.send(new PutObjectCommand({ ...target, Body: '', ContentLength: 0 }));
      // Exports never delete, so that a bucket may well refuse this.
      await client.send(new DeleteObjectCommand(target)).catch(() => undefined);
      return writtenAnswer(written);
    });
  }

  private async withClient<T>(
    config: S3ExportConfig,
    context: ConnectorContext,
    work: (client: S3Client, s3: S3) => Promise<T>,
  ): Promise<T> {
    // Stored by a version that did not ask for them. What there is to write waits until an operator mends it.
    if (lacksKeys(config)) throw new RetryableDeliveryError('s3_access', { excerpt: KEYS_NEEDED });
    const s3 = await this.loadedS3();
    const client = s3Client(s3, config, context.http);
    try {
      return await work(client, s3);
    } catch (error) {
      throw s3Error(error);
    } finally {
      client.destroy();
    }
  }

  private loadedS3(): Promise<S3> {
    this.s3 ??= loadS3().catch((error: unknown) => {
      // The next try loads it again: files may be short for a moment only.
      this.s3 = undefined;
      throw error;
    });
    return this.s3;
  }
}

/**
 * What a store says of an object that it has written has an `ETag`. Anything else that answers 200 is none: a page to
 * log in at, a proxy, the port of its console.
 * @throws RetryableDeliveryError
 */
function writtenAnswer({ ETag, $metadata }: WrittenObject): Answer {
  const { httpStatusCode: status } = $metadata;
  if (ETag === undefined)
    throw new RetryableDeliveryError('s3_error', { status, excerpt: 'No store: the answer has no ETag.' });
  return { status };
}

function isTimeout(error: unknown): boolean {
  return error instanceof RetryableDeliveryError && error.errorClass === 'timeout';
}
