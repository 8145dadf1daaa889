import { Injectable, Logger } from '@nestjs/common';
import type { CustomerEvent, Subject } from '../events/customer-event';
import type { OpenTransaction, Tx } from '../platform/database/database';
import { ContendedProfilesError } from './contended-profiles.error';
import { personalEvents } from './personal-events';
import { updateGroups } from './state/update-groups';
import { ProfileLimits } from './state/profile-limits';
import { Suppressions } from './suppressions';
import type { TouchedGroup } from './touched-group';
import type { TouchedProfile } from './touched-profile';
import { updateProfiles } from './update-profiles';

/** What the events of a transaction changed. */
export interface Touched {
  readonly profiles: readonly TouchedProfile[];
  readonly groups: readonly TouchedGroup[];
  /** Whose events those of a subject are: the profile that they went into, or the group they are about. */
  readonly rootOf: (subject: Subject) => Subject;
}

const NOBODY: Omit<Touched, 'groups'> = { profiles: [], rootOf: (subject) => subject };

/** What travels with the statements of profiles. */
interface Beside {
  /** That the events are there: rejects when they are not. */
  readonly confirmed?: Promise<void> | undefined;
  /** What is looked at when no other transaction can change these people and groups. */
  readonly underLocks?: () => Promise<unknown>;
}

/** Unified profiles. */
@Injectable()
export class ProfilesService {
  private readonly logger = new Logger(ProfilesService.name);

  constructor(
    private readonly limits: ProfileLimits,
    private readonly suppressions: Suppressions,
  ) {}

  /**
   * Applies accepted events to the profiles they belong to, exactly once, inside the caller's transaction.
   *
   * @throws ContendedProfilesError when other transactions got in the way; to be tried again.
   * @throws EventsTooLargeError when several events together read too much; to be taken in parts.
   * @throws what `confirmed` and `underLocks` throw
   */
  async apply(
    events: readonly CustomerEvent[],
    tx: OpenTransaction,
    { confirmed, underLocks }: Beside = {},
  ): Promise<Touched> {
    const personal = personalEvents(events);
    let groups: readonly TouchedGroup[] = [];
    // The locks are taken in the order in which this sends them.
    const lockRest = async (): Promise<void> => {
      const updating = updateGroups(events, this.limits, tx);
      [groups] = await Promise.all([updating, underLocks?.()]);
    };
    if (personal.events.length === 0) {
      await confirmed;
      await lockRest();
      return { groups, ...NOBODY };
    }
    const way = {
      confirmed,
      underLocks: async () => {
        await Promise.all([this.demandNobodySuppressed(personal.events, tx), lockRest()]);
      },
    };
    const { touched, refused, rootOf } = await updateProfiles(personal, this.limits, way, tx);
    this.report(new Set(refused.map(({ from }) => from)).size);
    return { profiles: touched, groups, rootOf };
  }

  /** Under the locks: a deletion of one of these people waits for them, or was faster. */
  private async demandNobodySuppressed(events: readonly CustomerEvent[], tx: Tx): Promise<void> {
    if ((await this.suppressions.find(events, tx)).length > 0) {
      throw new ContendedProfilesError('Somebody was suppressed meanwhile');
    }
  }

  private report(refusedIds: number): void {
    if (refusedIds === 0) return;
    this.logger.warn(`Refused to link ${refusedIds} ids: a profile has at most ${this.limits.maxIds}`);
  }
}
