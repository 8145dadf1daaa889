import type { S3Client } from '@aws-sdk/client-s3';
import '../../platform/config/aws-node-warning';
import type { OutboundHttp } from '../connector-context';
import type { S3ExportConfig } from './s3-export.config';
import { s3RequestHandler } from './s3-request-handler';

/** The AWS SDK, as far as it is used. */
export type S3 = Awaited<ReturnType<typeof loadS3>>;

/** Loads the AWS SDK when it is first needed: a service that exports nothing does not pay its 20 MB. */
// oxlint-disable-next-line typescript/explicit-function-return-type -- its type is what it loads.
export async function loadS3() {
  const [
    { S3Client, PutObjectCommand, DeleteObjectCommand, AbortMultipartUploadCommand },
    { Upload },
    { defaultProvider },
  ] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/lib-storage'),
    import('@aws-sdk/credential-provider-node'),
  ]);
  // One for all exports: it keeps what it found until that expires. It has an HTTP client of its own, because where
  // it asks (a metadata service, STS) is said by the environment of the service and not by a destination.
  return {
    S3Client,
    PutObjectCommand,
    DeleteObjectCommand,
    AbortMultipartUploadCommand,
    Upload,
    serviceCredentials: defaultProvider(),
  };
}

/** The AWS client on the connector's own HTTP, so that an endpoint can be nothing that a webhook could not be. */
export function s3Client(s3: S3, config: S3ExportConfig, http: OutboundHttp): S3Client {
  const { endpoint, accessKeyId, secretAccessKey } = config;
  return new s3.S3Client({
    region: config.region ?? 'us-east-1',
    forcePathStyle: config.forcePathStyle ?? false,
    requestHandler: s3RequestHandler(http),
    credentials:
      accessKeyId !== undefined && secretAccessKey !== undefined
        ? { accessKeyId, secretAccessKey }
        : s3.serviceCredentials,
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
