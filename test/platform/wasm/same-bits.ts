/**
 * What every kernel is held to: element by element the bits of its plain loop, at sizes around its lanes and chunks,
 * for numbers of all kinds.
 */
import { describe, expect, test } from 'vitest'
import { philox } from '#platform/random'

/**
 * `grid`: few values, many of them equal or 0 of either sign. `finite`: of all sizes, subnormal ones too. `NaN`,
 * `infinite`: those as well.
 */
const kinds = ['grid', 'finite', 'NaN', 'infinite'] as const
export type Kind = (typeof kinds)[number]

export interface Draw {
  readonly size: number
  readonly kind: Kind
  /** Seeded by their names; they begin anywhere in their memory. */
  readonly words: (name: string) => Uint32Array
  readonly floats: (name: string) => Float32Array
  readonly doubles: (name: string) => Float64Array
}

type Result = Readonly<Record<string, ArrayLike<number> | string>> | readonly ArrayLike<number>[]
export type Step = (draw: Draw) => { readonly kernel: Result; readonly loop: Result }

interface Sizes {
  /** Elements that are worked on at once, and those that fit in memory at once. */
  readonly lanes: number
  readonly chunk: number
  readonly least?: number
  /** Undefined: any number of chunks. */
  readonly most?: number
  /** Kinds that callers never hand on are left out. */
  readonly without?: readonly Kind[]
}

/** Zeros, subnormal and largest numbers, ties between two bfloat16. */
const finite = [
  0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x3f800000, 0xbf808000, 0x3f818000,
  0x33800001,
]
const tables = { finite, NaN: [...finite, 0x7fc00000], infinite: [...finite, 0x7f800000, 0xff800000] }
const margin = 3

function drawOf(size: number, kind: Kind): Draw {
  const words = (name: string): Uint32Array => {
    const all = new Uint32Array(size + margin)
    philox(name)(0, all)
    return all.subarray(margin)
  }
  const floats = (name: string): Float32Array => {
    const bits = words(name).map((word, i) => {
      const table = tables[kind === 'grid' ? 'finite' : kind]
      return kind !== 'grid' && word % 5 === 0
        ? (table[(word >>> 8) % table.length] ?? 0)
        : (word & 0x83ffffff) | (0x38000000 + ((i % 7) << 23))
    })
    const values = new Float32Array(bits.buffer)
    const drawn = kind === 'grid' ? Float32Array.from(words(name), quarter) : values
    const shifted = new Float32Array(size + margin)
    shifted.set(drawn, margin)
    return shifted.subarray(margin)
  }
  return {
    size,
    kind,
    words,
    floats,
    doubles: (name) =>
      Float64Array.from(floats(name), (value, i) => value * (kind === 'grid' || i % 3 === 0 ? 1 : 1 + 2 ** -30)),
  }
}

/** From −1 to 1, the zeros among them of both signs. */
const quarter = (word: number): number => Math.round(((word % 256) / 128 - 1) * 4) / 4

/** Name and place of the first other value; every NaN counts as the same. */
function firstOther(kernel: Result, loop: Result): string | undefined {
  const found = new Map<string, ArrayLike<number> | string>(Object.entries(kernel))
  for (const [name, want] of Object.entries<ArrayLike<number> | string>(loop)) {
    const got = found.get(name) ?? ''
    if (typeof want === 'string' || typeof got === 'string' || got.length !== want.length) {
      if (got !== want) return name
      continue
    }
    for (let i = 0; i < want.length; i++)
      if (!Object.is(got[i], want[i])) return `${name}[${i}]: ${String(got[i])}, not ${String(want[i])}`
  }
  return undefined
}

/** `source`, below `src/`, is the file of the kernel. */
export function sameBits(
  source: string,
  { lanes, chunk, least = 0, most = Infinity, without = [] }: Sizes,
  steps: Readonly<Record<string, Step>>,
): void {
  const around = [0, 1, lanes - 1, lanes, lanes + 1, 2 * lanes + 1, chunk - 1, chunk, chunk + 1, 3 * chunk + lanes + 1]
  const sizes = [...new Set(around)].filter((size) => size >= least && size <= most)
  describe(`${source} has the bits of its plain loops`, () => {
    describe.each(Object.entries(steps))('%s', (_, step) => {
      test.each(kinds.filter((kind) => !without.includes(kind)))('%s numbers', (kind) => {
        for (const size of sizes) {
          const { kernel, loop } = step(drawOf(size, kind))
          expect([size, firstOther(kernel, loop)]).toEqual([size, undefined])
        }
      })
    })
  })
}
