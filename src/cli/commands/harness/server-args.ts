/** `--model local-completions --model_args base_url=…`: servers in the notation of lm-evaluation-harness. */
import { fault, suggestion } from '#core'
import type { OpenServerOptions } from '#experiment/open'
import { type ServerKind, serverKinds } from '#model/server'

const known = [
  'model',
  'pretrained',
  'base_url',
  'tokenizer',
  'tokenizer_backend',
  'revision',
  'num_concurrent',
  'max_retries',
  'max_gen_toks',
  'batch_size',
  'seed',
  'max_length',
  'add_bos_token',
  'custom_prefix_token_id',
  'tokenized_requests',
  'eos_string',
  'think_end_token',
  'timeout',
]

export function isServerKind(name: string): name is ServerKind {
  return Object.hasOwn(serverKinds, name)
}

type Settings = Readonly<Record<string, unknown>>

/**
 * `batch`: `--batch_size`, as the reference passes it. The key comes from `OPENAI_API_KEY` in the environment only.
 * Throws `usage.flag`, `usage.value`.
 */
export function serverArgs(
  kind: ServerKind,
  settings: Settings,
  { batch }: { readonly batch: string | undefined },
): OpenServerOptions {
  const unknown = Object.keys(settings).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw fault('usage.value', {
      place: '--model_args',
      what: 'servers have no such setting',
      seen: unknown,
      hint: suggestion(unknown, known),
    })
  const { chat, openai, address } = serverKinds[kind]
  const model = textOf(settings, 'model') ?? textOf(settings, 'pretrained')
  if (model === undefined)
    throw fault('usage.flag', {
      place: '--model_args',
      what: 'the name of the model on the server is missing',
      hint: 'add model=NAME',
    })
  const base = textOf(settings, 'base_url') ?? address
  if (base === undefined || !URL.canParse(base) || !/^https?:/.test(base))
    throw fault('usage.flag', {
      place: '--model_args › base_url',
      what: 'the address of the server is missing',
      seen: base,
      hint: `base_url=http://localhost:8000/v1/${chat ? 'chat/' : ''}completions`,
    })
  return {
    kind,
    model,
    address: base,
    tokenizer: tokenizerOf(settings, { model, chat, openai }),
    key: () => process.env['OPENAI_API_KEY'],
    tokenized: flagOf(settings, 'tokenized_requests'),
    concurrent: countOf(settings, 'num_concurrent', 1),
    batchSize:
      countOf(settings, 'batch_size', 1) ??
      (batch === undefined || batch.startsWith('auto')
        ? undefined
        : countOf({ batch_size: Number(batch) }, 'batch_size', 1)),
    tries: countOf(settings, 'max_retries', 1),
    seconds: countOf(settings, 'timeout', 1),
    maxLength: countOf(settings, 'max_length', 2),
    maxTokens: countOf(settings, 'max_gen_toks', 1),
    seed: countOf(settings, 'seed', 0),
    addBosToken: flagOf(settings, 'add_bos_token'),
    prefixTokenId: countOf(settings, 'custom_prefix_token_id', 0),
    endString: textOf(settings, 'eos_string'),
    thinkEnd: textOf(settings, 'think_end_token'),
  }
}

interface ServerFacts {
  readonly model: string
  readonly chat: boolean
  readonly openai: boolean
}

/** The reference's default when no backend is named. */
function usualBackend({ chat, openai }: ServerFacts): string | null {
  if (chat) return null
  return openai ? 'tiktoken' : 'huggingface'
}

/** For completions, the model's own name unless another is given; for a chat, none. */
function tokenizerOf(settings: Settings, facts: ServerFacts): string | undefined {
  const { tokenizer_backend: backend = usualBackend(facts) } = settings
  if (backend === null || backend === 'none' || backend === 'None') return undefined
  if (backend !== 'huggingface')
    throw fault('usage.value', {
      place: '--model_args › tokenizer_backend',
      what: 'not supported',
      seen: backend,
      wanted: ['huggingface', 'None'],
      hint: 'tokenizer_backend=huggingface,tokenizer=a repository or folder with tokenizer.json',
    })
  const revision = textOf(settings, 'revision')
  const name = textOf(settings, 'tokenizer') ?? facts.model
  return revision === undefined || revision === 'main' ? name : `${name}@${revision}`
}

function textOf(settings: Settings, key: string): string | undefined {
  const value = settings[key] ?? undefined
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
}

function countOf(settings: Settings, key: string, least: number): number | undefined {
  const value = settings[key] ?? undefined
  if (value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= least)) return value
  throw fault('usage.value', {
    place: `--model_args › ${key}`,
    what: 'must be a whole number',
    seen: value,
    wanted: `${least} or more`,
  })
}

function flagOf(settings: Settings, key: string): boolean | undefined {
  const value = settings[key] ?? undefined
  if (value === undefined || typeof value === 'boolean') return value
  throw fault('usage.value', { place: `--model_args › ${key}`, what: 'must be True or False', seen: value })
}
