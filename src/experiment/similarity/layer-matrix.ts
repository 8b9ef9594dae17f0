/** Reads similarities and qualities of layers from files, made by Strata, the original programs or others. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { fault, suggestion } from '#core'
import { isObject, openTensors, parseJson, widen64 } from '#files/formats'

export interface LayerMatrix {
  /** Metric or file, for results. */
  readonly name: string
  /** [size × size] */
  readonly matrix: Float64Array
  readonly size: number
}

/**
 * A square matrix from `.npy`, a pickled array (`.pkl`, or a dict with `matrix` or `mean`; nothing in it is executed),
 * JSON (rows, `{matrix}`, or the document of `strata similarity`), or a folder of the similarity stage. `#CKA` at the
 * end selects one of several metrics. Throws `usage.value` for any other content, and what opening the file throws.
 */
export async function readLayerMatrix(reference: string): Promise<LayerMatrix> {
  const [, path = '', wanted] = /^(.*?)(?:#([^#/\\]+))?$/s.exec(reference) ?? []
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw fault('file.missing', { place: path, what: 'no such file or folder' })
  const file = found.isDirectory() ? await fileIn(path, wanted) : path
  const rows = extname(file).toLowerCase() === '.json' ? await rowsOfJson(file, wanted) : await rowsOfTensors(file)
  const matrix = Float64Array.from(rows.flat())
  const size = rows.length
  const place = wanted === undefined ? file : `${file}#${wanted}`
  if (size === 0 || rows.some((row) => row.length !== size))
    throw fault('usage.value', { place, what: 'not a square matrix of layers', seen: [size, rows[0]?.length ?? 0] })
  const wrong = matrix.findIndex((value) => !Number.isFinite(value))
  if (wrong >= 0)
    throw fault('usage.value', {
      place,
      what: `the value of layers ${Math.floor(wrong / size)} and ${wrong % size} is not finite`,
      seen: matrix[wrong],
    })
  const odd = matrix.findIndex((value, at) => Math.abs(value) > 1 + 1e-6 && !mirrored(matrix, size, at))
  if (odd >= 0)
    throw fault('usage.value', {
      place,
      what: `layers ${Math.floor(odd / size)} and ${odd % size} are no similarity, in one order or the other`,
      seen: [matrix[odd], matrix[(odd % size) * size + Math.floor(odd / size)]],
      wanted: 'values from −1 to 1, or a symmetric matrix where they were transformed',
      hint: 'make the matrix with `strata similarity MODEL --out FOLDER`',
    })
  return { name: wanted ?? basename(file).replace(/\.[^.]*$/, ''), matrix, size }
}

/**
 * Whether a value stands on both sides of the diagonal, up to the digits of a matrix written as float32. PWCCA is not
 * symmetric, but stays within 1; a logarithm, an angle or a row sum does not, but is symmetric.
 */
function mirrored(matrix: Float64Array, size: number, at: number): boolean {
  const [value, other] = [matrix[at]!, matrix[(at % size) * size + Math.floor(at / size)]!]
  return Math.abs(value - other) <= 1e-6 * Math.max(Math.abs(value), Math.abs(other))
}

/**
 * One number per layer: a list, or an object by index. Throws `usage.value` unless there are `states` finite numbers.
 */
export async function readQuality(path: string, states: number): Promise<Float64Array> {
  const value = parseJson(await textOf(path), path)
  // an array by its indices, an object by its keys
  const entries = Array.isArray(value) || isObject(value) ? Object.entries<unknown>(value) : []
  const indexes = new Set(entries.map(([h]) => h))
  if (entries.length !== states || !Array.from({ length: states }, (_, h) => String(h)).every((h) => indexes.has(h)))
    throw fault('usage.value', {
      place: path,
      what: 'the number of qualities differs from the number of layers',
      seen: entries.length,
      wanted: `${states}, for the hidden states 0 … ${states - 1}`,
    })
  const out = new Float64Array(states)
  for (const [h, quality] of entries) {
    if (typeof quality !== 'number' || !Number.isFinite(quality) || quality < 0)
      throw fault('usage.value', { place: `${path} › ${h}`, what: 'a quality must be 0 or greater', seen: quality })
    out[Number(h)] = quality
  }
  return out
}

/** In a folder of the similarity stage, or its `similarities`: the metric's file, or the only one. */
async function fileIn(folder: string, wanted: string | undefined): Promise<string> {
  const inner = join(folder, 'similarities')
  const places = (await stat(inner).catch(() => undefined))?.isDirectory() === true ? [inner, folder] : [folder]
  const files: string[] = []
  for (const place of places)
    for (const name of (await readdir(place)).sort())
      if (/\.(npy|pkl)$/i.test(name) && !/_std\.[^.]*$/i.test(name)) files.push(join(place, name))
  const titleOf = (file: string): string => basename(file).replace(/\.[^.]*$/, '')
  const titles = [...new Set(files.map(titleOf))]
  const [only] = files
  if (wanted === undefined && titles.length === 1 && only !== undefined) return only
  const named = files.find((file) => titleOf(file).toLowerCase() === wanted?.toLowerCase())
  if (named !== undefined) return named
  throw fault('usage.value', {
    place: folder,
    what: wanted === undefined ? 'the folder holds several matrices, or none' : 'the folder has no matrix of this name',
    seen: wanted ?? titles,
    ...(titles.length === 0 ? {} : { wanted: titles.map((title) => `${folder}#${title}`).join(', ') }),
    hint: wanted === undefined ? undefined : suggestion(wanted, titles),
  })
}

async function rowsOfJson(path: string, wanted: string | undefined): Promise<number[][]> {
  const value = parseJson(await textOf(path), path)
  const metrics = isObject(value) && isObject(value['metrics']) ? value['metrics'] : undefined
  if (metrics === undefined) return rowsIn(isObject(value) ? value['matrix'] : value, path)
  const titles = Object.keys(metrics)
  const title =
    wanted === undefined && titles.length === 1
      ? titles[0]
      : titles.find((one) => one.toLowerCase() === wanted?.toLowerCase())
  const metric = title === undefined ? undefined : metrics[title]
  if (isObject(metric)) return rowsIn(metric['mean'], path)
  throw fault('usage.value', {
    place: path,
    what: 'several metrics are possible',
    seen: wanted ?? titles,
    wanted: titles.map((one) => `${path}#${one}`).join(', '),
  })
}

function rowsIn(value: unknown, path: string): number[][] {
  if (
    Array.isArray(value) &&
    value.every((row): row is number[] => Array.isArray(row) && row.every((cell) => typeof cell === 'number'))
  )
    return value
  throw fault('usage.value', {
    place: path,
    what: 'no matrix in this document',
    wanted: 'rows of numbers, {matrix: rows}, or a document of strata similarity',
  })
}

async function rowsOfTensors(path: string): Promise<number[][]> {
  const source = await openTensors(path)
  try {
    const named = [...source.names()]
    const name =
      ['matrix', 'mean', 'array'].find((one) => named.includes(one)) ?? (named.length === 1 ? named[0] : undefined)
    const info = name === undefined ? undefined : source.info(name)
    if (name === undefined || info === undefined || info.shape.length !== 2)
      throw fault('usage.value', {
        place: path,
        what: 'no matrix of layers in this file',
        seen: info === undefined ? named : info.shape,
      })
    const [rows = 0, width = 0] = info.shape
    const data = widen64(await source.read(name), info.dtype)
    return Array.from({ length: rows }, (_, i) => [...data.subarray(i * width, (i + 1) * width)])
  } finally {
    await source.close()
  }
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw fault('file.missing', { place: path, what: 'the file cannot be read', cause })
  })
}
