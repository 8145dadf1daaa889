/** Milliseconds as people read them, to a tenth. */
export function roundMs<Ms extends number | null>(ms: Ms): Ms {
  return (ms === null ? null : Math.round(ms * 10) / 10) as Ms;
}
