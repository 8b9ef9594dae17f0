/** Kinds of servers, by the names that lm-evaluation-harness gives them (`models/openai_completions.py` of 0.4.13). */

export interface KindOfServer {
  /** Prompts are turns instead of tokens; such a server returns no log-probabilities of its prompt. */
  readonly chat: boolean
  /** OpenAI's own: its address, and it wants a key. */
  readonly openai: boolean
  readonly address: string | undefined
}

export const serverKinds = {
  'local-completions': { chat: false, openai: false, address: undefined },
  'local-chat-completions': { chat: true, openai: false, address: undefined },
  'openai-completions': { chat: false, openai: true, address: 'https://api.openai.com/v1/completions' },
  'openai-chat-completions': { chat: true, openai: true, address: 'https://api.openai.com/v1/chat/completions' },
} as const satisfies Record<string, KindOfServer>

export type ServerKind = keyof typeof serverKinds

/** OpenAI's models that still return log-probabilities of their prompt. */
export const scoringModels: readonly string[] = ['babbage-002', 'davinci-002']

export const embeddingKindNames = ['openai-embeddings', 'tei-embeddings'] as const

export type EmbeddingKind = (typeof embeddingKindNames)[number]

/** Servers of vectors: how they are asked, and where they listen unless an address says otherwise. */
export const embeddingKinds = {
  /** `POST /v1/embeddings`, which most servers have, and this program's own. */
  'openai-embeddings': { path: '/v1/embeddings', address: 'https://api.openai.com/v1/embeddings' },
  /** `POST /embed` of text-embeddings-inference. */
  'tei-embeddings': { path: '/embed', address: undefined },
} as const satisfies Record<EmbeddingKind, { readonly path: string; readonly address: string | undefined }>
