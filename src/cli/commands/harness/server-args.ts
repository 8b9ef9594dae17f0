/** `--model local-completions --model_args base_url=…`: servers in the notation of lm-evaluation-harness. */
import { fault } from '#core'
import type { OpenServerOptions } from '#experiment/open'
import {
  readAddress,
  readCount,
  readFlag,
  readName,
  refuseUnknown,
  readText,
  type ServerKind,
  serverKinds,
  type Settings,
} from '#model/server'

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

/**
 * `batch`: `--batch_size`, as the reference passes it. The key comes from `OPENAI_API_KEY` in the environment only.
 * Throws `usage.flag`, `usage.value`.
 */
export function serverArgs(
  kind: ServerKind,
  settings: Settings,
  { batch }: { readonly batch: string | undefined },
): OpenServerOptions {
  refuseUnknown(settings, known)
  const { chat, openai, address } = serverKinds[kind]
  const model = readName(settings)
  const base = readAddress(settings, address, `http://localhost:8000/v1/${chat ? 'chat/' : ''}completions`)
  return {
    kind,
    model,
    address: base,
    tokenizer: tokenizerOf(settings, { model, chat, openai }),
    key: () => process.env['OPENAI_API_KEY'],
    tokenized: readFlag(settings, 'tokenized_requests'),
    concurrent: readCount(settings, 'num_concurrent', 1),
    batchSize:
      readCount(settings, 'batch_size', 1) ??
      (batch === undefined || batch.startsWith('auto')
        ? undefined
        : readCount({ batch_size: Number(batch) }, 'batch_size', 1)),
    tries: readCount(settings, 'max_retries', 1),
    seconds: readCount(settings, 'timeout', 1),
    maxLength: readCount(settings, 'max_length', 2),
    maxTokens: readCount(settings, 'max_gen_toks', 1),
    seed: readCount(settings, 'seed', 0),
    addBosToken: readFlag(settings, 'add_bos_token'),
    prefixTokenId: readCount(settings, 'custom_prefix_token_id', 0),
    endString: readText(settings, 'eos_string'),
    thinkEnd: readText(settings, 'think_end_token'),
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
  const revision = readText(settings, 'revision')
  const name = readText(settings, 'tokenizer') ?? facts.model
  return revision === undefined || revision === 'main' ? name : `${name}@${revision}`
}
