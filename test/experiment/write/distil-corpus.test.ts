import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { matrix, takeRows } from '#core'
import { openModel, openTeacher } from '#experiment/open'
import { encode } from '#experiment/sweep'
import { type DistilOptions, openDistillation } from '#experiment/write'
import { statesOf } from '#model/checkpoint'
import { pairCosines } from '#model/distill'
import { spearman } from '#platform/linalg'
import { randomState, trainTestSplit } from '#platform/random'
import { openTokenRows } from '#representation/layers'
import { scratchFolder } from '../../scratch.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path } = scratchFolder()
const stories = join(import.meta.dirname, '../../../assets/models/stories260K')

const words = 'once upon a time there was little girl boy dog cat ball park mum sad happy red big run play'.split(' ')
const draws = randomState(3)
const texts = Array.from({ length: 90 }, () =>
  draws
    .randint(0, words.length, 7)
    .map((i) => words[i] ?? '')
    .join(' '),
)
const corpus = { name: 'stories.txt', texts }

async function distilled(folder: string, options: DistilOptions, model = stories) {
  const teacher = await openTeacher(model)
  onTestFinished(() => teacher.model.close())
  const written = await (
    await openDistillation(teacher, { dims: 16, dtype: 'float32', ...options })
  ).write(path(folder))
  const bytes = (name: string) => readFileSync(join(path(folder), name)).toString('latin1')
  return { written, table: bytes('model.safetensors'), record: bytes('strata_distill.json') }
}

describe('a corpus', () => {
  test('gives the same bytes twice, and other ones for other texts', async () => {
    const [one, again, other] = [
      await distilled('one', { corpus, corpusSteps: 'both' }),
      await distilled('again', { corpus, corpusSteps: 'both' }),
      await distilled('other', { corpus: { ...corpus, texts: texts.slice(1) }, corpusSteps: 'both' }),
    ]
    expect([again.table, again.record]).toEqual([one.table, one.record])
    expect(other.table).not.toBe(one.table)
    expect(other.record).not.toBe(one.record)
    expect(JSON.parse(one.record)).toMatchObject({
      sif_coefficient: 1e-4,
      corpus: { name: 'stories.txt', texts: 90, train: 80, validation: 10, asked: 'both', seed: 42 },
    })
  })

  test('changes a table by the steps that are taken alone', async () => {
    const plain = await distilled('plain', {})
    const tables = new Set([plain.table])
    for (const corpusSteps of ['weights', 'fit', 'both'] as const) {
      const { written, table } = await distilled(corpusSteps, { corpus, corpusSteps })
      expect(written.steps.map(({ step }) => step)).toEqual(corpusSteps === 'both' ? ['weights', 'fit'] : [corpusSteps])
      expect(written.steps.every(({ taken }) => taken)).toBe(true)
      tables.add(table)
    }
    expect(tables.size).toBe(4)
    const { written, table } = await distilled('auto', { corpus })
    const gains = written.steps.map(({ before, after }) => after.spearman - before.spearman >= 0.001)
    expect(written.steps.map(({ taken }) => taken)).toEqual(gains)
    const [byWeights = false, byFit = false] = gains
    const same = { none: plain, weights: 'weights', fit: 'fit', both: 'both' } as const
    const name = (['none', 'weights', 'fit', 'both'] as const)[Number(byWeights) + 2 * Number(byFit)] ?? 'none'
    const expected = name === 'none' ? plain.table : readFileSync(join(path(same[name]), 'model.safetensors'), 'latin1')
    expect(table).toBe(expected)
  })

  test.each([undefined, 60])('is measured with the table that is written, clusters %s', async (clusters) => {
    const folder = `measured-${clusters}`
    const { written } = await distilled(folder, { corpus, corpusSteps: 'both', clusters })
    const { test: indexes } = trainTestSplit(texts.length, { testSize: 10, seed: 42 })
    const unseen = Array.from(indexes, (i) => texts[i] ?? '')
    const table = await openModel(path(folder))
    const teacher = await openTeacher(stories)
    onTestFinished(async () => {
      await table.close()
      await teacher.model.close()
    })
    const own = await encode(table, unseen)
    const rows = openTokenRows(teacher.model, { kind: 'default' }, 'mean')
    const ids = (await (await statesOf(teacher.model).tokenizer()).encodeBatch(unseen)).map((one) => one.ids)
    const theirs = matrix(ids.length, rows.width, await rows.forward(ids, 0))
    const pairs = await Promise.all([takeRows(own, [...ids.keys()]), theirs].map((one) => pairCosines(one)))
    expect(written.steps.at(-1)?.after.spearman).toBeCloseTo(spearman(pairs[0] ?? [], pairs[1] ?? []), 3)
  })

  test('without a coefficient is fitted to, and weighs nothing', async () => {
    const { written } = await distilled('unweighted', { corpus, sif: 'none' })
    expect(written.steps.map(({ step }) => step)).toEqual(['fit'])
    await expect(distilled('refused', { corpus, sif: 'none', corpusSteps: 'both' })).rejects.toMatchObject({
      code: 'usage.conflict',
    })
  })

  test('that is of no use is refused before a token passes the model', async () => {
    const teacher = await openTeacher(stories)
    onTestFinished(() => teacher.model.close())
    const refusal = (own: readonly string[]) => openDistillation(teacher, { corpus: { name: 'c.txt', texts: own } })
    await expect(refusal(['one line'])).rejects.toThrow(/c\.txt.*too few different texts – 1, wanted at least 20/)
    await expect(refusal(Array.from({ length: 50 }, () => 'the same'))).rejects.toThrow(/too few different texts – 1/)
    await expect(refusal(['fine', 'x'.repeat(10_000_000)])).rejects.toThrow(/c\.txt, text 2.*10,000,000 characters/)
    await expect(openDistillation(teacher, { corpusSteps: 'fit' })).rejects.toMatchObject({ code: 'usage.conflict' })
  })

  test('whose tokens are all unknown is refused', async () => {
    const teacher = await openTeacher(await writeSmallModel(path('small')))
    onTestFinished(() => teacher.model.close())
    const unknown = Array.from({ length: 30 }, (_, i) => `zzz${i}`)
    await expect(openDistillation(teacher, { corpus: { name: 'c.txt', texts: unknown } })).rejects.toThrow(
      /c\.txt.*too few texts have a token that the table knows – 0/,
    )
  })
})
