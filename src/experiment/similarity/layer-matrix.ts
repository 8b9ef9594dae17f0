/** Reads similarities and qualities of layers from files, made by Strata, the original programs or others. */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { fault, suggestion } from '#core'
import { isObject, openTensors, parseJson, widen64 } from '#files/formats'
import { readTextFile } from './read-text-file.ts'
import { inGrid, type MatrixOrigin, readOrigin, refuseOther } from './matrix-origin.ts'

export interface LayerMatrix {
  /** Metric or file, for results. */
  readonly name: string
  /** [size × size] */
  readonly matrix: Float64Array
  readonly size: number
  /** Whose layers they are, where the file or its folder says so. */
  readonly whose?: MatrixOrigin | undefined
}

/**
 * A square matrix from `.npy`, a pickled array (`.pkl`, or a dict with `matrix` or `mean`; nothing in it is executed),
 * JSON (rows, `{matrix}`, or the document of `strata similarity`), or a folder of the similarity stage. `#CKA` at the
 * end selects one of several metrics. With `whose`, the matrix must be of this model, and the folder of a grid gives the
 * one of model and pooling. Throws `usage.value` for any other content, `usage.conflict` for the matrix of another
 * model or pooling, and what opening the file throws.
 */
export async function readLayerMatrix(reference: string, whose?: MatrixOrigin): Promise<LayerMatrix> {
  const [, asked = '', wanted] = /^(.*?)(?:#([^#/\\]+))?$/s.exec(reference) ?? []
  const place = await findPlace(asked)
  const path = whose === undefined ? place : ((await inGrid(place, whose)) ?? place)
  const isFolder = (await stat(path)).isDirectory()
  const file = isFolder ? await fileIn(path, wanted) : path
  const origin = await readOrigin(file)
  if (whose !== undefined && origin !== undefined) refuseOther(file, origin, whose)
  return { ...(await matrixIn(file, wanted)), ...(origin === undefined ? {} : { whose: origin }) }
}

async function matrixIn(file: string, wanted: string | undefined): Promise<LayerMatrix> {
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
  return { name: wanted ?? toTitle(file), matrix, size }
}

/**
 * The file or folder itself; for a file that the original programs would have written, `CKA.pkl` of an experiment, the
 * matrix of that name in its folder.
 */
async function findPlace(path: string): Promise<string> {
  if ((await stat(path).catch(() => undefined)) !== undefined) return path
  const [folder, title] = [dirname(path), toTitle(path)]
  const stage = basename(folder) === 'similarities' ? dirname(folder) : folder
  for (const file of [join(stage, 'similarities', `${title}.npy`), join(stage, `${title}.npy`)])
    if ((await stat(file).catch(() => undefined)) !== undefined) return file
  throw fault('file.missing', { place: path, what: 'no such file or folder' })
}

function toTitle(file: string): string {
  return basename(file).replace(/\.[^.]*$/, '')
}

/**
 * Whether a value stands on both sides of the diagonal, up to the digits of a matrix written as float32. PWCCA is not
 * symmetric, but stays within 1; a logarithm, an angle or a row sum does not, but is symmetric.
 */
function mirrored(matrix: Float64Array, size: number, at: number): boolean {
  const [value = NaN, other = NaN] = [matrix[at], matrix[(at % size) * size + Math.floor(at / size)]]
  return Math.abs(value - other) <= 1e-6 * Math.max(Math.abs(value), Math.abs(other))
}

/**
 * One number per layer: a list, or an object by index. Throws `usage.value` unless there are `states` finite numbers.
 */
export async function readQuality(path: string, states: number): Promise<Float64Array> {
  const value = parseJson(await readTextFile(path), path)
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
  const titles = [...new Set(files.map(toTitle))]
  const [only] = files
  if (wanted === undefined && titles.length === 1 && only !== undefined) return only
  const named = files.find((file) => toTitle(file).toLowerCase() === wanted?.toLowerCase())
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
  const value = parseJson(await readTextFile(path), path)
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
