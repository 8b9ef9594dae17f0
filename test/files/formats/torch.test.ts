import { afterAll, describe, expect, test } from 'vitest'
import { openTensors, readFloat32 } from '#files/formats'
import {
  codeOf,
  floats,
  op,
  pickle,
  temporaryFolder,
  tensorCode,
  torchStream,
  torchZip,
  withFile,
  zip,
  type Code,
} from './made-files.ts'

const folder = await temporaryFolder()
afterAll(folder.remove)

const six = floats(0, 1, 2, 3, 4, 5)
const matrix = tensorCode({ count: 6, size: [2, 3], stride: [3, 1] })

async function read(
  root: Code,
  storages: Readonly<Record<string, Uint8Array>> = { 0: six },
  name = 'a',
): Promise<number[]> {
  return withFile(folder.path, torchZip(root, storages), '.bin', async (source) => [
    ...(await readFloat32(source, name)),
  ])
}

function refused(root: Code, storages: Readonly<Record<string, Uint8Array>> = { 0: six }): Promise<string> {
  return codeOf(() => withFile(folder.path, torchZip(root, storages), '.bin', async () => undefined))
}

describe('views of a storage', () => {
  test.each([
    ['whole', { size: [2, 3], stride: [3, 1] }, [0, 1, 2, 3, 4, 5], 0],
    ['from an offset', { start: 2, size: [2, 2], stride: [2, 1] }, [2, 3, 4, 5], 8],
    ['transposed', { size: [3, 2], stride: [1, 3] }, [0, 3, 1, 4, 2, 5], undefined],
    ['every second element', { size: [3], stride: [2] }, [0, 2, 4], undefined],
    ['expanded', { size: [2, 3], stride: [0, 1] }, [0, 1, 2, 0, 1, 2], undefined],
    ['with any stride where the size is 1', { start: 3, size: [1, 3, 1], stride: [99, 1, 77] }, [3, 4, 5], 12],
    ['of no dimensions', { start: 5, size: [], stride: [] }, [5], 20],
    ['empty', { start: 6, size: [0, 4], stride: [4, 1] }, [], 24],
    ['three dimensions permuted', { size: [3, 1, 2], stride: [1, 6, 3] }, [0, 3, 1, 4, 2, 5], undefined],
  ])('%s read row-major, and are located when contiguous', async (_name, parts, wanted, offset) => {
    const file = torchZip(op.dict({ a: tensorCode({ count: 6, ...parts }) }), { 0: six })
    await withFile(folder.path, file, '.bin', async (source) => {
      expect(source.info('a')?.shape).toEqual(parts.size)
      expect([...(await readFloat32(source, 'a'))]).toEqual(wanted)
      expect(source.locate('a')?.offset).toBe(offset === undefined ? undefined : file.indexOf(six) + offset)
    })
  })

  test.each([
    ['past the end', { start: 1, size: [2, 3], stride: [3, 1] }, 'tensor.shape'],
    ['past the end by stride', { size: [2, 2], stride: [5, 1] }, 'tensor.shape'],
    ['of sizes that overflow', { size: [2 ** 30, 2 ** 30, 2 ** 30], stride: [0, 0, 0] }, 'format.limit'],
    ['of another rank than its strides', { size: [2, 3], stride: [1] }, 'format.pickle'],
    ['of 65 dimensions', { size: Array<number>(65).fill(1), stride: Array<number>(65).fill(1) }, 'format.pickle'],
  ])('%s are refused', async (_name, parts, code) => {
    expect(await refused(op.dict({ a: tensorCode({ count: 6, ...parts }) }))).toBe(code)
  })
})

