import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Result } from '#core'
import {
  cleanTemporary,
  failurePath,
  findFailure,
  findResult,
  itemsPath,
  listResults,
  resultDocument,
  resultFolder,
  resultPath,
  writeResult,
  type ResultPlace,
} from '#result/ledger'
import { readColumns } from '#files/tables'
import { hoursAgo } from '../../ages.ts'
import { scratchFolder } from '../../scratch.ts'
import { sampleFailure, sampleResult } from './made-results.ts'

const { path } = scratchFolder()
let roots = 0
const freshRoot = () => path(`results-${roots++}`)
const placeOf = (root: string, { strata: { model, revision, representation } }: Result): ResultPlace => ({
  root,
  model,
  revision,
  representation,
})

/** A file in mteb's layout that somebody else wrote. */
function foreign(root: string, text: string, name = 'STS17.json'): ResultPlace {
  const place = { root, model: 'org/model', revision: 'r', representation: 'default' }
  mkdirSync(resultFolder(place), { recursive: true })
  writeFileSync(join(resultFolder(place), name), text)
  return place
}

describe('writing and reading', () => {
  test('what is written is the document, and is read back', async () => {
    const root = freshRoot()
    const result = sampleResult()
    const written = await writeResult(root, result)
    expect(written).toBe(resultPath(placeOf(root, result), 'STS17'))
    expect(readFileSync(written, 'utf8')).toBe(`${JSON.stringify(resultDocument(result), null, 2)}\n`)
    expect(await findResult(placeOf(root, result), 'STS17')).toEqual({ path: written, result: resultDocument(result) })
  })

  test('any result is read back as its document', async () => {
    const root = freshRoot()
    const score = fc.oneof(fc.double({ min: -1, max: 1 }), fc.constant(Number.NaN))
    const scores = fc.dictionary(
      fc.string({ minLength: 1 }).filter((split) => split !== '__proto__'),
      fc.array(
        fc.record({
          main_score: score,
          hf_subset: fc.string({ unit: 'binary' }),
          languages: fc.array(fc.string()),
          extra: fc.array(score),
        }),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      { minKeys: 1, maxKeys: 3 },
    )
    const name = fc.string({ unit: 'binary', minLength: 1 })
    await fc.assert(
      fc.asyncProperty(name, name, name, name, scores, async (task_name, model, revision, representation, all) => {
        const result = sampleResult({ task_name, scores: all, strata: { model, revision, representation } })
        await writeResult(root, result)
        const found = await findResult(placeOf(root, result), task_name)
        expect(found?.result).toEqual(JSON.parse(JSON.stringify(resultDocument(result))))
      }),
      { numRuns: 40, seed: 7 },
    )
  })

  test('a failure lies aside, and a later success takes its place', async () => {
    const root = freshRoot()
    const failure = sampleFailure()
    const place = placeOf(root, failure)
    expect(await writeResult(root, failure)).toBe(failurePath(place, 'STS17'))
    expect(await findResult(place, 'STS17')).toBeUndefined()
    expect((await findFailure(place, 'STS17'))?.result).toEqual(failure)
    await writeResult(root, sampleResult())
    expect(await findFailure(place, 'STS17')).toBeUndefined()
    expect((await findResult(place, 'STS17'))?.result).toBeDefined()
  })

  test('a later failure leaves the result that is there', async () => {
    const root = freshRoot()
    await writeResult(root, sampleResult())
    await writeResult(root, sampleFailure())
    const place = placeOf(root, sampleResult())
    expect((await findResult(place, 'STS17'))?.result?.strata?.status).toBe('ok')
    expect((await findFailure(place, 'STS17'))?.result?.strata?.status).toBe('failed')
  })

  test('scores of items lie beside the result, and go when a result comes without', async () => {
    const root = freshRoot()
    const place = placeOf(root, sampleResult())
    const items = {
      columns: [
        { name: 'subset', type: 'text' },
        { name: 'score', type: 'number' },
      ] as const,
      rows: [
        { subset: 'en-en', score: 0.25 },
        { subset: 'en-en', score: 0.5 },
      ],
    }
    await writeResult(root, sampleResult(), { items })
    expect((await readColumns([itemsPath(place, 'STS17')])).columns).toEqual({
      subset: ['en-en', 'en-en'],
      score: [0.25, 0.5],
    })
    await writeResult(root, sampleResult())
    expect(existsSync(itemsPath(place, 'STS17'))).toBe(false)
  })

  test('a result without scores is not written', async () => {
    const root = freshRoot()
    await expect(writeResult(root, sampleResult({ scores: {} }))).rejects.toMatchObject({ code: 'result.invalid' })
    expect(existsSync(root)).toBe(false)
  })

  test('model_meta.json is written once, in the revision and in the experiment', async () => {
    const root = freshRoot()
    await writeResult(root, sampleResult(), { model: { parameters: 22_713_216, width: 384, maxTokens: 256 } })
    await writeResult(root, sampleResult({ task_name: 'STS12' }), { model: { parameters: 1 } })
    const folder = resultFolder(placeOf(root, sampleResult()))
    expect(readdirSync(folder).sort()).toEqual(['STS12.json', 'STS17.json', 'model_meta.json'])
    const read = (at: string) =>
      JSON.parse(readFileSync(join(at, 'model_meta.json'), 'utf8')) as Record<string, unknown>
    expect(read(folder)).toMatchObject({
      name: 'sentence-transformers/all-MiniLM-L6-v2',
      revision: '8b3219a92973c328a8e22fadcfa821b5dc75636a',
      n_parameters: 22_713_216,
      embed_dim: 384,
      experiment_kwargs: { representation: 'h3' },
    })
    expect(read(join(folder, '..', '..'))).toMatchObject({ n_parameters: 22_713_216, experiment_kwargs: null })
  })

  test('a root that cannot be written', async () => {
    writeFileSync(path('file'), '')
    await expect(writeResult(path('file'), sampleResult())).rejects.toMatchObject({ code: 'file.write' })
  })
})

describe('files of others', () => {
  test("mteb 2.x's file, with bare NaN", async () => {
    const place = foreign(
      freshRoot(),
      `{"dataset_revision":"r","task_name":"STS17","mteb_version":"2.26.24","scores":{"test":[{"main_score":NaN,"pearson":[0.5,NaN],"hf_subset":"en-en","languages":["eng-Latn"],"mteb_version":"2.26.24"}]},
      "evaluation_time":1.5,"kg_co2_emissions":0.01,"date":1760000000.5,"evaluation_phases":[{"name":"Evaluation","start":0,"end":1}]}`,
    )
    expect((await findResult(place, 'STS17'))?.result).toEqual({
      dataset_revision: 'r',
      task_name: 'STS17',
      mteb_version: '2.26.24',
      scores: {
        test: [
          {
            main_score: null,
            pearson: [0.5, null],
            hf_subset: 'en-en',
            languages: ['eng-Latn'],
            mteb_version: '2.26.24',
          },
        ],
      },
      evaluation_time: 1.5,
      kg_co2_emissions: 0.01,
      date: 1760000000.5,
    })
  })

  test('mteb before 1.11: STS by language', async () => {
    const place = foreign(
      freshRoot(),
      JSON.stringify({
        mteb_dataset_name: 'STS17',
        dataset_revision: 'af5e6fb845001ecf41f4c1e033ce921939a2a68d',
        mteb_version: '1.0.3',
        test: {
          'en-en': { cos_sim: { pearson: 0.87, spearman: 0.88 }, dot: { spearman: 0.86 } },
          'es-es': { cos_sim: { pearson: 0.5, spearman: 0.6 } },
          evaluation_time: 3.5,
        },
      }),
    )
    expect((await findResult(place, 'STS17', { mainScore: () => 'cosine_spearman' }))?.result).toEqual({
      task_name: 'STS17',
      dataset_revision: 'af5e6fb845001ecf41f4c1e033ce921939a2a68d',
      mteb_version: '1.0.3',
      evaluation_time: 3.5,
      scores: {
        test: [
          {
            cosine_pearson: 0.87,
            cosine_spearman: 0.88,
            dot_spearman: 0.86,
            main_score: 0.88,
            hf_subset: 'en-en',
            languages: [],
          },
          { cosine_pearson: 0.5, cosine_spearman: 0.6, main_score: 0.6, hf_subset: 'es-es', languages: [] },
        ],
      },
    })
  })

  test('mteb before 1.11: one subset, a task that has another name today, no main score told', async () => {
    const place = foreign(
      freshRoot(),
      JSON.stringify({
        mteb_dataset_name: 'PPC',
        test: { max: { ap: 0.9 }, cos_sim: { ap: 0.8 }, evaluation_time: 1 },
      }),
      'PpcPC.json',
    )
    expect((await findResult(place, 'PpcPC'))?.result?.scores).toEqual({
      test: [{ max_ap: 0.9, cosine_ap: 0.8, main_score: null, hf_subset: 'default', languages: [] }],
    })
  })

  test('mteb before 1.12.48 nests the scores of pairs', async () => {
    const file = (version: string) =>
      JSON.stringify({
        task_name: 'T',
        mteb_version: version,
        dataset_revision: 'r',
        scores: { test: [{ main_score: 0.9, max: { ap: 0.9 }, hf_subset: 'default', languages: ['eng-Latn'] }] },
        evaluation_time: 1,
      })
    const place = foreign(freshRoot(), file('1.12.47'), 'T.json')
    expect((await findResult(place, 'T'))?.result?.scores?.['test']?.[0]).toMatchObject({ max_ap: 0.9 })
    // of a range the earliest counts
    foreign(place.root, file('1.12.47-2.18.7'), 'T.json')
    expect((await findResult(place, 'T'))?.result?.scores?.['test']?.[0]).toMatchObject({ max_ap: 0.9 })
    foreign(place.root, file('1.12.48'), 'T.json')
    expect((await findResult(place, 'T'))?.result?.scores?.['test']?.[0]).toMatchObject({ max: { ap: 0.9 } })
  })

  test.each([
    ['nothing in it', ''],
    ['a torn file', JSON.stringify(sampleResult(), null, 2).slice(0, 400)],
    ['no object', '[1]'],
    ['no task', '{"scores":{"test":[]}}'],
    [
      'empty scores',
      '{"task_name":"STS17","mteb_version":"1.39.7","dataset_revision":"r","scores":{},"evaluation_time":5e-6}',
    ],
    ['splits without subsets', '{"task_name":"STS17","scores":{"test":[]}}'],
    ['a split that is no list', '{"task_name":"STS17","scores":{"test":{"main_score":1}}}'],
    ['no main score', '{"task_name":"STS17","scores":{"test":[{"hf_subset":"a","languages":[]}]}}'],
    [
      'a text for a score',
      '{"task_name":"STS17","scores":{"test":[{"main_score":"0.5","hf_subset":"a","languages":[]}]}}',
    ],
    ['no subset', '{"task_name":"STS17","scores":{"test":[{"main_score":1,"languages":[]}]}}'],
    ['another task', '{"task_name":"STS12","scores":{"test":[{"main_score":1,"hf_subset":"a","languages":[]}]}}'],
    [
      'strata of another shape',
      '{"task_name":"STS17","scores":{"test":[{"main_score":1,"hf_subset":"a","languages":[]}]},"strata":{"status":"ok"}}',
    ],
    [
      'strata that is null',
      '{"task_name":"STS17","scores":{"test":[{"main_score":1,"hf_subset":"a","languages":[]}]},"strata":null}',
    ],
    ['deep nesting', `{"task_name":${'['.repeat(200_000)}`],
    ['another model', JSON.stringify(resultDocument(sampleResult()))],
  ])('%s is a fault, not an exception', async (_, text) => {
    const place = foreign(freshRoot(), text)
    const found = await findResult(place, 'STS17')
    expect(found?.fault).toMatchObject({
      name: 'Fault',
      code: expect.stringMatching(/^(result\.invalid|format\.json)$/) as string,
    })
    expect(await listResults(place.root)).toHaveLength(1)
  })

  test('a file too large for a result is not read', async () => {
    const place = foreign(freshRoot(), '')
    // no bytes on the disk
    truncateSync(resultPath(place, 'STS17'), 64 * 1024 * 1024 + 1)
    expect((await findResult(place, 'STS17'))?.fault).toMatchObject({
      code: 'result.invalid',
      message: expect.stringContaining('too large for a result') as string,
    })
  })

  test('a folder where a file should be, or no folder at all', async () => {
    const place = foreign(freshRoot(), '{}', 'other.json')
    mkdirSync(resultPath(place, 'STS17'))
    expect((await findResult(place, 'STS17'))?.fault?.code).toBe('file.unreadable')
    expect(await findResult({ ...place, root: path('nowhere') }, 'STS17')).toBeUndefined()
    expect(await listResults(path('nowhere'))).toEqual([])
  })

  test('a cut or changed file never becomes an exception', async () => {
    const whole = JSON.stringify(
      resultDocument(sampleResult({ strata: { model: 'org/model', revision: 'r', representation: 'default' } })),
    )
    const root = freshRoot()
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length),
        fc.nat(whole.length),
        fc.string({ maxLength: 3 }),
        async (from, to, patch) => {
          const place = foreign(root, whole.slice(0, from) + patch + whole.slice(to))
          const found = await findResult(place, 'STS17')
          expect(found?.result ?? found?.fault).toBeDefined()
        },
      ),
      { numRuns: 200, seed: 8 },
    )
  })
})

