import { Injectable } from '@nestjs/common';
import type { JsonObject, Subject } from '../../events/customer-event';
import { userIdOf, userSubject } from '../../events/subject';
import type { PreparedStatement } from '../../platform/database/database';
import { ReplicaDatabase } from '../../platform/database/replica-database';
import { DEFAULT_MEMBERS, type GroupDto, type GroupQueryDto } from '../dto/group.dto';
import { GroupNotFoundError } from '../profile-problems';
import { readListCursor, writeListCursor } from './list-cursor';

/** A group with some of its members; `cursor` leads to the next ones. */
export interface GroupPage {
  readonly group: GroupDto;
  readonly cursor: string | undefined;
}

const readGroupStatement: PreparedStatement = {
  name: 'read_group',
  text: 'select traits from customer_group where group_id = $1',
};
/** Users in $1 after $2, at most $3. The members first: else the planner may walk over all users in their order. */
const readMembersStatement: PreparedStatement = {
  name: 'read_group_members',
  text: `
    with members as materialized (
      select subject from profile where groups @> array[$1::text] and groups <> '{}' and merged_into is null
    )
    select subject from members where subject > $2 and subject < 'u;' order by subject limit $3`,
};

/** Reads single groups. */
@Injectable()
export class GroupReader {
  constructor(private readonly database: ReplicaDatabase) {}

  /** @throws GroupNotFoundError, InvalidCursorError. */
  async findOne(groupId: string, { limit = DEFAULT_MEMBERS, cursor }: GroupQueryDto): Promise<GroupPage> {
    const after = cursor === undefined ? '' : readListCursor(cursor);
    if (groupId.includes('\0')) throw new GroupNotFoundError(groupId); // PostgreSQL knows no such text.
    const [group] = await this.database.query<{ traits: JsonObject }>(readGroupStatement, [groupId]);
    if (group === undefined) throw new GroupNotFoundError(groupId);
    const found = await this.database.query<{ subject: Subject }>(readMembersStatement, [
      groupId,
      userSubject(after),
      limit + 1,
    ]);
    const members = found.slice(0, limit).map(({ subject }) => userIdOf(subject) ?? '');
    const last = members.at(-1);
    return {
      group: { groupId, traits: group.traits, members },
      cursor: found.length > limit && last !== undefined ? writeListCursor(last) : undefined,
    };
  }
}
