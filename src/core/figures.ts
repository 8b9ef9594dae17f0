/** Numbers for people, each kind in one form: `–` for a missing one, `−` before a negative one. */

/** Where a number would stand and there is none. */
export const dash = '–'

type Figure = number | null | undefined

/** To a number of decimals: `0.707`, `−0.707`. */
export function decimals(value: Figure, digits: number): string {
  return written(value, (known) => known.toFixed(digits))
}

/** To a number of significant digits, for what has no scale: `12.346`. */
export function significant(value: Figure, digits: number): string {
  return written(value, (known) => known.toPrecision(digits))
}

function written(value: Figure, write: (known: number) => string): string {
  return value === null || value === undefined || Number.isNaN(value) ? dash : write(value).replace(/^-/, '−')
}

/** A score in 0 … 1 as points of 100: `70.69`. */
export function points(score: Figure, digits = 2): string {
  return decimals(typeof score === 'number' ? 100 * score : score, digits)
}

/** With its sign, + too; `write` is given the magnitude. */
export function signed(value: Figure, write: (magnitude: number) => string): string {
  return written(value, (known) => `${known < 0 ? '−' : '+'}${write(Math.abs(known))}`)
}

/** A difference of two scores in points: `+1.20`, `−0.31`. */
export function signedPoints(difference: Figure, digits = 2): string {
  return signed(difference, (magnitude) => points(magnitude, digits))
}

/** A part of a whole: `12.5 %`. */
export function percent(part: number, { of = 1, digits = 1 }: { of?: number; digits?: number } = {}): string {
  return `${decimals((100 * part) / of, digits)} %`
}

/** A count with its thousands apart: `1,234,567`. */
export function grouped(count: number): string {
  // by hand where it is one way: the tables of locales cost the start of a command 12 ms
  return Number.isSafeInteger(count) ? String(count).replaceAll(thousands, ',') : count.toLocaleString('en')
}

/** Between two digits, whole groups of three before the end. */
const thousands = /(?<=\d)(?=(?:\d{3})+$)/g

/** A count with its noun: `1 text`, `2,489 texts`; `many` where the plural is not made by an s. */
export function quantity(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** A p-value: three decimals, and never 0, which no number of draws can show. */
export function pText(p: Figure): string {
  return typeof p === 'number' && p < 0.001 ? '< 0.001' : decimals(p, 3)
}

/** In a sentence: `p = 0.031`, `p < 0.001`. */
export function pPhrase(p: number): string {
  return `p ${p < 0.001 ? '' : '= '}${pText(p)}`
}

/** Bytes as they are: `812 B`, `4.1 kB`, `12.3 MB`, `3.21 GB`. */
export function byteText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`
  if (bytes < 1e6) return `${decimals(bytes / 1e3, 1)} kB`
  return bytes < 1e9 ? `${decimals(bytes / 1e6, 1)} MB` : gigabytes(bytes)
}

/** `3.21 GB`, for columns of one unit. */
export function gigabytes(bytes: number): string {
  return `${decimals(bytes / 1e9, 2)} GB`
}

/** Bytes of an estimate, rounded up: `13 MB`, `3.2 GB`. */
export function roughBytes(bytes: number): string {
  return bytes >= 1e9 ? `${decimals(bytes / 1e9, 1)} GB` : `${Math.ceil(bytes / 1e6)} MB`
}
