import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openTensors, openTensorSet, readFloat32 } from '#files/formats'
import { shared, sharedPath } from '../../shared.ts'
import {
  faultOf,
  floats,
  op,
  pickle,
  temporaryFolder,
  tensorCode,
  torchStream,
  torchZip,
  withFile,
  zip,
} from './made-files.ts'
import { folderFiles } from './folder-files.ts'
import { hostileFiles, hostileIndexes } from './hostile-files.ts'

const hostile = (file: string): string => sharedPath('models', 'pico', 'hostile', file)

describe.skipIf(!shared)('hostile files', () => {
  test('are all in the table', () => {
    const found = ['safetensors', 'pickle', 'zip', 'npy'].flatMap((kind) =>
      readdirSync(hostile(kind)).map((name) => `${kind}/${name}`),
    )
    expect(found.toSorted()).toEqual(Object.keys(hostileFiles).toSorted())
  })

  const refused = Object.entries(hostileFiles).flatMap(([file, wanted]) =>
    'read' in wanted ? [] : [{ file, code: wanted[0], reason: wanted[1] }],
  )
  const read = Object.entries(hostileFiles).flatMap(([file, wanted]) =>
    'read' in wanted ? [{ file, values: wanted.read }] : [],
  )

  test.each(refused)('$file is refused with $code: $reason', async ({ file, code, reason }) => {
    const before = process.resourceUsage().maxRSS
    const fault = await faultOf(() => openTensors(hostile(file)))
    expect(fault).toMatchObject({ code, message: expect.stringContaining(reason) as string })
    expect(fault?.message).toContain(hostile(file))
    // Peak of the process in KiB: bombs ask for 50 MB and more, code that is compiled on the way for a few.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(24 * 1024)
  })

  test.each(read)('$file is read', async ({ file, values }) => {
    const source = await openTensors(hostile(file))
    expect([...(await readFloat32(source, source.names()[0] ?? ''))]).toEqual(values)
    await source.close()
  })

  test.each(Object.entries(hostileIndexes))('%s is refused with %j', async (file, [code, reason]) => {
    expect(await faultOf(() => openTensorSet(folderFiles(hostile(dirname(file)))))).toMatchObject({
      code,
      message: expect.stringContaining(reason) as string,
    })
  })

  test('leave no trace', () => {
    const places = [...['safetensors', 'pickle', 'zip', 'npy'].map(hostile), process.cwd(), '/tmp']
    expect(places.filter((place) => existsSync(join(place, 'PWNED')))).toEqual([])
  })
})

const folder = await temporaryFolder()
afterAll(folder.remove)

/** How the bytes are refused: code, byte, reason. */
async function refusal(bytes: Buffer, extension: string): Promise<string> {
  const fault = await faultOf(() => withFile(folder.path, bytes, extension, async () => undefined))
  return `${fault?.code} ${fault?.message.slice(folder.path.length)}`
}

test.each([
  [
    'a reference to data outside',
    Buffer.concat([op.text('x'), Buffer.from('Q')]),
    'reference to data outside the pickle',
  ],
  [
    'an integer of many bytes',
    Buffer.concat([op.raw(0x8a, 65), Buffer.alloc(65)]),
    'integer is too long – 65, wanted at most 64 bytes',
  ],
  ['a protocol of its own', op.raw(0x80, 6), 'unknown pickle protocol – 6, wanted 2 to 5'],
  ['a name without an end', Buffer.alloc(2_000, 'c'), 'line without an end'],
  ['an integer in words', Buffer.from('I1e9\n'), 'not an integer – 1e9'],
  ['a key without a value', Buffer.from('(Nd'), 'a key without a value'],
  ['a memo that was not filled', op.raw(0x68, 7), 'nothing in the memo at – 7'],
  [
    'an item for something that is not a list',
    Buffer.concat([op.none, op.none, Buffer.from('a')]),
    'appends to something that is not a list – None',
  ],
  [
    'a state for what has none',
    Buffer.concat([op.none, op.none, Buffer.from('b')]),
    'sets the state of what has none – None',
  ],
  [
    'an array of another class',
    op.call(op.global('numpy.core.multiarray', '_reconstruct'), op.global('numpy', 'dtype')),
    'array of another class – numpy.dtype',
  ],
  ['two values', Buffer.from('NN'), 'pickle ends with values left over'],
])('a pickle with %s is refused', async (_name, code, reason) => {
  expect(await refusal(pickle(code), '.pkl')).toMatch(/^format\.pickle .*\.pkl: byte [0-9]+: /)
  expect(await refusal(pickle(code), '.pkl')).toContain(`: ${reason}`)
})

describe('a pickle that makes much of little', () => {
  const many = (byte: string, count = 2_100_000): Buffer => Buffer.alloc(count, byte, 'latin1')
  const inMark = (byte: string): Buffer => Buffer.concat([Buffer.from('('), many(byte), Buffer.from('l')])
  const forms = {
    'empty dicts': inMark('}'),
    'empty lists': inMark(']'),
    marks: many('('),
    'entries of the memo': Buffer.concat([op.none, many('\x94')]),
  }

  const tooMany = /^format\.limit .*: byte [0-9]+: pickle makes too many values – wanted at most 2000000$/

  test.each(Object.entries(forms))('is refused: %s', async (_name, code) => {
    expect(await refusal(pickle(code), '.pkl')).toMatch(tooMany)
  })

  test('is refused inside a zip', async () => {
    expect(await refusal(zip([{ name: 'archive/data.pkl', bytes: pickle(forms.marks) }]), '.bin')).toMatch(tooMany)
  })

  test('is refused when only the pickles of one file together are too many', async () => {
    const half = op.list(many('N', 1_100_000))
    expect(await refusal(torchStream(op.dict({ a: half }), {}, { padding: half }), '.bin')).toMatch(tooMany)
    expect(await refusal(torchStream(op.dict({ a: half }), {}), '.bin')).toContain('holds no tensors')
  })

  test('is refused when it copies a list that it holds once', async () => {
    const [keep, again] = [op.raw(0x71, 0), op.raw(0x68, 0)]
    const pairs = op.list(...Array.from({ length: 100 }, (_, i) => op.tuple(op.int(i), op.none)))
    const copies = Array.from({ length: 1_000 }, () =>
      Buffer.concat([op.call(op.global('collections', 'OrderedDict'), again), Buffer.from('0')]),
    )
    expect(await refusal(pickle(pairs, keep, ...copies), '.pkl')).toMatch(
      /^format\.pickle .*: byte [0-9]+: copies more than the file holds$/,
    )
  })

  test('leaves room for forty thousand tensors', async () => {
    const tensors = op.dict(
      Object.fromEntries(
        Array.from({ length: 40_000 }, (_, i) => [`t${i}`, tensorCode({ count: 2, size: [2], stride: [1] })]),
      ),
    )
    await withFile(folder.path, torchZip(tensors, { 0: floats(1, 2) }), '.bin', async (source) => {
      expect(source.names()).toHaveLength(40_000)
      expect([...(await readFloat32(source, 't39999'))]).toEqual([1, 2])
    })
  })
})
