import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { dtypeBytes, type Dtype } from '#core'
import { createNpyWriter, openTensors, readFloat32, widen64, writeNpy } from '#files/formats'
import { codeOf, floats, npy, op, pickle, temporaryFolder, u32, withFile, zip } from './made-files.ts'
import { goldenOf } from '../../golden-of.ts'

const folder = await temporaryFolder()
afterAll(folder.remove)

const matrix = [0, 1, 2, 3, 4, 5]
/** The matrix as numpy writes it in many forms, in base64. */
const { files: written } = goldenOf<{ files: Record<string, string> }>('files/formats', 'numpy')

function golden(name: string): Buffer {
  return Buffer.from(written[name] ?? '', 'base64')
}

function extension(name: string): string {
  return name.startsWith('npz') ? '.npz' : name.startsWith('npy') ? '.npy' : '.pkl'
}

const readable = Object.keys(written).filter(
  (name) => !/object|record|strings|complex|dict|scalar|negative|empty/.test(name),
)

describe('files written by numpy', () => {
  test.each(readable)('%s holds the matrix', async (name) => {
    await withFile(folder.path, golden(name), extension(name), async (source) => {
      for (const array of source.names()) {
        expect(source.info(array)?.shape).toEqual([2, 3])
        expect([...(await readFloat32(source, array))]).toEqual(
          name === 'npy_bool' ? matrix.map((value) => Math.min(value, 1)) : matrix,
        )
      }
    })
  })

  test('have dtypes of their own', async () => {
    const seen: Record<string, Dtype | undefined> = {}
    for (const name of readable) {
      await withFile(folder.path, golden(name), extension(name), async (source) => {
        for (const array of source.names()) seen[`${name} ${array}`] = source.info(array)?.dtype
      })
    }
    expect(seen).toMatchObject({
      'pickle_protocol_2 array': 'F64',
      'pickle_big_endian array': 'F32',
      'npy_f2 array': 'F16',
      'npy_i1 array': 'I8',
      'npy_bool array': 'BOOL',
      'npy_big_endian array': 'I32',
      'npz_stored matrix': 'F64',
      'npz_deflated half': 'F16',
    })
  })

  test.each(['pickle_protocol_3', 'pickle_protocol_4', 'pickle_protocol_5', 'npy_f8', 'npz_stored'] as const)(
    '%s can be read in place',
    async (name) => {
      const bytes = golden(name)
      await withFile(folder.path, bytes, extension(name), async (source) => {
        const { offset = 0, byteLength = 0 } = source.locate(source.names()[0] ?? '') ?? {}
        expect([...widen64(bytes.subarray(offset, offset + byteLength), 'F64')]).toEqual(matrix)
      })
    },
  )

  test.each([
    'pickle_protocol_2',
    'pickle_fortran_5',
    'pickle_big_endian',
    'npy_fortran',
    'npy_big_endian',
    'npz_deflated',
  ] as const)('%s has no place to be read in', async (name) => {
    await withFile(folder.path, golden(name), extension(name), async (source) =>
      expect(source.locate(source.names()[0] ?? '')).toBeUndefined(),
    )
  })

  test('a dict gives its arrays and numbers, not its text', async () => {
    await withFile(folder.path, golden('pickle_dict'), '.pkl', async (source) => {
      const rows = source.names().map((name) => [name, source.info(name)?.dtype, source.info(name)?.shape])
      expect(rows).toEqual([
        ['mean', 'F64', [2, 3]],
        ['std', 'F64', [2, 3]],
        ['matrix', 'F32', [2, 3]],
        ['count', 'I64', []],
        ['scale', 'F64', []],
        ['best', 'F64', []],
      ])
      expect([
        ...(await readFloat32(source, 'count')),
        ...(await readFloat32(source, 'scale')),
        ...(await readFloat32(source, 'best')),
      ]).toEqual([7, 0.25, 0.5])
    })
  })

  test('scalars, signs and empty arrays', async () => {
    await withFile(folder.path, golden('pickle_scalar'), '.pkl', async (source) =>
      expect([...(await readFloat32(source, 'array'))]).toEqual([1.5]),
    )
    await withFile(folder.path, golden('npy_scalar'), '.npy', async (source) =>
      expect([source.info('array')?.shape, ...(await readFloat32(source, 'array'))]).toEqual([[], 2.5]),
    )
    await withFile(folder.path, golden('pickle_negative'), '.pkl', async (source) =>
      expect([...(await readFloat32(source, 'array'))]).toEqual([-1.5, Number.NaN, -0]),
    )
    await withFile(folder.path, golden('npy_empty'), '.npy', async (source) =>
      expect([source.info('array')?.shape, (await source.read('array')).length]).toEqual([[0, 4], 0]),
    )
  })

  test.each([
    ['pickle_objects', 'format.pickle'],
    ['pickle_record', 'tensor.dtype'],
    ['pickle_strings', 'tensor.dtype'],
    ['npy_complex', 'tensor.dtype'],
  ] as const)('%s is refused', async (name, code) => {
    expect(await codeOf(() => withFile(folder.path, golden(name), extension(name), async () => undefined))).toBe(code)
  })
})

