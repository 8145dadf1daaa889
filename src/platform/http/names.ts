import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Optional } from './optional';
import { Problem, type ProblemDetail } from './problem';
import type { ExpectedVersions } from './version';

const FLAGS = ['true', 'false'] as const;

/** How a resource with a name is created or changed. */
export class NameQueryDto {
  @ApiPropertyOptional({
    enum: FLAGS,
    default: 'false',
    description:
      'Take a name that another one has. The configuration cannot be exported as one document then.',
  })
  @Optional()
  @IsIn(FLAGS)
  allowDuplicate?: (typeof FLAGS)[number];
}

/** What a change of a resource may meet. */
export interface ChangeOptions {
  readonly expected?: ExpectedVersions;
  /** Whether another one may have the new name. */
  readonly allowDuplicate?: boolean;
}

/** Another resource of the kind has the name. */
export class NameTakenError extends Problem {
  static readonly status = 409;
  static readonly code = 'name_taken';
  static readonly when = 'Another one has this name; `existingId` says which.';
  readonly status = NameTakenError.status;
  readonly code = NameTakenError.code;
  override readonly errors: readonly ProblemDetail[];
  override readonly extensions: Readonly<Record<string, unknown>>;

  constructor(kind: string, name: string, existingId: string) {
    const message = `the ${kind} ${existingId} has it already; ?allowDuplicate=true takes it all the same`;
    super(`The name ${JSON.stringify(name)} is taken: ${message}.`);
    this.errors = [{ path: 'name', code: 'name_taken', message }];
    this.extensions = { existingId };
  }
}
