import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One thing that is wrong with a request. */
export class ProblemDetailDto {
  @ApiProperty({
    example: 'name',
    description: 'A JSON path such as `batch[3].event`, or the name of a query parameter or header.',
  })
  path: string;

  @ApiProperty({ example: 'is_string', description: 'Stable, snake_case.' })
  code: string;

  @ApiProperty({ example: 'name must be a string', description: 'For people.' })
  message: string;

  @ApiPropertyOptional({
    example: 'track Order Completed',
    description: 'Of an event that its tracking plan blocks: the rule of the plan.',
  })
  rule?: string;
}

/** The body of every error: problem details (RFC 9457), with the `code` and `message` that SDKs look for. */
export class ProblemDto {
  @ApiProperty({ example: 'urn:cdp:problem:invalid_request' })
  type: string;

  @ApiProperty({ example: 'Bad Request' })
  title: string;

  @ApiProperty({ type: 'integer', example: 400, minimum: 400, maximum: 599 })
  status: number;

  @ApiProperty({ example: 'name must be a string' })
  detail: string;

  @ApiProperty({ example: '/sources', description: 'The path of the request.' })
  instance: string;

  @ApiProperty({ example: 'invalid_request', description: 'Stable, snake_case: what programs decide on.' })
  code: string;

  @ApiProperty({ example: 'name must be a string', description: 'The same as `detail`.' })
  message: string;

  @ApiProperty({ type: [ProblemDetailDto], description: 'Each thing that is wrong; may be empty.' })
  errors: ProblemDetailDto[];

  @ApiProperty({
    example: '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b',
    description: 'Also in the header `X-Request-Id` and in the log.',
  })
  requestId: string;
}
