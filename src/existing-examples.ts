import type { INestApplication } from '@nestjs/common';
import { DeliveryReader } from './delivery/api/delivery-reader';
import { Replays } from './delivery/replay/replays';
import { DestinationsService } from './destinations/destinations.service';
import { EventSearch } from './inspector/event-search';
import type { ExistingExamples } from './platform/openapi/fill-in-examples';
import { SegmentsService } from './segments/api/segments.service';
import { SourcesService } from './sources/sources.service';

const FIRST = { limit: 1 };
/** Where a developer who tries the API runs a receiver. */
const LOCAL_RECEIVER = 'http://localhost:8080/hook';

/** What the examples of the OpenAPI document can name: the first source, destination and so on that there are. */
export async function findExistingExamples(app: INestApplication): Promise<ExistingExamples> {
  const find = <T>(service: new (...args: never[]) => T): T => app.get<T>(service, { strict: false });
  const [sources, destinations, segments, [delivery], [pending], [dead], replays, found] = await Promise.all([
    find(SourcesService).findAll(FIRST),
    find(DestinationsService).findAll(FIRST),
    find(SegmentsService).findAll(FIRST),
    find(DeliveryReader).find({}, 1),
    find(DeliveryReader).find({ state: 'pending' }, 1),
    find(DeliveryReader).find({ state: 'dead' }, 1),
    find(Replays).findAll(),
    find(EventSearch).find({}, 1),
  ]);
  return withoutUndefined({
    source: sources[0]?.id,
    writeKey: sources[0]?.writeKey,
    destination: destinations[0]?.id,
    destinationUrl: LOCAL_RECEIVER,
    segment: segments[0]?.id,
    delivery: delivery?.id,
    unfinishedDelivery: (pending ?? dead)?.id,
    replay: replays[0]?.id,
    event: found.events[0]?.event.id,
    message: found.events[0]?.event.messageId,
  });
}

function withoutUndefined(examples: {
  [name in keyof ExistingExamples]: string | undefined;
}): ExistingExamples {
  return Object.fromEntries(Object.entries(examples).filter(([, value]) => value !== undefined));
}
