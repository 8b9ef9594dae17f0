/** A static table as a model: it has no layers, only `default`; nothing is cached, because looking rows up is as fast as reading them back. */
import { type CallOptions, fingerprint, type Matrix } from '#core'
import { folderFiles } from '#files/hub'
import { loadTokenizer } from '#model/tokenizer'
import { tensorFacts } from './facts.ts'
import type { Model } from './model.ts'
import { ruleOf } from './model-rules.ts'
import type { ModelOptions } from './options.ts'
import { modulesIdentity } from './modules-identity.ts'
import { applyModules, laterWidth, type ModulesSpec } from './modules.ts'
import type { ModelParts } from './parts.ts'
import { choosePrompt } from './prompts.ts'
import { promptsOf } from './settings.ts'
import { openStatic } from '#model/static'

export async function openStaticModel(parts: ModelParts, modules: ModulesSpec | undefined, options: ModelOptions): Promise<Model> {
  const { body, tensors, name, revision } = parts
  // model2vec reads tokenizer.json alone.
  const tokenizer = await loadTokenizer(folderFiles(body, '', { only: ['tokenizer.json'] }))
  const table = await openStatic(body, tensors, tokenizer)
  const later = modules?.later ?? []
  const width = laterWidth(later, table.width)
  const prompts = promptsOf(modules, await ruleOf(name), options)
  const embed = async (texts: readonly string[], prompt: string | null, call: CallOptions = {}): Promise<Matrix> =>
    applyModules(later, await table.embed(prompt === null ? texts : texts.map((text) => prompt + text), call))

  return {
    name,
    revision,
    settings: {
      pooling: [],
      maxLength: table.maxLength ?? unlimited,
      finalNorm: 'native',
      includePrompt: true,
      lowerCase: false,
      chat: false,
      dtype: 'f32',
      device: 'cpu',
      native: 'transformers-5',
      similarity: modules?.similarity ?? 'cosine',
    },
    prompts,
    overrides: [],
    states: undefined,
    tokens: undefined,
    classifier: undefined,
    tensors,
    facts: () =>
      Promise.resolve({
        family: 'Static table',
        modelType: 'static',
        layers: 0,
        width,
        ...tensorFacts(tensors),
        modules: modules?.names ?? [],
        prompts: prompts.prompts,
        heads: [],
        vocabulary: tokenizer.vocabularySize,
        notes: [],
      }),
    async identity() {
      return {
        tensors: await tensors.identity(),
        spec: fingerprint({ rule: table.rule, maxLength: table.maxLength ?? null, normalized: table.normalized }),
        tokenizer: tokenizer.identity,
        modules: modulesIdentity(modules),
      }
    },
    memoryBytes: () => Promise.resolve(4 * table.rows * table.width + processBytes),
    embedder: () => Promise.resolve({ representation: 'default', width, embed: (texts, call = {}) => embed(texts, choosePrompt(prompts, call), call) }),
    encoder: () =>
      Promise.resolve({
        slots: [{ name: 'default', width }],
        async encode(texts, prompt, { onRows } = {}) {
          const { data } = await embed(texts, prompt)
          onRows?.(texts.length, 0)
          return [data]
        },
      }),
    close: () => tensors.close(),
  }
}

/** Results hold a number here; no text has so many tokens. */
const unlimited = 1_000_000

/** The program, the tokenizer and a chunk of vectors (measured with a 30,000 × 128 table: 120 MB). */
const processBytes = 250e6
