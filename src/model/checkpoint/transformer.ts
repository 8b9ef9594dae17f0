/** A transformer as a model: what it reads, and what can be asked of it. */
import { fingerprint } from '#core'
import type { ModelSpec } from '#model/architectures'
import { offers, planMemory } from '#model/graph'
import { loadTokenizer, type Tokenizer } from '#model/tokenizer'
import { settleArithmetic } from './arithmetic.ts'
import { openClassifier } from './classifier.ts'
import { modelFacts, tensorFacts } from './facts.ts'
import { openGraphs, requestOf } from './graphs.ts'
import { openLanguageModel } from './language/open.ts'
import type { Model } from './model.ts'
import { ruleOf } from './model-rules.ts'
import { modulesIdentity } from './modules-identity.ts'
import type { ModulesSpec } from './modules.ts'
import type { ModelOptions } from './options.ts'
import type { ModelParts } from './parts.ts'
import { pooledVectors } from './pooled-vectors.ts'
import { readSettings } from './settings.ts'
import { openTokens } from './token-states.ts'

/** Padded tokens of a batch: the fastest of 512 … 4,096 for a 6 × 384 encoder on 2 cores, and never far from it for larger ones. */
const defaultBatchTokens = 1024

/** What a process takes beside weights and activations: the program and the engine (measured: 190 MB), a block of vectors being encoded and one being written. */
const processBytes = 400e6

export async function openTransformer(parts: ModelParts, spec: ModelSpec, modules: ModulesSpec | undefined, options: ModelOptions): Promise<Model> {
  const { body, tensors, name, revision } = parts
  const budget = options.batchTokens ?? defaultBatchTokens
  // Token ids can be run without any tokenizer; what needs one asks again and gets the reason.
  const ownTokenizer = await loadTokenizer(body).catch((error: unknown) => asMissing(error))
  const tokenizer = async (): Promise<Tokenizer> => ownTokenizer ?? loadTokenizer(body)
  const arithmetic = await settleArithmetic(options)
  const { settings, prompts, overrides } = readSettings({ spec, modules, tokenizer: ownTokenizer, rule: await ruleOf(name), arithmetic, place: name }, options)
  const graphs = openGraphs(spec, tensors, { ...options, ...arithmetic })
  const vectors = pooledVectors({ name, spec, tensors, tokenizer, settings, prompts, modules, graphs, budget, options })

  return {
    name,
    revision,
    settings,
    prompts,
    overrides,
    tensors,
    facts: async () => modelFacts({ parts, spec, modules, prompts, tokenizer: ownTokenizer }),
    async identity() {
      return { tensors: await tensors.identity(), spec: fingerprint(spec), tokenizer: (await tokenizer()).identity, modules: modulesIdentity(modules) }
    },
    async memoryBytes() {
      const request = { lastState: true, ...requestOf(arithmetic) }
      const { weights, total } = planMemory(spec, tensors, { batchTokens: Math.max(budget, settings.maxLength), cols: settings.maxLength, request })
      // OpenVINO's compiled model holds them once more.
      return total + processBytes + (arithmetic.engine === 'openvino' ? weights : 0)
    },
    embedder: vectors.embedder,
    encoder: vectors.encoder,
    states: vectors.states,
    tokens: openTokens({ name, spec, settings, modules, graphs, tokenizer, hasPooler: offers(spec, tensors, { states: [], pooler: true }) }),
    classifier: offers(spec, tensors, { states: [], logits: 'sequence' })
      ? async () => openClassifier({ name, spec, settings, prompts, graphs, tokenizer: await tokenizer(), budget })
      : undefined,
    languageModel: offers(spec, tensors, { states: [], logits: 'causal' })
      ? async (own) => {
          const one = await tokenizer()
          const identity = { tensors: await tensors.identity(), spec: fingerprint(spec), tokenizer: one.identity }
          const { parameters } = tensorFacts(tensors)
          return openLanguageModel({ name, revision: await revision(), identity, parameters, files: body, spec, settings, graphs, tokenizer: one, budget }, own)
        }
      : undefined,
    async close() {
      await graphs.close()
      await vectors.close()
      await tensors.close()
    },
  }
}

/** No tokenizer at all is no defect of a model that is only run on ids; a broken one is. */
function asMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'tokenizer.missing') return undefined
  throw error
}
