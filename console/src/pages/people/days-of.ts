/** What happened on a day of the person who looks. */
interface Day<Happened> {
  readonly day: string;
  readonly happened: readonly Happened[];
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** Groups what happened by days, in the order in which it is given. */
export function daysOf<Happened extends { readonly timestamp: string }>(
  all: readonly Happened[],
): readonly Day<Happened>[] {
  const byDay = new Map<string, Happened[]>();
  for (const one of all) {
    const day = DAY.format(new Date(one.timestamp));
    byDay.set(day, [...(byDay.get(day) ?? []), one]);
  }
  return Array.from(byDay, ([day, happened]) => ({ day, happened }));
}
