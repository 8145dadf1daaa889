/** SQL of what is asked for. */
interface OfPerson {
  readonly destinationId: string;
  readonly person: string;
  readonly fromId: string;
  /** The alias of the deliveries. */
  readonly alias?: string;
}

/** The line of a person in a destination with an order: what waits, behind what is under way; see the index `delivery_turn_ix`. */
export const inOrderSql = ({ destinationId, person, fromId, alias = 'f' }: OfPerson): string =>
  `${alias}.destination_id = ${destinationId} and ${alias}.person = ${person} and ${alias}.state = 'pending'
    and ${alias}.passed_at is null and ${alias}.id >= ${fromId}`;

/** The head of the line: the only one that may be sent. */
export const firstOfPersonSql = (asked: OfPerson): string => `
  select f.id, f.place, f.due_at from delivery f where ${inOrderSql(asked)} order by f.place, f.id limit 1`;
