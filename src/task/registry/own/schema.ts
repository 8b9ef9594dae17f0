/**
 * The schema a task file is judged by. It depends on the task's type and on where its rows are: then every message is
 * about one thing.
 */
import { type Schema, type Zod, zod } from '#files/formats'
import { readers, stepNames, type Protocol, type TaskType } from '#task/rows'
import { ownKinds, ownOptions, ownTypes, retrievalTables } from './kinds.ts'

export type Files = string | readonly string[]
/** Split → files. */
export type Splits = Readonly<Record<string, Files>>
export type Tables = Readonly<Record<string, Files | Splits>>

/** A task as its file says it, checked. */
export interface TaskText {
  readonly name: string
  readonly type: TaskType
  readonly protocol?: Protocol
  readonly data: OwnData
  readonly columns?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly splits?: readonly string[]
  readonly languages?: readonly string[] | Readonly<Record<string, readonly string[]>>
  readonly main_score?: string
  /** A protocol of a plug-in. */
  readonly scorer?: string
  readonly prompt?: string | { readonly query?: string; readonly document?: string }
  readonly steps?: readonly Readonly<Record<string, unknown>>[]
  readonly domains?: readonly string[]
  readonly licence?: string
  readonly [option: string]: unknown
}

export type OwnData =
  | string
  | { readonly repo: string; readonly revision?: string; readonly config?: string }
  | { readonly subsets: Readonly<Record<string, Splits | Tables>> }
  | Splits
  | Tables

/** For one document of a task file: a task, or a list of tasks. `value` is the document as it stands. */
export function documentSchema(value: unknown): Schema {
  const z = zod()
  if (!Array.isArray(value)) return taskSchema(z, value)
  const [first, ...rest] = value.map((item) => taskSchema(z, item))
  return first === undefined ? z.array(z.never()).min(1, 'no task') : z.tuple([first, ...rest])
}

function taskSchema(z: Zod, value: unknown): Schema {
  const { type, protocol, data, columns } = recordOf(value)
  const own = ownTypes.find((name) => name === type)
  if (own === undefined) return z.looseObject({ name: z.string(), type: z.enum(ownTypes) })
  const { protocols } = ownKinds[own]
  const chosen = protocols.find((name) => name === protocol) ?? protocols[0]
  const words = z.array(z.string().min(1)).min(1)
  const languages = recordOf(data)['subsets'] === undefined ? words : z.union([words, z.record(z.string(), words)])
  return z.strictObject({
    name: z
      .string()
      .min(1)
      .regex(/^[^/\\]*$/, 'a name has no slash: results are stored under it'),
    type: z.literal(own),
    protocol: z.enum(protocols).optional(),
    description: z.string().optional(),
    data: chosen === 'AbsTaskRetrieval' ? tablesData(z, data) : rowsData(z, data),
    columns: columnsSchema(z, chosen, columns).optional(),
    splits: words.optional(),
    languages: languages.optional(),
    main_score: z.string().min(1).optional(),
    scorer: z.string().min(1).optional(),
    prompt: (typeof recordOf(value)['prompt'] === 'string'
      ? z.string()
      : z.strictObject({ query: z.string().optional(), document: z.string().optional() })
    ).optional(),
    steps: z.array(stepSchema(z)).optional(),
    domains: words.optional(),
    licence: z.string().optional(),
    ...options(z, chosen),
  })
}

/** Rows of one table: a file or folder, a repository, files by split, or those by subset. */
function rowsData(z: Zod, data: unknown): Schema {
  if (typeof data === 'string') return z.string().min(1)
  const found = recordOf(data)
  if ('repo' in found) return repository(z)
  const splits = (z: Zod) =>
    z.record(z.string().min(1), files(z)).refine((value) => Object.keys(value).length > 0, 'no split is named')
  return 'subsets' in found ? z.strictObject({ subsets: z.record(z.string().min(1), splits(z)) }) : splits(z)
}

/** A folder as BEIR lays it out, a repository, files by table, or those by subset. */
function tablesData(z: Zod, data: unknown): Schema {
  if (typeof data === 'string') return z.string().min(1)
  const found = recordOf(data)
  if ('repo' in found) return repository(z)
  const tables = (value: unknown): Schema => {
    const table = (name: string): Schema => {
      const own = recordOf(value)[name]
      return typeof own === 'string' || Array.isArray(own) ? files(z) : z.record(z.string().min(1), files(z))
    }
    const needed = { corpus: table('corpus'), queries: table('queries'), qrels: table('qrels') }
    return z.strictObject({
      ...needed,
      top_ranked: table('top_ranked').optional(),
      instruction: table('instruction').optional(),
    })
  }
  if (!('subsets' in found)) return tables(found)
  const subsets = Object.entries(recordOf(found['subsets'])).map(([name, own]) => [name, tables(own)] as const)
  return z.strictObject({
    subsets: subsets.length === 0 ? z.record(z.string(), z.never()) : z.strictObject(Object.fromEntries(subsets)),
  })
}

function repository(z: Zod): Schema {
  return z.strictObject({
    repo: z.string().min(1),
    revision: z.string().min(1).optional(),
    config: z.string().min(1).optional(),
  })
}

function files(z: Zod): Schema {
  return z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], 'a file or a list of files')
}

function columnsSchema(z: Zod, protocol: Protocol, columns: unknown): Schema {
  const column = z.string().min(1).optional()
  const named = (names: readonly string[]): Schema =>
    z.strictObject(Object.fromEntries(names.map((name) => [name, column])))
  if (protocol !== 'AbsTaskRetrieval') return named(fieldsOf(protocol, columns))
  return z.strictObject(
    Object.fromEntries(
      Object.entries(retrievalTables).map(([table, names]) => [table, named(Object.keys(names)).optional()]),
    ),
  )
}

/** Fields of a protocol; some only exist when they are named. */
function fieldsOf(protocol: Protocol, columns: unknown): string[] {
  return [
    ...new Set([
      ...Object.keys(readers[protocol].columns({})),
      ...(protocol === 'AbsTaskBitextMining' && 'gold' in recordOf(columns) ? ['gold'] : []),
    ]),
  ]
}

function stepSchema(z: Zod): Schema {
  return z
    .strictObject(Object.fromEntries(stepNames.map((name) => [name, z.unknown().optional()])))
    .refine((step) => Object.keys(step).length === 1, 'a step is one word with what it does')
}

function options(z: Zod, protocol: Protocol): Record<string, Schema> {
  const count = z.int().positive()
  const kinds = {
    count,
    limit: count.nullable(),
    flag: z.boolean(),
    number: z.number(),
    word: z.string().min(1),
    counts: z.array(count).min(1),
    side: z.enum(['query', 'document']).nullable(),
  }
  return Object.fromEntries(Object.entries(ownOptions[protocol]).map(([name, kind]) => [name, kinds[kind].optional()]))
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
