import { describe, expect, onTestFinished, test } from 'vitest'
import { exportModel } from '#experiment/write'
import { type Model, statesOf } from '#model/checkpoint'
import type { ModelOptions } from '#model/passes'
import { openSearcher } from '#representation/layers'
import { openModel } from '#experiment/open'
import { scratchFolder } from '../../scratch.ts'
import { goldenLate, type GoldenLate, scoresOf, writeLate } from './golden-late-interaction.ts'

const { queries, documents, cases } = goldenLate
const { path } = scratchFolder()

async function opened(
  given: GoldenLate,
  { changed = {}, ...options }: ModelOptions & { changed?: Parameters<typeof writeLate>[2] } = {},
): Promise<Model> {
  const folder = path(`late-${cases.indexOf(given)}-${JSON.stringify(changed).length}`)
  await writeLate(folder, given, changed)
  const model = await openModel(folder, options)
  onTestFinished(() => model.close())
  return model
}

/** 1e-5 relative: float32 in another order of summation. */
function near(wanted: readonly (readonly number[])[]): number[][] {
  return wanted.map((row) =>
    row.map(
      (score) => expect.closeTo(score, Math.max(0, -Math.log10(2e-5 * Math.max(0.1, Math.abs(score))))) as number,
    ),
  )
}

describe('the folder’s own way', () => {
  test.each(cases)('$name', async (given) => {
    const searcher = await openSearcher(await opened(given), { kind: 'default' })
    expect(searcher && (await scoresOf(searcher, queries, documents))).toEqual(near(given.scores))
  })
})

describe('tokens of every state, without markers', () => {
  test.each(cases)('$name', async (given) => {
    const states = statesOf(await opened(given, { prompt: '', finalNorm: 'native' }))
    expect(states.count).toBe(given.states.length)
    for (const [h, wanted] of given.states.entries()) {
      const searcher = await states.searcher(h)
      expect(searcher.representation).toBe(`h${h}-maxsim`)
      expect(await scoresOf(searcher, queries, documents), `h${h}`).toEqual(near(wanted))
    }
  })
})

describe('a checkpoint of ColBERT itself', () => {
  const [given] = cases.filter(({ name }) => name.startsWith('colbert'))
  const changedTo = async (metadata: Readonly<Record<string, unknown>>): Promise<number[][] | undefined> => {
    if (given === undefined) throw new Error('no case')
    const model = await opened(given, { changed: { 'artifact.metadata': metadata } })
    const searcher = await openSearcher(model, { kind: 'default' })
    return searcher && scoresOf(searcher, queries, documents)
  }

  test('compares the tokens of punctuation where it says so', async () => {
    const found = await changedTo({ mask_punctuation: false })
    // '? . ,' is nothing but punctuation
    const only = documents.indexOf('? . ,')
    // more than rounding
    expect(found?.[0]?.[only]).toBeGreaterThan((given?.scores[0]?.[only] ?? Infinity) + 0.01)
    expect(found?.map((row) => row[2])).toEqual(
      near(given?.scores.map((row) => row[2] ?? NaN).map((one) => [one]) ?? []).flat(),
    )
  })

  test('is refused where tokens are compared by distance', async () => {
    await expect(changedTo({ similarity: 'l2' })).rejects.toThrow(/compared by their cosines only/)
  })
})

test('a vector of a text that does not exist is not exported', async () => {
  const [given] = cases
  if (given === undefined) throw new Error('no case')
  await writeLate(path('exported'), given)
  await expect(
    exportModel(path('exported'), { representation: 'default', as: 'sentence-transformers', out: path('out') }),
  ).rejects.toThrow('the model has a vector for each token, and none for a text')
})
