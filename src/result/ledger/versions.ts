/** Versions of mteb as result files hold them: `2.26.24`, or a range `1.29.10-2.18.7` after results were merged. */

/** -1, 0 or 1; compares number by number, and a suffix (`.dev0`) counts as earlier. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)]
  for (let i = 0; i < Math.max(left.numbers.length, right.numbers.length); i++) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0)
    if (difference !== 0) return Math.sign(difference)
  }
  return Math.sign(Number(left.final) - Number(right.final))
}

/** The smallest version that a stored text stands for; undefined for any other text. */
export function earliestVersion(stored: unknown): string | undefined {
  if (typeof stored !== 'string') return undefined
  const [first = ''] = stored.split('-', 1)
  return /^\d/.test(first) ? first : undefined
}

/** A single version if all are equal, otherwise `smallest-largest`; both ends of a range count. */
export function versionRange(stored: readonly string[]): string | undefined {
  const versions = stored
    .flatMap((text) => text.split('-'))
    .filter((text) => /^\d/.test(text))
    .sort(compareVersions)
  const [first] = versions
  const last = versions.at(-1)
  return first === undefined || last === undefined || compareVersions(first, last) === 0 ? first : `${first}-${last}`
}

function parts(version: string): { numbers: number[]; final: boolean } {
  const numbers = /^\d+(?:\.\d+)*/.exec(version)?.[0] ?? ''
  return { numbers: numbers.split('.').map(Number), final: numbers === version }
}
