import { ApiProperty } from '@nestjs/swagger';
import { SourceDto } from './source.dto';

/** A source, and when it sent something last. */
export class HeardSourceDto extends SourceDto {
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2026-11-20T12:00:00.000Z',
    description:
      'When an event of it was accepted last, or known already, within some ten seconds. Null: it has sent none yet.',
  })
  lastEventAt: string | null;

  static of(source: SourceDto, lastEventAt: Date | undefined): HeardSourceDto {
    return Object.assign(new HeardSourceDto(), source, { lastEventAt: lastEventAt?.toISOString() ?? null });
  }
}
