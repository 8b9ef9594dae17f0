/** Vectors out of an answer, believed only where there is one of the right width for each text. */
import { fault, type Fault } from '#core'
import { allFinite, fieldOf, isObject } from '#files/formats'
import type { EmbeddingKind } from './kinds.ts'
import { troubleIn } from './post.ts'

export interface WantedRows {
  readonly kind: EmbeddingKind
  readonly count: number
  /** Undefined: as wide as the first one. */
  readonly width: number | undefined
  /** Names under which the server may answer. */
  readonly models: readonly string[]
  readonly place: string
  /** Takes the key out of words of the server, which may echo it. */
  readonly hide: (words: string) => string
}

export interface ReadRows {
  /** One for each text, in the order of the texts. */
  readonly rows: readonly Float32Array[]
  /** As the server counts them. */
  readonly tokens: number | undefined
}

/** Throws `server.answer`. */
export function readRows(answer: unknown, wanted: WantedRows): ReadRows {
  const refuse = refusing(wanted)
  const trouble = isObject(answer) ? (fieldOf(answer, 'error') ?? undefined) : undefined
  if (trouble !== undefined)
    throw refuse('the answer is an error, though its status says 200', troubleIn(answer) ?? trouble)
  const listed = listIn(answer, wanted.kind)
  if (!Array.isArray(listed)) throw refuse('the answer has no list of vectors', answer)
  if (wanted.kind === 'openai-embeddings') checkName(answer, wanted)
  if (listed.length !== wanted.count)
    throw refuse('the answer must have one vector for each text', listed.length, `${wanted.count}`)
  const entries = wanted.kind === 'tei-embeddings' ? listed : inOrder(listed, wanted)
  const rows = entries.map((entry, at) => readRow(entry, `text ${at + 1}`, wanted))
  const width = wanted.width ?? rows[0]?.length
  const other = rows.find(({ length }) => length !== width)
  if (other !== undefined) throw refuse('vectors have different widths', other.length, `${width}`)
  return { rows, tokens: tokensIn(answer) }
}

function listIn(answer: unknown, kind: EmbeddingKind): unknown {
  switch (kind) {
    case 'tei-embeddings':
      return answer
    case 'openai-embeddings':
      return isObject(answer) ? fieldOf(answer, 'data') : undefined
    default:
      return kind satisfies never
  }
}

/**
 * The vectors in the order of the texts: entries say their place, and come as they like. Where none says it, they are
 * taken as they come, and the check before the first text finds out servers that mix them up.
 */
function inOrder(listed: readonly unknown[], wanted: WantedRows): unknown[] {
  const { count } = wanted
  const entries = listed.filter(isObject)
  const places = entries.map((entry) => fieldOf(entry, 'index'))
  const isPlain = entries.length === count && places.every((index) => index === undefined)
  const own = isPlain ? entries.map((_, at) => at) : places
  const found = Array.from({ length: count }, (_, at) => entries[own.indexOf(at)])
  if (entries.length !== count || found.includes(undefined) || new Set(own).size !== count)
    throw refusing(wanted)(
      'each vector must say its text by its index',
      places.slice(0, 12),
      `0 … ${count - 1}, each once`,
    )
  return found.map((entry) => (entry === undefined ? undefined : fieldOf(entry, 'embedding')))
}

function checkName(answer: unknown, wanted: WantedRows): void {
  const { models } = wanted
  const name = isObject(answer) ? fieldOf(answer, 'model') : undefined
  if (typeof name !== 'string' || name === '' || models.some((one) => isSame(name, one))) return
  throw refusing(wanted)(
    'another model answered',
    name,
    models.join(' or '),
    'if it is the same under another name: answer_model=NAME in --model_args',
  )
}

/** Servers may leave out the owner or the folder in front, OpenAI puts a version behind (`…-ada-002-v2`), Ollama a tag. */
function isSame(answered: string, asked: string): boolean {
  const last = (name: string): string => (name.split('/').at(-1) ?? '').toLowerCase()
  return last(answered) === last(asked) || /^(?:-v\d+|:latest)$/.test(behind(last(answered), last(asked)))
}

function behind(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : ''
}

function readRow(entry: unknown, name: string, { width, place, hide }: WantedRows): Float32Array {
  const refuse = refusing({ place: `${place} › ${name}`, hide })
  const row = typeof entry === 'string' ? fromBase64(entry, refuse) : fromList(entry, refuse)
  if (row.length === 0) throw refuse('the vector is empty', row.length)
  if (width !== undefined && row.length !== width) throw refuse('the vector has another width', row.length, `${width}`)
  if (!allFinite(row))
    throw refuse(
      'the vector is not finite',
      row.find((value) => !Number.isFinite(value)),
    )
  if (row.every((value) => value === 0)) throw refuse('every number of the vector is 0', 0)
  return row
}

function fromList(entry: unknown, refuse: Refuse): Float32Array {
  if (!Array.isArray(entry)) throw refuse('no vector', entry)
  const odd: unknown = entry.find((value) => typeof value !== 'number')
  if (odd !== undefined || entry.includes(undefined)) throw refuse('the vector holds a value that is not a number', odd)
  return Float32Array.from(entry as readonly number[])
}

/** Little-endian float32, as OpenAI's clients read it. */
function fromBase64(text: string, refuse: Refuse): Float32Array {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % 4 !== 0 || bytes.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, ''))
    throw refuse('the vector is not base64 of whole numbers', `${bytes.length} bytes`, 'a multiple of 4')
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at))
}

function tokensIn(answer: unknown): number | undefined {
  const usage = isObject(answer) ? fieldOf(answer, 'usage') : undefined
  const tokens = isObject(usage) ? (fieldOf(usage, 'total_tokens') ?? fieldOf(usage, 'prompt_tokens')) : undefined
  return typeof tokens === 'number' && tokens > 0 ? tokens : undefined
}

type Refuse = (what: string, seen: unknown, wanted?: string, hint?: string) => Fault

function refusing({ place, hide }: Pick<WantedRows, 'place' | 'hide'>): Refuse {
  return (what, seen, wanted, hint) => {
    const words = typeof seen === 'string' ? seen : (JSON.stringify(seen) ?? 'nothing')
    return fault('server.answer', {
      place,
      what,
      seen: typeof seen === 'number' ? seen : hide(words).slice(0, 150),
      wanted,
      hint,
    })
  }
}
