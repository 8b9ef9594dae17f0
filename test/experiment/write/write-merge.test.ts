import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { OnProgress } from '#core'
import { openTensors } from '#files/formats'
import { openMergeFile, sourcesOf } from '#experiment/open'
import { mergeSteps, writeMerge, type WriteMergeOptions } from '#experiment/write'
import { mergedSource } from '#model/merge'
import { makeModel, temporaryFolder } from '../../model/merge/models.ts'

let root: { path: string; remove: () => Promise<void> }
beforeAll(async () => {
  root = await temporaryFolder()
  await makeModel(join(root.path, 'base'), { seed: 1, dtype: 'BF16' })
  await makeModel(join(root.path, 'one'), { seed: 2, dtype: 'BF16' })
  await makeModel(join(root.path, 'two'), { seed: 3, dtype: 'BF16' })
  return () => root.remove()
})

const at = (...parts: string[]): string => join(root.path, ...parts)

async function recipe(text: string): Promise<string> {
  const path = at(`${createHash('sha256').update(text).digest('hex').slice(0, 8)}.yml`)
  await writeFile(path, text.replaceAll('$', `${root.path}/`))
  return path
}

const ties =
  'merge_method: ties\nbase_model: $base\nmodels:\n  - model: $one\n    parameters: {weight: 0.7, density: 0.5}\n  - model: $two\n    parameters: {weight: 0.5, density: [0.3, 0.9]}\n'

let outputs = 0
async function written(text: string, options: WriteMergeOptions = {}): Promise<string> {
  const opened = await openMergeFile(await recipe(text))
  const out = at(`out-${outputs++}`)
  await writeMerge(opened, out, options).finally(() => opened.close())
  return out
}

async function valuesOf(folder: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.safetensors'))) {
    const tensors = await openTensors(join(folder, file))
    for (const name of tensors.names())
      hashes.set(
        name,
        createHash('sha256')
          .update(await tensors.read(name))
          .digest('hex'),
      )
    await tensors.close()
  }
  return hashes
}

