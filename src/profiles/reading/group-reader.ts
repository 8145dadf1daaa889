import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Subject } from '../../events/customer-event';
import { userIdOf, userSubject } from '../../events/subject';
import { prepared } from '../../platform/database/statements/prepared';
import { ReplicaDatabase } from '../../platform/database/replica-database';
import { within } from '../../platform/database/transactions/within';
import { CustomerGroup } from '../customer-group.entity';
import { DEFAULT_MEMBERS, type GroupDto, type GroupQueryDto } from '../api/dto/group.dto';
import { GroupNotFoundError } from '../profile-problems';
import { readTextCursor, writeTextCursor } from '../../platform/http/resources/text-cursor';

/** A group with some of its members; `cursor` leads to the next ones. */
interface GroupPage {
  readonly group: GroupDto;
  readonly cursor: string | undefined;
}

/** Users in $1 after $2, at most $3. The members first: else the planner may walk over all users in their order. */
const readMembersSql = prepared('read_group_members')`
    with members as materialized (
      select subject from profile where groups @> array[$1::text] and groups <> '{}' and merged_into is null
    )
    select subject from members where subject > $2 and subject < 'u;' order by subject limit $3`;

/** Reads single groups. */
@Injectable()
export class GroupReader {
  constructor(
    @InjectRepository(CustomerGroup) private readonly groups: Repository<CustomerGroup>,
    private readonly replica: ReplicaDatabase,
  ) {}

  /** @throws GroupNotFoundError, InvalidCursorError. */
  async findOne(groupId: string, { limit = DEFAULT_MEMBERS, cursor }: GroupQueryDto): Promise<GroupPage> {
    const after = cursor === undefined ? '' : readTextCursor(cursor);
    if (groupId.includes('\0')) throw new GroupNotFoundError(groupId); // PostgreSQL knows no such text.
    const group = await this.replica.read((connection) =>
      within(connection, this.groups).findOneBy({ groupId }),
    );
    if (group === null) throw new GroupNotFoundError(groupId);
    const found = await this.replica.query<{ subject: Subject }>(readMembersSql, [
      groupId,
      userSubject(after),
      limit + 1,
    ]);
    const members = found.slice(0, limit).map(({ subject }) => userIdOf(subject) ?? '');
    const last = members.at(-1);
    return {
      group: { groupId, traits: group.traits, members },
      cursor: found.length > limit && last !== undefined ? writeTextCursor(last) : undefined,
    };
  }
}
