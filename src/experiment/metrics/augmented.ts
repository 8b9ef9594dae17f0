/** Seeded views of a text, made as in the paper: words split, characters replaced, keys missed. */
import { randomState, type RandomState } from '#platform/random'

/**
 * Share of the words of a text, and of the characters of a word, that a step changes; at least one, at most ten.
 * nlpaug's defaults.
 */
const share = 0.3
const most = 10
/** Shorter words stay unchanged. */
const leastLetters = 4

/**
 * `views` other forms of the text, each through all three steps: a split at a random place, random characters,
 * neighbours on a keyboard. The chain is that of "Layer by Layer" (Skean et al. 2025,
 * https://arxiv.org/abs/2502.02013), with our own generators: another text for every seed, the same for the same seed.
 */
export function augmentedViews(text: string, views: number, seed: number): string[] {
  const random = randomState((hashOf(text) ^ Math.imul(seed + 1, 0x9e3779b1)) >>> 0)
  return Array.from({ length: views }, () => mistyped(replaced(split(text, random), random), random))
}

function split(text: string, random: RandomState): string {
  return changed(text, random, (word) => {
    const at = 1 + below(random, word.length - 1)
    return `${word.slice(0, at)} ${word.slice(at)}`
  })
}

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*()_+'

function replaced(text: string, random: RandomState): string {
  return changed(text, random, (word) =>
    letters(word, random, () => characters.charAt(below(random, characters.length))),
  )
}

/** Rows of an English keyboard; neighbours are to the left and right, above and below. */
const keys = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

function mistyped(text: string, random: RandomState): string {
  return changed(text, random, (word) =>
    letters(word, random, (letter) => {
      const near = neighbours(letter.toLowerCase())
      return near.length === 0 ? letter : (near[below(random, near.length)] ?? letter)
    }),
  )
}

function neighbours(key: string): string[] {
  const row = keys.findIndex((line) => line.includes(key))
  const at = keys[row]?.indexOf(key) ?? -1
  if (at < 0) return []
  return [row - 1, row, row + 1]
    .flatMap((r) => [at - 1, at, at + 1].map((c) => (r === row && c === at ? '' : (keys[r]?.charAt(c) ?? ''))))
    .filter((one) => one !== '')
}

/** Words with the spaces between them, some of the words passed through `change`. */
function changed(text: string, random: RandomState, change: (word: string) => string): string {
  const parts = text.split(/(\s+)/)
  const places = parts.flatMap((part, i) => (i % 2 === 0 && part.length >= leastLetters ? [i] : []))
  const chosen = new Set(some(places, random))
  return parts.map((part, i) => (chosen.has(i) ? change(part) : part)).join('')
}

function letters(word: string, random: RandomState, change: (letter: string) => string): string {
  const list = Array.from(word)
  const chosen = new Set(some([...list.keys()], random))
  return list.map((letter, i) => (chosen.has(i) ? change(letter) : letter)).join('')
}

function some(places: readonly number[], random: RandomState): number[] {
  if (places.length === 0) return []
  const count = Math.max(1, Math.min(most, Math.floor(share * places.length)))
  return [...random.permutation(places.length)].slice(0, count).map((i) => places[i] ?? 0)
}

function below(random: RandomState, n: number): number {
  return Math.floor((random.word() / 2 ** 32) * n)
}

/** FNV-1a over the code units: texts of one corpus must not be changed alike. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
