import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openMergeFile } from '#experiment/open'
import { newOwner } from '#platform/disk'
import { type WriteMergeOptions, writeMerge, type WrittenMerge } from '#experiment/write'
import { program, repo, strata } from '../../cli/program.ts'
import { makeModel, temporaryFolder } from '../../model/merge/models.ts'

let root: { path: string; remove: () => Promise<void> }
let sources: Map<string, string>
beforeAll(async () => {
  root = await temporaryFolder()
  for (const [k, name] of ['base', 'one', 'two'].entries())
    await makeModel(at('sources', name), { seed: k + 1, dtype: 'BF16', width: 64, vocabulary: 600 })
  sources = await hashesBelow(at('sources'))
  return () => root.remove()
})

const at = (...parts: string[]): string => join(root.path, ...parts)

async function hashesBelow(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name)
      found.set(
        path,
        createHash('sha256')
          .update(await readFile(path))
          .digest('hex'),
      )
    }
  return found
}

const linear = 'merge_method: linear\nparameters: {weight: 1}\nmodels: [{model: $one}, {model: $two}]\n'
const ties =
  'merge_method: ties\nbase_model: $base\nparameters: {density: 0.5, weight: 0.5}\nmodels: [{model: $one}, {model: $two}]\n'

async function recipe(text: string): Promise<string> {
  const path = at(`${createHash('sha256').update(text).digest('hex').slice(0, 8)}.yml`)
  await writeFile(path, text.replaceAll('$', `${at('sources')}/`).replaceAll('%', `${root.path}/`))
  return path
}

async function merge(text: string, target: string, options: WriteMergeOptions = {}): Promise<WrittenMerge> {
  const opened = await openMergeFile(await recipe(text))
  return writeMerge(opened, target, options).finally(() => opened.close())
}

/** `sources/one` in a folder of its own, to be damaged. */
async function copied(name: string): Promise<string> {
  await cp(at('sources', 'one'), at(name), { recursive: true })
  return at(name)
}

let outputs = 0
/** The fault of a merge of `sources/two` with a damaged model: nothing is left that could be taken for an output. */
async function faultWith(damaged: string): Promise<unknown> {
  const target = at(`refused-${outputs++}`)
  const failed = await merge(linear.replace('$one', damaged), target).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(existsSync(target)).toBe(false)
  return failed
}

/** A safetensors file with this header before its data. */
function safetensors(header: string, data = 64): Buffer {
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(header)))
  return Buffer.concat([length, Buffer.from(header), Buffer.alloc(data)])
}

