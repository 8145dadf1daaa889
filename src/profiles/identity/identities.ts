import type { Subject } from '../../events/customer-event';

/** Where a subject is looked up. */
export interface IdentityRow {
  readonly subject: Subject;
  readonly merged_into: Subject | null;
  /** Where it was asked for. */
  readonly only_aliased?: boolean;
}

const NOBODY: readonly Subject[] = [];

/**
 * Which profile each subject belongs to, as far as it was looked up. A subject without a row is a profile of its own.
 */
export class Identities {
  private readonly roots = new Map<Subject, Subject>();
  /** Subjects with a row. */
  private readonly known = new Set<Subject>();
  /** Subjects that point to a profile, where they were looked up, each once. */
  private readonly members = new Map<Subject, Subject[]>();

  /** Subjects that an alias named and no event has borne. */
  private readonly onlyAliased = new Set<Subject>();

  constructor(rows: Iterable<IdentityRow> = []) {
    for (const row of rows) this.add(row);
  }

  add({ subject, merged_into, only_aliased }: IdentityRow): void {
    this.known.add(subject);
    if (only_aliased === true) this.onlyAliased.add(subject);
    if (merged_into !== null) this.point(subject, merged_into);
  }

  /** Whether the subject had a row when it was looked up. */
  has(subject: Subject): boolean {
    return this.known.has(subject);
  }

  /** Whether no event had borne the subject when it was looked up. */
  isOnlyAliased(subject: Subject): boolean {
    return this.onlyAliased.has(subject);
  }

  rootOf(subject: Subject): Subject {
    return this.roots.get(subject) ?? subject;
  }

  membersOf(root: Subject): readonly Subject[] {
    return this.members.get(root) ?? NOBODY;
  }

  /** Folds the profile `from`, with all its members, into the profile `into`. */
  fold(from: Subject, into: Subject): void {
    for (const member of this.membersOf(from)) this.point(member, into);
    this.members.delete(from);
    this.point(from, into);
  }

  private point(subject: Subject, root: Subject): void {
    this.roots.set(subject, root);
    const members = this.members.get(root);
    if (members === undefined) this.members.set(root, [subject]);
    else members.push(subject);
  }
}
