import { S3Client } from '@aws-sdk/client-s3';
import type { OutboundHttp } from '../connector-context';
import type { S3ExportConfig } from './s3-export.config';
import { s3RequestHandler } from './s3-request-handler';

/** The AWS client on the connector's own HTTP, so that an endpoint can be nothing that a webhook could not be. */
export function s3Client(config: S3ExportConfig, http: OutboundHttp): S3Client {
  const { endpoint, accessKeyId, secretAccessKey } = config;
  return new S3Client({
    region: config.region ?? 'us-east-1',
    forcePathStyle: config.forcePathStyle ?? false,
    requestHandler: s3RequestHandler(http),
    ...(accessKeyId !== undefined && secretAccessKey !== undefined
      ? { credentials: { accessKeyId, secretAccessKey } }
      : {}),
    // Stores other than AWS do not all know the newer checksums.
    ...(endpoint === undefined
      ? {}
      : {
          endpoint,
          requestChecksumCalculation: 'WHEN_REQUIRED',
          responseChecksumValidation: 'WHEN_REQUIRED',
        }),
  });
}
