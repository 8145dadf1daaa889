/**
 * The beginning of a statement that has the destinations with pending deliveries as `pending_of (destination_id)`, and
 * one null. It goes from one to the next through the index: what takes time is how many there are, in each partition,
 * not how much waits for them nor how many destinations have nothing.
 */
export const withPendingDestinations = (fromId: string): string => `
  with recursive pending_of as (
    (select destination_id from delivery where state = 'pending' and id >= ${fromId} order by destination_id limit 1)
    union all
    select (select destination_id from delivery
      where state = 'pending' and id >= ${fromId} and destination_id > p.destination_id order by destination_id limit 1)
    from pending_of p where p.destination_id is not null
  )`;