describe('a torch checkpoint', () => {
  test.each([
    ['DoubleStorage', 'F64', Buffer.from(Float64Array.of(1, 2).buffer)],
    ['HalfStorage', 'F16', Buffer.from([0x00, 0x3c, 0x00, 0x40])],
    ['BFloat16Storage', 'BF16', Buffer.from([0x80, 0x3f, 0x00, 0x40])],
    ['LongStorage', 'I64', Buffer.from(BigInt64Array.of(1n, 2n).buffer)],
    ['IntStorage', 'I32', Buffer.from(Int32Array.of(1, 2).buffer)],
    ['ShortStorage', 'I16', Buffer.from([1, 0, 2, 0])],
    ['CharStorage', 'I8', Buffer.from([1, 2])],
    ['ByteStorage', 'U8', Buffer.from([1, 2])],
    ['BoolStorage', 'BOOL', Buffer.from([1, 1])],
  ])('may hold a %s', async (name, dtype, bytes) => {
    const root = op.dict({ a: tensorCode({ storage: op.global('torch', name), count: 2, size: [2], stride: [1] }) })
    await withFile(folder.path, torchZip(root, { 0: bytes }), '.pt', async (source) => {
      expect(source.info('a')?.dtype).toBe(dtype)
      expect([...(await readFloat32(source, 'a'))]).toEqual(dtype === 'BOOL' ? [1, 1] : [1, 2])
    })
  })

  test.each([
    ['float8_e4m3fn', [0x38, 0x40], 'F8_E4M3'],
    ['float8_e5m2', [0x3c, 0x40], 'F8_E5M2'],
    ['uint16', [1, 0, 2, 0], 'U16'],
  ])('may hold %s over an untyped storage', async (type, bytes, dtype) => {
    const root = op.dict({
      a: tensorCode({
        storage: op.global('torch.storage', 'UntypedStorage'),
        count: bytes.length,
        size: [2],
        stride: [1],
        dtype: op.global('torch', type),
      }),
    })
    await withFile(folder.path, torchZip(root, { 0: Buffer.from(bytes) }), '.pt', async (source) => {
      expect(source.info('a')?.dtype).toBe(dtype)
      expect([...(await readFloat32(source, 'a'))]).toEqual([1, 2])
    })
  })

  test('may hold parameters, with state and attributes too', async () => {
    const utils = 'torch._utils'
    const noHooks = op.call(op.global('collections', 'OrderedDict'))
    const id = Buffer.concat([
      op.tuple(op.text('storage'), op.global('torch', 'FloatStorage'), op.text('0'), op.text('cpu'), op.int(6)),
      Buffer.from('Q'),
    ])
    const root = op.dict({
      a: op.call(op.global(utils, '_rebuild_parameter'), matrix, op.false, noHooks),
      b: op.call(
        op.global(utils, '_rebuild_parameter_with_state'),
        matrix,
        op.false,
        noHooks,
        op.dict({ x: op.int(1) }),
      ),
      c: op.call(
        op.global('torch._tensor', '_rebuild_from_type_v2'),
        op.global(utils, '_rebuild_tensor_v2'),
        op.global('torch.nn.parameter', 'Parameter'),
        op.tuple(id, op.int(0), op.tuple(op.int(2), op.int(3)), op.tuple(op.int(3), op.int(1)), op.false, noHooks),
        op.dict({ tag: op.text('x') }),
      ),
    })
    for (const name of ['a', 'b', 'c']) expect(await read(root, { 0: six }, name)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test.each([
    [
      'under state_dict',
      op.dict({ epoch: op.int(3), state_dict: op.dict({ a: matrix }), optimizer: op.dict({ lr: op.int(1) }) }),
    ],
    ['under model', op.dict({ model: op.dict({ a: matrix }) })],
    ['under model and state_dict', op.dict({ model: op.dict({ state_dict: op.dict({ a: matrix }) }) })],
    [
      'beside numbers and text',
      op.dict({
        version: op.int(1),
        name: op.text('x'),
        a: matrix,
        size: op.call(op.global('torch', 'Size'), op.tuple(op.int(1))),
        type: op.global('torch', 'float32'),
      }),
    ],
    [
      'in an OrderedDict with metadata',
      Buffer.concat([
        op.call(op.global('collections', 'OrderedDict')),
        Buffer.from('('),
        op.text('a'),
        matrix,
        Buffer.from('u'),
        op.dict({ _metadata: op.none }),
        Buffer.from('b'),
      ]),
    ],
    [
      'in the pairs of Python 2',
      op.call(op.global('collections', 'OrderedDict'), op.list(op.list(op.oldText('a'), matrix))),
    ],
  ])('may keep its tensors %s', async (_name, root) => {
    expect(await read(root)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('may be one tensor', async () => {
    expect(await read(matrix, { 0: six }, 'array')).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('may be big-endian', async () => {
    const file = torchZip(op.dict({ a: matrix }), { 0: Buffer.from(six).swap32() }, [
      { name: 'archive/byteorder', bytes: Buffer.from('big') },
    ])
    await withFile(folder.path, file, '.bin', async (source) => {
      expect([...(await readFloat32(source, 'a'))]).toEqual([0, 1, 2, 3, 4, 5])
      expect(source.locate('a')).toBeUndefined()
    })
  })

  test.each([
    ['a dict without tensors', op.dict({ a: op.int(1) })],
    ['a list', op.list(matrix)],
    ['a key that is a number', Buffer.concat([Buffer.from('}'), op.int(1), matrix, Buffer.from('s')])],
    [
      'metadata that changes the numbers',
      op.dict({
        a: op.call(
          op.global('torch._utils', '_rebuild_tensor_v2'),
          ...Array<Code>(6).fill(op.none),
          op.dict({ neg: op.raw(0x88) }),
        ),
      }),
    ],
    [
      'a type that rebuilds itself',
      op.dict({
        a: op.call(
          op.global('torch._tensor', '_rebuild_from_type_v2'),
          op.global('torch._tensor', '_rebuild_from_type_v2'),
          op.none,
          op.tuple(),
          op.none,
        ),
      }),
    ],
    ['two objects', Buffer.concat([matrix, matrix])],
    ['a call of something that is not a builder', op.call(op.global('torch', 'Tensor'), op.int(1))],
    [
      'an unknown storage',
      op.dict({
        a: tensorCode({ storage: op.global('torch', 'ComplexFloatStorage'), count: 3, size: [3], stride: [1] }),
      }),
    ],
  ])('of %s is refused', async (_name, root) => {
    expect(await refused(root)).toBe('format.pickle')
  })

  test('that is a program is refused', async () => {
    const file = torchZip(op.dict({ a: matrix }), { 0: six }, [
      { name: 'archive/constants.pkl', bytes: pickle(op.tuple()) },
    ])
    expect(await codeOf(() => withFile(folder.path, file, '.pt', async () => undefined))).toBe('format.pickle')
  })

  test('with compressed storages is refused', async () => {
    const file = zip([
      { name: 'archive/data.pkl', bytes: pickle(op.dict({ a: matrix })) },
      { name: 'archive/data/0', bytes: six, deflate: true },
    ])
    expect(await codeOf(() => withFile(folder.path, file, '.bin', async () => undefined))).toBe('format.zip')
  })

  test('of many tensors that copy one list again and again ends soon', async () => {
    const again = op.call(op.global('collections', 'OrderedDict'), op.raw(0x68, 0))
    const root = Buffer.concat([
      op.list(...Array.from({ length: 5_000 }, () => op.raw(0x5d))),
      op.raw(0x71, 0),
      op.list(...Array.from({ length: 5_000 }, () => again)),
    ])
    expect(await refused(root)).toBe('format.pickle')
  })
})

describe('a stream of torch before 1.6', () => {
  const whole = { 0: { count: 6, bytes: six } }

  test('holds the same tensors, in place', async () => {
    const file = torchStream(op.dict({ a: matrix, b: tensorCode({ key: '1', count: 2, size: [2], stride: [1] }) }), {
      ...whole,
      1: { count: 2, bytes: floats(7, 8) },
    })
    await withFile(folder.path, file, '.pt', async (source) => {
      expect([...(await readFloat32(source, 'a')), ...(await readFloat32(source, 'b'))]).toEqual([
        0, 1, 2, 3, 4, 5, 7, 8,
      ])
      expect(source.locate('b')?.offset).toBe(file.length - 8)
    })
  })

  test('may view a part of a storage', async () => {
    const view = op.tuple(op.text('part'), op.int(2), op.int(4))
    const file = torchStream(op.dict({ a: tensorCode({ count: 6, view, start: 1, size: [3], stride: [1] }) }), whole)
    await withFile(folder.path, file, '.bin', async (source) =>
      expect([...(await readFloat32(source, 'a'))]).toEqual([3, 4, 5]),
    )
  })

  test.each([
    ['a storage of another size', torchStream(op.dict({ a: matrix }), { 0: { count: 5, bytes: six } })],
    ['a storage that is cut', torchStream(op.dict({ a: matrix }), { 0: { count: 6, bytes: six.subarray(0, 20) } })],
    ['a storage that is not there', torchStream(op.dict({ a: matrix }), {})],
    [
      'a storage that nobody uses',
      torchStream(op.dict({ a: matrix }), { ...whole, 9: { count: 1, bytes: floats(1) } }),
    ],
    ['bytes at the end', Buffer.concat([torchStream(op.dict({ a: matrix }), whole), Buffer.of(0)])],
    ['nothing after the magic', torchStream(op.dict({ a: matrix }), whole).subarray(0, 15)],
  ])('with %s is refused', async (_name, file) => {
    expect(await codeOf(() => withFile(folder.path, file, '.bin', async () => undefined))).toBe('format.pickle')
  })
})

test('a file of another world is named', async () => {
  for (const [bytes, extension, code] of [
    ['GGUF\u0003', '.gguf', 'format.gguf'],
    ['\x89HDF\r\n\x1a\n', '.h5', 'format.unknown'],
    ['hello', '.bin', 'format.pickle'],
    ['hello', '', 'format.unknown'],
    ['PK\x05\x06', '.npz', 'format.zip'],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n', '.bin', 'format.lfs'],
    ['<html><body>404</body></html>', '.pt', 'format.lfs'],
  ] as const) {
    expect(
      await codeOf(() => withFile(folder.path, Buffer.from(bytes, 'latin1'), extension, async () => undefined)),
    ).toBe(code)
  }
  await expect(openTensors(`${folder.path}/none.bin`)).rejects.toMatchObject({ code: 'file.missing' })
})