describe('pickled arrays', () => {
  const type = op.call(op.global('numpy', 'dtype'), op.text('u1'), op.false, op.raw(0x88))
  const dtype = Buffer.concat([
    type,
    op.tuple(op.int(3), op.text('|'), op.none, op.none, op.none, op.int(-1), op.int(-1), op.int(0)),
    Buffer.from('b'),
  ])
  const empty = op.call(
    op.global('numpy.core.multiarray', '_reconstruct'),
    op.global('numpy', 'ndarray'),
    op.tuple(op.int(0)),
    op.text('b'),
  )
  const array = (count: number, text: string): Buffer =>
    pickle(
      empty,
      op.tuple(
        op.int(1),
        op.tuple(op.int(count)),
        dtype,
        op.false,
        op.call(op.global('_codecs', 'encode'), op.text(text), op.text('latin1')),
      ),
      Buffer.from('b'),
    )

  test('of protocol 2 may be longer than any name', async () => {
    const text = Array.from({ length: 100_000 }, (_, i) => String.fromCharCode(i % 256)).join('')
    await withFile(folder.path, array(100_000, text), '.pkl', async (source) => {
      expect(Buffer.from(await source.read('array')).toString('latin1')).toBe(text)
    })
  })

  test('may stand in an OrderedDict', async () => {
    const one = array(1, 'a').subarray(2, -1)
    const file = pickle(op.call(op.global('collections', 'OrderedDict')), op.text('x'), one, Buffer.from('s'))
    await withFile(folder.path, file, '.pkl', async (source) =>
      expect([source.names(), ...(await source.read('x'))]).toEqual([['x'], 97]),
    )
  })

  test('of Python 2 hold their bytes as a string', async () => {
    const file = pickle(
      empty,
      op.tuple(op.int(1), op.tuple(op.int(3)), dtype, op.false, op.oldText('\x00\xffz')),
      Buffer.from('b'),
    )
    await withFile(folder.path, file, '.pkl', async (source) =>
      expect([...(await source.read('array'))]).toEqual([0, 255, 122]),
    )
  })

  test.each([
    ['fewer bytes than the shape', array(4, 'abc'), 'tensor.shape'],
    ['more bytes than the shape', array(2, 'abc'), 'format.pickle'],
    ['text that is no bytes', array(1, '→'), 'format.pickle'],
    ['no state', pickle(empty), 'format.pickle'],
    ['bytes after the end', Buffer.concat([array(3, 'abc'), Buffer.of(0)]), 'format.pickle'],
    ['a torch tensor', pickle(op.global('torch', 'FloatStorage')), 'format.pickle'],
    ['text alone', pickle(op.text('abc')), 'format.pickle'],
    ['a dict without arrays', pickle(op.dict({ a: op.text('b') })), 'format.pickle'],
    ['a buffer outside', pickle(op.raw(0x97)), 'format.pickle'],
    ['protocol 6', Buffer.from([0x80, 6, 0x4e, 0x2e]), 'format.pickle'],
  ])('with %s are refused', async (_name, file, code) => {
    expect(await codeOf(() => withFile(folder.path, file, '.pkl', async () => undefined))).toBe(code)
  })

  test('cannot be copied again and again from a few bytes', async () => {
    // 1,000 encodings of one text of 60,000 characters would take 60 MB.
    const once = op.call(op.global('_codecs', 'encode'), op.raw(0x68, 0), op.text('latin1'))
    const file = pickle(
      op.text('x'.repeat(60_000)),
      op.raw(0x71, 0, 0x30),
      op.list(...Array.from({ length: 1_000 }, () => once)),
    )
    const before = process.resourceUsage().maxRSS
    expect(await codeOf(() => withFile(folder.path, file, '.pkl', async () => undefined))).toBe('format.pickle')
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(32 * 1024)
  })
})

