/** Strings that end a text, and what of a text is settled while it is being written. */

export function holdsStop(text: string, until: readonly string[]): boolean {
  return until.some((stop) => stop !== '' && text.includes(stop))
}

/** Cut at the first place of each stop string, one after the other, as lm-evaluation-harness does. */
export function cutAtStop(text: string, until: readonly string[]): string {
  return until.reduce(
    (left, stop) => (stop === '' || !left.includes(stop) ? left : left.slice(0, left.indexOf(stop))),
    text,
  )
}

/**
 * The beginning of `text` that no later token changes: without bytes that are no character yet, which decode as U+FFFD,
 * and without what may become a stop string.
 */
export function settledText(text: string, until: readonly string[]): string {
  const whole = text.replace(/\ufffd+$/, '')
  const longest = Math.max(0, ...until.map((stop) => stop.length - 1))
  for (let from = Math.max(0, whole.length - longest); from < whole.length; from++)
    if (until.some((stop) => stop.startsWith(whole.slice(from)))) return whole.slice(0, from)
  return whole
}
