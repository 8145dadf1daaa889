import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtAuthGuard } from './jwt-auth.guard';
import { JwtStrategy } from './jwt.strategy';

/** Authentication and rights of the Management API: nothing is open unless it says so. */
@Module({ providers: [JwtStrategy, { provide: APP_GUARD, useClass: JwtAuthGuard }] })
export class AuthModule {}
