/** The files of a split as things to read rows from: plain ones, packed ones, the members of archives. */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { compareCodePoints, fault } from '#core'
import { type ZipMember, zipMembers } from '#files/formats'
import { type ReadOptions, splitName, tableFormat } from '#files/tables'
import { orWriteFault, temporaryPath } from '#platform/disk'
import { type DatasetConfig, type FileReading, splitFiles } from './dataset-layout.ts'
import type { Dataset } from './opened-dataset.ts'
import { isArchive, rowFiles } from './split-files.ts'

export interface SplitSource {
  /** Where it lies on this machine. */
  readonly path: string
  /** For messages. */
  readonly place: string
  readonly options: ReadOptions
  /** The file has separated values, where everything is text. */
  readonly separated: boolean
  /** The file is plain text: its lines are the rows of a column `text`. */
  readonly isText: boolean
}

/**
 * Sources in reading order; each is to be read before the next is asked for. Throws `task.split`, hub faults, and what
 * archives throw.
 */
export async function* splitSources(
  dataset: Dataset,
  config: DatasetConfig,
  split: string,
): AsyncGenerator<SplitSource> {
  for (const file of splitFiles(config, split, dataset.place)) {
    const path = await dataset.files.local(file)
    // a user's own file is named by its path alone
    const place = config.traced ? dataset.place : `${dataset.place} › ${file}`
    if (isArchive(file)) yield* memberSources(path, place, config)
    else yield sourceOf(file, path, place, config)
  }
}

function sourceOf(
  name: string,
  path: string,
  place: string,
  { reading: { dialect, field, format: known } = {} }: DatasetConfig,
): SplitSource {
  const isText = known === 'text'
  const format = isText ? undefined : (refineFormat(known, name) ?? tableFormat(name))
  const separated = format === 'csv' || format === 'tsv'
  return {
    path,
    place,
    isText,
    options: {
      ...(format !== undefined && { format }),
      packing: splitName(name).packing,
      place,
      ...(separated && dialect !== undefined ? { dialect } : {}),
      ...(field !== undefined && (format === 'json' || format === 'jsonl') ? { field } : {}),
    },
    separated,
  }
}

/** JSON that is no lines is a document by its name alone: the rows of either are told apart where they begin. */
function refineFormat(
  known: Exclude<FileReading['format'], 'text'>,
  name: string,
): Exclude<FileReading['format'], 'text'> | 'json' {
  return known === 'jsonl' && splitName(name).extension === 'json' ? 'json' : known
}

async function* memberSources(path: string, place: string, config: DatasetConfig): AsyncGenerator<SplitSource> {
  const members = new Map((await zipMembers(path, place)).map((member) => [member.name, member]))
  const names = rowFiles([...members.keys()].filter((name) => !/(^|\/)__/.test(name) && !isArchive(name))).sort(
    inWalkOrder,
  )
  if (names.length === 0)
    throw fault('task.split', { place, what: 'the archive holds no table', seen: [...members.keys()].slice(0, 20) })
  for (const name of names) {
    const member = members.get(name)
    if (member === undefined) continue
    const source = sourceOf(name, path, `${place} › ${name}`, config)
    // parquet and zstandard are read by range
    if (source.options.format !== 'parquet' && source.options.packing !== 'zst')
      yield { ...source, options: { ...source.options, bytes: member.bytes } }
    else yield* unpackedSource(source, member)
  }
}

/** A member as a file of its own, under a name that the archive has no say in, for as long as it is read. */
async function* unpackedSource(source: SplitSource, member: ZipMember): AsyncGenerator<SplitSource> {
  const path = temporaryPath(join(tmpdir(), 'strata-member'))
  try {
    await orWriteFault(pipeline(member.bytes(), createWriteStream(path, { flags: 'wx', mode: 0o600 })), path)
    yield { ...source, path }
  } finally {
    await rm(path, { force: true })
  }
}

/** Files of a folder before its folders, both by name: how Hugging Face datasets goes through an unpacked archive. */
function inWalkOrder(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')]
  for (let i = 0; ; i++) {
    const [x = '', y = ''] = [one[i], other[i]]
    const [xIsFile, yIsFile] = [i === one.length - 1, i === other.length - 1]
    if (xIsFile !== yIsFile) return xIsFile ? -1 : 1
    if (x !== y) return compareCodePoints(x, y)
    if (xIsFile) return 0
  }
}
