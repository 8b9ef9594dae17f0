import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { encode, layerVectors } from '#experiment/sweep'
import { openMergeFile, openModel } from '#experiment/open'
import { writeMerge } from '#experiment/write'
import { resolveModel } from '../../../src/experiment/open/open-model.ts'
import { shared, sharedPath } from '../../shared.ts'
import { accuracy, massive, temporary } from './massive.ts'

const pythia = (name: string): string => sharedPath('models', 'nano-pythia', name)

/** Sentences of STSBenchmark's test split, each once. */
async function sentences(count: number): Promise<string[]> {
  const text = gunzipSync(await readFile(sharedPath('data', 'stsbenchmark', 'test.jsonl.gz'))).toString()
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { sentence1: string; sentence2: string })
  return [...new Set(rows.flatMap(({ sentence1, sentence2 }) => [sentence1, sentence2]))].slice(0, count)
}

/** The recipe's file, and a folder that it was written to. */
async function bothOf(text: string): Promise<{ recipe: string; folder: string }> {
  const work = await temporary()
  const [recipe, folder] = [join(work, 'recipe.yml'), join(work, 'written')]
  await writeFile(recipe, text)
  const opened = await openMergeFile(recipe)
  await writeMerge(opened, folder).finally(() => opened.close())
  return { recipe, folder }
}

describe.skipIf(!shared)('a merge that is not written', () => {
  const [science, qa] = [pythia('ft-science'), pythia('ft-qa')]
  const two = `models: [{model: ${science}}, {model: ${qa}}]`
  test.each([
    ['linear', `merge_method: linear\nparameters: {weight: 1}\n${two}\n`],
    ['slerp', `merge_method: slerp\nbase_model: ${science}\nparameters: {t: [0, 0.5, 1]}\n${two}\n`],
    [
      'ties',
      `merge_method: ties\nbase_model: ${pythia('step1183')}\nparameters: {density: 0.3, weight: 0.5}\n${two}\n`,
    ],
    [
      'dare_ties',
      `merge_method: dare_ties\nbase_model: ${pythia('step1183')}\nparameters: {density: 0.5, weight: 0.5}\n${two}\n`,
    ],
  ])('%s: embeddings of STSBenchmark and every layer are those of the written one, bit by bit', async (_, text) => {
    const { recipe, folder } = await bothOf(text)
    const texts = await sentences(300)
    const [unwritten, written] = [await openModel(`merge:${recipe}`), await openModel(folder)]
    try {
      const [a, b] = [await encode(unwritten, texts), await encode(written, texts)]
      expect(a.rows).toBe(300)
      expect(
        Buffer.from(a.data.buffer, a.data.byteOffset, a.data.byteLength).equals(
          Buffer.from(b.data.buffer, b.data.byteOffset, b.data.byteLength),
        ),
      ).toBe(true)
      expect(new Set(a.data).size).toBeGreaterThan(10_000)
      const few = texts.slice(0, 20)
      expect(await layerVectors(unwritten, few)).toEqual(await layerVectors(written, few))
    } finally {
      await Promise.all([unwritten.close(), written.close()])
    }
  })
})

test.skipIf(!shared)('an adapter after a merge is applied to it', async () => {
  const [base, adapter] = [
    sharedPath('models', 'pico', 'llama'),
    sharedPath('models', 'pico', 'variants', 'llama-lora'),
  ]
  const recipe = join(await temporary(), 'alone.yml')
  await writeFile(recipe, `merge_method: linear\nparameters: {weight: 1}\nmodels: [{model: ${base}}]\n`)
  const weightOf = async (reference: string): Promise<Uint8Array> => {
    const { tensors } = await resolveModel(reference)
    const name = tensors.names().find((one) => one.endsWith('layers.0.self_attn.q_proj.weight')) ?? ''
    return tensors.read(name).finally(() => tensors.close())
  }
  const tuned = await weightOf(`merge:${recipe}+${adapter}`)
  expect(Buffer.compare(tuned, await weightOf(`${base}+${adapter}`))).toBe(0)
  expect(Buffer.compare(tuned, await weightOf(`merge:${recipe}`))).not.toBe(0)
  const { name, tensors } = await resolveModel(`merge:${recipe}+${adapter}`)
  await tensors.close()
  expect(name).toBe('merge__alone+llama-lora')
})

describe.skipIf(!shared)('merged classifiers on MASSIVE', () => {
  // Recorded numbers of correct answers of 2,974; the smallest gap between the two best logits of a row is recorded too
  // (8e-6 and more), so one row may fall the other way.
  const rows = 2974

  test.each([
    ['average-of-6', 'nl-NL', 'merge_method: linear\nparameters: {weight: 1}\n'],
    [
      'task-arithmetic-0.5-on-ancestor',
      'sw-KE',
      'merge_method: task_arithmetic\nbase_model: $ancestor\nparameters: {weight: 0.5}\n',
    ],
  ])('nano-xlmr %s on %s', async (name, locale, head) => {
    const folder = (one: string): string => sharedPath('models', 'nano-xlmr-massive', one)
    const recorded = JSON.parse(await readFile(folder('accuracy.json'), 'utf8')) as {
      correct: Record<string, Record<string, number>>
      fine_tuned_locales: string[]
    }
    const models = recorded.fine_tuned_locales.map((one) => `  - model: ${folder(one)}\n`).join('')
    // The recorded ones were computed in float32 and not rounded back to the float16 of their inputs.
    const { recipe, folder: written } = await bothOf(
      `${head.replace('$', `${folder('')}/`)}models:\n${models}out_dtype: float32\n`,
    )
    const loaded = await massive(locale)
    const unwritten = await accuracy(`merge:${recipe}`, loaded, { maxLength: 48 })
    expect(Math.abs(unwritten * rows - (recorded.correct[name]?.[locale] ?? NaN))).toBeLessThan(1.01)
    expect(await accuracy(written, loaded, { maxLength: 48 })).toBe(unwritten)
  })

  test('stories260K: the five most similar others, weighted by similarity, for en-US', async () => {
    const locale = 'en-US'
    const folder = (one: string): string => sharedPath('models', 'stories260K-massive', one)
    const { merges } = JSON.parse(await readFile(folder('reference_accuracies.json'), 'utf8')) as {
      merges: Record<string, { similarity_top5_weighted: number; top5: string[] }>
    }
    const [header = [], ...table] = (
      await readFile(sharedPath('data', 'uriel', 'language_similarity_matrix_unified.csv'), 'utf8')
    )
      .trim()
      .split('\n')
      .map((line) => line.split(','))
    const similarity = (other: string): number => Number(table.find(([row]) => row === locale)?.[header.indexOf(other)])
    const models = (merges[locale]?.top5 ?? [])
      .map((other) => `  - {model: ${folder(other)}, parameters: {weight: ${similarity(other)}}}\n`)
      .join('')
    const { recipe, folder: written } = await bothOf(`merge_method: linear\nmodels:\n${models}`)
    const loaded = await massive(locale)
    const unwritten = await accuracy(`merge:${recipe}`, loaded)
    // Recorded with 4 decimals.
    expect(Math.abs(unwritten - (merges[locale]?.similarity_top5_weighted ?? NaN))).toBeLessThan(1.01 / rows + 5e-5)
    expect(await accuracy(written, loaded)).toBe(unwritten)
  })
})
