import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openModel } from '#experiment/open'
import { evaluate } from '#experiment/sweep'
import { findLegacyScores } from '#task/protocols'
import { useCarriedHub } from '../carried.ts'

const folder = join(import.meta.dirname, '..', '..', 'examples')

describe('the examples', () => {
  let results: string
  let restore: () => void
  beforeAll(async () => {
    restore = useCarriedHub()
    results = await mkdtemp(join(tmpdir(), 'strata-examples-'))
    process.env['RESULTS'] = results
    // What they print is for readers; here only what they export is looked at.
    vi.spyOn(console, 'log').mockImplementation(() => {})
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    restore()
    await rm(results, { recursive: true, force: true })
  })

  test('are six, none longer than 40 lines', async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.ts'))
    expect(names).toHaveLength(6)
    for (const name of names)
      expect((await readFile(join(folder, name), 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  })

  test('encode: paraphrases are more alike than strangers', async () => {
    const { alike, unlike } = await import('../../examples/encode.ts')
    expect(alike).toBeGreaterThan(unlike + 0.2)
  })

  test('every-layer: each block moves the texts', async () => {
    const { steps } = await import('../../examples/every-layer.ts')
    expect(steps).toHaveLength(6)
    expect(Math.min(...steps)).toBeGreaterThan(0)
  })

  test('cone: the older score is fooled by a space in which all texts are similar, the centred AUC of no list is', async () => {
    process.env['OUT'] = results
    const { honest, cone } = await import('../../examples/cone.ts')
    const scored = async (folder: string) => {
      const model = await openModel(folder)
      const found = await evaluate(model, { tasks: ['Contrast*'], outputFolder: join(folder, 'results') })
      await model.close()
      return {
        legacy: findLegacyScores(found)[0]?.legacy_score,
        lists: found.map(({ scores }) => Number(scores?.['test']?.[0]?.['auc_centered'])),
      }
    }
    const [before, after] = [await scored(honest), await scored(cone)]
    expect(before.legacy).toBeLessThan(0.6)
    expect(after.legacy).toBeGreaterThan(0.75)
    expect(after.lists).toHaveLength(6)
    // the column is gone with the mean vector; all other differences are rounding of float32
    after.lists.forEach((auc, i) => expect(auc).toBeLessThanOrEqual((before.lists[i] ?? NaN) + 1e-4))
  })

  test('evaluate: three states of the encoder on STS17', async () => {
    const { scores } = await import('../../examples/evaluate.ts')
    // default: measured by the reference's evaluator on the same weights; the states only by this program.
    expect(scores['default']).toBeCloseTo(0.875912, 4)
    expect(Object.keys(scores)).toEqual(['h1', 'h3', 'default'])
  })

  test('own-embedder: letters alone say something, and less than a model', async () => {
    const { score } = await import('../../examples/own-embedder.ts')
    expect(score).toBeGreaterThan(0.1)
    expect(score).toBeLessThan(0.8)
  })

  test('tensors: the names of a checkpoint and the mean of its largest tensor', async () => {
    const { names, mean } = await import('../../examples/tensors.ts')
    expect(names).toContain('embeddings.word_embeddings.weight')
    expect(Math.abs(mean)).toBeLessThan(0.1)
  })
})
