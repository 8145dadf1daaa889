import { Injectable } from '@nestjs/common';
import type { Subject } from '../events/customer-event';
import { userIdOf } from '../events/subject';
import type { Actor } from '../platform/auth/principal';
import { Database } from '../platform/database/database';
import { problem } from '../platform/http/problems/problem';
import { Suppressions } from '../profiles/suppressions';
import type { LiftedSuppressionDto } from './dto/erasure.dto';
import { PrivacyTrail } from './privacy-trail';

export class NotSuppressedError extends problem(404, 'not_suppressed', 'This id is not suppressed.') {
  constructor(subject: Subject) {
    const kind = userIdOf(subject) === undefined ? 'anonymous id' : 'user id';
    super(`The ${kind} ${JSON.stringify(subject.slice(2))} is not suppressed.`);
  }
}

/** Lets people be known again who were suppressed. */
@Injectable()
export class SuppressionLifter {
  constructor(
    private readonly database: Database,
    private readonly suppressions: Suppressions,
    private readonly trail: PrivacyTrail,
  ) {}

  /** @throws NotSuppressedError */
  async lift(subject: Subject, actor: Actor): Promise<LiftedSuppressionDto> {
    await this.trail.prepare();
    return this.database.transaction(async (tx) => {
      const identities = await this.suppressions.lift(subject, tx);
      if (identities === 0) throw new NotSuppressedError(subject);
      const after = { identities };
      const pseudonym = await this.trail.record('lift_suppression', { subject, after }, actor, tx);
      return { pseudonym, identities };
    });
  }
}