describe('a merge on disk', () => {
  test('has the same bytes whatever the threads, the memory and the shards', async () => {
    const reference = await valuesOf(await written(ties))
    expect(reference.size).toBe(12)
    for (const options of [
      { threads: 1 },
      { threads: 2, memoryBytes: 2 ** 20 },
      { maxShardBytes: 700 },
      { maxShardBytes: 1, threads: 3 },
    ]) {
      expect(await valuesOf(await written(ties, options))).toEqual(reference)
    }
  })

  test('reads no input a second time for its hash, until the file is another', async () => {
    for (const [name, seed] of [
      ['once', 11],
      ['twice', 12],
    ] as const)
      await makeModel(at(name), { seed, dtype: 'BF16' })
    const text = 'merge_method: linear\nparameters: {weight: 1}\nmodels:\n  - model: $once\n  - model: $twice\n'
    const merged = async (): Promise<{ hashed: number; hashes: (string | null)[] }> => {
      const hashed = new Set<number>()
      const onProgress: OnProgress = ({ stage, done }) => void (stage === 'hash' && hashed.add(done))
      const folder = await written(text, { onProgress, hashes: at('hashes', 'hashes.jsonl') })
      const { inputs } = JSON.parse(await readFile(join(folder, 'strata_merge.json'), 'utf8')) as {
        inputs: { files: { sha256: string | null }[] }[]
      }
      return { hashed: hashed.size, hashes: inputs.flatMap(({ files }) => files.map(({ sha256 }) => sha256)) }
    }
    const now = (): Promise<string[]> =>
      Promise.all(
        ['once', 'twice'].map(async (name) =>
          createHash('sha256')
            .update(await readFile(at(name, 'model.safetensors')))
            .digest('hex'),
        ),
      )
    expect(await merged()).toEqual({ hashed: 2, hashes: await now() })
    expect(await merged()).toEqual({ hashed: 0, hashes: await now() })
    // of the same size, under the same time
    const { atime, mtime } = await stat(at('twice', 'model.safetensors'))
    await makeModel(at('twice'), { seed: 13, dtype: 'BF16' })
    await utimes(at('twice', 'model.safetensors'), atime, mtime)
    expect(await merged()).toEqual({ hashed: 1, hashes: await now() })
  })

  test('is what the unwritten merge reads as, bit by bit', async () => {
    const folder = await valuesOf(await written(ties))
    const opened = await openMergeFile(await recipe(ties))
    const source = mergedSource(opened.plan, sourcesOf(opened), 'merge')
    onTestFinished(() => source.close())
    expect([...source.names()].sort()).toEqual([...folder.keys()].sort())
    const hashes = new Map<string, string>()
    for (const name of source.names())
      hashes.set(
        name,
        createHash('sha256')
          .update(await source.read(name))
          .digest('hex'),
      )
    expect(hashes).toEqual(folder)
  })

  test('goes on where it was left, and repairs what was damaged meanwhile', async () => {
    const reference = await valuesOf(await written(ties))
    const out = at('resumed')
    const stop = new AbortController()
    const opened = await openMergeFile(await recipe(ties))
    let seen = 0
    const stopped = writeMerge(opened, out, {
      threads: 1,
      signal: stop.signal,
      onProgress: () => (++seen === 5 ? stop.abort() : undefined),
    })
    await expect(stopped).rejects.toMatchObject({ code: 'run.cancelled' })
    expect(await readdir(root.path)).toContain('resumed.partial')
    expect(await readdir(root.path)).not.toContain('resumed')
    // The last journal line cut short, as by a kill; one finished tensor's bytes lost.
    const journal = join(`${out}.partial`, 'journal.jsonl')
    const text = await readFile(journal, 'utf8')
    await writeFile(journal, text.slice(0, -20))
    const lines = text.trim().split('\n').length - 1
    const again = await writeMerge(opened, out, { threads: 1 }).finally(() => opened.close())
    expect(again.resumed).toBe(lines - 1)
    expect(await valuesOf(out)).toEqual(reference)
  })

  test('a file that lost its end is noticed', async () => {
    const out = at('cut')
    const opened = await openMergeFile(await recipe(ties))
    const stop = new AbortController()
    let seen = 0
    await expect(
      writeMerge(opened, out, {
        threads: 1,
        signal: stop.signal,
        onProgress: () => (++seen === 6 ? stop.abort() : undefined),
      }),
    ).rejects.toMatchObject({ code: 'run.cancelled' })
    await truncate(join(`${out}.partial`, 'model.safetensors'), 100)
    const again = await writeMerge(opened, out, { threads: 1 }).finally(() => opened.close())
    expect(again.resumed).toBe(0)
    expect(await valuesOf(out)).toEqual(await valuesOf(await written(ties)))
  })

  test('carries config, recipe, card and manifest; shards have an index', async () => {
    const out = await written(ties, { maxShardBytes: 1000 })
    const files = await readdir(out)
    expect(files).toEqual(
      expect.arrayContaining([
        'README.md',
        'config.json',
        'mergekit_config.yml',
        'model.safetensors.index.json',
        'strata_merge.json',
      ]),
    )
    expect(files.filter((name) => name.includes('journal') || name.startsWith('.'))).toEqual([])
    const index = JSON.parse(await readFile(join(out, 'model.safetensors.index.json'), 'utf8')) as {
      weight_map: Record<string, string>
      metadata: { total_size: number }
    }
    expect(Object.keys(index.weight_map)).toHaveLength(12)
    expect(index.metadata.total_size).toBe(2 * (2 * 160 + 3 * (8 + 64 + 128) + 8))
    const config = JSON.parse(await readFile(join(out, 'config.json'), 'utf8')) as Record<string, unknown>
    expect(config).toMatchObject({ torch_dtype: 'bfloat16', num_hidden_layers: 3, vocab_size: 20 })
    const manifest = JSON.parse(await readFile(join(out, 'strata_merge.json'), 'utf8')) as {
      tensors: unknown[]
      steps: { ratio: number }[]
    }
    expect(manifest.tensors).toHaveLength(12)
    for (const { ratio } of manifest.steps) expect(ratio).toBeGreaterThan(0)
  })

  test('steps without writing are those of the written merge; without a base there are none', async () => {
    const out = await written(ties)
    const { steps } = JSON.parse(await readFile(join(out, 'strata_merge.json'), 'utf8')) as { steps: unknown[] }
    const opened = await openMergeFile(await recipe(ties))
    const measured = await mergeSteps(opened).finally(() => opened.close())
    expect(measured.length).toBeGreaterThan(0)
    expect(measured).toEqual(steps)
    const linear = await openMergeFile(
      await recipe(
        'merge_method: linear\nmodels:\n  - {model: $one, parameters: {weight: 0.5}}\n  - {model: $two, parameters: {weight: 0.5}}\n',
      ),
    )
    expect(await mergeSteps(linear).finally(() => linear.close())).toEqual([])
  })

  test('a stack of layers from two models has its layers counted and renumbered', async () => {
    const out = await written(
      'merge_method: passthrough\nslices:\n  - sources: [{model: $one, layer_range: [0, 2]}]\n  - sources: [{model: $two, layer_range: [1, 3]}]\n  - sources: [{model: $one, layer_range: [2, 3]}]\n',
    )
    const [stack, one, two] = [await valuesOf(out), await valuesOf(at('one')), await valuesOf(at('two'))]
    const q = (layer: number): string => `model.layers.${layer}.self_attn.q_proj.weight`
    expect([0, 1, 2, 3, 4].map((layer) => stack.get(q(layer)))).toEqual([
      one.get(q(0)),
      one.get(q(1)),
      two.get(q(1)),
      two.get(q(2)),
      one.get(q(2)),
    ])
    expect(stack.get('model.embed_tokens.weight')).toBe(one.get('model.embed_tokens.weight'))
    expect(JSON.parse(await readFile(join(out, 'config.json'), 'utf8'))).toMatchObject({ num_hidden_layers: 5 })
  })
})

