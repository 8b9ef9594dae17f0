/** The size and type behind the name of a representation: `:128`, `:int8`, `:128:int8`, `::int8`. */
import { fault, suggestNearest } from '#core'
import { isPacked, type VectorType, vectorTypes } from './vector-type.ts'

/** A name or path, and what follows it. */
export function splitName(name: string): { readonly whole: string; readonly rest: readonly string[] } {
  // the colon of a mean is part of its name, and paths may have colons before the last slash or the ending
  const [, whole = name, rest = ''] = /^(mean:[^:]*|.*?\.json(?=:|$)|.*[/\\][^:]*|[^:]*)(:.*)?$/s.exec(name) ?? []
  return { whole, rest: rest.split(':').slice(1) }
}

/** Throws `usage.value` for a number of dimensions that is none, `representation.unknown` for a type that is none. */
export function readSize(parts: readonly string[], name: string): Size {
  const [, documents] = /^rescore(\d*)$/.exec(parts.at(-1) ?? '') ?? []
  const size = readPlainSize(documents === undefined ? parts : parts.slice(0, -1), name)
  if (documents === undefined) return size
  if (!isPacked(size.type))
    throw fault('representation.unknown', {
      place: `--representation ${name}`,
      what: 'only a search over bits is rescored',
      seen: size.type,
      wanted: 'name:binary:rescore or name:ubinary:rescore',
    })
  const rescore = documents === '' ? usualRescore : Number(documents)
  if (rescore >= 1 && rescore <= mostRescored) return { ...size, rescore }
  throw fault('usage.value', {
    place: `--representation ${name}`,
    what: 'not a number of documents',
    seen: documents,
    wanted: `1 … ${mostRescored}, such as name:binary:rescore40`,
  })
}

interface Size {
  readonly dimensions: number | undefined
  readonly type: VectorType
  readonly rescore?: number
}

/** Ten answers, four times over. */
const usualRescore = 40
const mostRescored = 2 ** 15

function readPlainSize(rest: readonly string[], name: string): Size {
  const [first = '', ...more] = rest
  const isType = more.length === 0 && !/^[-+.\d]/.test(first)
  const [size, kind = 'float32', ...further] = isType ? ['', ...rest] : rest
  if (further.length > 0)
    throw fault('representation.unknown', {
      place: '--representation',
      what: 'more than a size and a type behind the name',
      seen: name,
      wanted: 'name:dimensions:type, such as default:128:int8, and :rescore behind bits',
    })
  return {
    dimensions: size === undefined || size === '' ? undefined : readDimensions(size, name),
    type: typeNamed(kind, name),
  }
}

function readDimensions(size: string, name: string): number {
  if (/^[1-9]\d{0,8}$/.test(size)) return Number(size)
  throw fault('usage.value', {
    place: `--representation ${name}`,
    what: 'not a number of leading dimensions',
    seen: size,
    wanted: 'a positive integer, such as default:128',
    hint: vectorTypes.some((type) => type === size)
      ? 'dimensions stand before the type, and nothing but rescore behind it: default:128:binary:rescore'
      : undefined,
  })
}

function typeNamed(word: string, name: string): VectorType {
  const type = vectorTypes.find((known) => known === word)
  if (type !== undefined) return type
  throw fault('representation.unknown', {
    place: `--representation ${name}`,
    what: 'not a type of vectors',
    seen: word,
    wanted: vectorTypes.join(', '),
    hint: suggestNearest(word, vectorTypes),
  })
}
