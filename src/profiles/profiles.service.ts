import { Injectable, Logger } from '@nestjs/common';
import type { CustomerEvent, Subject } from '../events/customer-event';
import type { OpenTransaction, Tx } from '../platform/database/database';
import { ContendedProfilesError } from './contended-profiles.error';
import { type PersonalEvents, personalEvents } from './personal-events';
import { updateGroups } from './state/group-traits';
import { ProfileLimits } from './state/profile-limits';
import { Suppressions } from './suppressions';
import type { TouchedGroup } from './touched-group';
import type { TouchedProfile } from './touched-profile';
import { type UpdatedProfiles, updateProfiles } from './update-profiles';

/** What the events of a transaction changed. */
export interface Touched {
  readonly profiles: readonly TouchedProfile[];
  readonly groups: readonly TouchedGroup[];
  /** Whose events those of a subject are: the profile that they went into, or the group they are about. */
  readonly rootOf: (subject: Subject) => Subject;
}

const NOBODY: UpdatedProfiles = { touched: [], refused: [], rootOf: (subject) => subject };

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
   */
  async apply(events: readonly CustomerEvent[], tx: OpenTransaction): Promise<Touched> {
    const personal = personalEvents(events);
    const updated = personal.events.length > 0 ? await this.update(personal, tx) : NOBODY;
    const groups = await updateGroups(events, this.limits, tx);
    return { profiles: updated.touched, groups, rootOf: updated.rootOf };
  }

  private async update(personal: PersonalEvents, tx: OpenTransaction): Promise<UpdatedProfiles> {
    const updated = await updateProfiles(personal, this.limits, tx, () =>
      this.demandNobodySuppressed(personal.events, tx),
    );
    this.report(updated.refused.length);
    return updated;
  }

  /** Under the locks: a deletion of one of these people waits for them, or was faster. */
  private async demandNobodySuppressed(events: readonly CustomerEvent[], tx: Tx): Promise<void> {
    if ((await this.suppressions.find(events, tx)).length > 0) {
      throw new ContendedProfilesError('Somebody was suppressed meanwhile');
    }
  }

  private report(refusedLinks: number): void {
    if (refusedLinks === 0) return;
    this.logger.warn(`Refused to link ${refusedLinks} ids: a profile has at most ${this.limits.maxIds}`);
  }
}
