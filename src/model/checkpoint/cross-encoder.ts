/**
 * Cross-encoders: a head for sequence classification that scores pairs of texts (sentence-transformers 6.2
 * `CrossEncoder.predict`).
 */
import { fault, type RepoFiles, type Reranker } from '#core'
import { isObject, readJsonFields } from '#files/formats'
import type { ModelSpec } from '#model/architectures'
import { forwardPooled, type Graphs } from '#model/passes'
import type { Tokenizer } from '#model/tokenizer'
import { readPairLength } from './cross-encoder-folder.ts'
import { checkIds, countBatches } from './pooled-encoder.ts'

/** What follows the logits; `yes/no` of a causal reranker: the share of one token against another. */
export type PairActivation = 'sigmoid' | 'identity' | 'yes/no'

/** How pairs are read: part of every key under which their scores are kept. */
export interface PairReading {
  readonly maxLength: number
  readonly labels: number
  readonly activation: PairActivation
  /** Whether the tokenizer says which tokens are the second text's; without, all are of type 0. */
  readonly hasTypes: boolean
}

interface ReadingFrom {
  readonly config: unknown
  readonly files: RepoFiles
  /** Where config.json and the tokenizer are. */
  readonly body: RepoFiles
  readonly spec: ModelSpec
  readonly labels: number
  /** The user's, or undefined. */
  readonly maxLength: number | undefined
  readonly tokenizer: Pick<Tokenizer, 'modelMaxLength'> | undefined
}

/** Longest input where neither tokenizer nor positions say: the library cuts nothing then. */
const unlimited = 1_000_000

/**
 * Length and activation as the library finds them: `sentence_transformers.activation_fn` of config.json, the older
 * `sbert_ce_default_activation_function`, otherwise a sigmoid for one label and nothing for several. Throws
 * `config.unsupported` for another activation.
 */
export async function readPairReading(from: ReadingFrom): Promise<PairReading> {
  const { config, files, body, spec, labels, maxLength, tokenizer } = from
  const own = isObject(config) ? config : {}
  const nested = isObject(own['sentence_transformers']) ? own['sentence_transformers']['activation_fn'] : undefined
  const asked = (await readJsonFields(files, 'config_sentence_transformers.json'))?.fields['activation_fn']
  const place = `${body.name}/config.json › activation_fn`
  const most = Math.min(tokenizer?.modelMaxLength ?? Infinity, spec.maxTokens ?? Infinity)
  return {
    maxLength: maxLength ?? (await readPairLength(files)) ?? (Number.isFinite(most) ? most : unlimited),
    labels,
    activation: activationNamed(asked ?? nested ?? own['sbert_ce_default_activation_function'], labels, place),
    hasTypes: await readsTypes(body),
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
function activationNamed(name: unknown, labels: number, place: string): PairActivation {
  if (name === undefined || name === null) return labels === 1 ? 'sigmoid' : 'identity'
  const last = typeof name === 'string' && name.startsWith('torch.') ? name.split('.').at(-1) : undefined
  if (last === 'Sigmoid') return 'sigmoid'
  if (last === 'Identity') return 'identity'
  throw fault('config.unsupported', {
    place,
    what: 'the scores of a reranker are put through a function that is not known here',
    seen: name,
    wanted: 'torch.nn.modules.activation.Sigmoid or torch.nn.modules.linear.Identity',
  })
}

interface CrossEncoderParts {
  readonly name: string
  readonly spec: ModelSpec
  readonly reading: PairReading
  readonly graphs: Graphs
  readonly tokenizer: Tokenizer
  readonly budget: number
}

/**
 * One label: its activated logit. Two: the share of the second in their softmax (`apply_softmax`). Throws
 * `config.unsupported` for more, of which none is called relevance.
 */
export function openCrossEncoder({ name, spec, reading, graphs, tokenizer, budget }: CrossEncoderParts): Reranker {
  const request = { logits: 'sequence', inputs: ['token_type_ids'] } as const
  const output = graphs.outputs(request).find(({ kind }) => kind === 'logits')
  if (output === undefined) throw fault('internal', { place: name, what: 'the graph gives no logits' })
  const { name: outputName, width } = output
  if (width > 2)
    throw fault('config.unsupported', {
      place: name,
      what: 'a head of several labels does not say which of them is relevance',
      seen: width,
      wanted: 'one label, or two',
      hint: 'a task of sequence classification asks the head',
    })
  const activate = reading.activation === 'sigmoid' ? sigmoid : Math.fround
  return {
    name,
    async score(pairs, { signal, onProgress } = {}) {
      const { maxLength, hasTypes } = reading
      const typed = await tokenizer.encodePairs(pairs, {
        maxLength,
        truncation: 'longest_first',
        keepEmpty: true,
        signal,
      })
      const rows = hasTypes ? typed : typed.map(({ ids }) => ({ ids, typeIds: new Int32Array(ids.length) }))
      checkIds(rows, spec)
      const { graph, session, workers } = await graphs.open(request, { batches: countBatches(rows, budget) })
      let done = 0
      const [logits = new Float32Array(0)] = await forwardPooled(session, rows, [{ output: outputName, width }], {
        budget: Math.ceil(budget / workers),
        workers,
        padId: spec.padId ?? tokenizer.padId ?? 0,
        promptTokens: 0,
        inputs: new Set(graph.inputs.map((input) => input.name)),
        signal,
        onBatch: (count) =>
          onProgress?.({ stage: 'rerank', done: (done += count), total: pairs.length, unit: 'pairs' }),
      })
      const logit = (row: number, label: number): number => activate(logits[row * width + label] ?? NaN)
      return Float32Array.from(pairs, (_, row) =>
        width === 1 ? logit(row, 0) : sigmoid(logit(row, 1) - logit(row, 0)),
      )
    },
  }
}

function sigmoid(x: number): number {
  return Math.fround(1 / (1 + Math.exp(-x)))
}
