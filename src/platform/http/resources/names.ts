import { OptionalFlag } from '../input/optional-members';
import { type ProblemDetail, problem } from '../problems/problem';
import type { ExpectedVersions } from './version';

/** How a resource with a name is created or changed. */
export class NameQueryDto {
  @OptionalFlag(
    'Take a name that another one has. The configuration cannot be exported as one document then.',
  )
  allowDuplicate?: boolean;
}

/** What a change of a resource may meet. */
export interface ChangeOptions {
  readonly expected?: ExpectedVersions;
  /** Whether another one may have the new name. */
  readonly allowDuplicate?: boolean;
}

/** Another resource of the kind has the name. */
export class NameTakenError extends problem(
  409,
  'name_taken',
  'Another one has this name; `existingId` says which.',
) {
  override readonly errors: readonly ProblemDetail[];
  override readonly extensions: Readonly<Record<string, unknown>>;

  constructor(kind: string, name: string, existingId: string, mayRepeat = true) {
    const hint = mayRepeat ? '; ?allowDuplicate=true takes it all the same' : '';
    const message = `the ${kind.replaceAll('_', ' ')} ${existingId} has it already${hint}`;
    super(`The name ${JSON.stringify(name)} is taken: ${message}.`);
    this.errors = [{ path: 'name', code: 'name_taken', message }];
    this.extensions = { existingId };
  }
}
