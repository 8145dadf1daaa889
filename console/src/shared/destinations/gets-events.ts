/** Whether its filter lets any event pass: no types is what a destination says that wants notices only. */
export function getsEvents(filter: { readonly types?: readonly unknown[] } | null): boolean {
  return filter?.types?.length !== 0;
}