describe('checkpoints that are broken', () => {
  test.each<[string, string | RegExp, (folder: string) => Promise<unknown>]>([
    ['weights that are cut off', 'format.safetensors', (folder) => truncate(join(folder, 'model.safetensors'), 5000)],
    ['weights that are empty', 'format.safetensors', (folder) => truncate(join(folder, 'model.safetensors'), 0)],
    [
      'a header longer than the file',
      'format.safetensors',
      (folder) => writeFile(join(folder, 'model.safetensors'), Buffer.from('ffffffffffffff7f7b7d', 'hex')),
    ],
    [
      'a header that is no JSON',
      'format.safetensors',
      (folder) => writeFile(join(folder, 'model.safetensors'), safetensors('{"a":')),
    ],
    [
      'tensors beyond the end of the file',
      'format.safetensors',
      (folder) =>
        writeFile(
          join(folder, 'model.safetensors'),
          safetensors('{"a":{"dtype":"F32","shape":[64],"data_offsets":[0,256]}}'),
        ),
    ],
    [
      'a pointer of git-lfs instead of weights',
      'format.lfs',
      (folder) =>
        writeFile(
          join(folder, 'model.safetensors'),
          `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 5000\n`,
        ),
    ],
    ['no weights at all', 'file.missing', (folder) => rm(join(folder, 'model.safetensors'))],
    [
      'a config that is no JSON',
      'format.json',
      (folder) => writeFile(join(folder, 'config.json'), '{"architectures": ['),
    ],
    [
      'an index whose shard is not there',
      'file.missing',
      async (folder) => {
        await rm(join(folder, 'model.safetensors'))
        await writeFile(
          join(folder, 'model.safetensors.index.json'),
          '{"metadata":{},"weight_map":{"a":"model-00001-of-00002.safetensors"}}',
        )
      },
    ],
    [
      'an index that leaves its folder',
      'file.outside',
      async (folder) => {
        await rm(join(folder, 'model.safetensors'))
        await writeFile(
          join(folder, 'model.safetensors.index.json'),
          '{"metadata":{},"weight_map":{"a":"../sources/one/model.safetensors"}}',
        )
      },
    ],
    [
      'a pickle that would run a command',
      'format.pickle',
      async (folder) => {
        await rm(join(folder, 'model.safetensors'))
        await writeFile(join(folder, 'pytorch_model.bin'), "cos\nsystem\n(S'touch hacked'\ntR.")
      },
    ],
  ])('%s', async (name, code, damage) => {
    const folder = await copied(name.replaceAll(' ', '-'))
    await damage(folder)
    expect(await faultWith(folder)).toMatchObject({ code })
    expect(existsSync(join(repo, 'hacked'))).toBe(false)
  })

  test.each([
    ['infinite', Infinity],
    ['not numbers', NaN],
  ])(
    'weights that are %s: the place is named, and the same command works once they are repaired',
    async (name, value) => {
      const folder = at(`values-${name.slice(0, 3)}`)
      const options = { seed: 2, dtype: 'BF16', width: 64, vocabulary: 600 } as const
      await makeModel(folder, {
        ...options,
        change: (tensor, values) =>
          tensor === 'model.layers.1.mlp.up_proj.weight' ? values.fill(value, 77, 78) : values,
      })
      const target = at(`repaired-${name.slice(0, 3)}`)
      const text = linear.replace('$one', folder)
      await expect(merge(text, target)).rejects.toMatchObject({
        code: 'tensor.value',
        parts: { place: 'model.layers.1.mlp.up_proj.weight › element 77' },
      })
      expect(existsSync(target)).toBe(false)
      await makeModel(folder, options)
      await merge(text, target)
      await merge(linear, at(`reference-${name.slice(0, 3)}`))
      // `sources/one` was made from the same seed.
      expect(
        readFileSync(join(target, 'model.safetensors')).equals(
          readFileSync(at(`reference-${name.slice(0, 3)}`, 'model.safetensors')),
        ),
      ).toBe(true)
      expect((await readdir(root.path)).filter((entry) => entry.includes('.partial'))).toEqual([])
    },
  )

  test('an input that is written while it is merged', async () => {
    const folder = await copied('moving')
    let changed = false
    const change = (): void => {
      if (!changed) spawnSync('touch', ['-d', '2001-01-01', join(folder, 'model.safetensors')])
      changed = true
    }
    const text = linear.replace('$one', folder)
    await expect(merge(text, at('moved'), { onProgress: change })).rejects.toMatchObject({ code: 'file.unreadable' })
    expect(existsSync(at('moved'))).toBe(false)
    expect(await merge(text, at('moved'))).toMatchObject({ resumed: 0 })
  })
})

describe('recipes that are broken', () => {
  test.each([
    ['no YAML', 'merge_method: [linear\n', 'format.yaml'],
    ['a key twice', `${linear}merge_method: ties\n`, 'format.yaml'],
    ['only a list', '- linear\n- ties\n', 'usage.value'],
    [
      'a range that runs backwards',
      'merge_method: passthrough\nslices: [{sources: [{model: $one, layer_range: [2, 1]}]}]\n',
      'usage.value',
    ],
    ['vocabularies to be joined without tokenizers', `${linear}tokenizer_source: union\n`, 'tokenizer.missing'],
    ['a chat template that nobody knows', `${linear}chat_template: chatlm\n`, 'usage.value'],
    ['a model that is a file', linear.replace('$one', '$one/config.json'), 'config.missing'],
    ['an adapter that is no adapter', linear.replace('$one', '$one+$two'), 'file.missing'],
    [
      'documents in a circle',
      'merge_method: linear\nmodels: [{model: a, parameters: {weight: 1}}]\n---\nname: a\nmerge_method: passthrough\nmodels: [{model: b}]\n---\nname: b\nmerge_method: passthrough\nmodels: [{model: a}]\n',
      'usage.value',
    ],
  ])('%s', async (_, text, code) => {
    await expect(openMergeFile(await recipe(text))).rejects.toMatchObject({ code })
  })

  test('a recipe that is a folder, or bytes', async () => {
    await expect(openMergeFile(at('sources'))).rejects.toMatchObject({ code: 'file.missing' })
    await writeFile(at('bytes.yml'), Buffer.from([0xff, 0xfe, 0x00, 0x9f]))
    await expect(openMergeFile(at('bytes.yml'))).rejects.toMatchObject({
      code: expect.stringMatching(/^(format\.yaml|usage\.value)$/) as string,
    })
  })
})

function shell(command: string): number | null {
  return spawnSync('sh', ['-c', command], { stdio: 'ignore' }).status
}

/** Whether this user may mount: a disk of a known size, full or read-only, is a real one then. */
const mountable = process.platform === 'linux' && process.getuid?.() === 0 && shell('unshare -m true') === 0

