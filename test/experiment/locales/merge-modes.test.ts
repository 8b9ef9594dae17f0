// Modes that are merge methods: which there are, on which scale each merges, and how sources are folded in.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { asFault } from '#core'
import { languages, languageSimilarity, makeStudy, type StudyMode, studyModes, writeStudy } from '#experiment/locales'
import { openMergeFile, sourcesOf } from '#experiment/open'
import { openTensors, readFloat32 } from '#files/formats'
import { mergedSource, parseRecipes } from '#model/merge'
import { type MergeMethod, mergeMethods } from '#model/merge-methods'
import { makeModel } from '../../model/merge/models.ts'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()
const table = languageSimilarity([...(await languages()).values()])
// out of order: a fold begins with the heaviest
const weights = { 'el-GR': 0.2, 'ja-JP': 0.5, 'ro-RO': 0.3 }
const locales = Object.keys(weights) as (keyof typeof weights)[]
const methods: readonly string[] = Object.keys(mergeMethods)
const mergeModes = studyModes.filter((mode) => methods.includes(mode))
const withoutOwnFiles = mergeModes.filter((mode) => mode !== 'fisher' && mode !== 'regmean')

const twoModels = new Map(Object.entries({ 'ro-RO': './ro-RO', 'el-GR': './el-GR' }))

type Tensors = ReadonlyMap<string, Float32Array>

async function recipe(mode: StudyMode, { copies = false, sources = locales } = {}): Promise<string> {
  const models = new Map(locales.map((locale) => [locale as string, path(copies ? 'ja-JP' : locale)]))
  // references of one recipe are told apart by their text
  if (copies) locales.forEach((locale, k) => models.set(locale, `${path('ja-JP')}${'/'.repeat(k)}`))
  const study = makeStudy({
    models,
    table,
    targets: ['sq-AL'],
    modes: [mode],
    base: path('ancestor'),
    weightings: { similarity: new Map([['sq-AL', sources.map((source) => ({ source, weight: weights[source] }))]]) },
  })
  await writeStudy(path('study'), study, {})
  return join(path('study'), `recipes/${mode}_merge_sq-AL.yml`)
}

async function merged(at: string): Promise<Tensors> {
  const opened = await openMergeFile(at)
  const source = mergedSource(opened.plan, sourcesOf(opened), 'merged')
  const found = new Map<string, Float32Array>()
  for (const name of source.names()) found.set(name, Float32Array.from(await readFloat32(source, name)))
  await source.close()
  return found
}

async function stored(name: string): Promise<Tensors> {
  const source = await openTensors(join(path(name), 'model.safetensors'))
  const found = new Map<string, Float32Array>()
  for (const tensor of source.names()) found.set(tensor, Float32Array.from(await readFloat32(source, tensor)))
  await source.close()
  return found
}

/** Largest difference of all elements. */
function distance(found: Tensors, wanted: (name: string, i: number) => number): number {
  const differences = [...found].flatMap(([name, values]) =>
    [...values].map((value, i) => Math.abs(value - wanted(name, i))),
  )
  return differences.length === 0 ? NaN : differences.reduce((most, one) => Math.max(most, one), 0)
}

/** Values are below 4, where float32 has steps of 2.4e-7, and are rounded once per document. */
const rounding = 5e-7

/** The ancestor plus a share of the change that the model of ja-JP has made, by tensor. */
async function shareOfChange(shareOf: (name: string) => number): Promise<(name: string, i: number) => number> {
  const [base, own] = [await stored('ancestor'), await stored('ja-JP')]
  return (name, i) => {
    const from = base.get(name)?.[i] ?? NaN
    return from + shareOf(name) * ((own.get(name)?.[i] ?? NaN) - from)
  }
}

beforeAll(async () => {
  for (const [k, name] of ['ancestor', ...locales].entries())
    await makeModel(path(name), { seed: k + 1, layers: 2, vocabulary: 6 })
})

