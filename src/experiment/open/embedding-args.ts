/** `--model openai-embeddings --model_args base_url=…,model=…`: servers of vectors, in the words of those of language models. */
import { fault, similarities, type Similarity, suggestion } from '#core'
import {
  type EmbeddingKind,
  embeddingKinds,
  readAddress,
  readCount,
  readFlag,
  readName,
  parseSettings,
  refuseUnknown,
  type Settings,
  readText,
} from '#model/server'
import type { OpenEmbeddingsOptions } from './open-embeddings.ts'

const known = [
  'model',
  'base_url',
  'api_key_env',
  'dimensions',
  'batch',
  'num_concurrent',
  'max_retries',
  'timeout',
  'encoding_format',
  'normalize',
  'similarity',
  'prompts',
  'fields',
  'revision',
  'answer_model',
  'tolerance',
]

/**
 * `needsKey`: the variable with the server's key must be there now, though nothing is asked yet. Throws `usage.flag`,
 * `usage.value`, `usage.conflict`.
 */
export function embeddingArgs(
  kind: EmbeddingKind,
  given: Settings | string = '',
  { needsKey = true }: { readonly needsKey?: boolean | undefined } = {},
): OpenEmbeddingsOptions {
  const settings = typeof given === 'string' ? parseSettings(given, '--model_args') : given
  refuseUnknown(settings, known)
  const { path, address } = embeddingKinds[kind]
  const base = readAddress(settings, address, `http://localhost:8000${path}`)
  const keyName = readText(settings, 'api_key_env')
  const key = (): string | undefined => process.env[keyName ?? 'OPENAI_API_KEY']
  if (needsKey && (keyName !== undefined || base === address) && (key() ?? '') === '')
    throw fault('usage.flag', {
      place: '--model_args › api_key_env',
      what: 'the environment has no such variable, or it is empty',
      seen: keyName ?? 'OPENAI_API_KEY',
      hint: `export ${keyName ?? 'OPENAI_API_KEY'}=…`,
    })
  return {
    kind,
    model: readName(settings),
    address: whole(base, path),
    key,
    keyName,
    dimensions: readCount(settings, 'dimensions', 1),
    normalize: readNormalize(kind, settings),
    fields: readObject(settings, 'fields'),
    encoding: readEncoding(kind, settings),
    revision: readText(settings, 'revision'),
    answerModel: readText(settings, 'answer_model'),
    tolerance: readTolerance(settings),
    batchSize: readCount(settings, 'batch', 1),
    concurrent: readCount(settings, 'num_concurrent', 1),
    tries: readCount(settings, 'max_retries', 1),
    seconds: readCount(settings, 'timeout', 1),
    prompts: readPrompts(settings),
    similarity: readSimilarity(settings),
  }
}

/** As clients of OpenAI name a server, `…/v1`, or by its host alone: the rest is the interface's. */
function whole(base: string, path: string): string {
  const url = new URL(base)
  if (url.username !== '' || url.password !== '')
    throw fault('usage.value', {
      place: '--model_args › base_url',
      what: 'an address with a password is seen by everybody',
      hint: 'put the key into the environment: api_key_env=NAME',
    })
  const [start] = path.split('/').slice(1, -1)
  const named = url.pathname.replace(/\/+$/, '')
  if (named === '') url.pathname = path
  else if (start !== undefined && named.endsWith(`/${start}`)) url.pathname = `${named}${path.slice(start.length + 1)}`
  return url.href
}

function readNormalize(kind: EmbeddingKind, settings: Settings): boolean | undefined {
  const value = readFlag(settings, 'normalize')
  if (value === undefined || kind === 'tei-embeddings') return value
  throw fault('usage.conflict', {
    place: '--model_args › normalize',
    what: 'the interface of OpenAI has no such field',
    hint: '--normalize scales vectors to length 1 here; a server’s own field goes into fields={…}',
  })
}

function readEncoding(kind: EmbeddingKind, settings: Settings): 'float' | 'base64' | undefined {
  const value = readText(settings, 'encoding_format')
  if (value === undefined) return undefined
  if (kind === 'openai-embeddings' && (value === 'float' || value === 'base64')) return value
  throw fault('usage.value', {
    place: '--model_args › encoding_format',
    what: 'not a way in which this interface sends numbers',
    seen: value,
    wanted: kind === 'openai-embeddings' ? 'float or base64' : 'none: leave it out',
  })
}

function readSimilarity(settings: Settings): Similarity | undefined {
  const value = readText(settings, 'similarity')
  const found = similarities.find((name) => name === value)
  if (value === undefined || found !== undefined) return found
  throw fault('usage.value', {
    place: '--model_args › similarity',
    what: 'no such similarity',
    seen: value,
    wanted: similarities.join(', '),
    hint: suggestion(value, similarities),
  })
}

function readTolerance({ tolerance: value }: Settings): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && value > 0 && value < 1) return value
  throw fault('usage.value', {
    place: '--model_args › tolerance',
    what: 'not a distance between vectors',
    seen: value,
    wanted: 'above 0 and below 1',
  })
}

function readPrompts(settings: Settings): Readonly<Record<string, string>> | undefined {
  const prompts = readObject(settings, 'prompts')
  const odd = Object.entries(prompts ?? {}).find(([, text]) => typeof text !== 'string')
  if (odd === undefined) return prompts as Readonly<Record<string, string>> | undefined
  throw fault('usage.value', {
    place: `--model_args › prompts › ${odd[0]}`,
    what: 'must be a text',
    seen: odd[1],
  })
}

function readObject(settings: Settings, key: string): Readonly<Record<string, unknown>> | undefined {
  const value = settings[key] ?? undefined
  if (value === undefined) return undefined
  if (typeof value === 'object' && !Array.isArray(value)) return { ...value }
  throw fault('usage.value', {
    place: `--model_args › ${key}`,
    what: 'must be a JSON object',
    seen: value,
    hint: `write all settings as one: --model_args '{"base_url": …, "${key}": {…}}'`,
  })
}
