/**
 * What examples say in place of the ids of things that exist. Outside production `fillInExamples` puts the ids of the first
 * source, destination and so on in their place, so that an example works as it is.
 */
export const EXAMPLE_IDS = {
  source: '00000000-0000-7000-8000-000000000001',
  writeKey: 'write-key-of-a-source',
  destination: '00000000-0000-7000-8000-000000000002',
  destinationUrl: 'https://orders.example.com/events',
  segment: '00000000-0000-7000-8000-000000000003',
  delivery: '00000000-0000-7000-8000-000000000004',
  unfinishedDelivery: '00000000-0000-7000-8000-000000000005',
  replay: '00000000-0000-7000-8000-000000000006',
  event: '00000000-0000-7000-8000-000000000007',
  message: 'message-of-an-event',
  /** The user of the events in the examples of the Events API. */
  user: 'u-1',
  group: 'g-1',
} as const;

export type ExampleId = keyof typeof EXAMPLE_IDS;

/** The example of a parameter, by the beginning of the path and the parameter's name. The first that fits counts. */
export const PATH_EXAMPLES: readonly (readonly [path: string, parameter: string, example: ExampleId])[] = [
  ['/sources/', 'id', 'source'],
  ['/destinations/', 'id', 'destination'],
  ['/segments/', 'id', 'segment'],
  ['/deliveries/{id}/retry', 'id', 'unfinishedDelivery'],
  ['/deliveries/', 'id', 'delivery'],
  ['/replays/', 'id', 'replay'],
  ['/events/', 'id', 'event'],
  ['/v1/projects/', 'writeKey', 'writeKey'],
  ['/groups/', 'groupId', 'group'],
  ['/', 'userId', 'user'],
];
