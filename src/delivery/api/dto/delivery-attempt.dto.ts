import { ApiProperty } from '@nestjs/swagger';
import type { DeliveryAttempt } from '../../ledger/delivery-attempt.entity';
import { roundMs } from '../../stats/round-ms';

type AttemptTimes = Pick<AttemptLatencyDto, 'totalMs'> & Partial<AttemptLatencyDto>;

/** Where the time of a try went, in milliseconds; null is what was not needed. */
export class AttemptLatencyDto {
  @ApiProperty({ type: Number, nullable: true })
  dnsMs: number | null;

  @ApiProperty({ type: Number, nullable: true })
  connectMs: number | null;

  @ApiProperty({ type: Number, nullable: true })
  tlsMs: number | null;

  @ApiProperty({ type: Number, nullable: true })
  firstByteMs: number | null;

  @ApiProperty()
  totalMs: number;

  static from(times: AttemptTimes): AttemptLatencyDto {
    const { dnsMs = null, connectMs = null, tlsMs = null, firstByteMs = null, totalMs } = times;
    return {
      dnsMs: roundMs(dnsMs),
      connectMs: roundMs(connectMs),
      tlsMs: roundMs(tlsMs),
      firstByteMs: roundMs(firstByteMs),
      totalMs: roundMs(totalMs),
    };
  }
}

/** One try of a delivery. */
export class DeliveryAttemptDto {
  @ApiProperty({ type: 'integer', example: 1 })
  attempt: number;

  @ApiProperty({ format: 'date-time' })
  startedAt: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'HTTP status; null when there was no answer.',
  })
  status: number | null;

  @ApiProperty({ type: String, nullable: true, example: 'timeout' })
  errorClass: string | null;

  @ApiProperty({ type: AttemptLatencyDto })
  latency: AttemptLatencyDto;

  @ApiProperty({ type: String, nullable: true, description: 'The first KB of the answer.' })
  answer: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When it is tried again at the latest: up to a quarter of the wait sooner, by chance, so that failures of one moment ' +
      'spread out. Null when no try follows.',
  })
  nextTryAt: string | null;

  static from(attempt: DeliveryAttempt): DeliveryAttemptDto {
    return {
      attempt: attempt.attempt,
      startedAt: attempt.startedAt.toISOString(),
      status: attempt.status,
      errorClass: attempt.errorClass,
      latency: AttemptLatencyDto.from(attempt),
      answer: attempt.answer,
      nextTryAt: attempt.nextTryAt?.toISOString() ?? null,
    };
  }
}
