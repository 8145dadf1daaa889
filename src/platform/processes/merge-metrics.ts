/**
 * Several expositions in Prometheus' text format as one: each metric once, with the samples of all. The samples must
 * differ in a label.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, { readonly head: string[]; readonly samples: string[] }>();
  for (const text of texts) {
    const known = new Set(families.keys());
    let family: { readonly head: string[]; readonly samples: string[] } = { head: [], samples: [] };
    for (const line of text.split('\n')) {
      const name = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1];
      if (name === undefined) {
        if (line !== '') family.samples.push(line);
        continue;
      }
      family = families.get(name) ?? { head: [], samples: [] };
      families.set(name, family);
      if (!known.has(name)) family.head.push(line);
    }
  }
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head, ...samples]);
  return `${lines.join('\n')}\n`;
}
