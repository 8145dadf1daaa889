import { CreateConfiguration1795000000001 } from './1795000000001-create-configuration';
import { CreateEvents1795000000002 } from './1795000000002-create-events';
import { CreateProfiles1795000000003 } from './1795000000003-create-profiles';
import { CreateSegments1795000000004 } from './1795000000004-create-segments';
import { CreateDeliveries1795000000005 } from './1795000000005-create-deliveries';
import { CreateBatches1795000000007 } from './1795000000007-create-batches';
import { CreateAudit1795000000008 } from './1795000000008-create-audit';
import { AddActorIdentity1795000000009 } from './1795000000009-add-actor-identity';
import { ReadMoreDates1795000000010 } from './1795000000010-read-more-dates';
import { CountEventTypes1795000000011 } from './1795000000011-count-event-types';
import { AddIdsOfPeople1795000000012 } from './1795000000012-add-ids-of-people';
import { AddWorkerPresence1795000000013 } from './1795000000013-add-worker-presence';
import { IndexGroupsOfPeople1795000000014 } from './1795000000014-index-groups-of-people';
import { FollowTraitsOfGroups1795000000015 } from './1795000000015-follow-traits-of-groups';
import { TimeFailures1795000000016 } from './1795000000016-time-failures';
import { FindEvents1795000000017 } from './1795000000017-find-events';
import { KeepRejectedEvents1795000000018 } from './1795000000018-keep-rejected-events';
import { FindDeliveriesOfPeople1795000000019 } from './1795000000019-find-deliveries-of-people';
import { ScreenRejectedEvents1795000000020 } from './1795000000020-screen-rejected-events';
import { CountSourceChanges1795000000024 } from './1795000000024-count-source-changes';
import { AddDeliveryUpkeep1795000000025 } from './1795000000025-add-delivery-upkeep';
import { AddTail1795000000026 } from './1795000000026-add-tail';
import { TellOperators1795000000030 } from './1795000000030-tell-operators';
import { CountEvents1795000000031 } from './1795000000031-count-events';
import { HearSources1795000000032 } from './1795000000032-hear-sources';
import { TellChanges1795000000033 } from './1795000000033-tell-changes';
import { FindNewlyDead1795000000034 } from './1795000000034-find-newly-dead';
import { TallyNewlyDead1795000000042 } from './1795000000042-tally-newly-dead';
import { FindRejectedEventsOfPeople1795000000043 } from './1795000000043-find-rejected-events-of-people';
import { FindRejectedEventsByCode1795000000044 } from './1795000000044-find-rejected-events-by-code';
import { AddTrackingPlans1795000000050 } from './1795000000050-add-tracking-plans';
import { QuarantineEvents1795000000051 } from './1795000000051-quarantine-events';
import { CountPlanViolations1795000000052 } from './1795000000052-count-plan-violations';
import { SayWhyEventsWereRejected1795000000053 } from './1795000000053-say-why-events-were-rejected';
import { KeepEarlierSecrets1795000000054 } from './1795000000054-keep-earlier-secrets';
import { OrderDeliveries1795000000057 } from './1795000000057-order-deliveries';
import { FindTurns1795000000058 } from './1795000000058-find-turns';
import { AddTransformations1795000000060 } from './1795000000060-add-transformations';
import { KeepContexts1795000000061 } from './1795000000061-keep-contexts';
import { TakeWebhooks1795000000065 } from './1795000000065-take-webhooks';
import { TransformRequests1795000000066 } from './1795000000066-transform-requests';
import { FindSourcesThatWait1795000000068 } from './1795000000068-find-sources-that-wait';
import { ReadEventsAsJsonb1795000000070 } from './1795000000070-read-events-as-jsonb';
import { AddComputedTraits1795000000071 } from './1795000000071-add-computed-traits';
import { ReadEventsQuickly1795000000073 } from './1795000000073-read-events-quickly';
import { KeepComputedTraits1795000000075 } from './1795000000075-keep-computed-traits';
import { ReadLongNumbersChecked1795000000077 } from './1795000000077-read-long-numbers-checked';
import { ReadNumbersAsDoubles1795000000079 } from './1795000000079-read-numbers-as-doubles';
import { CountOnCitus1795000000080 } from './1795000000080-count-on-citus';
import { NarrowTraitNotices1795000000083 } from './1795000000083-narrow-trait-notices';
import { ForgetPositions1795000000085 } from './1795000000085-forget-positions';
import { NoteErasures1795000000084 } from './1795000000084-note-erasures';
import { TellClaimsApart1795000000086 } from './1795000000086-tell-claims-apart';
import { SuppressByEachDeletion1795000000087 } from './1795000000087-suppress-by-each-deletion';
import { IndexRejectedHours1795000000088 } from './1795000000088-index-rejected-hours';
import { IndexGroupEvaluations1795000000089 } from './1795000000089-index-group-evaluations';
import { NumberWorkersForGood1795000000090 } from './1795000000090-number-workers-for-good';
import { ForgetMessageIds1795000000091 } from './1795000000091-forget-message-ids';
import { CountReplayed1795000000092 } from './1795000000092-count-replayed';
import { SearchAudit1795000000093 } from './1795000000093-search-audit';
import { NameReplays1795000000094 } from './1795000000094-name-replays';
import { TellViolationsByOutcome1795000000095 } from './1795000000095-tell-violations-by-outcome';
import { PartitionDays1795000000096 } from './1795000000096-partition-days';
import { TellUnreadableSecrets1795000000097 } from './1795000000097-tell-unreadable-secrets';