async function smallDisk(name: string, size: string): Promise<string> {
  const path = at(name)
  await mkdir(path)
  expect(shell(`mount -t tmpfs -o size=${size} strata-test '${path}'`)).toBe(0)
  onTestFinished(() => void shell(`umount -l '${path}'`))
  return path
}

describe('disks that will not have it', () => {
  test.skipIf(!mountable)('too small: said before the first byte, nothing is left', async () => {
    const disk = await smallDisk('tiny', '64k')
    await expect(merge(ties, join(disk, 'out'))).rejects.toMatchObject({
      code: 'file.write',
      parts: { what: 'there is not enough room on the disk' },
    })
    expect(await readdir(disk)).toEqual([])
  })

  test.skipIf(!mountable)(
    'full in the middle: what is finished is kept, and the same command goes on when there is room',
    async () => {
      const disk = await smallDisk('filling', '2m')
      let filled = false
      const fill = (): void => {
        if (!filled) spawnSync('sh', ['-c', `cat /dev/zero > ${join(disk, 'filler')} 2>/dev/null`])
        filled = true
      }
      const failed = merge(ties, join(disk, 'out'), { threads: 1, onProgress: fill })
      await expect(failed).rejects.toMatchObject({
        code: 'file.write',
        parts: { hint: expect.stringContaining('the disk is full') as string },
      })
      expect((await readdir(disk)).sort()).toEqual(['filler', 'out.partial'])
      await rm(join(disk, 'filler'))
      const { resumed } = await merge(ties, join(disk, 'out'), { threads: 1 })
      expect(resumed).toBeGreaterThan(0)
      await merge(ties, at('roomy'))
      expect(
        readFileSync(join(disk, 'out', 'model.safetensors')).equals(readFileSync(at('roomy', 'model.safetensors'))),
      ).toBe(true)
      expect(await readdir(disk)).toEqual(['out'])
    },
  )

  test('files may not become that large: exit 1 with what to do, and smaller files are a way out', async () => {
    const path = await recipe(ties)
    // In blocks of 1,024 bytes: config and recipe fit, the weights do not.
    const limited = (target: string, options: string): { status: number | null; stderr: string } =>
      spawnSync(
        'bash',
        ['-c', `ulimit -f 100; exec "${process.execPath}" "${program}" merge "${path}" "${target}" --quiet ${options}`],
        { encoding: 'utf8' },
      )
    const { status, stderr } = limited(at('limited'), '')
    expect(status).toBe(1)
    expect(stderr).toMatch(/^error file\.write .*EFBIG/)
    expect(stderr).toContain('--out-shard-size')
    expect(existsSync(at('limited'))).toBe(false)
    expect(limited(at('limited'), '--out-shard-size 90k')).toMatchObject({ status: 0, stderr: '' })
    // The files of the attempt before are gone.
    expect(
      (await readdir(at('limited'))).filter(
        (name) => name === 'model.safetensors' || name.startsWith('.') || name.includes('journal'),
      ),
    ).toEqual([])
  })

  test.skipIf(!mountable)('read-only', async () => {
    const disk = await smallDisk('sealed', '2m')
    expect(shell(`mount -o remount,ro '${disk}'`)).toBe(0)
    await expect(merge(ties, join(disk, 'out'))).rejects.toMatchObject({ code: 'file.write', parts: { seen: 'EROFS' } })
  })

  test('below a file', async () => {
    await writeFile(at('plain'), 'text')
    await expect(merge(ties, at('plain', 'out'))).rejects.toMatchObject({
      code: expect.stringMatching(/^(file\.write|usage\.conflict)$/) as string,
    })
    expect(await readFile(at('plain'), 'utf8')).toBe('text')
  })
})

