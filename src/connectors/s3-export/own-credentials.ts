import { parseUrl } from '../../platform/http/input/parse-url';
import type { S3ExportConfig } from './s3-export.config';

/**
 * The addresses of S3 itself, of all its partitions: `s3.<region>`, dual-stack, FIPS, accelerated, the older
 * `s3-<region>`, and interface endpoints of a VPC. Nothing else below these names is: anybody can rent
 * `ec2-….amazonaws.com`, `….execute-api.….amazonaws.com` or a load balancer.
 */
const REGION = '[a-z]{2,6}(?:-[a-z]+)+-\\d{1,2}';
const S3_HOST = new RegExp(
  `^(?:s3|s3[.-]${REGION}|s3(?:-fips)?(?:\\.dualstack)?\\.${REGION}|s3-accelerate(?:\\.dualstack)?` +
    `|(?:bucket\\.)?vpce-[a-z0-9-]+\\.s3\\.${REGION}\\.vpce)\\.(?:amazonaws\\.com|amazonaws\\.com\\.cn|amazonaws\\.eu)$`,
);

/** Whether a destination without keys may be given the service's own: S3 of AWS, and only over TLS. */
function isAwsEndpoint(endpoint: string): boolean {
  const url = parseUrl(endpoint);
  if (url === undefined) return false;
  const { protocol, hostname, port } = url;
  return protocol === 'https:' && port === '' && S3_HOST.test(hostname);
}

/**
 * Whether a config needs keys of its own. The service's credentials come with a session token that is sent as it is:
 * anyone who may write a destination would get it by naming an endpoint. Without an endpoint it is AWS, or where
 * the operator's `AWS_ENDPOINT_URL_S3` points.
 */
export function lacksKeys({ endpoint, accessKeyId, secretAccessKey }: S3ExportConfig): boolean {
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return false;
  return endpoint !== undefined && !isAwsEndpoint(endpoint);
}
