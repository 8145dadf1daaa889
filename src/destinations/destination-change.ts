/** Part of every transaction that changes a destination: processes keep them in memory and compare this number. */
export const countDestinationChangeSql = 'update destination_change set version = version + 1';