describe('modes of the merge room', () => {
  it('are all of its methods that merge any number of classifiers', () => {
    const left = methods.filter((name) => !studyModes.some((mode) => mode === name))
    expect(left).toEqual([
      'linear', // similarity, average and others
      'nearswap', // adds a part of one model to another
      'arcee_fusion', // the same
      'passthrough', // stacks layers
      'moe', // makes another architecture
      'tall_masks', // restores one of the sources
    ])
  })

  it.each(withoutOwnFiles)(
    '%s is a recipe that strata merge reads, with the ancestor where it needs one',
    async (mode) => {
      const at = await recipe(mode)
      const { base }: MergeMethod = mergeMethods[mode as keyof typeof mergeMethods]
      const recipes = parseRecipes(readFileSync(at, 'utf8'), at)
      expect(recipes.map(({ method }) => method)).toEqual(recipes.map(() => mode))
      // slerp calls the first of its two models the base
      const needs = mode === 'nuslerp' || (base === 'required' && mode !== 'slerp')
      expect(recipes.map((one) => one.base === path('ancestor'))).toEqual(recipes.map(() => needs))
      const unbased = (): string => {
        try {
          makeStudy({ models: twoModels, table, targets: ['sq-AL'], modes: [mode] })
          return ''
        } catch (error) {
          return asFault(error, 'internal', mode).message
        }
      }
      expect(unbased()).toBe(
        needs ? `${mode}: is a merge of task vectors and needs the common ancestor of the models` : '',
      )
      for (const values of (await merged(at)).values()) expect(values.every(Number.isFinite)).toBe(true)
    },
  )

  // three copies of one model, of weights that sum to 1
  it.each([
    ['similarity', 1],
    ['slerp', 1],
    ['nuslerp', 1],
    ['multislerp', 1],
    ['karcher', 1],
    ['model_stock', 1],
    ['sce', 1],
    ['emr', 1],
    ['ram', 1],
    ['ramplus_tl', 1],
    ['magmax', 0.5],
    ['task_arithmetic', 1.2],
    ['consensus_ta', 1.2],
  ] as const)('%s takes %d of a change that all sources have', async (mode, share) => {
    const found = await merged(await recipe(mode, { copies: true }))
    expect(distance(found, await shareOfChange(() => share))).toBeLessThan(rounding)
  })

  it('lines takes more of the change with depth: from all of it to twice of it', async () => {
    const found = await merged(await recipe('lines', { copies: true }))
    const wanted = await shareOfChange((name) => (/embed|layers\.0/.test(name) ? 1 : 2))
    expect(distance(found, wanted)).toBeLessThan(rounding)
  })

  it('svc undoes what task_arithmetic counts several times, in matrices', async () => {
    const found = await merged(await recipe('svc', { copies: true }))
    const wanted = await shareOfChange((name) => (name.includes('norm') ? 1.2 : 1))
    expect(distance(found, wanted)).toBeLessThan(rounding)
  })

  it.each([
    ['ties', 0.2, 1],
    ['breadcrumbs', 0.9, 1.2],
    ['breadcrumbs_ties', 0.9, 1],
    ['pcb', 0.2, 1],
  ] as const)('%s takes part of the elements: %d of them, each %d times', async (mode, density, share) => {
    const [found, base] = [await merged(await recipe(mode, { copies: true })), await stored('ancestor')]
    const wanted = await shareOfChange(() => share)
    for (const [name, values] of found) {
      const changed = [...values.keys()].filter((i) => values[i] !== base.get(name)?.[i])
      expect([name, changed.length]).toEqual([name, Math.max(1, Math.floor(density * values.length))])
      const part = new Map([[name, Float32Array.from(changed, (i) => values[i] ?? NaN)]])
      expect(distance(part, (tensor, i) => wanted(tensor, changed[i] ?? NaN))).toBeLessThan(rounding)
    }
  })

  it('have shares by weight where the method takes weights, otherwise equal ones', () => {
    const sources = locales.map((source) => ({ source, weight: weights[source] }))
    const { shares } = makeStudy({
      models: new Map(locales.map((locale) => [locale, locale])),
      table,
      targets: ['sq-AL'],
      modes: ['slerp', 'model_stock'],
      base: 'ancestor',
      weightings: { similarity: new Map([['sq-AL', sources]]) },
    })
    expect([...shares.values()]).toEqual([sources, sources.map(({ source }) => ({ source, weight: 1 / 3 }))])
  })

  it.each(['model_stock', 'consensus_ta'] as const)('%s is refused for a single source', async (mode) => {
    await expect(recipe(mode, { sources: ['ja-JP'] })).rejects.toThrow(/for sq-AL: needs at least 2 sources/)
  })
})

describe('sources folded in one at a time', () => {
  const byWeight = ['ja-JP', 'ro-RO', 'el-GR'] as const
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, i) => sum + value * (b[i] ?? NaN), 0)
  /** Shoemake 1985; the straight line where mergekit takes it. */
  const slerp = (a: readonly number[], b: readonly number[], t: number): number[] => {
    const cosine = dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
    const angle = Math.acos(cosine)
    const [own, other] =
      Math.abs(cosine) > 0.9995
        ? [1 - t, t]
        : [Math.sin((1 - t) * angle) / Math.sin(angle), Math.sin(t * angle) / Math.sin(angle)]
    return a.map((value, i) => own * value + other * (b[i] ?? NaN))
  }
  const change = (values: Float32Array | undefined, from: readonly number[]): number[] =>
    [...(values ?? [])].map((value, i) => value - (from[i] ?? NaN))

  it.each([
    ['slerp', false],
    ['nuslerp', true],
  ] as const)(
    '%s is the formula, the heaviest first, each by its share of those so far',
    async (mode, fromAncestor) => {
      const sources = await Promise.all(byWeight.map(stored))
      const base = await stored('ancestor')
      const found = await merged(await recipe(mode))
      const wanted = new Map(
        [...found.keys()].map((name) => {
          const from = [...(base.get(name) ?? [])].map((value) => (fromAncestor ? value : 0))
          const [first = [], second = [], third = []] = sources.map((tensors) => change(tensors.get(name), from))
          const sum = slerp(slerp(first, second, 0.3 / 0.8), third, 0.2)
          return [name, sum.map((value, i) => value + (from[i] ?? NaN))]
        }),
      )
      expect(distance(found, (name, i) => wanted.get(name)?.[i] ?? NaN)).toBeLessThan(rounding)
    },
  )

  it('in a straight line instead they are the weighted mean', async () => {
    const folded = readFileSync(await recipe('slerp'), 'utf8')
    const line = folded
      .replaceAll('"slerp"', '"linear"')
      .replace(
        /base_model: (.*)\nmodels:\n {2}- \{("model":".*?")\}\nparameters: \{"t":(.*)\}/g,
        (_, base: string, added: string, t: string) =>
          `models:\n  - {"model":${base},"parameters":{"weight":${1 - Number(t)}}}\n  - {${added},"parameters":{"weight":${t}}}`,
      )
    expect(line.match(/weight/g)).toHaveLength(4)
    const mean = await merged(await recipe('similarity'))
    const found = await merged(file('line.yml', line))
    expect(distance(found, (name, i) => mean.get(name)?.[i] ?? NaN)).toBeLessThan(rounding)
  })

  it.each(['slerp', 'nuslerp'] as const)('%s of one source is that source', async (mode) => {
    const own = await stored('ro-RO')
    expect(await merged(await recipe(mode, { sources: ['ro-RO'] }))).toEqual(own)
  })
})
