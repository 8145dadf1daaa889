import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';

const EXPORT_FORMATS = ['ndjson', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Settings of an `s3-export` destination. */
export class S3ExportConfig {
  /** The bucket; it must exist. */
  @ApiProperty({ description: 'The bucket; it must exist.', example: 'customer-events' })
  @Matches(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { message: 'bucket must be a valid S3 bucket name' })
  bucket: string;

  @ApiPropertyOptional({ description: 'Put before each key, as it stands.', example: 'cdp/' })
  @IsOptional()
  @MaxLength(512)
  // The parser of URLs would take dots out of what was signed.
  @Matches(/^(?!(?:.*\/)?\.{1,2}\/)[^/\p{Cc}][^\p{Cc}]*$/u, {
    message: 'prefix must not start with a slash, hold control characters or have a segment . or ..',
  })
  prefix?: string;

  @ApiPropertyOptional({ description: 'The region of the bucket.', default: 'us-east-1' })
  @IsOptional()
  @Matches(/^[a-z0-9-]{1,64}$/, { message: 'region must look like eu-central-1' })
  region?: string;

  @ApiPropertyOptional({
    description: 'The address of an S3-compatible store; AWS when left out.',
    example: 'https://minio.example.com',
  })
  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false, disallow_auth: true })
  endpoint?: string;

  @ApiPropertyOptional({
    description: 'Puts the bucket into the path instead of the host name. MinIO and friends need it.',
    default: false,
  })
  @IsOptional()
  @IsBoolean()
  forcePathStyle?: boolean;

  @ApiPropertyOptional({
    description:
      "Left out together with secretAccessKey: the service's own AWS credentials are used. " +
      'Needed with an endpoint that is not S3 of AWS.',
  })
  @ValidateIf((config: S3ExportConfig) => hasKeys(config))
  @IsString()
  @Length(1, 256)
  accessKeyId?: string;

  @ApiPropertyOptional({ writeOnly: true, description: 'Left out of a change it stays; null takes it away.' })
  @ValidateIf((config: S3ExportConfig) => hasKeys(config))
  @IsString()
  @Length(1, 256)
  secretAccessKey?: string;

  @ApiPropertyOptional({ enum: EXPORT_FORMATS, default: 'ndjson' })
  @IsOptional()
  @IsIn(EXPORT_FORMATS)
  format?: ExportFormat;

  @ApiPropertyOptional({ description: 'Events in one object.', default: 10_000 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100_000)
  maxEvents?: number;

  @ApiPropertyOptional({
    description: "Bytes of the events' JSON in one object, before compression.",
    default: 67_108_864,
  })
  @IsOptional()
  @IsInt()
  @Min(1_024)
  @Max(1_073_741_824)
  maxBytes?: number;

  @ApiPropertyOptional({ description: 'How long an event waits at most for its object.', default: 300 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(3_600)
  flushSeconds?: number;
}

function hasKeys(config: S3ExportConfig): boolean {
  return config.accessKeyId !== undefined || config.secretAccessKey !== undefined;
}
