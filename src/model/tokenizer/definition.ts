/** A tokenizer.json as a value: everything the native core needs, checked, with nothing in it that was not checked. */
import { fault } from '#core'
import { describeUnread, fieldOf, isObject, parseJson } from '#files/formats'
import { flag, id, invalid, list, text } from './checks.ts'
import { type Component, readComponent } from './components.ts'
import { type Model, modelFields, readModel } from './vocabulary-model.ts'
import type { Side } from './side.ts'

export interface AddedToken {
  readonly content: string
  readonly single_word: boolean
  readonly lstrip: boolean
  readonly rstrip: boolean
  readonly normalized: boolean
  readonly special: boolean
}

export interface Definition {
  /** Lines for the fields of the file that are not followed. */
  readonly unread?: readonly string[]
  /** In the order they are added: a later one replaces the flags of an earlier one with the same content. */
  readonly addedTokens: readonly AddedToken[]
  readonly normalizer: Component | null
  readonly preTokenizer: Component | null
  readonly postProcessor: Component | null
  readonly decoder: Component | null
  readonly model: Model
  /** What the file fixes for every call. Only the words are kept, as defaults: lengths are the caller's. */
  readonly fixed: { readonly truncationSide?: Side; readonly paddingSide?: Side; readonly padToken?: string }
}

const mostAddedTokens = 1_000_000

/** Reads and checks the text of a tokenizer.json. Faults: `format.lfs`, `tokenizer.invalid`, `tokenizer.limit`. */
export function readDefinition(source: string, place: string): Definition {
  const file = parse(source, place)
  if (!isObject(file)) throw invalid(place, 'not a tokenizer', file, 'a JSON object')
  const version = fieldOf(file, 'version')
  if (version !== undefined && version !== '1.0') throw invalid(`${place} › version`, 'unknown version', version, '1.0')
  const added = fieldOf(file, 'added_tokens')
  const model = fieldOf(file, 'model')
  const unread = [
    ...describeUnread({ place, fields: file }, fields),
    ...(isObject(model) ? describeUnread({ place: `${place} › model`, fields: model }, modelFields) : []),
    ...(Array.isArray(added) ? unreadFlags(added, `${place} › added_tokens`) : []),
  ]
  const component = (kind: Parameters<typeof readComponent>[0]): Component | null =>
    readComponent(kind, fieldOf(file, kind), `${place} › ${kind}`, (line) => unread.push(line))
  return {
    unread,
    addedTokens: added === undefined ? [] : list(readAddedToken, mostAddedTokens)(added, `${place} › added_tokens`),
    normalizer: component('normalizer'),
    preTokenizer: component('pre_tokenizer'),
    postProcessor: component('post_processor'),
    decoder: component('decoder'),
    model: readModel(model, `${place} › model`),
    fixed: readFixed(fieldOf(file, 'truncation'), fieldOf(file, 'padding')),
  }
}

const fields = [
  'version',
  'truncation',
  'padding',
  'added_tokens',
  'normalizer',
  'pre_tokenizer',
  'post_processor',
  'decoder',
  'model',
]
const tokenFlags = ['content', 'single_word', 'lstrip', 'rstrip', 'normalized', 'special']

/** A line for the first of the tokens with a flag that is not followed: the others have it too. */
export function unreadFlags(tokens: readonly unknown[], place: string): string[] {
  for (const token of tokens) {
    const lines = isObject(token) ? describeUnread({ place, fields: token }, ['id', '__type', ...tokenFlags]) : []
    if (lines.length > 0) return lines
  }
  return []
}

/** JSON of an untrusted file; says so when Git LFS left a pointer in its place. */
export function parse(source: string, place: string): unknown {
  if (source.startsWith('version https://git-lfs.')) {
    throw fault('format.lfs', {
      place,
      what: 'a Git LFS pointer instead of the file',
      hint: 'fetch the file itself: git lfs pull',
    })
  }
  return parseJson(source, place, { code: 'tokenizer.invalid' })
}

/** An added token with all its flags; its id in the file is checked, but the core derives it anew. */
function readAddedToken(value: unknown, place: string): AddedToken {
  if (!isObject(value)) throw invalid(place, 'not an added token', value)
  id(fieldOf(value, 'id'), `${place}.id`)
  const read = (name: string): boolean => flag(fieldOf(value, name), `${place}.${name}`)
  return {
    content: text(fieldOf(value, 'content'), `${place}.content`),
    single_word: read('single_word'),
    lstrip: read('lstrip'),
    rstrip: read('rstrip'),
    normalized: read('normalized'),
    special: read('special'),
  }
}

function readFixed(truncation: unknown, padding: unknown): Definition['fixed'] {
  const side = (holder: unknown): Side | undefined => {
    const word = isObject(holder) ? fieldOf(holder, 'direction') : undefined
    if (word === 'Left') return 'left'
    return word === 'Right' ? 'right' : undefined
  }
  const padToken = isObject(padding) ? fieldOf(padding, 'pad_token') : undefined
  const [truncationSide, paddingSide] = [side(truncation), side(padding)]
  return {
    ...(truncationSide && { truncationSide }),
    ...(paddingSide && { paddingSide }),
    ...(typeof padToken === 'string' && { padToken }),
  }
}
