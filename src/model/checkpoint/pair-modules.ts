/** The modules of a sentence-transformers CrossEncoder as data: its head, what follows it, and how a pair is worded. */
import { fault, type RepoFiles } from '#core'
import { countOf, fieldOf, isObject, type JsonFields, readJsonFields, readJsonList } from '#files/formats'
import type { PoolingName } from '#model/passes'
import { type PairHeadKind, pairHeadKind } from './cross-encoder-folder.ts'
import { neededConfig, readEntries } from './module-entries.ts'
import { type ModuleStep, readLater } from './modules.ts'
import { readPooling } from './pooling-module.ts'

/** What gives the scores of a pair, before `later` and the activation. */
export type PairHead =
  | { readonly kind: 'sequence' }
  | { readonly kind: 'pooled'; readonly pooling: readonly PoolingName[] }
  /** The logit of `yes`, less that of `no` where there is one, after the last token. */
  | { readonly kind: 'token'; readonly yes: number; readonly no: number | undefined }

export interface PairModules {
  readonly head: PairHead
  /** Dense modules and the like behind the head; the last one gives the scores. */
  readonly later: readonly ModuleStep[]
  /** A chat of a query and a document, or the tokenizer's pair of texts; absent: the folder does not say. */
  readonly texts: 'chat' | 'pair' | undefined
}

/**
 * Undefined where no modules.json says so. Throws `config.*`, `tensor.*`, and `config.unsupported` for modules that
 * work on other features.
 */
export async function readPairModules(files: RepoFiles): Promise<PairModules | undefined> {
  const list = await readJsonList(files, 'modules.json')
  if (list === undefined) return undefined
  const entries = readEntries(list, `${files.name}/modules.json`)
  const kind = await pairHeadKind(files, entries)
  const [, second, ...more] = entries
  const own = await readJsonFields(files, 'sentence_bert_config.json')
  const texts = textsOf(own)
  if (kind !== undefined && own !== undefined) assertOutput(own, kind)
  switch (kind) {
    case undefined:
      return undefined
    case 'sequence': {
      const dense = second === undefined ? [] : [second, ...more]
      const later = await readLater(files, dense, { features: () => ({ reads: 'scores', writes: 'scores' }) })
      return { head: { kind }, later, texts }
    }
    case 'pooled': {
      const { pooling, includePrompt } = readPooling(await neededConfig(files, second?.folder ?? '', 'Pooling'))
      if (!includePrompt)
        throw fault('config.unsupported', {
          place: `${files.name}/${second?.folder ?? ''} › include_prompt`,
          what: 'a reranker pools the tokens of its prompt',
          seen: false,
        })
      const later = await readLater(files, more, {
        features: (index) => ({
          reads: 'sentence_embedding',
          writes: index === more.length - 1 ? 'scores' : 'sentence_embedding',
        }),
      })
      return { head: { kind, pooling }, later, texts }
    }
    case 'token':
      return { head: await readLogitScore(files, second?.folder ?? ''), later: [], texts }
    default:
      return kind satisfies never
  }
}

/** What the Transformer gives to the module behind it. */
const outputs: Readonly<Record<PairHeadKind, string>> = {
  sequence: 'scores',
  pooled: 'token_embeddings',
  token: 'causal_logits',
}

function assertOutput(own: JsonFields, kind: PairHeadKind): void {
  const seen = fieldOf(own.fields, 'module_output_name') ?? outputs[kind]
  if (seen !== outputs[kind])
    throw fault('config.unsupported', {
      place: `${own.place} › module_output_name`,
      what: 'the module gives an output that nothing here reads',
      seen,
      wanted: outputs[kind],
    })
}

function textsOf(own: JsonFields | undefined): PairModules['texts'] {
  const given = own?.fields['modality_config']
  if (!isObject(given)) return undefined
  return Object.hasOwn(given, 'message') ? 'chat' : 'pair'
}

async function readLogitScore(files: RepoFiles, folder: string): Promise<PairHead> {
  const config = await neededConfig(files, folder, 'LogitScore')
  const input = fieldOf(config.fields, 'module_input_name') ?? 'causal_logits'
  if (input !== 'causal_logits')
    throw fault('config.unsupported', {
      place: `${config.place} › module_input_name`,
      what: 'the module does not work on the logits of the next token',
      seen: input,
      wanted: 'causal_logits',
    })
  const no = fieldOf(config.fields, 'false_token_id') ?? undefined
  return {
    kind: 'token',
    yes: tokenOf(config, 'true_token_id'),
    no: no === undefined ? undefined : tokenOf(config, 'false_token_id'),
  }
}

/** 0 is a token. */
function tokenOf(config: JsonFields, name: string): number {
  return fieldOf(config.fields, name) === 0 ? 0 : countOf(config, name)
}
