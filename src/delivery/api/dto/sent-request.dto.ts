import { ApiProperty } from '@nestjs/swagger';

/** What a try sends, by the destination as it is now. */
export class SentRequestDto {
  @ApiProperty({ type: String, nullable: true, example: 'POST', description: 'Null where it is not HTTP.' })
  method: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'https://orders.example.com/events' })
  url: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'Content-Type': 'application/json', 'X-Service-Signature': 'sha256=****' },
    description: 'Without what differs from try to try; signatures and secrets are masked.',
  })
  headers: Record<string, string>;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The text that is sent: the event after the mapping of the destination. Null where that fails.',
  })
  body: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'What the mapping or the connector said instead of describing the request; null where all went well.',
  })
  problem: string | null;
}
