import type { INestApplication } from '@nestjs/common';
import { Database } from '../../src/platform/database/database';
import type { RuleNode } from '../../src/segments/rules/rule';
import { aSource } from './a-source';
import { ApiClient, anApiClient } from './api-client';
import { eventually } from './eventually';
import type { TestService } from './test-service';

/** A service that is sent events, and asked who is in its segments. */
export class SegmentsUnderTest {
  private made = 0;

  private constructor(
    readonly api: ApiClient,
    readonly events: ApiClient,
    readonly database: Database,
  ) {}

  static async of(service: TestService & { readonly app: INestApplication }): Promise<SegmentsUnderTest> {
    const { writeKey } = await aSource(service.databaseUrl);
    const events = new ApiClient(service.url, { authorization: `Basic ${btoa(`${writeKey}:`)}` });
    return new SegmentsUnderTest(await anApiClient(service), events, service.app.get(Database));
  }

  /** A number that was not there before. */
  next(): number {
    return (this.made += 1);
  }

  /** Tracks of now, unless they say something else; waits until they are processed. */
  async send(batch: readonly object[]): Promise<void> {
    const timestamp = new Date().toISOString();
    const answer = await this.events.post('/v1/batch', {
      batch: batch.map((event) => ({ type: 'track', timestamp, messageId: `m-${this.next()}`, ...event })),
    });
    expect(answer).toMatchObject({ status: 200 });
    await eventually(
      async () => expect(await this.database.query('select 1 from inbox')).toEqual([]),
      60_000,
    );
  }

  /** Its id. */
  async createSegment(rules: readonly RuleNode[]): Promise<string> {
    const { status, body } = await this.api.post('/segments', { name: `Segment ${this.next()}`, rules });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body.id;
  }

  /** User ids, when the segment is computed. */
  async members(segmentId: string): Promise<string[]> {
    await eventually(async () =>
      expect((await this.api.get(`/segments/${segmentId}`)).body).toMatchObject({ state: 'live' }),
    );
    return (await this.api.get(`/segments/${segmentId}/members`)).body;
  }

  /** They count for what a service may have. */
  async deleteAll(): Promise<void> {
    const { body } = await this.api.get<{ id: string }[]>('/segments');
    await Promise.all(body.map(({ id }) => this.api.delete(`/segments/${id}`)));
  }

  async preview(rules: readonly RuleNode[]): Promise<string[]> {
    const { status, body } = await this.api.post('/segments/preview', { rules, sample: 100 });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.sample;
  }
}
