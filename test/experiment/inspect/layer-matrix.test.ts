import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readLayerMatrix, readQuality } from '#experiment/inspect'
import { writeNpy } from '#files/formats'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()
const rows = [
  [1, 0.5],
  [0.25, 1],
]
const flat = Float64Array.from(rows.flat())
const npy = (to: string): Promise<void> => writeNpy(to, { dtype: 'F64', shape: [2, 2], bytes: new Uint8Array(flat.buffer) })

/** array([[1, .5], [.25, 1]]) as numpy 2.4 pickles it, in base64: the array by protocol 2, `{"matrix": …}` by 4, the originals' cache with `mean` and `std` in Fortran order by 5. */
const pickles = {
  array:
    'gAJjbnVtcHkuX2NvcmUubXVsdGlhcnJheQpfcmVjb25zdHJ1Y3QKcQBjbnVtcHkKbmRhcnJheQpxAUsAhXECY19jb2RlY3MKZW5jb2RlCnEDWAEAAABicQRYBgAAAGxhdGluMXEFhnEGUnEHh3EIUnEJKEsBSwJLAoZxCmNudW1weQpkdHlwZQpxC1gCAAAAZjhxDImIh3ENUnEOKEsDWAEAAAA8cQ9OTk5K/////0r/////SwB0cRBiiWgDWCQAAAAAAAAAAADDsD8AAAAAAADDoD8AAAAAAADDkD8AAAAAAADDsD9xEWgFhnESUnETdHEUYi4=',
  matrix:
    'gASVtwAAAAAAAAB9lIwGbWF0cml4lIwWbnVtcHkuX2NvcmUubXVsdGlhcnJheZSMDF9yZWNvbnN0cnVjdJSTlIwFbnVtcHmUjAduZGFycmF5lJOUSwCFlEMBYpSHlFKUKEsBSwJLAoaUaAWMBWR0eXBllJOUjAJmOJSJiIeUUpQoSwOMATyUTk5OSv////9K/////0sAdJRiiUMgAAAAAAAA8D8AAAAAAADgPwAAAAAAANA/AAAAAAAA8D+UdJRicy4=',
  mean: 'gAWVAAEAAAAAAAB9lCiMBG1lYW6UjBNudW1weS5fY29yZS5udW1lcmljlIwLX2Zyb21idWZmZXKUk5QoliAAAAAAAAAAAAAAAAAA8D8AAAAAAADQPwAAAAAAAOA/AAAAAAAA8D+UjAVudW1weZSMBWR0eXBllJOUjAJmOJSJiIeUUpQoSwOMATyUTk5OSv////9K/////0sAdJRiSwJLAoaUjAFGlHSUUpSMA3N0ZJRoBCiWIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJRoC0sCSwKGlIwBQ5R0lFKUjAZtZXRyaWOUjANDS0GUjAl0YXNrX25hbWWUTnUu',
}

describe('a matrix of layers', () => {
  test.each([
    ['rows.json', () => JSON.stringify(rows), ''],
    ['matrix.json', () => JSON.stringify({ matrix: rows }), ''],
    ['document.json', () => JSON.stringify({ model: 'x', metrics: { CKA: { mean: rows, std: rows }, RSA: { mean: [[9]], std: [[0]] } } }), '#cka'],
    ['only.json', () => JSON.stringify({ metrics: { CKA: { mean: rows } } }), ''],
  ])('is read from %s', async (name, text, metric) => {
    expect((await readLayerMatrix(`${file(name, text())}${metric}`)).matrix).toEqual(flat)
  })

  test.each(Object.entries(pickles))('is read from a pickle: %s', async (name, bytes) => {
    await writeFile(path(`${name}.pkl`), Buffer.from(bytes, 'base64'))
    expect((await readLayerMatrix(path(`${name}.pkl`))).matrix).toEqual(flat)
  })

  test('is read from .npy, and from a folder of the similarity stage', async () => {
    await npy(path('S.npy'))
    expect(await readLayerMatrix(path('S.npy'))).toEqual({ name: 'S', matrix: flat, size: 2 })
    const stage = path('bert_mean_c4')
    await mkdir(`${stage}/similarities`, { recursive: true })
    await npy(`${stage}/similarities/CKA.npy`)
    await npy(`${stage}/similarities/CKA_std.npy`)
    expect((await readLayerMatrix(stage)).name).toBe('CKA')
    await npy(`${stage}/similarities/RSA.npy`)
    expect((await readLayerMatrix(`${stage}#rsa`)).matrix).toEqual(flat)
    await expect(readLayerMatrix(stage)).rejects.toThrow(/CKA.*RSA/s)
    await expect(readLayerMatrix(`${stage}#CAK`)).rejects.toThrow(/CKA/)
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

  test('that is not there is said so', async () => {
    await expect(readLayerMatrix(path('nowhere.npy'))).rejects.toMatchObject({ code: 'file.missing' })
  })

  test('in a pickle that wants to run something is refused, and nothing runs', async () => {
    const target = path('ran')
    // cos\nsystem\n(X…tR.
    const command = Buffer.from(`touch ${target}`)
    const evil = Buffer.concat([Buffer.from('\x80\x02cos\nsystem\n(X', 'latin1'), Buffer.from([command.length, 0, 0, 0]), command, Buffer.from('tR.')])
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
