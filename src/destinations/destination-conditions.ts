/**
 * Conditions on destinations in statements of other modules, where what counts is how it is at that moment.
 * `id` is SQL, such as the column of a table.
 */

/** Whether there is such a destination, and it has an order. */
export const destinationHasOrder = (id: string): string =>
  `exists (select from destination where id = ${id} and ordering is not null)`;

/** Whether there is such a destination. */
export const destinationExists = (id: string): string => `exists (select from destination where id = ${id})`;
