/** Times for files and records that are to be so old, or to lie so far ahead: hours from their limits, not moments. */

/** Milliseconds, as `Date` counts them; of negative hours a time to come. */
export function hoursAgo(hours: number): number {
  return Date.now() - hours * 3_600_000
}
