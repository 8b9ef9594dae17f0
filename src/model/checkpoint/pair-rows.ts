/** Pairs of texts as the token ids that a reranker reads. */
import { fault } from '#core'
import type { TokenRow } from '#model/passes'
import type { Tokenizer } from '#model/tokenizer'

type Pair = readonly [query: string, document: string]

/**
 * How two texts become one: the tokenizer's pair of texts; a chat with a turn each of `query` and `document`, whose
 * content is a text or a list of one part (sentence-transformers 6 `pair_to_messages`); or the words of Qwen3-Reranker.
 */
export type PairWording = 'pair' | 'chat' | 'chat-parts' | 'qwen3'

interface PairRowsOptions {
  readonly maxLength: number
  /** Whether the tokenizer says which tokens are the second text's; without, all are of type 0. */
  readonly hasTypes: boolean
  /** Default: `pair`. */
  readonly wording?: PairWording | undefined
  /** In front of the query, or the instruction of a chat. */
  readonly prompt?: string | undefined
}

/** https://huggingface.co/Qwen/Qwen3-Reranker-0.6B, and mteb 2.26.24 `qwen3_reranker.py`. */
const qwen3 = {
  before:
    '<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct ' +
    'provided. Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n',
  behind: '<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n',
  /** mteb's words for tasks without an instruction of their own. */
  instruction: 'Given the user query, retrieval the relevant passages',
  tokens: ['<|im_start|>', '<|im_end|>'],
} as const

/** Longest input of the model card and of mteb. */
export const qwen3Length = 8192

/** Whether the tokenizer has the tokens of Qwen3-Reranker's words. */
export function hasQwen3Tokens(tokenizer: Pick<Tokenizer, 'tokenId'>): boolean {
  return qwen3.tokens.every((token) => tokenizer.tokenId(token) !== undefined)
}

/** Which chat shows both texts of a pair; undefined where the template has no place for one of them. */
export function chatWording(tokenizer: Pick<Tokenizer, 'renderChat'>): 'chat' | 'chat-parts' | undefined {
  const words = ['alpha', 'bravo'] as const
  return (['chat', 'chat-parts'] as const).find((wording) => {
    try {
      const text = tokenizer.renderChat(turns(words, wording, undefined))
      return words.every((word) => text.includes(word)) && !/\[?\{'type'/.test(text)
    } catch {
      return false // a template that raises has no place for these turns
    }
  })
}

/**
 * One row per pair, at most `maxLength` tokens. Words behind the texts stay when a row is cut, for the answer follows
 * them (`_restore_chat_template_suffix`). Throws `usage.value` for a length that the words alone fill.
 */
export async function pairRows(
  tokenizer: Tokenizer,
  pairs: readonly Pair[],
  { maxLength, hasTypes, wording = 'pair', prompt }: PairRowsOptions,
  signal?: AbortSignal,
): Promise<TokenRow[]> {
  if (wording === 'pair') {
    const worded = prompt === undefined ? pairs : pairs.map(([query, document]) => [prompt + query, document] as const)
    const rows = await tokenizer.encodePairs(worded, {
      maxLength,
      truncation: 'longest_first',
      keepEmpty: true,
      signal,
    })
    return hasTypes ? rows : rows.map(({ ids }) => ({ ids, typeIds: new Int32Array(ids.length) }))
  }
  const render = (pair: Pair): string =>
    wording === 'qwen3' ? qwen3Text(pair, prompt) : tokenizer.renderChat(turns(pair, wording, prompt))
  // a rendered text has its own special tokens
  const bare = { addSpecialTokens: false } as const
  const [empty, one, other] = await tokenizer.encodeBatch([render(['', '']), render(['0', '0']), render(fillers)], bare)
  if (empty === undefined || one === undefined || other === undefined || empty.ids.length >= maxLength)
    throw fault('usage.value', {
      place: `${tokenizer.name} › max length`,
      what: 'the words around a pair leave no room for it',
      seen: maxLength,
      wanted: `more than ${empty?.ids.length ?? 0}`,
    })
  const tail = sharedTail(one.ids, other.ids)
  const rows = await tokenizer.encodeBatch(pairs.map(render), { ...bare, maxLength, truncationSide: 'right', signal })
  return rows.map(({ ids, typeIds }) => {
    if (ids.length === maxLength) ids.set(tail, maxLength - tail.length)
    return { ids, typeIds }
  })
}

/** Share no token with `0` at the end of a text. */
const fillers: Pair = ['1 2 3 4', '1 2 3 4']

/** The tokens with which both rows end. */
function sharedTail(one: Int32Array, other: Int32Array): Int32Array {
  let count = 0
  while (count < Math.min(one.length, other.length) && one.at(-1 - count) === other.at(-1 - count)) count++
  return one.subarray(one.length - count)
}

function turns(
  [query, document]: Pair,
  wording: 'chat' | 'chat-parts',
  prompt: string | undefined,
): { role: string; content: unknown }[] {
  const content = (text: string): unknown => (wording === 'chat' ? text : [{ type: 'text', text }])
  return [
    ...(prompt === undefined ? [] : [{ role: 'system', content: content(prompt) }]),
    { role: 'query', content: content(query) },
    { role: 'document', content: content(document) },
  ]
}

function qwen3Text([query, document]: Pair, instruction: string = qwen3.instruction): string {
  return `${qwen3.before}<Instruct>: ${instruction}\n<Query>: ${query}\n<Document>: ${document}${qwen3.behind}`
}
