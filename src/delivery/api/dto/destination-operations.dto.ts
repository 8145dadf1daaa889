import { ApiProperty } from '@nestjs/swagger';
import { DEFAULT_OVERLAP_SECONDS } from '../../../destinations/previous-secrets';
import type { JsonObject } from '../../../events/customer-event';
import { OptionalInteger } from '../../../platform/http/input/optional-members';
import { AttemptLatencyDto } from './delivery-attempt.dto';

const MAX_OVERLAP_SECONDS = 30 * 24 * 60 * 60;

export class RotateSecretDto {
  @OptionalInteger(0, MAX_OVERLAP_SECONDS, {
    default: DEFAULT_OVERLAP_SECONDS,
    description:
      'For how many seconds `webhook-signature` has a signature of the old secret, too; `X-Service-Signature` is of ' +
      'the new one at once. Secrets of earlier rotations go on to sign until their own end, four of them at most; with ' +
      '0 they all end at once.',
  })
  overlapSeconds?: number;
}

export class RotatedSecretDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The new secrets in full; they are not shown again.',
    example: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  })
  secrets: JsonObject;

  @ApiProperty({
    format: 'date-time',
    description: 'Until then `webhook-signature` has a signature of the secret that was replaced as well.',
  })
  previousSecretsUntil: string;
}

/** What came of sending a sample event. */
export class DestinationTestDto {
  @ApiProperty()
  delivered: boolean;

  @ApiProperty({ type: 'integer', nullable: true })
  status: number | null;

  @ApiProperty({ type: String, nullable: true, example: 'address_not_allowed' })
  errorClass: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The first KB of the answer.' })
  answer: string | null;

  @ApiProperty({ type: AttemptLatencyDto })
  latency: AttemptLatencyDto;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The event that was sent.' })
  event: JsonObject;
}
