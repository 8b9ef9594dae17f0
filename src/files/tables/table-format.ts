/** Which table a file's name promises: its format, and what it is packed in. */
import { fault } from '#core'

const tableFormats = ['jsonl', 'json', 'csv', 'tsv', 'parquet'] as const
export type TableFormat = (typeof tableFormats)[number]
export type Packing = 'none' | 'gz' | 'zst'

/** A file to read rows from. */
export interface TableFile {
  readonly path: string
  /** For messages. */
  readonly place: string
  readonly packing: Packing
  /** Its bytes where they are not those at `path` – a member of an archive, say. */
  readonly bytes?: ByteSource | undefined
}

/** Opens a stream of bytes, from the beginning each time. */
export type ByteSource = () => AsyncIterable<Uint8Array>

const formats = new Map<string, TableFormat>([
  ...tableFormats.map((name) => [name, name] as const),
  ['ndjson', 'jsonl'],
])
const packings = new Map<string, Packing>([
  ['gz', 'gz'],
  ['gzip', 'gz'],
  ['zst', 'zst'],
  ['zstd', 'zst'],
])

/** `en/test.jsonl.gz` → `jsonl`, `gz`; a name without an extension → ``, `none`. */
export function splitName(path: string): { extension: string; packing: Packing } {
  const parts = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).split('.')
  const last = parts.length > 1 ? (parts.pop() ?? '').toLowerCase() : ''
  const packing = packings.get(last)
  if (packing === undefined) return { extension: last, packing: 'none' }
  return { extension: parts.length > 1 ? (parts.pop() ?? '').toLowerCase() : '', packing }
}

/** Format by extension, seen through `.gz` and `.zst`; throws `format.unknown`. */
export function tableFormat(path: string, place: string = path): TableFormat {
  const { extension } = splitName(path)
  const format = formats.get(extension)
  if (format !== undefined) return format
  throw fault('format.unknown', {
    place,
    what: 'not a table by its name',
    seen: extension === '' ? 'no extension' : `.${extension}`,
    wanted: '.jsonl, .json, .csv, .tsv (each also .gz or .zst) or .parquet',
    hint: 'name the format, or give the file one of these extensions',
  })
}