describe('targets that belong to somebody else', () => {
  test('a source, inside one, around all, by way of a link', async () => {
    await symlink(at('sources', 'one'), at('link'))
    for (const target of [
      at('sources', 'one'),
      at('sources', 'one', 'deep', 'er'),
      at('sources'),
      at('link'),
      at('link', 'inside'),
    ])
      await expect(merge(ties, target, { overwrite: true })).rejects.toMatchObject({ code: 'usage.conflict' })
    expect(await hashesBelow(at('sources'))).toEqual(sources)
  })

  test('a folder of somebody beside the target that merges would be prepared in', async () => {
    await mkdir(at('mine.partial'))
    await writeFile(at('mine.partial', 'diary.txt'), 'mine')
    await expect(merge(ties, at('mine'))).rejects.toMatchObject({ code: 'usage.conflict' })
    expect(await readFile(at('mine.partial', 'diary.txt'), 'utf8')).toBe('mine')
  })

  test('what --overwrite replaces stays until the merge is whole', async () => {
    await mkdir(at('kept'))
    await writeFile(at('kept', 'old.txt'), 'old')
    const stop = new AbortController()
    await expect(
      merge(ties, at('kept'), { overwrite: true, threads: 1, signal: stop.signal, onProgress: () => stop.abort() }),
    ).rejects.toMatchObject({
      code: 'run.cancelled',
    })
    expect(await readdir(at('kept'))).toEqual(['old.txt'])
    await merge(ties, at('kept'), { overwrite: true })
    expect(await readdir(at('kept'))).toEqual(expect.arrayContaining(['model.safetensors']))
    expect((await readdir(root.path)).filter((name) => name.startsWith('kept'))).toEqual(['kept'])
  })

  test('two programs at once: one writes, the other says who does, and the output is whole', async () => {
    const path = await recipe(ties)
    const both = await Promise.all([1, 2].map(() => strata(['merge', path, at('contested'), '--quiet'])))
    const [won, lost] = both.sort((a, b) => (a.code ?? 9) - (b.code ?? 9))
    expect(won?.code).toBe(0)
    expect(lost?.code).toBe(2)
    expect(lost?.stderr).toMatch(
      /^error usage\.conflict .*(another merge is writing this folder – process \d+|the folder is not empty)/,
    )
    await merge(ties, at('uncontested'))
    expect(
      readFileSync(at('contested', 'model.safetensors')).equals(readFileSync(at('uncontested', 'model.safetensors'))),
    ).toBe(true)
  })
})

describe('what an earlier run left', () => {
  /** A merge stopped after its first tensor. */
  async function stopped(target: string, text = ties): Promise<void> {
    const stop = new AbortController()
    await expect(
      merge(text, target, { threads: 1, signal: stop.signal, onProgress: () => stop.abort() }),
    ).rejects.toMatchObject({ code: 'run.cancelled' })
  }

  test.skipIf(process.platform !== 'linux').each([
    ['a process that is gone', (own: string) => own.replace(`-${process.pid}-`, '-999999999-')],
    ['a process whose number another has by now', (own: string) => own.replace(/-\d+-(\w+)$/, '-1-$1')],
  ])('a lock of %s is taken over', async (name, change) => {
    const target = at(`locked-by-${name.length}`)
    await stopped(target)
    await writeFile(join(`${target}.partial`, '.lock'), change(newOwner()))
    expect(await merge(ties, target)).toMatchObject({ resumed: 1 })
    expect((await readdir(target)).filter((entry) => entry.startsWith('.'))).toEqual([])
  })

  test.skipIf(process.platform !== 'linux')('a lock of a live process is respected', async () => {
    const target = at('locked-by-me')
    await stopped(target)
    await writeFile(join(`${target}.partial`, '.lock'), newOwner())
    await expect(merge(ties, target)).rejects.toMatchObject({
      code: 'usage.conflict',
      parts: { seen: `process ${process.pid}` },
    })
  })

  test('another recipe, other shards: begun anew, without its files', async () => {
    const target = at('changed-mind')
    await stopped(target, linear)
    await writeFile(join(`${target}.partial`, 'model-00001-of-00009.safetensors'), 'stale')
    await writeFile(join(`${target}.partial`, 'chat_template.jinja'), 'stale')
    expect(await merge(ties, target)).toMatchObject({ resumed: 0 })
    expect((await readdir(target)).filter((name) => /of-00009|jinja|journal/.test(name))).toEqual([])
  })

  test('a journal that is rubbish, a shard that is gone, a date that is false', async () => {
    const target = at('rubbish')
    await stopped(target)
    await writeFile(join(`${target}.partial`, 'journal.jsonl'), Buffer.from([0xff, 0x00, 0x0a, 0x7b]))
    expect(await merge(ties, target)).toMatchObject({ resumed: 0 })
    const second = at('gone')
    await stopped(second)
    await rm(join(`${second}.partial`, 'model.safetensors'))
    expect(await merge(ties, second)).toMatchObject({ resumed: 0 })
    const third = at('dated')
    await cp(at('sources', 'one'), at('dated-input'), { recursive: true })
    const text = linear.replace('$one', '%dated-input')
    await stopped(third, text)
    await utimes(at('dated-input', 'model.safetensors'), 0, 0)
    expect(await merge(text, third)).toMatchObject({ resumed: 0 })
  })
})

test('after all of this no byte of an input has changed, and no file has come or gone', async () => {
  expect(await hashesBelow(at('sources'))).toEqual(sources)
})
