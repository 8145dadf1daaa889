// A chart of figures as SVG: a bar each, bars of one part and unit to one scale.

const WIDTH = 960;
const LABEL = 380;
const BAR = 340;
const ROW = 22;
const HEAD = 34;

/** The text of an SVG file. `lines` stand below the title: what the figures were measured on. */
export function chartOf(title, lines, figures) {
  const rows = [];
  let y = 34 + lines.length * 16;
  for (const [part, own] of groupBy(figures, ({ part }) => part)) {
    rows.push(text(16, y + 22, part, 'font-weight="bold"'));
    y += HEAD;
    for (const one of own) {
      const peers = own.filter(({ unit }) => unit === one.unit);
      const longest = Math.max(...peers.flatMap(({ value, limit = 0 }) => [value, limit]));
      rows.push(...bar(one, longest, y));
      y += ROW;
    }
  }
  const head = [
    text(16, 26, title, 'font-size="18" font-weight="bold"'),
    ...lines.map((line, index) => text(16, 46 + index * 16, line, 'fill="#555"')),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y + 16}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${[...head, ...rows].join('\n')}
</svg>
`;
}

function bar({ name, value, unit, limit, ratio }, longest, y) {
  const width = (size) => Math.max(1, (size / longest) * BAR).toFixed(1);
  const label = `${round(value)} ${unit}${ratio === undefined ? '' : ` (${round(ratio)} × the limit)`}`;
  return [
    text(LABEL - 8, y + 14, name, 'text-anchor="end"'),
    ...(limit === undefined
      ? []
      : [`<rect x="${LABEL}" y="${y + 2}" width="${width(limit)}" height="16" fill="#dde3ea"/>`]),
    `<rect x="${LABEL}" y="${y + 2}" width="${width(value)}" height="16" fill="#3b78b5"/>`,
    text(LABEL + Number(width(Math.max(value, limit ?? 0))) + 8, y + 14, label, ''),
  ];
}

function text(x, y, content, attributes) {
  return `<text x="${x}" y="${y}" ${attributes}>${escape(content)}</text>`;
}

function escape(content) {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Three digits that count. */
export function round(value) {
  return Number(Math.abs(value) >= 100 ? Math.round(value) : value.toPrecision(3)).toLocaleString('en');
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
