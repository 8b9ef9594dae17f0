/**
 * The one error class. A fault names the place, the value seen, the value wanted and the remedy; its code comes from a
 * closed list that tests assert.
 */

/** Every way Strata refuses. Grouped by the room where the word is understood. */
export const faultCodes = [
  // what the user typed
  'usage.flag',
  'usage.value',
  'usage.conflict',
  // files and folders
  'file.missing',
  'file.unreadable',
  'file.outside',
  'file.write',
  // bytes that are not what they claim to be
  'format.safetensors',
  'format.pickle',
  'format.zip',
  'format.npy',
  'format.gguf',
  'format.json',
  'format.yaml',
  'format.lfs',
  'format.limit',
  'format.unknown',
  // tensors
  'tensor.missing',
  'tensor.shape',
  'tensor.dtype',
  'tensor.value',
  // config.json and what follows from it
  'config.missing',
  'config.value',
  'config.family',
  'config.unsupported',
  // tokenizers and chat templates
  'tokenizer.missing',
  'tokenizer.invalid',
  'tokenizer.limit',
  'chat.template',
  // the hub
  'hub.name',
  'hub.offline',
  'hub.missing',
  'hub.denied',
  'hub.busy',
  'hub.conflict',
  'hub.limit',
  'hub.server',
  'hub.network',
  'hub.integrity',
  // a server that runs a model
  'server.network',
  'server.refused',
  'server.answer',
  // the engine
  'engine.device',
  'engine.load',
  'engine.run',
  'engine.memory',
  // tables of texts and data sets
  'table.read',
  'table.column',
  'table.empty',
  // tasks and their scores
  'task.unknown',
  'task.unsupported',
  'task.subset',
  'task.split',
  'task.empty',
  'task.column',
  'task.label',
  'task.value',
  // representations
  'representation.unknown',
  'representation.width',
  // the vector cache and the ledger
  'vectors.missing',
  'cache.invalid',
  'result.invalid',
  // a file of the user's own
  'plugin.invalid',
  'plugin.broken',
  'plugin.failed',
  // a cluster
  'cluster.missing',
  'cluster.refused',
  // the run as a whole
  'run.cancelled',
  'internal',
] as const

export type FaultCode = (typeof faultCodes)[number]

/** Parts of a fault; `seen` and `wanted` are shown as JSON unless they are strings. */
export interface FaultParts {
  /** File, tensor, flag or task that the fault is about. */
  place: string
  what: string
  seen?: unknown
  wanted?: unknown
  /** What the user can do about it. */
  hint?: string | undefined
  cause?: unknown
}

/**
 * What Strata throws. `code` is for programs: one of a closed list. `message` is for people, `hint` is the remedy, and
 * `parts` hold the place, the observed and the expected value, for other wordings.
 */
export class Fault extends Error {
  readonly code: FaultCode
  readonly parts: FaultParts

  constructor(code: FaultCode, parts: FaultParts) {
    super(sentence(parts), parts.cause === undefined ? undefined : { cause: parts.cause })
    this.name = 'Fault'
    this.code = code
    this.parts = parts
  }

  get hint(): string | undefined {
    return this.parts.hint
  }
}

/**
 * A new fault, to be thrown.
 *
 * @example
 * ```ts
 * import { fault } from 'strata-lm/plugin'
 *
 * const { message } = fault('usage.value', { place: 'k', what: 'too few clusters', seen: 1, wanted: 'two or more' })
 * console.log(message) // → k: too few clusters – 1, wanted two or more
 * ```
 */
export function fault(code: FaultCode, parts: FaultParts): Fault {
  return new Fault(code, parts)
}

/** Any thrown value as a fault: faults pass, the rest becomes `code` with the original as cause. */
export function asFault(error: unknown, code: FaultCode, place: string): Fault {
  if (error instanceof Fault) return error
  const what = error instanceof Error ? error.message : String(error)
  return new Fault(code, { place, what: firstLine(what), cause: error })
}

function sentence({ place, what, seen, wanted }: FaultParts): string {
  const facts = [seen === undefined ? '' : show(seen), wanted === undefined ? '' : `wanted ${show(wanted)}`]
    .filter(Boolean)
    .join(', ')
  return `${clip(place, 300)}: ${clip(what, 500)}${facts ? ` – ${facts}` : ''}`
}

function show(value: unknown): string {
  if (typeof value === 'string') return clip(value, 200)
  if (typeof value === 'bigint') return value.toString()
  return clip(JSON.stringify(value) ?? String(value), 200)
}

/** Strings from hostile files reach messages: keep them short and on one line. */
function clip(text: string, length: number): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  const plain = text.replace(/[\u0000-\u001f\u007f]+/g, ' ')
  return plain.length > length ? `${plain.slice(0, length - 1)}…` : plain
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text
}
