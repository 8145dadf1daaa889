import { Module } from '@nestjs/common';
import { Sandbox } from './sandbox';

/** Runs transformations. */
@Module({ providers: [Sandbox], exports: [Sandbox] })
export class SandboxModule {}