describe('an npy header', () => {
  const literal = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"

  test.each([
    ['as numpy writes it', npy(literal, floats(1, 2))],
    ['of version 2', npy(literal, floats(1, 2), 2)],
    ['of version 3', npy(literal, floats(1, 2), 3)],
    [
      'in another order and with other quotes',
      npy('{"shape":(2L,),"fortran_order":False,"descr":"<f4"}', floats(1, 2)),
    ],
  ])('%s is read', async (_name, file) => {
    await withFile(folder.path, file, '.npy', async (source) =>
      expect([...(await readFloat32(source, 'array'))]).toEqual([1, 2]),
    )
  })

  test.each([
    ['of an unknown version', npy(literal, floats(1, 2), 4), 'format.npy'],
    [
      'with a key twice',
      npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", floats(1, 2)),
      'format.npy',
    ],
    [
      'with a key more',
      npy("{'descr': '<f4', 'x': True, 'fortran_order': False, 'shape': (2,)}", floats(1, 2)),
      'format.npy',
    ],
    ['without a shape', npy("{'descr': '<f4', 'fortran_order': False}", floats(1, 2)), 'format.npy'],
    [
      'with a negative size',
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}", floats(1, 2)),
      'format.npy',
    ],
    [
      'with a number for a tuple',
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2)}", floats(1, 2)),
      'format.npy',
    ],
    [
      'with words between the sizes',
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, , 1)}", floats(1, 2)),
      'format.npy',
    ],
    [
      'with two sizes and no comma',
      npy(`{'descr': '<f4', 'fortran_order': False, 'shape': (2${' '.repeat(60_000)}1,)}`, floats(1, 2)),
      'format.npy',
    ],
    ['with code', npy("{'descr': '<f4', 'fortran_order': False, 'shape': (f(),)}", floats(1, 2)), 'format.npy'],
    [
      'of a record',
      npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", floats(1, 2)),
      'tensor.dtype',
    ],
    ['of objects', npy("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", floats(1, 2)), 'tensor.dtype'],
    ['with bytes too many', npy(literal, floats(1, 2, 3)), 'format.npy'],
    ['that does not end', npy(literal, floats(1, 2)).subarray(0, 40), 'format.npy'],
    [
      'with 65 dimensions',
      npy(`{'descr': '<f4', 'fortran_order': False, 'shape': (${'1, '.repeat(65)})}`, floats(1)),
      'format.limit',
    ],
    ['as long as the file', Buffer.concat([Buffer.from('\x93NUMPY\x02\x00', 'latin1'), u32(2 ** 31)]), 'format.limit'],
  ])('%s is refused', async (_name, file, code) => {
    expect(await codeOf(() => withFile(folder.path, file, '.npy', async () => undefined))).toBe(code)
  })
})

