import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Progress } from '#core'
import { encodeTexts } from '#experiment/encode'
import { openModel } from '#experiment/open'
import { type Model, statesOf } from '#model/checkpoint'
import { scratchFolder } from '../../scratch.ts'
import { writeSmallModel } from './small-model.ts'

const scratch = scratchFolder()
/** A text of 14 tokens, then 30 different ones of 2: half of the tokens are those of the longest. */
const long = 'a b a b a b a b a b a b a b'
const texts = [long, ...Array.from({ length: 30 }, (_, i) => `a ${'ab'[i % 2] ?? ''}${' '.repeat(Math.floor(i / 2))}`)]
// on one thread batches come in their order
let model: Model
beforeAll(
  async () => (model = await openModel(await writeSmallModel(scratch.path('model')), { batchTokens: 14, threads: 1 })),
)
afterAll(() => model.close())

const ended = (seen: readonly Progress[]) => ({ first: seen[0]?.work?.done, last: seen.at(-1)?.work })

test('layers say how many tokens have passed, and in the end that there are no more', async () => {
  const seen: Progress[] = []
  const vectors = await statesOf(model).vectors()
  await vectors.ensure({ texts, prompt: null }, 'all', { onProgress: (progress) => seen.push(progress) })
  expect(ended(seen)).toEqual({ first: 14, last: { done: 74, total: 74 } })
})

test('so does a file of vectors whose number of texts is known; without it the work is not', async () => {
  const encoded = async (limit?: number): Promise<Progress[]> => {
    const seen: Progress[] = []
    async function* source() {
      yield texts.map((text, index) => ({ id: String(index), text }))
    }
    const options = {
      out: scratch.path('v.npy'),
      states: [0],
      onProgress: (progress: Progress) => void seen.push(progress),
    }
    await encodeTexts(model, source(), limit === undefined ? options : { ...options, limit })
    return seen
  }
  expect(ended(await encoded(31))).toEqual({ first: 14, last: { done: 74, total: 74 } })
  // as many again are to come
  expect((await encoded(62)).at(-1)?.work).toEqual({ done: 74, total: 148 })
  expect((await encoded()).every(({ work, total }) => work === undefined && total === undefined)).toBe(true)
})