describe('refused, with the inputs untouched and nothing under the name of the target', () => {
  const linear =
    'merge_method: linear\nmodels:\n  - model: $one\n    parameters: {weight: 1}\n  - model: $two\n    parameters: {weight: 1}\n'
  test.each([
    ['a misspelt method', linear.replace('linear', 'liner'), 'usage.value', /linear/],
    ['a misspelt key', linear.replace('models:', 'modells:'), 'usage.value', /models/],
    ['a misspelt parameter', linear.replace('weight: 1}', 'wieght: 1}'), 'usage.value', /weight/],
    ['a parameter that is missing', linear.replace('{weight: 1}', '{}'), 'usage.value', /weight/],
    ['a word for a number', linear.replace('weight: 1}', 'weight: much}'), 'usage.value', /number/],
    ['an unknown dtype', `${linear}dtype: float8\n`, 'usage.value', /dtype/],
    [
      'models and slices at once',
      `${linear}slices: [{sources: [{model: $one, layer_range: [0, 1]}]}]\n`,
      'usage.value',
      /exactly one/,
    ],
    ['no base where one is needed', linear.replace('linear', 'ties'), 'usage.value', /base_model/],
    [
      'one model too many',
      linear.replace('linear', 'slerp').replaceAll('    parameters: {weight: 1}\n', '') +
        'base_model: $base\nparameters: {t: 0.5}\n',
      'usage.value',
      /number of models/,
    ],
    [
      'layers that are not there',
      'merge_method: passthrough\nslices: [{sources: [{model: $one, layer_range: [0, 9]}]}]\n',
      'usage.value',
      /fewer layers/,
    ],
    [
      'slices of unequal length',
      'merge_method: linear\nparameters: {weight: 1}\nslices: [{sources: [{model: $one, layer_range: [0, 2]}, {model: $two, layer_range: [0, 1]}]}]\n',
      'usage.value',
      /different numbers/,
    ],
    ['a model that is not there', linear.replace('$two', '$nowhere'), 'file.missing', /nowhere/],
    ['an empty gradient', linear.replace('weight: 1}', 'weight: []}'), 'usage.value', /gradient/],
    ['an empty file', '', 'usage.value', /recipe/],
  ])('%s', async (_, text, code, words) => {
    const path = await recipe(text)
    const failed = await openMergeFile(path).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failed).toMatchObject({ code })
    expect(`${(failed as Error).message} ${(failed as { hint?: string }).hint ?? ''}`).toMatch(words)
  })

  test.each([
    [
      'a tensor that one input lacks',
      { change: (name: string, values: Float32Array) => (name.includes('layers.1.mlp') ? undefined : values) },
      'tensor.missing',
    ],
    ['another width', { width: 12 }, 'tensor.shape'],
    ['another vocabulary', { vocabulary: 24 }, 'tensor.shape'],
    ['another number of layers', { layers: 2 }, 'tensor.missing'],
  ])('%s', async (name, made, code) => {
    await makeModel(at('other'), { seed: 4, dtype: 'BF16', ...made })
    await expect(openMergeFile(await recipe(linear.replace('$two', '$other') + `# ${name}\n`))).rejects.toMatchObject({
      code,
    })
  })

  test('weights that are not numbers', async () => {
    await makeModel(at('broken'), {
      seed: 5,
      dtype: 'BF16',
      change: (name, values) => (name === 'model.norm.weight' ? values.fill(NaN, 3, 4) : values),
    })
    const opened = await openMergeFile(await recipe(linear.replace('$two', '$broken')))
    const failed = await writeMerge(opened, at('broken-out')).catch((error: unknown) => error)
    await opened.close()
    expect(failed).toMatchObject({ code: 'tensor.value', parts: { place: 'model.norm.weight › element 3' } })
    expect(await readdir(root.path)).not.toContain('broken-out')
  })

  test('whole numbers that differ; equal ones are copied', async () => {
    const ids = (first: number): { name: string; dtype: 'I64'; shape: number[]; bytes: Uint8Array } => ({
      name: 'counter',
      dtype: 'I64',
      shape: [2],
      bytes: new Uint8Array(BigInt64Array.of(BigInt(first), 7n).buffer),
    })
    for (const [name, first] of [
      ['whole-a', 1],
      ['whole-b', 1],
      ['whole-c', 2],
    ] as const)
      await makeModel(at(name), { extra: [ids(first)] })
    const same = await valuesOf(await written(linear.replace('$one', '$whole-a').replace('$two', '$whole-b')))
    expect(same.get('counter')).toBe((await valuesOf(at('whole-a'))).get('counter'))
    await expect(written(linear.replace('$one', '$whole-a').replace('$two', '$whole-c'))).rejects.toMatchObject({
      code: 'tensor.value',
    })
  })

  test('a target that is an input, lies in one, or holds something', async () => {
    const opened = await openMergeFile(await recipe(linear))
    onTestFinished(() => opened.close())
    const before = await valuesOf(at('one'))
    await expect(writeMerge(opened, at('one'), { overwrite: true })).rejects.toMatchObject({ code: 'usage.conflict' })
    await expect(writeMerge(opened, at('one', 'inside'))).rejects.toMatchObject({ code: 'usage.conflict' })
    await mkdir(at('full'), { recursive: true })
    await writeFile(at('full', 'diary.txt'), 'mine')
    await expect(writeMerge(opened, at('full'))).rejects.toMatchObject({ code: 'usage.conflict' })
    expect(await readFile(at('full', 'diary.txt'), 'utf8')).toBe('mine')
    expect(await valuesOf(at('one'))).toEqual(before)
  })

  test('two merges to one target: the one that came later', async () => {
    const opened = await openMergeFile(await recipe(ties))
    onTestFinished(() => opened.close())
    const both = await Promise.allSettled([writeMerge(opened, at('contested')), writeMerge(opened, at('contested'))])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'usage.conflict' } })
    expect((await valuesOf(at('contested'))).size).toBe(12)
  })

  test('a target that is a file', async () => {
    await writeFile(at('plain'), 'text')
    const opened = await openMergeFile(await recipe(linear))
    onTestFinished(() => opened.close())
    await expect(writeMerge(opened, at('plain'))).rejects.toMatchObject({ code: 'usage.conflict' })
  })
})