describe('an npz archive', () => {
  const array = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", floats(1, 2))

  test.each([
    ['zip64 records', zip([{ name: 'a.npy', bytes: array }], { large: true })],
    [
      'files that are no arrays',
      zip([
        { name: 'readme.txt', bytes: Buffer.from('x') },
        { name: 'a.npy', bytes: array, deflate: true },
      ]),
    ],
    ['padding in local headers', zip([{ name: 'a.npy', bytes: array, padding: 40 }])],
  ])('may have %s', async (_name, file) => {
    await withFile(folder.path, file, '.npz', async (source) => {
      expect(source.names()).toEqual(['a'])
      expect([...(await readFloat32(source, 'a'))]).toEqual([1, 2])
    })
  })

  test('is refused when its bytes are not those of the checksum', async () => {
    const large = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (40000,), }", Buffer.alloc(160_000))
    const file = zip([{ name: 'a.npy', bytes: large, deflate: true }])
    file.writeUInt32LE(1, file.indexOf('PK\x01\x02', 0, 'latin1') + 16)
    expect(await codeOf(() => withFile(folder.path, file, '.npz', (source) => source.read('a')))).toBe('format.zip')
  })

  test.each([
    ['no array', zip([{ name: 'readme.txt', bytes: Buffer.from('x') }]), 'format.npy'],
    ['no entry', zip([]), 'format.npy'],
    [
      'a name twice',
      zip([
        { name: 'a.npy', bytes: array },
        { name: 'a.npy', bytes: array },
      ]),
      'format.zip',
    ],
    [
      'something else in front',
      Buffer.concat([Buffer.from('PKxx'), zip([{ name: 'a.npy', bytes: array }])]),
      'format.zip',
    ],
    ['something else behind', Buffer.concat([zip([{ name: 'a.npy', bytes: array }]), Buffer.from('x')]), 'format.zip'],
  ])('with %s is refused', async (_name, file, code) => {
    expect(await codeOf(() => withFile(folder.path, file, '.npz', async () => undefined))).toBe(code)
  })
})

describe('writing npy', () => {
  test('gives what numpy gives, byte for byte', async () => {
    const path = join(folder.path, 'same.npy')
    for (const [dtype, name] of [
      ['F64', 'npy_f8'],
      ['F32', 'npy_f4'],
      ['I8', 'npy_i1'],
      ['BOOL', 'npy_bool'],
    ] as const) {
      const wanted = golden(name)
      await writeNpy(path, { dtype, shape: [2, 3], bytes: wanted.subarray(128) })
      const source = await openTensors(path)
      expect(source.info('array')).toMatchObject({ dtype, shape: [2, 3] })
      await source.close()
      const { readFileSync } = await import('node:fs')
      expect(readFileSync(path).equals(wanted)).toBe(true)
    }
  })

  test('and reading gives the same array, also row by row', async () => {
    const path = join(folder.path, 'round.npy')
    const dtype = fc.constantFrom<Dtype>('F16', 'F32', 'F64', 'I64', 'U16', 'BOOL')
    await fc.assert(
      fc.asyncProperty(
        dtype,
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
        fc.array(fc.nat(3), { maxLength: 4 }),
        async (dtype, tail, pieces) => {
          const rowBytes = tail.reduce((product, size) => product * size, dtypeBytes(dtype))
          const rows = pieces.reduce((sum, count) => sum + count, 0)
          const bytes = Uint8Array.from({ length: rows * rowBytes }, (_, i) => i % 251)
          const writer = await createNpyWriter(path, dtype, tail)
          let row = 0
          for (const count of pieces) {
            await writer.append(bytes.subarray(row * rowBytes, (row + count) * rowBytes))
            row += count
          }
          await writer.finish()
          const source = await openTensors(path)
          expect(source.info('array')).toMatchObject({ dtype, shape: [rows, ...tail] })
          expect(Buffer.compare(await source.read('array'), bytes)).toBe(0)
          await source.close()
        },
      ),
      { seed: 1, numRuns: 60 },
    )
  })

  test('refuses what numpy has no type for, half rows, and leaves nothing behind', async () => {
    const path = join(folder.path, 'refused.npy')
    expect(await codeOf(() => writeNpy(path, { dtype: 'BF16', shape: [1], bytes: new Uint8Array(2) }))).toBe(
      'tensor.dtype',
    )
    expect(await codeOf(() => writeNpy(path, { dtype: 'F32', shape: [2], bytes: new Uint8Array(4) }))).toBe(
      'tensor.shape',
    )
    const writer = await createNpyWriter(path, 'F32', [2])
    expect(await codeOf(() => writer.append(new Uint8Array(12)))).toBe('tensor.shape')
    await writer.abort()
    expect(readdirSync(folder.path).filter((name) => name.startsWith('refused'))).toEqual([])
  })
})
