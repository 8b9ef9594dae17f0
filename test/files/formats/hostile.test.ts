import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openTensors, openTensorSet, readFloat32 } from '#files/formats'
import { shared, sharedPath } from '../../shared.ts'
import { faultOf, floats, op, pickle, temporaryFolder, tensorCode, torchStream, torchZip, withFile, zip } from './made-files.ts'
import { folderFiles } from './folder-files.ts'
import { hostileFiles, hostileIndexes } from './hostile-files.ts'

const hostile = (file: string): string => sharedPath('models', 'pico', 'hostile', file)

describe.skipIf(!shared)('hostile files', () => {
  test('are all in the table', () => {
    const found = ['safetensors', 'pickle', 'zip', 'npy'].flatMap((kind) => readdirSync(hostile(kind)).map((name) => `${kind}/${name}`))
    expect(found.toSorted()).toEqual(Object.keys(hostileFiles).toSorted())
  })

  const refused = Object.entries(hostileFiles).flatMap(([file, wanted]) => ('read' in wanted ? [] : [{ file, code: wanted[0], reason: wanted[1] }]))
  const read = Object.entries(hostileFiles).flatMap(([file, wanted]) => ('read' in wanted ? [{ file, values: wanted.read }] : []))

  test.each(refused)('$file is refused with $code: $reason', { timeout: 5_000 }, async ({ file, code, reason }) => {
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
    expect(await faultOf(() => openTensorSet(folderFiles(hostile(dirname(file)))))).toMatchObject({ code, message: expect.stringContaining(reason) as string })
  })

  test('leave no trace', () => {
    const places = [...['safetensors', 'pickle', 'zip', 'npy'].map(hostile), process.cwd(), '/tmp']
    expect(places.filter((place) => existsSync(join(place, 'PWNED')))).toEqual([])
  })
})

describe('a pickle that makes much of little', async () => {
  const folder = await temporaryFolder()
  afterAll(folder.remove)

  const many = (byte: string, count = 2_100_000): Buffer => Buffer.alloc(count, byte, 'latin1')
  const inMark = (byte: string): Buffer => Buffer.concat([Buffer.from('('), many(byte), Buffer.from('l')])
  const forms = {
    'empty dicts': inMark('}'),
    'empty lists': inMark(']'),
    marks: many('('),
    'entries of the memo': Buffer.concat([op.none, many('\x94')]),
  }

  const refusal = async (bytes: Buffer, extension: string): Promise<string> => {
    const fault = await faultOf(() => withFile(folder.path, bytes, extension, async () => undefined))
    return `${fault?.code} ${fault?.message.slice(folder.path.length)}`
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

  test('leaves room for forty thousand tensors', async () => {
    const tensors = op.dict(Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`t${i}`, tensorCode({ count: 2, size: [2], stride: [1] })])))
    await withFile(folder.path, torchZip(tensors, { 0: floats(1, 2) }), '.bin', async (source) => {
      expect(source.names()).toHaveLength(40_000)
      expect([...(await readFloat32(source, 't39999'))]).toEqual([1, 2])
    })
  })
})
