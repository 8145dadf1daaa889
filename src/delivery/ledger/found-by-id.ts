// Deliveries that are found by their ids are each looked up by its own, however many there are. PostgreSQL makes the
// plan that it keeps of tables as they are then: that of a day begins empty, and in a calm minute next to nothing is
// pending. Left the choice it reads all of either, for each few ids, also once a hundred thousand wait.

/**
 * Whether a delivery is one of those that another part of the statement has found. By a join it could read the whole
 * table beside them.
 * @param part a query of the statement with a column `id`
 */
export function isOneOf(part: string, id = 'd.id'): string {
  return `${id} = any(array(select id from ${part}))`;
}

/** Whether a delivery that was found is pending, said so that the index of what is pending has no answer. */
export function isStillPending(state = 'state'): string {
  return isStill('pending', state);
}

/** The same of another state that has an index, and of batches. */
export function isStill(value: 'pending' | 'dead' | 'closed', state = 'state'): string {
  // Not `concat`: Citus takes no function that is only stable of a column in what changes rows.
  return `${state} || '' = '${value}'`;
}