/** All migrations in order. A migration that has been released is never edited. */
export const migrations = [
  CreateConfiguration1795000000001,
  CreateEvents1795000000002,
  CreateProfiles1795000000003,
  CreateSegments1795000000004,
  CreateDeliveries1795000000005,
  CreateBatches1795000000007,
  CreateAudit1795000000008,
  AddActorIdentity1795000000009,
  ReadMoreDates1795000000010,
  CountEventTypes1795000000011,
  AddIdsOfPeople1795000000012,
  AddWorkerPresence1795000000013,
  IndexGroupsOfPeople1795000000014,
  FollowTraitsOfGroups1795000000015,
  TimeFailures1795000000016,
  FindEvents1795000000017,
  KeepRejectedEvents1795000000018,
  FindDeliveriesOfPeople1795000000019,
  ScreenRejectedEvents1795000000020,
  CountSourceChanges1795000000024,
  AddDeliveryUpkeep1795000000025,
  AddTail1795000000026,
  TellOperators1795000000030,
  CountEvents1795000000031,
  HearSources1795000000032,
  TellChanges1795000000033,
  FindNewlyDead1795000000034,
  TallyNewlyDead1795000000042,
  FindRejectedEventsOfPeople1795000000043,
  FindRejectedEventsByCode1795000000044,
  AddTrackingPlans1795000000050,
  QuarantineEvents1795000000051,
  CountPlanViolations1795000000052,
  SayWhyEventsWereRejected1795000000053,
  KeepEarlierSecrets1795000000054,
  OrderDeliveries1795000000057,
  FindTurns1795000000058,
  AddTransformations1795000000060,
  KeepContexts1795000000061,
  TakeWebhooks1795000000065,
  TransformRequests1795000000066,
  FindSourcesThatWait1795000000068,
  ReadEventsAsJsonb1795000000070,
  AddComputedTraits1795000000071,
  ReadEventsQuickly1795000000073,
  KeepComputedTraits1795000000075,
  ReadLongNumbersChecked1795000000077,
  ReadNumbersAsDoubles1795000000079,
  CountOnCitus1795000000080,
  NarrowTraitNotices1795000000083,
  NoteErasures1795000000084,
  ForgetPositions1795000000085,
  TellClaimsApart1795000000086,
  SuppressByEachDeletion1795000000087,
  IndexRejectedHours1795000000088,
  IndexGroupEvaluations1795000000089,
  NumberWorkersForGood1795000000090,
  ForgetMessageIds1795000000091,
  CountReplayed1795000000092,
  SearchAudit1795000000093,
  NameReplays1795000000094,
  TellViolationsByOutcome1795000000095,
  PartitionDays1795000000096,
  TellUnreadableSecrets1795000000097,
];
