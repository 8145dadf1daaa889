import { PermanentDeliveryError, RetryableDeliveryError } from '../delivery-error';

/** Requests that are wrong in themselves: the same one will never be taken. */
const PERMANENT_CODES = new Set([
  'EntityTooLarge',
  'InvalidArgument',
  'InvalidBucketName',
  'InvalidRequest',
  'KeyTooLongError',
]);

/** An operator has to change something at the bucket; until then the events are kept and tried again. */
const ACCESS_CODES = new Set([
  'AccessDenied',
  // Of another region.
  'AuthorizationHeaderMalformed',
  'CredentialsProviderError',
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'NoSuchBucket',
  'PermanentRedirect',
  'SignatureDoesNotMatch',
]);
/** Whatever the code: stores other than AWS have some of their own, and the region of a bucket may be another. */
const ACCESS_STATUSES = new Set([301, 307, 401, 403]);

/** What a failure of the S3 client means for the deliveries of the batch. */
export function s3Error(error: unknown): RetryableDeliveryError | PermanentDeliveryError {
  if (error instanceof RetryableDeliveryError || error instanceof PermanentDeliveryError) return error;
  const { code, status, message } = describe(error);
  const details = { status, excerpt: `${code}: ${message}` };
  if (PERMANENT_CODES.has(code)) return new PermanentDeliveryError('s3_invalid_request', details);
  if (ACCESS_CODES.has(code) || ACCESS_STATUSES.has(status ?? 0))
    return new RetryableDeliveryError('s3_access', details);
  if (code === 'AbortError' || code === 'TimeoutError') return new RetryableDeliveryError('timeout', details);
  return new RetryableDeliveryError(status === undefined ? 'connection' : 's3_error', details);
}

function describe(error: unknown): { code: string; status?: number; message: string } {
  if (!(error instanceof Error)) return { code: 'Unknown', message: String(error) };
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
      ? metadata.httpStatusCode
      : undefined;
  return {
    code: error.name,
    message: error.message,
    ...(typeof status === 'number' ? { status } : {}),
  };
}
