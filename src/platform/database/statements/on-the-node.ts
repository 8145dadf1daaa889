/**
 * A condition that is always true, for an insert of what its statement has worked out before. On Citus such an insert
 * is the coordinator's, which hands what it reads to all nodes, and so fails while any of them is away. One that reads
 * a table of the schema goes to the node of the schema as it stands, if nothing in it depends on the time or is counted
 * up, defaults of its columns included (decision 0133).
 */
export const onTheNode = 'exists (select from migrations) is not null';
