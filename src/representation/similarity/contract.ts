/** The laws of similarities, over seeded layers: what Strata's own and the user's are held to. */
import { broken, type Law, type Matrix, matrix, takeRows } from '#core'
import { randomState } from '#platform/random'
import type { Layers, Similarity } from './similarity.ts'

/** float32 products of centred columns leave some 1e-7. */
const rounding = 1e-5

/** The laws, in the order of a report. */
export function similarityLaws(): Law<Similarity>[] {
  return [...valueLaws(), ...callLaws()]
}

function valueLaws(): Law<Similarity>[] {
  return [
    {
      law: 'is the upper end of its range for a layer and itself',
      async hold(similarity) {
        const [first = matrix(0, 0)] = made()
        const [value = NaN] = await similarity.between([first], [first])
        close(value, similarity.range[1], 'a layer and itself')
      },
    },
    {
      law: 'is within its range',
      async hold(similarity) {
        const layers = made()
        const [low, high] = similarity.range
        for (const value of await similarity.between(layers, layers))
          if (!(value >= low - rounding && value <= high + rounding))
            broken('layers of 30 × 8', 'outside its range', String(value), `${low} … ${high}`)
      },
    },
    {
      law: 'is the same both ways',
      concerns: ({ symmetric }) => symmetric,
      async hold(similarity) {
        const layers = made()
        const [first = matrix(0, 0), second = first] = layers
        const [there = NaN] = await similarity.between([first], [second])
        const [back = NaN] = await similarity.between([second], [first])
        close(back, there, 'two layers of 30 × 8, exchanged')
      },
    },
    {
      law: 'gives two lists of layers the block of their joined matrix',
      async hold(similarity) {
        const layers = made()
        const whole = await similarity.between(layers)
        const block = await similarity.between(layers.slice(0, 2), layers.slice(1))
        for (const i of [0, 1])
          for (const j of [0, 1]) close(block[2 * i + j]!, whole[3 * i + j + 1]!, `layers ${i} and ${j + 1}`)
      },
    },
    {
      law: 'stays when the texts are reordered together',
      async hold(similarity) {
        const [first = matrix(0, 0), second = first] = made()
        const order = randomState(9).permutation(first.rows)
        const [moved = NaN] = await similarity.between([takeRows(first, order)], [takeRows(second, order)])
        const [value = NaN] = await similarity.between([first], [second])
        close(moved, value, 'texts in another order')
      },
    },
  ]
}

function callLaws(): Law<Similarity>[] {
  return [
    {
      law: 'gives the same numbers when it is asked twice',
      async hold(similarity) {
        const layers = made()
        const [once, again] = [await similarity.between(layers), await similarity.between(layers)]
        for (const [at, value] of once.entries())
          if (!Object.is(again[at], value)) broken(`pair ${at + 1}`, 'is another', again[at], String(value))
      },
    },
    {
      law: 'changes none of its layers',
      async hold(similarity) {
        const layers = made()
        const before = layers.map(({ data }) => data.slice())
        await similarity.between(layers, layers)
        for (const [k, { data }] of layers.entries()) {
          const at = data.findIndex((value, i) => !Object.is(value, before[k]?.[i]))
          if (at >= 0) broken(`layer ${k}`, `it wrote to element ${at}`)
        }
      },
    },
    {
      law: 'gives a number for a constant layer, and for one text, two and four',
      async hold(similarity) {
        const layers = made()
        const [first = matrix(0, 0)] = layers
        // 0.1 is no sum of few powers of two: its mean over the texts is not quite itself
        const still = matrix(first.rows, first.width, new Float32Array(first.data.length).fill(0.1))
        await finite(similarity, [still, first], 'a constant layer')
        for (const count of [1, 2, 4]) {
          const rows = Int32Array.from({ length: count }, (_, i) => i)
          await finite(
            similarity,
            layers.map((layer) => takeRows(layer, rows)),
            `${count} texts`,
          )
        }
      },
    },
  ]
}

/** New ones for every law: one may write to them. */
function made(): Matrix[] {
  return drawn(30, [8, 8, 8], 3)
}

async function finite(similarity: Similarity, layers: Layers, place: string): Promise<void> {
  for (const value of await similarity.between(layers))
    if (!Number.isFinite(value)) broken(place, 'not a finite number', String(value))
}

function close(got: number, want: number, place: string): void {
  if (!(Math.abs(got - want) <= rounding * Math.max(1, Math.abs(want))))
    broken(place, 'another value', String(got), String(want))
}

/** Layers of a few common directions, each turned, with noise. */
function drawn(rows: number, widths: readonly number[], seed: number): Matrix[] {
  const random = randomState(seed)
  const even = (count: number): Float64Array => random.randomSample(count).map((value) => value - 0.5)
  const base = even(rows * 4)
  return widths.map((width) => {
    const [mix, noise] = [even(4 * width), even(rows * width)]
    const values = noise.map((value, at) => {
      const [i, k] = [Math.floor(at / width), at % width]
      return [0, 1, 2, 3].reduce((sum, j) => sum + base[4 * i + j]! * mix[j * width + k]!, 0.7 * value)
    })
    return matrix(rows, width, Float32Array.from(values))
  })
}
