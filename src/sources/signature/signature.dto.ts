import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn, Matches } from 'class-validator';
import { Optional } from '../../platform/http/input/optional';
import { OptionalInteger, OptionalOneOf, OptionalText } from '../../platform/http/input/optional-members';
import { IsText } from '../../platform/http/input/text';
import {
  HMAC_ALGORITHMS,
  HMAC_ENCODINGS,
  SCHEMES,
  SIGNATURE_SCHEMES,
  type SignatureScheme,
} from './signature';

export const DEFAULT_TOLERANCE_SECONDS = 300;
const WITHOUT_TIME = SIGNATURE_SCHEMES.filter((scheme) => !SCHEMES[scheme].signsTime);
/** As many as take each other's place at one time. */
const MAX_SECRETS = 5;
const HEADER = /^[!#$%&'*+.^`|~\w-]{1,100}$/;

/** How requests of a source of the kind `webhook` are signed. */
export class SignatureDto {
  @ApiProperty({
    enum: SIGNATURE_SCHEMES,
    example: 'github',
    description: '`hmac` is for all others: say in the members below what their documentation says.',
  })
  @IsIn(SIGNATURE_SCHEMES)
  scheme: SignatureScheme;

  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: MAX_SECRETS,
    example: ['It is a secret to everybody'],
    description:
      'Any of them may sign: during a rotation give the new one and the old one. Answers have masks in their place; a mask ' +
      'that is sent back keeps its secret.',
  })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_SECRETS)
  @IsText(1, 1_024, { each: true })
  secrets: string[];

  @OptionalInteger(1, 86_400, {
    default: DEFAULT_TOLERANCE_SECONDS,
    description:
      'How far the time that is signed may be from now, in either direction. Not for ' +
      `${WITHOUT_TIME.map((scheme) => `\`${scheme}\``).join(' and ')}, which sign none.`,
  })
  toleranceSeconds?: number;

  @ApiPropertyOptional({
    example: 'X-Signature',
    description: 'Of `hmac`, and needed there: the header of the signature.',
  })
  @Optional()
  @Matches(HEADER, { message: 'header must be the name of a header' })
  header?: string;

  @OptionalOneOf(HMAC_ALGORITHMS, { default: 'sha256', description: 'Of `hmac`.' })
  algorithm?: (typeof HMAC_ALGORITHMS)[number];

  @OptionalOneOf(HMAC_ENCODINGS, { default: 'hex', description: 'Of `hmac`.' })
  encoding?: (typeof HMAC_ENCODINGS)[number];

  @OptionalText(0, 50, {
    default: '',
    description: 'Of `hmac`: what stands in front of the signature, such as `sha256=`.',
  })
  prefix?: string;

  @ApiPropertyOptional({
    example: 'X-Timestamp',
    description:
      'Of `hmac`: the header of a time in seconds since 1970. Then `<time>.<body>` is what is signed, else the body.',
  })
  @Optional()
  @Matches(HEADER, { message: 'timestampHeader must be the name of a header' })
  timestampHeader?: string;
}
