import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openMergeFile, type OpenedMerge } from '#experiment/open'
import { writeMerge, writeMerges } from '#experiment/write'
import { openTensors } from '#files/formats'
import { mergeTensor } from '../../../../src/model/merge/engine/run-tensor.ts'
import { sharedReader, sharedWindow } from '../../../../src/model/merge/engine/shared-reader.ts'
import { makeModel, temporaryFolder } from '../models.ts'

let root: { path: string; remove: () => Promise<void> }
beforeAll(async () => {
  root = await temporaryFolder()
  for (const [k, name] of ['base', 'one', 'two', 'three'].entries())
    await makeModel(at(name), { seed: k + 1, dtype: 'BF16', width: 48, vocabulary: 1000 })
  return () => root.remove()
})

const at = (...parts: string[]): string => join(root.path, ...parts)

const recipes = {
  linear: 'merge_method: linear\nparameters: {weight: 1}\nmodels: [{model: $one}, {model: $two}, {model: $base}]\n',
  ties: 'merge_method: ties\nbase_model: $base\nparameters: {density: 0.4, weight: 0.6}\nmodels: [{model: $one}, {model: $two}]\n',
  slerp: 'merge_method: slerp\nbase_model: $one\nparameters: {t: 0.3}\nmodels: [{model: $one}, {model: $three}]\n',
  dare: 'merge_method: dare_ties\nbase_model: $base\nparameters: {density: 0.5, weight: 0.5}\nmodels: [{model: $two}, {model: $three}]\n',
  tsv: 'merge_method: tsv_m\nbase_model: $base\nmodels: [{model: $one}, {model: $two}]\n',
}

async function opened(text: string): Promise<OpenedMerge> {
  const path = at(`${createHash('sha256').update(text).digest('hex').slice(0, 8)}.yml`)
  await writeFile(path, text.replaceAll('$', `${root.path}/`))
  return openMergeFile(path)
}

