/** Ensembles through the door: labels by name, weights, refusals. */
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { row } from '#core'
import { openModel } from '#experiment/open'
import { seedsWorld } from '../../cli/seeds-world.ts'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()
const texts = ['a b a', 'b b', 'a']
const recipe = (method: string, ...models: readonly object[]): string =>
  `merge:${file(`${method}.yml`, JSON.stringify({ ensemble_method: method, models }))}`
const k = (locale: string) => path(`k/${locale}`)

async function logits(reference: string): Promise<readonly (readonly [label: string, value: number][])[]> {
  const model = await openModel(reference)
  try {
    const head = await model.classifier?.()
    if (head === undefined) throw new Error('no classifier')
    const found = await head.logits(texts)
    return texts.map((_, i) => Array.from(row(found, i), (value, label) => [head.labels[label] ?? '', value] as const))
  } finally {
    await model.close()
  }
}

beforeAll(() => seedsWorld(path('')))

it('is the weighted mean of the logits, label by label whatever their order', async () => {
  const config = JSON.parse(readFileSync(path('k/cy-GB/config.json'), 'utf8')) as { id2label: Record<string, string> }
  const names = Object.values(config.id2label)
  const turned = Object.fromEntries(names.map((_, i) => [String(i), names[(i + 1) % names.length]]))
  writeFileSync(path('k/cy-GB/config.json'), JSON.stringify({ ...config, id2label: turned }))
  const [first, second] = [await logits(k('sq-AL')), await logits(k('cy-GB'))]
  const together = await logits(
    recipe('weighted_logits', { model: k('sq-AL'), weight: 0.25 }, { model: k('cy-GB'), weight: 0.75 }),
  )
  for (const [i, own] of together.entries()) {
    const other = new Map(second[i])
    for (const [at, [label, value]] of own.entries()) {
      expect(label).toBe(first[i]?.[at]?.[0])
      // one rounding to float32 per classifier
      expect(value).toBeCloseTo(0.25 * (first[i]?.[at]?.[1] ?? NaN) + 0.75 * (other.get(label) ?? NaN), 4)
    }
  }
})

it('is another model with other weights, another method or other members', async () => {
  const keys = async (reference: string): Promise<readonly [revision: string, tensors: string]> => {
    const model = await openModel(reference)
    const { tensors } = await model.identity()
    const found = [await model.revision(), tensors] as const
    await model.close()
    return found
  }
  const two = [
    { model: k('sq-AL'), weight: 0.5 },
    { model: k('ja-JP'), weight: 0.5 },
  ]
  const other = [
    { model: k('sq-AL'), weight: 0.25 },
    { model: k('ja-JP'), weight: 0.75 },
  ]
  const all = [
    await keys(recipe('soft_vote', ...two)),
    await keys(recipe('majority', ...two)),
    await keys(recipe('majority', ...other)),
    await keys(recipe('majority', { model: k('sq-AL') }, { model: k('cy-GB') })),
  ]
  for (const at of [0, 1] as const) expect(new Set(all.map((one) => one[at])).size).toBe(4)
})

it.each([
  [
    'weights that do not sum to 1',
    [
      { model: 'sq-AL', weight: 0.5 },
      { model: 'ja-JP', weight: 0.4 },
    ],
    /sum to 1/,
  ],
  ['weights for some alone', [{ model: 'sq-AL', weight: 1 }, { model: 'ja-JP' }], /given for all models/],
  ['an unknown key', [{ model: 'sq-AL', wieght: 1 }], /wieght/],
] as const)('is refused with %s', async (_, models, message) => {
  const placed = models.map((one) => ({ ...one, model: k(one.model) }))
  await expect(openModel(recipe('majority', ...placed))).rejects.toThrow(message)
})

it('is of classifiers alone, and of no ensembles', async () => {
  await expect(openModel(recipe('soft_vote', { model: path('model') }))).rejects.toThrow(/no head for sequence/)
  const inner = recipe('majority', { model: k('sq-AL') })
  await expect(openModel(recipe('soft_vote', { model: inner }))).rejects.toThrow(/not of ensembles/)
})

it('has no vectors', async () => {
  const model = await openModel(recipe('majority', { model: k('sq-AL') }))
  await expect(model.embedder()).rejects.toMatchObject({ code: 'config.unsupported' })
  await model.close()
})
