import { Controller, Get, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Config } from '../config/config';
import type { AuthenticatedRequest } from './jwt-auth.guard';
import { MeDto } from './me.dto';
import { mayUse, SCOPES } from './principal';
import { Scopes } from './scopes.decorator';

@ApiTags('access')
@Controller('me')
export class MeController {
  constructor(private readonly config: Config) {}

  @Get()
  @Scopes('any')
  @ApiOperation({ summary: 'Who am I, and what may I do?' })
  @ApiOkResponse({ type: MeDto })
  show(@Req() { user }: AuthenticatedRequest): MeDto {
    const { subject, kind, issuer, expiresAt } = user;
    const scopes = SCOPES.filter((scope) => this.config.tokens.anyIsEnough || mayUse(user, scope));
    return { subject, kind, issuer, scopes, expiresAt: expiresAt.toISOString() };
  }
}
