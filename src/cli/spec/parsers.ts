/** The text after a flag → its value. Each takes the name of the flag, for the fault. */
import { fault } from '#core'

function numeric(what: string, accepts: (value: number) => boolean): (name: string) => (text: string) => number {
  return (name) => (text) => {
    const value = Number(text)
    if (text.trim() === '' || !accepts(value)) throw fault('usage.value', { place: name, what, seen: text })
    return value
  }
}

export const positive = numeric(
  'must be a whole number, 1 or greater',
  (value) => Number.isInteger(value) && value >= 1,
)
export const wholeNumber = numeric(
  'must be a whole number, 0 or greater',
  (value) => Number.isSafeInteger(value) && value >= 0,
)
export const portNumber = numeric(
  'must be a port: a whole number from 0 to 65535',
  (value) => Number.isInteger(value) && value >= 0 && value <= 65_535,
)
export const integer = numeric('must be a whole number', Number.isSafeInteger)
export const atLeastZero = numeric('must be 0 or greater', (value) => Number.isFinite(value) && value >= 0)
/** A loss of score: `1` would be all 100 points, and was hardly meant. */
export const partOfScore = numeric(
  'must be 0 or greater and below 1: 0.01 is one point',
  (value) => value >= 0 && value < 1,
)
export const atLeastTwo = numeric(
  'must be a whole number, 2 or greater',
  (value) => Number.isSafeInteger(value) && value >= 2,
)
export const aboveZero = numeric('must be greater than 0', (value) => Number.isFinite(value) && value > 0)
export const share = numeric('must be greater than 0 and at most 1', (value) => value > 0 && value <= 1)
export const finite = numeric('must be a number', Number.isFinite)

/** Numbers of 0 or greater, comma-separated, without duplicates. */
export function prices(name: string): (text: string) => readonly number[] {
  return (text) => [...new Set(text.split(',').map((part) => atLeastZero(name)(part)))]
}

/** Whole numbers of 1 or greater, comma-separated, ascending. */
export function positiveNumbers(name: string): (text: string) => readonly number[] {
  return (text) => [...new Set(text.split(',').map((part) => positive(name)(part)))].sort((a, b) => a - b)
}

/** Whole numbers of 2 or greater, comma-separated, ascending. */
export function neighbours(name: string): (text: string) => readonly number[] {
  return (text) => {
    const given = positiveNumbers(name)(text)
    if (given.every((count) => count > 1)) return given
    throw fault('usage.value', {
      place: name,
      what: 'an average needs at least two layers',
      seen: text,
      wanted: 'numbers of 2 or greater: 2,3',
    })
  }
}

/** Shares above 0 and below 1, comma-separated, increasing, without duplicates. */
export function shares(name: string): (text: string) => readonly number[] {
  return (text) => {
    const given = [...new Set(text.split(',').map((part) => Number(part.trim() === '' ? Number.NaN : part)))].sort(
      (a, b) => a - b,
    )
    if (given.every((share) => share > 0 && share < 1)) return given
    throw fault('usage.value', {
      place: name,
      what: 'must be shares',
      seen: text,
      wanted: 'numbers between 0 and 1: 0.125,0.5',
    })
  }
}

/** Whole numbers of 0 or greater, comma-separated, in the given order, without duplicates. */
export function wholeNumbers(name: string): (text: string) => readonly number[] {
  return (text) => [...new Set(text.split(',').map((part) => wholeNumber(name)(part)))]
}

/** `512M`, `2G`, `50GB`, or plain bytes → bytes (binary multiples). */
export function bytes(name: string): (text: string) => number {
  return (text) => {
    const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?$/i.exec(text)
    if (match === null)
      throw fault('usage.value', {
        place: name,
        what: 'must be a size',
        seen: text,
        wanted: 'a number with K, M, G or T',
      })
    return Math.round(Number(match[1]) * 1024 ** ' kmgt'.indexOf((match[2] ?? '').toLowerCase() || ' '))
  }
}

/** mergekit's sizes: decimal, `B` for billions; `GB` and plain bytes too. */
export function decimalBytes(name: string): (text: string) => number {
  return (text) => {
    const match = /^(\d+(?:\.\d+)?)\s*(?:([kmgbt])b?)?$/i.exec(text)
    if (match === null)
      throw fault('usage.value', {
        place: name,
        what: 'must be a size',
        seen: text,
        wanted: 'a number with K, M, B (or G) or T',
      })
    const power = { k: 3, m: 6, g: 9, b: 9, t: 12 }[(match[2] ?? '').toLowerCase()] ?? 0
    return Math.round(Number(match[1]) * 10 ** power)
  }
}

export const list = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
