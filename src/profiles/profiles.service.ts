import { Inject, Injectable, Logger } from '@nestjs/common';
import type { CustomerEvent, Subject } from '../events/customer-event';
import { Config } from '../platform/config/config';
import type { Tx } from '../platform/database/database';
import { profileBatch } from './profile-batch';
import { ContendedProfilesError } from './contended-profiles.error';
import { updateGroups } from './state/group-traits';
import type { ProfileLimits } from './state/profile-limits';
import { Suppressions } from './suppressions';
import type { TouchedProfile } from './touched-profile';
import { updateProfiles } from './update-profiles';

/** Each further attempt knows more of the identities; that this many are not enough has not been seen. */
const MAX_ATTEMPTS = 12;

/** Unified profiles. */
@Injectable()
export class ProfilesService {
  private readonly logger = new Logger(ProfilesService.name);
  private readonly limits: ProfileLimits;

  constructor(
    @Inject(Config) config: Config,
    private readonly suppressions: Suppressions,
  ) {
    this.limits = {
      maxTraitBytes: config.env.CDP_PROFILE_MAX_TRAIT_BYTES,
      maxTraitKeys: config.env.CDP_PROFILE_MAX_TRAITS,
      maxEventNames: config.env.CDP_PROFILE_MAX_EVENT_NAMES,
      maxGroups: config.env.CDP_PROFILE_MAX_GROUPS,
      maxIds: config.env.CDP_PROFILE_MAX_IDS,
    };
  }

  /**
   * Applies accepted events to the profiles they belong to, exactly once, inside the caller's transaction.
   *
   * @throws ContendedProfilesError when other transactions got in the way; to be tried again.
   */
  async apply(events: readonly CustomerEvent[], tx: Tx): Promise<TouchedProfile[]> {
    const batch = profileBatch(events);
    let touched: TouchedProfile[] = [];
    if (batch.events.length > 0) {
      await tx.query('savepoint profiles');
      let lock: ReadonlySet<Subject> = new Set();
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await updateProfiles(batch, lock, this.limits, tx);
        if (outcome.kind === 'updated') {
          this.report(outcome.refused.length);
          touched = outcome.touched;
          break;
        }
        if (attempt === MAX_ATTEMPTS)
          throw new ContendedProfilesError('The profiles of a batch were merged again and again');
        await tx.query('rollback to savepoint profiles');
        lock = outcome.lock;
      }
    }
    await updateGroups(events, this.limits, tx);
    // Under the locks: whoever deletes one of these people waits for them, or was faster.
    if ((await this.suppressions.find(batch.events, tx)).length > 0) {
      throw new ContendedProfilesError('Somebody was suppressed meanwhile');
    }
    return touched;
  }

  private report(refusedLinks: number): void {
    if (refusedLinks === 0) return;
    this.logger.warn(
      `Refused to link ${refusedLinks} ids: a profile has at most ${this.limits.maxIds} (CDP_PROFILE_MAX_IDS)`,
    );
  }
}