describe('listing', () => {
  test('results, failures and experiments, by their own names, with filters', async () => {
    const root = freshRoot()
    for (const representation of ['default', 'h0', 'h3'])
      for (const task_name of ['STS17', 'STS12'])
        await writeResult(root, sampleResult({ task_name, strata: { representation } }))
    await writeResult(root, sampleFailure({ representation: 'h6' }))
    await writeResult(
      root,
      sampleResult({ strata: { model: 'a/b', revision: 'refs/pr/1', representation: 'default' } }),
    )
    const names = async (filters?: Parameters<typeof listResults>[1]) =>
      (await listResults(root, filters)).map(
        ({ model, representation, task, result }) =>
          `${model.split('/')[1]} ${representation} ${task} ${result?.strata?.status}`,
      )
    expect(await names()).toEqual([
      'b default STS17 ok',
      'all-MiniLM-L6-v2 default STS12 ok',
      'all-MiniLM-L6-v2 default STS17 ok',
      'all-MiniLM-L6-v2 h0 STS12 ok',
      'all-MiniLM-L6-v2 h0 STS17 ok',
      'all-MiniLM-L6-v2 h3 STS12 ok',
      'all-MiniLM-L6-v2 h3 STS17 ok',
      'all-MiniLM-L6-v2 h6 STS17 failed',
    ])
    expect(await names({ status: 'failed' })).toEqual(['all-MiniLM-L6-v2 h6 STS17 failed'])
    expect(await names({ models: ['a/b'], revisions: ['refs/pr/1'] })).toEqual(['b default STS17 ok'])
    expect(await names({ representations: ['h3', 'default'], tasks: ['STS12'] })).toEqual([
      'all-MiniLM-L6-v2 default STS12 ok',
      'all-MiniLM-L6-v2 h3 STS12 ok',
    ])
  })

  test('a result of ours goes by its own words, whatever lies beside it', async () => {
    const root = freshRoot()
    const written = await writeResult(root, sampleResult())
    writeFileSync(
      join(dirname(written), 'model_meta.json'),
      '{"name":"org/other","revision":"other","experiment_kwargs":{"representation":"h9"},"n_parameters":5}',
    )
    expect(await listResults(root)).toMatchObject([
      {
        model: 'sentence-transformers/all-MiniLM-L6-v2',
        revision: '8b3219a92973c328a8e22fadcfa821b5dc75636a',
        representation: 'h3',
        parameters: 5,
      },
    ])
  })

  test("mteb's own folder: names from model_meta.json, or from the folders", async () => {
    const root = freshRoot()
    const text = JSON.stringify({
      task_name: 'T',
      scores: { test: [{ main_score: 1, hf_subset: 'default', languages: [] }] },
    })
    const base = join(root, 'org__the_model', 'abc')
    mkdirSync(join(base, 'experiments', 'representation_h1'), { recursive: true })
    writeFileSync(join(base, 'T.json'), text)
    writeFileSync(join(base, 'experiments', 'representation_h1', 'T.json'), text)
    writeFileSync(
      join(base, 'experiments', 'representation_h1', 'model_meta.json'),
      '{"name":"org/the model","revision":"abc","experiment_kwargs":{"representation":"h1"}}',
    )
    expect(
      (await listResults(root)).map(({ model, revision, representation, task }) => [
        model,
        revision,
        representation,
        task,
      ]),
    ).toEqual([
      ['org/the_model', 'abc', 'default', 'T'],
      ['org/the model', 'abc', 'h1', 'T'],
    ])
  })
})

describe('what killed runs leave', () => {
  test('is not read, and is removed when it is older than a day', async () => {
    const root = freshRoot()
    await writeResult(root, sampleResult())
    const target = resultPath(placeOf(root, sampleResult()), 'STS17')
    const [old, young] = [`${target}.1-aa.tmp`, `${target}.2-bb.tmp`]
    for (const name of [old, young]) writeFileSync(name, '{"task_na')
    const dayAgo = hoursAgo(25) / 1000
    utimesSync(old, dayAgo, dayAgo)
    const today = hoursAgo(23) / 1000
    utimesSync(young, today, today)
    expect(await listResults(root)).toHaveLength(1)
    expect(await cleanTemporary(root)).toEqual([old])
    expect(readdirSync(dirname(target)).sort()).toEqual(['STS17.json', 'STS17.json.2-bb.tmp', 'model_meta.json'])
  })
})
