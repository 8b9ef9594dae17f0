/** How a reranker reads pairs of texts, as its folder says it (sentence-transformers 6.2 `CrossEncoder`). */
import type { RepoFiles } from '#core'
import { isObject, readJsonFields } from '#files/formats'
import type { ModelSpec } from '#model/architectures'
import type { ModelOptions, PoolingName } from '#model/passes'
import type { Tokenizer } from '#model/tokenizer'
import { readPairLength } from './cross-encoder-folder.ts'
import { type DenseActivation, denseActivation } from './dense-activations.ts'
import { modulesIdentity } from './modules-identity.ts'
import { readPrompts } from './asking.ts'
import type { PairModules } from './pair-modules.ts'
import { type PairWording, qwen3Length } from './pair-rows.ts'
import { choosePrompt } from './prompts.ts'

/** How pairs are read: part of every key under which their scores are kept. Absent: not used. */
export interface PairReading {
  readonly maxLength: number
  readonly labels: number
  /** What follows the scores. */
  readonly activation: DenseActivation
  /** Whether the tokenizer says which tokens are the second text's; without, all are of type 0. */
  readonly hasTypes: boolean
  /** Absent: the tokenizer's pair of texts. */
  readonly wording?: PairWording | undefined
  /** In front of the query, or the instruction of a chat. */
  readonly prompt?: string | undefined
  /** Tokens whose logits are the score. */
  readonly tokens?: { readonly yes: number; readonly no: number | undefined } | undefined
  readonly pooling?: readonly PoolingName[] | undefined
  /** Hash of the modules behind the head. */
  readonly modules?: string | undefined
}

interface ReadingFrom {
  readonly config: unknown
  readonly files: RepoFiles
  /** Where config.json and the tokenizer are. */
  readonly body: RepoFiles
  readonly spec: ModelSpec
  readonly modules: PairModules
  readonly labels: number
  readonly options: Pick<ModelOptions, 'maxLength' | 'prompt' | 'promptName'>
  readonly wording: PairWording
  readonly tokenizer: Pick<Tokenizer, 'modelMaxLength'> | undefined
}

/** Longest input where neither tokenizer nor positions say: the library cuts nothing then. */
const unlimited = 1_000_000

/**
 * Length, prompt and activation as the library finds them: `activation_fn` of config_sentence_transformers.json or
 * `sentence_transformers.activation_fn` of config.json, the older `sbert_ce_default_activation_function`, otherwise a
 * sigmoid for one label and nothing for several. Throws `config.unsupported` for an activation that is not torch's,
 * `usage.value` for a prompt that the folder does not have.
 */
export async function readPairReading(from: ReadingFrom): Promise<PairReading> {
  const { config, files, body, spec, modules, labels, options, wording, tokenizer } = from
  const own = isObject(config) ? config : {}
  const nested = isObject(own['sentence_transformers']) ? own['sentence_transformers']['activation_fn'] : undefined
  const asking = await readJsonFields(files, 'config_sentence_transformers.json')
  const { prompts = {}, defaultPromptName: defaultName } = asking === undefined ? {} : readPrompts(asking)
  const prompt = choosePrompt({ prompts, defaultName, literal: options.prompt, name: options.promptName })
  const name = asking?.fields['activation_fn'] ?? nested ?? own['sbert_ce_default_activation_function']
  const cap = wording === 'qwen3' ? qwen3Length : (tokenizer?.modelMaxLength ?? Infinity)
  const most = Math.min(cap, spec.maxTokens ?? Infinity)
  const { head, later } = modules
  return {
    maxLength: options.maxLength ?? (await readPairLength(files)) ?? (Number.isFinite(most) ? most : unlimited),
    labels,
    activation: activationNamed(name, labels, `${body.name}/config.json › activation_fn`),
    hasTypes: await readsTypes(body),
    ...(wording === 'pair' ? {} : { wording }),
    ...(prompt === null ? {} : { prompt }),
    ...(head.kind === 'token' ? { tokens: { yes: head.yes, no: head.no } } : {}),
    ...(head.kind === 'pooled' ? { pooling: head.pooling } : {}),
    ...(later.length === 0 ? {} : { modules: modulesIdentity({ pooling: [], layerMix: undefined, later }) }),
  }
}

/** As transformers: what the file lists, otherwise what the class does; those of no model in particular have no types. */
async function readsTypes(body: RepoFiles): Promise<boolean> {
  const { model_input_names: names, tokenizer_class: type } =
    (await readJsonFields(body, 'tokenizer_config.json'))?.fields ?? {}
  if (Array.isArray(names)) return names.includes('token_type_ids')
  return type !== 'PreTrainedTokenizerFast' && type !== 'TokenizersBackend'
}

/** The library takes torch's own alone; others it leaves out in favour of the default, which no file says. */
function activationNamed(name: unknown, labels: number, place: string): DenseActivation {
  if (name === undefined || name === null) return labels === 1 ? 'Sigmoid' : 'Identity'
  return denseActivation(typeof name === 'string' ? name : JSON.stringify(name), place)
}
