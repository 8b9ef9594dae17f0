import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Branch, type Pack, packTokens, type Sequence } from '../../../src/model/language/pack-tokens.ts'

/** Every pick as the path of ids that leads to it: what the model sees where it is asked. */
function picked(
  branches: readonly Branch[],
  before: readonly number[] = [],
): { sequence: number; place: number; path: number[] }[] {
  return branches.flatMap((branch) => {
    const pack = branch.kind === 'pack' ? branch.pack : branch.stem.pack
    const own = pack.picks.map(({ sequence, place, at }) => ({
      sequence,
      place,
      path: [...before, ...pathTo(pack, at)],
    }))
    return branch.kind === 'pack' ? own : [...own, ...picked(branch.stem.branches, [...before, ...pack.ids])]
  })
}

function pathTo({ ids, parents }: Pack, at: number): number[] {
  const path: number[] = []
  for (let i = at; i >= 0; i = parents[i] ?? -1) path.unshift(ids[i] ?? -1)
  return path
}

const sequences = fc.array(
  fc
    .tuple(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 24 }), fc.nat())
    .map(([ids, first]): Sequence => ({ ids: Int32Array.from(ids), first: first % ids.length })),
  { maxLength: 20 },
)

test('each place is picked once, and sees its own sequence up to itself', () => {
  fc.assert(
    fc.property(
      sequences,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 12 }),
      (all, rowTokens, stemTokens) => {
        const found = picked(
          packTokens(
            all,
            all.map((_, i) => i),
            { rowTokens, stemTokens },
          ),
        )
        const wanted = all.flatMap(({ ids, first }, sequence) =>
          Array.from({ length: ids.length - first }, (_, k) => ({
            sequence,
            place: first + k,
            path: Array.from(ids.subarray(0, first + k + 1)),
          })),
        )
        const order = (a: { sequence: number; place: number }, b: { sequence: number; place: number }) =>
          a.sequence - b.sequence || a.place - b.place
        expect(found.toSorted(order)).toEqual(wanted.toSorted(order))
      },
    ),
  )
})

const tokensOf = (branches: readonly Branch[]): number =>
  branches.reduce(
    (sum, branch) =>
      sum +
      (branch.kind === 'pack' ? branch.pack.ids.length : branch.stem.pack.ids.length + tokensOf(branch.stem.branches)),
    0,
  )

test('a long beginning passes once, whatever the rows', () => {
  const beginning = Array.from({ length: 100 }, (_, i) => i)
  const all = Array.from({ length: 40 }, (_, i): Sequence => ({
    ids: Int32Array.from([...beginning, 200 + i, 7, 8]),
    first: 100,
  }))
  const branches = packTokens(
    all,
    all.map((_, i) => i),
    { rowTokens: 120, stemTokens: 32 },
  )
  expect(tokensOf(branches)).toBe(100 + 3 * 40)
})

test('no row is longer than asked, but for what cannot be cut', () => {
  const all = [0, 1].map((first): Sequence => ({
    ids: Int32Array.from({ length: 50 }, (_, i) => i + 100 * first),
    first: 49,
  }))
  const longest = (branches: readonly Branch[]): number =>
    Math.max(
      0,
      ...branches.map((branch) =>
        branch.kind === 'pack'
          ? branch.pack.ids.length
          : Math.max(branch.stem.pack.ids.length, longest(branch.stem.branches)),
      ),
    )
  expect(longest(packTokens(all, [0, 1], { rowTokens: 16, stemTokens: 4 }))).toBeLessThanOrEqual(16)
})
