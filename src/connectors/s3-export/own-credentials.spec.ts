import { lacksKeys } from './own-credentials';

const bucket = 'customer-events';

describe('lacksKeys', () => {
  it.each([
    undefined,
    'https://s3.amazonaws.com',
    'https://s3.eu-central-1.amazonaws.com',
    'https://S3.EU-CENTRAL-1.AMAZONAWS.COM/',
    'https://s3-us-west-2.amazonaws.com',
    'https://s3.dualstack.us-east-1.amazonaws.com',
    'https://s3-fips.us-gov-west-1.amazonaws.com',
    'https://s3-fips.dualstack.us-east-1.amazonaws.com',
    'https://s3-accelerate.amazonaws.com',
    'https://s3-accelerate.dualstack.amazonaws.com',
    'https://s3.cn-north-1.amazonaws.com.cn',
    'https://s3.eusc-de-east-1.amazonaws.eu',
    'https://bucket.vpce-0a1b-2c3d.s3.us-east-1.vpce.amazonaws.com',
  ])('is false for S3 of AWS: %s', (endpoint) => {
    expect(lacksKeys({ bucket, endpoint })).toBe(false);
  });

  it.each([
    'https://minio.example.com',
    'http://s3.eu-central-1.amazonaws.com',
    'https://s3.eu-central-1.amazonaws.com:8443',
    'https://s3.eu-central-1.amazonaws.com.evil.example',
    'https://s3.eu-central-1.amazonaws.com@evil.example',
    'https://evil.example/s3.amazonaws.com',
    'https://evil.example#.s3.amazonaws.com',
    'https://evil-s3.amazonaws.com.evil.example',
    'https://evils3.amazonaws.com',
    'https://notamazonaws.com',
    'https://s3.amazonaws.com.',
    'https://amazonaws.com',
    'https://ec2-3-4-5-6.compute-1.amazonaws.com',
    'https://ec2-3-4-5-6.eu-central-1.compute.amazonaws.com',
    'https://abc123.execute-api.eu-central-1.amazonaws.com',
    'https://balancer-1.eu-central-1.elb.amazonaws.com',
    'https://bucket.s3.eu-central-1.amazonaws.com',
    'https://bucket.s3-website.eu-central-1.amazonaws.com',
    'https://s3-website-us-east-1.amazonaws.com',
    'https://vpce-1.vpce-svc-2.us-east-1.vpce.amazonaws.com',
    'https://s3.evil.example.amazonaws.com',
    'no url',
  ])('is true for anything else: %s', (endpoint) => {
    expect(lacksKeys({ bucket, endpoint })).toBe(true);
    expect(lacksKeys({ bucket, endpoint, accessKeyId: 'a' })).toBe(true);
    expect(lacksKeys({ bucket, endpoint, accessKeyId: 'a', secretAccessKey: 's' })).toBe(false);
  });
});
