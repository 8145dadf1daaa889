/** The names of what the examples of creations make. No page of `docs/` makes a thing of such a name. */
export const EXAMPLE_NAMES = {
  source: 'Web shop',
  webhook: 'Issues of the web shop',
  destination: 'Order service',
  segment: 'Regular customers',
  trackingPlan: 'Events of the web shop',
  transformation: 'Orders of the north',
  computedTrait: 'paid_in_three_months',
} as const;

/**
 * What examples say in place of the ids of things that exist. Outside production `fillInExamples` puts ids of sources,
 * destinations and so on in their place, so that an example works as it is. What changes something has one of `made…`:
 * the thing that the example of the creation made, and nobody else's.
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
  /** The user of the events in the examples of the Events API, and of README's first event. */
  user: 'ada',
  group: 'g-1',
  madeSource: '00000000-0000-7000-8000-000000000008',
  madeDestination: '00000000-0000-7000-8000-000000000009',
  madeSegment: '00000000-0000-7000-8000-00000000000a',
  trackingPlan: '00000000-0000-7000-8000-00000000000b',
  madeTrackingPlan: '00000000-0000-7000-8000-00000000000c',
  transformation: '00000000-0000-7000-8000-00000000000d',
  madeTransformation: '00000000-0000-7000-8000-00000000000e',
  computedTrait: '00000000-0000-7000-8000-00000000000f',
  madeComputedTrait: '00000000-0000-7000-8000-000000000010',
} as const;

export type ExampleId = keyof typeof EXAMPLE_IDS;

/** The same for what only reads, where there is another that it may read as well. */
export const READ_EXAMPLES: Partial<Record<ExampleId, ExampleId>> = {
  madeSource: 'source',
  madeDestination: 'destination',
  madeSegment: 'segment',
  madeTrackingPlan: 'trackingPlan',
  madeTransformation: 'transformation',
  madeComputedTrait: 'computedTrait',
};

/** The example of a parameter, by the beginning of the path and the parameter's name. The first that fits counts. */
export const PATH_EXAMPLES: readonly (readonly [path: string, parameter: string, example: ExampleId])[] = [
  ['/sources/', 'id', 'madeSource'],
  ['/destinations/', 'id', 'madeDestination'],
  ['/segments/', 'id', 'madeSegment'],
  ['/tracking-plans/', 'id', 'madeTrackingPlan'],
  ['/transformations/', 'id', 'madeTransformation'],
  ['/computed-traits/', 'id', 'madeComputedTrait'],
  ['/deliveries/{id}/retry', 'id', 'unfinishedDelivery'],
  ['/deliveries/', 'id', 'delivery'],
  ['/replays/', 'id', 'replay'],
  ['/events/', 'id', 'event'],
  ['/v1/projects/', 'writeKey', 'writeKey'],
  ['/groups/', 'groupId', 'group'],
  ['/', 'userId', 'user'],
];