/** File → SHA-256, but for what names its own folder or time. */
async function contents(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name !== 'README.md').sort()
  const entries = names.map(async (name) => {
    const bytes = await readFile(join(folder, name))
    return [name, createHash('sha256').update(bytes).digest('hex')] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

describe('several merges in one reading', () => {
  test('each has the bytes it has alone, whatever the memory and the threads', async () => {
    const alone: Record<string, Record<string, string>> = {}
    for (const [name, text] of Object.entries(recipes)) {
      const merge = await opened(text)
      await writeMerge(merge, at('alone', name)).finally(() => merge.close())
      alone[name] = await contents(at('alone', name))
    }
    for (const [k, options] of [
      {},
      { threads: 1, memoryBytes: 1 },
      { threads: 3, memoryBytes: 160 * 2 ** 20, maxShardBytes: 0 },
    ].entries()) {
      const merges = await Promise.all(
        Object.entries(recipes).map(async ([name, text]) => ({
          opened: await opened(text),
          target: at(`together-${k}`, name),
        })),
      )
      await writeMerges(merges, options).finally(() => Promise.all(merges.map((one) => one.opened.close())))
      for (const name of Object.keys(recipes)) expect(await contents(at(`together-${k}`, name))).toEqual(alone[name])
    }
  })

  test('one that fails stops the others, and nothing is published; what was finished is kept', async () => {
    await makeModel(at('broken'), {
      seed: 9,
      dtype: 'BF16',
      width: 48,
      vocabulary: 1000,
      change: (name, values) => (name === 'model.norm.weight' ? values.fill(NaN) : values),
    })
    const broken = recipes.linear.replace('$two', '$broken')
    const first = [
      { opened: await opened(recipes.ties), target: at('half', 'ties') },
      { opened: await opened(broken), target: at('half', 'broken') },
    ]
    await expect(
      writeMerges(first, { threads: 1 }).finally(() => Promise.all(first.map((one) => one.opened.close()))),
    ).rejects.toMatchObject({
      code: 'tensor.value',
    })
    expect((await readdir(at('half'))).sort()).toEqual(['broken.partial', 'ties.partial'])
    const ties = { opened: await opened(recipes.ties), target: at('half', 'ties') }
    const [written] = await writeMerges([ties], { threads: 1 }).finally(() => ties.opened.close())
    expect(written?.resumed).toBeGreaterThan(0)
    const { 'model.safetensors': whole } = await contents(at('half', 'ties'))
    const merge = await opened(recipes.ties)
    await writeMerge(merge, at('half', 'again')).finally(() => merge.close())
    expect((await contents(at('half', 'again')))['model.safetensors']).toBe(whole)
  })

  test('two that would write one folder are refused', async () => {
    const merges = [
      { opened: await opened(recipes.ties), target: at('same') },
      { opened: await opened(recipes.linear), target: at('same', 'inside') },
    ]
    await expect(
      writeMerges(merges).finally(() => Promise.all(merges.map((one) => one.opened.close()))),
    ).rejects.toMatchObject({ code: 'usage.conflict' })
    expect(await readdir(root.path)).not.toContain('same')
  })
})

describe('reading once for all', () => {
  /** Merges one tensor by every recipe, reading through what they share; bytes read, and the hash of each output. */
  async function together(
    names: readonly (keyof typeof recipes)[],
    tensor: string,
    chunk: number,
  ): Promise<{ read: number; checksums: string[] }> {
    const merges = await Promise.all(names.map((name) => opened(recipes[name])))
    let read = 0
    const sources = new Map(
      await Promise.all(
        ['base', 'one', 'two', 'three'].map(
          async (name) => [at(name), await openTensors(at(name, 'model.safetensors'))] as const,
        ),
      ),
    )
    const reads = sharedReader(merges.length, chunk, async ({ path, tensor: name }, info, from, to) => {
      const source = [...sources.values()].find((one) => one.locate(name)?.path === path)
      const bytes = (await source?.read(name)) ?? new Uint8Array()
      const size = info.byteLength / info.shape.reduce((a, b) => a * b, 1)
      read += (to - from) * size
      return bytes.subarray(from * size, to * size)
    })
    const outcomes = await Promise.all(
      merges.map(async ({ plan, inputs }, k) => {
        const planned = plan.tensors.find(({ name }) => name === tensor)
        if (planned === undefined) throw new Error('no such tensor')
        const operands = [...(planned.base === undefined ? [] : [planned.base]), ...planned.operands]
        const places = operands.map(({ input, info }) => ({
          input,
          tensor: info.name,
          path: inputs[input]?.tensors.locate(info.name)?.path ?? '',
          offset: inputs[input]?.tensors.locate(info.name)?.offset ?? 0,
        }))
        const run = { ...plan, totals: undefined }
        return mergeTensor(run, planned, reads.reader(k, places), () => Promise.resolve(), {
          blockElements: chunk,
        }).finally(() => reads.ended(k))
      }),
    )
    await Promise.all([...sources.values()].map((source) => source.close()))
    await Promise.all(merges.map((merge) => merge.close()))
    return { read, checksums: outcomes.map(({ checksum }) => checksum) }
  }

  const embedding = 'model.embed_tokens.weight'
  const bytes = 1000 * 48 * 2

  test('a tensor of one chunk is read once, however often its methods look at it', async () => {
    expect((await together(['linear', 'linear', 'ties'], embedding, 2 ** 17)).read).toBe(3 * bytes)
  })

  test('a tensor of many chunks is read as often as the method that looks at it most often', async () => {
    const [once, alone] = [await together(['linear'], embedding, 1000), await together(['ties'], embedding, 1000)]
    expect(once.read).toBe(3 * bytes)
    expect(alone.read).toBeGreaterThan(3 * bytes)
    const all = await together(['linear', 'ties', 'linear', 'ties'], embedding, 1000)
    expect(all.read).toBe(alone.read)
    expect(all.checksums).toEqual([...once.checksums, ...alone.checksums, ...once.checksums, ...alone.checksums])
  })

  test('nobody runs further ahead of the slowest than the window', async () => {
    const [count, chunk] = [100, 2]
    const info = { name: 'x', dtype: 'U8', shape: [count], byteLength: count } as const
    const place = { input: 0, tensor: 'x', path: 'file', offset: 0 }
    let furthest = 0
    const reads = sharedReader(2, chunk, async (_, __, from, to) => {
      furthest = Math.max(furthest, from)
      return Uint8Array.from({ length: to - from }, (_, i) => from + i)
    })
    const [fast, slow] = [reads.reader(0, [place]), reads.reader(1, [place])]
    const run = (async () => {
      const seen: number[] = []
      for (let from = 0; from < count; from += chunk) seen.push(...(await fast({ input: 0, info }, from, from + chunk)))
      return seen
    })()
    for (let from = 0; from < 20; from += chunk) {
      await slow({ input: 0, info }, from, from + chunk)
      await new Promise((resolve) => setImmediate(resolve))
      expect(furthest).toBeLessThanOrEqual(from + sharedWindow * chunk)
    }
    reads.ended(1)
    expect(await run).toEqual(Array.from({ length: count }, (_, i) => i))
  })
})
