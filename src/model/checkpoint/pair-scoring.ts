/** Whether a transformer scores pairs of texts, and by what. */
import { isObject } from '#files/formats'
import type { ModelSpec } from '#model/architectures'
import { offers } from '#model/graph'
import type { Graphs, ModelOptions } from '#model/passes'
import type { Tokenizer } from '#model/tokenizer'
import { scoreWidth } from './cross-encoder.ts'
import { type PairModules, readPairModules } from './pair-modules.ts'
import { type PairReading, readPairReading } from './pair-reading.ts'
import { chatWording, hasQwen3Tokens, type PairWording } from './pair-rows.ts'
import type { ModelParts } from './parts.ts'

export type PairScoring =
  | { readonly kind: 'scores'; readonly modules: PairModules; readonly reading: PairReading }
  | ({ readonly kind: 'lacks' } & Lack)

/** Why a model that could be a reranker is none, and what would make it one. */
export interface Lack {
  readonly what: string
  readonly hint: string
}

interface ScoringFrom {
  readonly config: unknown
  readonly spec: ModelSpec
  readonly graphs: Graphs
  readonly parts: ModelParts
  readonly options: ModelOptions
  readonly tokenizer: Tokenizer | undefined
}

/**
 * Undefined for a model without such a head, or one of many labels. Throws what `readPairModules` and
 * `readPairReading` throw.
 */
export async function pairScoring(from: ScoringFrom): Promise<PairScoring | undefined> {
  const { config, spec, parts, options, tokenizer } = from
  const { files, body } = parts
  const modules = (await readPairModules(files)) ?? plainModules(from)
  if (modules === undefined || 'hint' in modules) return modules && { kind: 'lacks', ...modules }
  const labels = labelsOf(modules, from)
  if (labels < 1 || labels > 2) return undefined
  const wording = wordingOf(config, modules, tokenizer)
  if (wording === undefined) return { kind: 'lacks', ...noTemplate }
  const reading = await readPairReading({ config, files, body, spec, modules, labels, options, wording, tokenizer })
  return { kind: 'scores', modules, reading }
}

/** For a language model that nothing calls a reranker. */
export const unnamedReranker: Lack = {
  what: 'nothing says that this language model scores pairs of texts',
  hint: 'add config_sentence_transformers.json with {"model_type": "CrossEncoder"} to its folder',
}

const noTokens: Lack = {
  what: 'the tokenizer has no tokens "yes" and "no", whose logits are the score',
  hint: 'name other tokens (true_token_id, false_token_id) in 1_LogitScore/config.json, a module of modules.json',
}

const noTemplate: Lack = {
  what: 'the chat template has no place for the turns of a query and a document',
  hint: 'add a chat_template.jinja that shows messages of the roles query and document',
}

/** Without modules.json: a causal model answers yes or no, as the library has it; others have a head. */
function plainModules({ config, spec, parts: { tensors }, tokenizer }: ScoringFrom): PairModules | Lack | undefined {
  if (classesOf(config)[0]?.endsWith('ForCausalLM') === true && offers(spec, tensors, { picked: 'logits' })) {
    const [yes, no] = ['yes', 'no'].map((token) => tokenizer?.tokenId(token))
    if (yes === undefined || no === undefined) return noTokens
    return { head: { kind: 'token', yes, no }, later: [], texts: undefined }
  }
  if (!offers(spec, tensors, { states: [], logits: 'sequence' })) return undefined
  return { head: { kind: 'sequence' }, later: [], texts: undefined }
}

/** Numbers per pair; 0 where the checkpoint lacks the head that its modules read. */
function labelsOf(modules: PairModules, { spec, graphs, parts: { tensors } }: ScoringFrom): number {
  const { head } = modules
  switch (head.kind) {
    case 'token':
      return offers(spec, tensors, { picked: 'logits' }) ? 1 : 0
    case 'pooled':
      return modules.later.findLast((step) => step.kind === 'dense')?.outputs ?? 0
    case 'sequence': {
      const request = { states: [], logits: 'sequence' } as const
      if (!offers(spec, tensors, request)) return 0
      return scoreWidth(modules, graphs.outputs(request).find(({ kind }) => kind === 'logits')?.width ?? 0)
    }
    default:
      return head satisfies never
  }
}

/**
 * Chats where the template has a place for both texts, the words of Qwen3-Reranker for its class, otherwise the
 * tokenizer's pair; undefined for a chat whose template has no such place.
 */
function wordingOf(
  config: unknown,
  { head, texts }: PairModules,
  tokenizer: Tokenizer | undefined,
): PairWording | undefined {
  if (texts === 'pair' || tokenizer === undefined) return 'pair'
  const chat = tokenizer.hasChatTemplate ? chatWording(tokenizer) : undefined
  if (chat !== undefined) return chat
  const isPlain = texts === undefined && head.kind === 'token'
  if (isPlain && classesOf(config).includes('Qwen3ForCausalLM') && hasQwen3Tokens(tokenizer)) return 'qwen3'
  return texts === 'chat' || (isPlain && tokenizer.hasChatTemplate) ? undefined : 'pair'
}

function classesOf(config: unknown): readonly string[] {
  const classes: unknown = isObject(config) ? config['architectures'] : undefined
  return Array.isArray(classes) ? classes.filter((one) => typeof one === 'string') : []
}
