import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { parseJson, parseYaml } from '#files/formats'
import {
  codeOf,
  floats,
  npy,
  op,
  safetensors,
  temporaryFolder,
  tensorCode,
  torchStream,
  torchZip,
  withFile,
  zip,
} from './made-files.ts'
import { goldenOf } from '../../golden-of.ts'

const folder = await temporaryFolder()
afterAll(folder.remove)

const { files: written } = goldenOf<{ files: Record<string, string> }>('files/formats', 'numpy')
const tensors = op.dict({
  weight: tensorCode({ count: 6, size: [2, 3], stride: [3, 1] }),
  turned: op.call(
    op.global('torch._utils', '_rebuild_parameter'),
    tensorCode({ count: 6, size: [3, 2], stride: [1, 3] }),
    op.false,
    op.none,
  ),
})
const array = npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", floats(0, 1, 2, 3, 4, 5))
const header = {
  __metadata__: { format: 'pt' },
  a: { dtype: 'F32', shape: [2, 3], data_offsets: [0, 24] },
  b: { dtype: 'I64', shape: [], data_offsets: [24, 32] },
}

const good: Record<string, readonly [extension: string, bytes: Buffer]> = {
  safetensors: ['.safetensors', safetensors(header, Buffer.alloc(32, 1))],
  'torch zip': ['.bin', torchZip(tensors, { 0: floats(0, 1, 2, 3, 4, 5) })],
  'torch stream': ['.bin', torchStream(tensors, { 0: { count: 6, bytes: floats(0, 1, 2, 3, 4, 5) } })],
  npy: ['.npy', array],
  npz: [
    '.npz',
    zip([
      { name: 'a.npy', bytes: array },
      { name: 'b.npy', bytes: array, deflate: true },
    ]),
  ],
  'npz with zip64': ['.npz', zip([{ name: 'a.npy', bytes: array }], { large: true })],
  'pickle of protocol 2': ['.pkl', Buffer.from(written['pickle_protocol_2'] ?? '', 'base64')],
  'pickle of protocol 5': ['.pkl', Buffer.from(written['pickle_protocol_5'] ?? '', 'base64')],
  'pickled dict': ['.pkl', Buffer.from(written['pickle_dict'] ?? '', 'base64')],
}

/** Bytes changed at some places, then perhaps cut or with something in the middle left out or doubled. */
function mutation(bytes: Buffer): fc.Arbitrary<Buffer> {
  const change = fc.tuple(fc.nat(bytes.length - 1), fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)))
  const cut = fc.tuple(fc.nat(bytes.length), fc.nat(bytes.length))
  return fc.tuple(fc.array(change, { maxLength: 4 }), fc.option(cut)).map(([changes, range]) => {
    const copy = Buffer.from(bytes)
    for (const [at, value] of changes) copy[at] = value
    if (!range) return copy
    const [from, to] = range
    return from < to ? copy.subarray(0, from) : Buffer.concat([copy.subarray(0, from), copy.subarray(to)])
  })
}

/** `read`, or the code of the fault. */
async function outcome(work: () => unknown): Promise<string> {
  const code = await codeOf(work)
  return code === 'no fault' ? 'read' : code
}

describe.each(Object.entries(good))('a spoilt %s', (_kind, [extension, bytes]) => {
  test('is read or refused with a fault, within its size', async () => {
    const outcomes = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(mutation(bytes), async (spoilt) => {
        const lengths: [seen: number, wanted: number][] = []
        const ends = [0]
        const result = await outcome(() =>
          withFile(folder.path, spoilt, extension, async (source) => {
            for (const name of source.names()) {
              lengths.push([(await source.read(name)).length, source.info(name)?.byteLength ?? -1])
              const { offset = 0, byteLength = 0 } = source.locate(name) ?? {}
              ends.push(offset + byteLength)
            }
          }),
        )
        outcomes.set(result, (outcomes.get(result) ?? 0) + 1)
        expect(lengths.map(([seen]) => seen)).toEqual(lengths.map(([, wanted]) => wanted))
        // 64 MiB is the limit of expanded views; nothing else exceeds the file, or 16 MiB when inflated.
        expect(Math.max(0, ...lengths.map(([seen]) => seen))).toBeLessThanOrEqual(64 * 2 ** 20)
        expect(Math.max(...ends)).toBeLessThanOrEqual(spoilt.length)
      }),
      { seed: 1, numRuns: 400 },
    )
    expect(outcomes.get('read')).toBeGreaterThan(0)
    expect(outcomes.get('internal')).toBeUndefined()
  })

  test('that is cut anywhere is refused', async () => {
    for (let length = 0; length < bytes.length; length += Math.max(1, Math.floor(bytes.length / 100))) {
      expect(
        await outcome(() => withFile(folder.path, bytes.subarray(0, length), extension, async () => undefined)),
      ).not.toBe('read')
    }
  })
})

test.each(['json', 'yaml'])('spoilt %s is a value or a fault', async (kind) => {
  const text = Buffer.from('{"a": [1, -2.5e3, true, null], "b\\u00e9": {"c": "d, e: f"}, "& *": "!"}\n')
  const outcomes = new Set<string>()
  await fc.assert(
    fc.asyncProperty(mutation(text), async (spoilt) => {
      outcomes.add(
        await outcome(() =>
          kind === 'json' ? parseJson(new Uint8Array(spoilt), 'x') : parseYaml(spoilt.toString('latin1'), 'x'),
        ),
      )
    }),
    { seed: 1, numRuns: 1_000 },
  )
  expect([...outcomes].toSorted()).toEqual([`format.${kind}`, 'read'])
})
