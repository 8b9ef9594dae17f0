import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readLayerMatrix, readQuality } from '#experiment/similarity'
import { writeNpy } from '#files/formats'
import { goldenOf } from '../../golden-of.ts'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()
const rows = [
  [1, 0.5],
  [0.25, 1],
]
const flat = Float64Array.from(rows.flat())
const npy = (to: string): Promise<void> =>
  writeNpy(to, { dtype: 'F64', shape: [2, 2], bytes: new Uint8Array(flat.buffer) })

/** What numpy pickles, in base64. */
const pickles = goldenOf<{ matrix: number[]; read: Record<string, string>; refused: Record<string, string> }>(
  'experiment/similarity',
  'layer-matrix',
)
const pickle = (bytes = ''): Buffer => Buffer.from(bytes, 'base64')

describe('a matrix of layers', () => {
  test.each([
    ['rows.json', () => JSON.stringify(rows), ''],
    ['matrix.json', () => JSON.stringify({ matrix: rows }), ''],
    [
      'document.json',
      () =>
        JSON.stringify({ model: 'x', metrics: { CKA: { mean: rows, std: rows }, RSA: { mean: [[9]], std: [[0]] } } }),
      '#cka',
    ],
    ['only.json', () => JSON.stringify({ metrics: { CKA: { mean: rows } } }), ''],
  ])('is read from %s', async (name, text, metric) => {
    expect((await readLayerMatrix(`${file(name, text())}${metric}`)).matrix).toEqual(flat)
  })

  test.each(Object.entries(pickles.read))('is read from a pickle: %s', async (name, bytes) => {
    expect(await readLayerMatrix(file(`${name}.pkl`, pickle(bytes)))).toEqual({
      name,
      matrix: Float64Array.from(pickles.matrix),
      size: 3,
    })
  })

  test.each([
    ['runs', 'format.pickle', /posix\.system/],
    ['runs-inside', 'format.pickle', /posix\.system/],
    ['objects', 'format.pickle', /objects/],
    ['oblong', 'usage.value', /not a square matrix/],
    ['cube', 'usage.value', /no matrix/],
    ['not-finite', 'usage.value', /layers 0 and 2/],
    ['other-dict', 'usage.value', /a.*b/],
  ])('is refused in a pickle: %s', async (name, code, words) => {
    await expect(readLayerMatrix(file(`${name}.pkl`, pickle(pickles.refused[name])))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(words),
    })
    expect([existsSync('ran'), existsSync(path('ran'))]).toEqual([false, false])
  })

  test('is read from the originals’ folders: below similarities, or at their top', async () => {
    const bytes = pickle(pickles.read['array by protocol 4'])
    for (const folder of ['bert_mean_c4/similarities', 'bert_cls_c4']) {
      await mkdir(path(folder), { recursive: true })
      for (const name of ['CKA', 'CKA_std', 'RSA', 'RSA_std']) file(`${folder}/${name}.pkl`, bytes)
    }
    for (const folder of ['bert_mean_c4', 'bert_cls_c4'])
      expect((await readLayerMatrix(`${path(folder)}#CKA`)).matrix).toEqual(Float64Array.from(pickles.matrix))
    await expect(readLayerMatrix(path('bert_cls_c4'))).rejects.toThrow(/CKA.*RSA/s)
  })

  test('is read from .npy, and from a folder of the similarity stage', async () => {
    await npy(path('S.npy'))
    expect(await readLayerMatrix(path('S.npy'))).toEqual({ name: 'S', matrix: flat, size: 2 })
    const stage = path('ours_mean_c4')
    await mkdir(`${stage}/similarities`, { recursive: true })
    await npy(`${stage}/similarities/CKA.npy`)
    await npy(`${stage}/similarities/CKA_std.npy`)
    expect((await readLayerMatrix(stage)).name).toBe('CKA')
    await npy(`${stage}/similarities/RSA.npy`)
    expect((await readLayerMatrix(`${stage}#rsa`)).matrix).toEqual(flat)
    await expect(readLayerMatrix(stage)).rejects.toThrow(/CKA.*RSA/s)
    await expect(readLayerMatrix(`${stage}#CAK`)).rejects.toThrow(/CKA/)
  })

  test('is of the model that is asked for: a matrix of another model or pooling is refused', async () => {
    const grid = path('grid')
    for (const [model, pooling] of [
      ['org/One-Two', 'mean'],
      ['org/One-Two', 'last_token'],
      ['other/three', 'mean'],
    ] as const) {
      const stage = `${grid}/${model.split('/')[1]}_${pooling}_c4`
      await mkdir(`${stage}/similarities`, { recursive: true })
      await npy(`${stage}/similarities/CKA.npy`)
      writeFileSync(`${stage}/metadata.json`, JSON.stringify({ model, pooling }))
    }
    const one = { model: 'org/one-two', pooling: 'mean' }
    // the folder of the grid, an experiment's folder, its matrix, and the file that the original would have written
    for (const place of ['', '/One-Two_mean_c4', '/One-Two_mean_c4/similarities/CKA.npy', '/One-Two_mean_c4/CKA.pkl'])
      expect((await readLayerMatrix(`${grid}${place}`, one)).whose).toEqual({ model: 'org/One-Two', pooling: 'mean' })
    expect((await readLayerMatrix(grid, { ...one, pooling: 'lasttoken' })).whose?.pooling).toBe('last_token')
    for (const place of ['/three_mean_c4/CKA.pkl', '/One-Two_last_token_c4'])
      await expect(readLayerMatrix(`${grid}${place}`, one)).rejects.toMatchObject({ code: 'usage.conflict' })
    await expect(readLayerMatrix(grid, { ...one, pooling: 'cls' })).rejects.toThrow(
      /no folder of this model and pooling/,
    )
    // a file that says nothing about itself is taken as it is
    expect((await readLayerMatrix(path('S.npy'), one)).matrix).toEqual(flat)
  })

  test.each([
    ['not square', [[1, 0.5]], 'usage.value'],
    ['ragged', [[1, 0.5], [1]], 'usage.value'],
    ['empty', [], 'usage.value'],
    ['no matrix', { layers: 3 }, 'usage.value'],
    ['a word in it', [['a']], 'usage.value'],
  ])('%s is refused', async (name, value, code) => {
    await expect(readLayerMatrix(file(`${name}.json`, JSON.stringify(value)))).rejects.toMatchObject({ code })
  })

  test('not finite is refused with its place', async () => {
    const bad = Float64Array.of(1, NaN, 0, 1)
    await writeNpy(path('nan.npy'), { dtype: 'F64', shape: [2, 2], bytes: new Uint8Array(bad.buffer) })
    await expect(readLayerMatrix(path('nan.npy'))).rejects.toThrow(/layers 0 and 1/)
  })

  test('beyond 1 is taken where it is symmetric, as transformed matrices are, and refused where it is not', async () => {
    const read = async (right: number, left: number): Promise<number[]> => [
      ...(
        await readLayerMatrix(
          file(
            'pair.json',
            JSON.stringify([
              [1, right],
              [left, 1],
            ]),
          ),
        )
      ).matrix,
    ]
    expect(await read(-9, -9.000001)).toEqual([1, -9, -9.000001, 1])
    expect(await read(0.9, -1)).toEqual([1, 0.9, -1, 1])
    await expect(read(9, -9)).rejects.toMatchObject({
      code: 'usage.value',
      parts: { what: expect.stringContaining('layers 0 and 1'), seen: [9, -9] },
    })
    await expect(read(0.5, 1.001)).rejects.toThrow(/layers 1 and 0/)
  })

  test('that is not there is said so', async () => {
    await expect(readLayerMatrix(path('nowhere.npy'))).rejects.toMatchObject({ code: 'file.missing' })
  })

  test('in a pickle that wants to run something is refused, and nothing runs', async () => {
    const target = path('ran')
    // cos\nsystem\n(X…tR.
    const command = Buffer.from(`touch ${target}`)
    const evil = Buffer.concat([
      Buffer.from('\x80\x02cos\nsystem\n(X', 'latin1'),
      Buffer.from([command.length, 0, 0, 0]),
      command,
      Buffer.from('tR.'),
    ])
    await writeFile(path('evil.pkl'), evil)
    await expect(readLayerMatrix(path('evil.pkl'))).rejects.toMatchObject({ code: 'format.pickle' })
    expect(existsSync(target)).toBe(false)
  })
})

describe('qualities', () => {
  test('are a list, or an object by layer', async () => {
    expect(await readQuality(file('list.json', '[0.1, 0.2]'), 2)).toEqual(Float64Array.of(0.1, 0.2))
    expect(await readQuality(file('object.json', '{"1": 0.2, "0": 0.1}'), 2)).toEqual(Float64Array.of(0.1, 0.2))
  })

  test.each([
    ['too few', '[0.1]'],
    ['too many', '[0.1, 0.2, 0.3]'],
    ['other layers', '{"1": 1, "2": 1}'],
    ['a negative one', '[0.1, -0.2]'],
    ['a word', '[0.1, "x"]'],
    ['no list', '3'],
  ])('%s are refused', async (name, text) => {
    await expect(readQuality(file(`${name}-q.json`, text), 2)).rejects.toMatchObject({ code: 'usage.value' })
  })
})
