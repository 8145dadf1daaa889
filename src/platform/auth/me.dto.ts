import { ApiProperty } from '@nestjs/swagger';
import { type Scope, SCOPES } from './principal';

/** The caller, as the service knows it. */
export class MeDto {
  @ApiProperty({ example: 'ada@example.com', description: 'The subject of the token, or its client.' })
  subject: string;

  @ApiProperty({
    enum: ['subject', 'client', 'unknown', 'service'],
    description: 'What `subject` is the name of.',
  })
  kind: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'https://login.example.com/',
    description: 'Who vouches for `subject`: the issuer of the token.',
  })
  issuer: string | null;

  @ApiProperty({
    enum: SCOPES,
    isArray: true,
    example: ['cdp:read'],
    description: 'What the caller may do; those that others include are named too.',
  })
  scopes: Scope[];

  @ApiProperty({ format: 'date-time', description: 'When the token or the session ends.' })
  expiresAt: string;
}
