/** What models without a transformer have in common: vectors are looked up, `default` is their only representation. */
import { fault, type Matrix, type Similarity, type TensorSource } from '#core'
import { tensorFacts } from './facts.ts'
import type { Encoder } from './layer-vectors.ts'
import type { Model, ModelFacts } from './model.ts'

/** The parts of a model that its table decides; the model itself adds where the table comes from. */
export type TableModel = Pick<Model, 'settings' | 'overrides' | 'states' | 'tokens' | 'classifier' | 'languageModel'>

interface TableOptions {
  maxLength?: number | undefined
  similarity?: Similarity | undefined
  normalize?: boolean | undefined
}

export function tableModel({ maxLength = unlimited, similarity = 'cosine', normalize }: TableOptions = {}): TableModel {
  return {
    settings: {
      pooling: [],
      maxLength,
      finalNorm: 'native',
      includePrompt: true,
      lowerCase: false,
      chat: false,
      ...(normalize === true ? { normalize: true } : {}),
      dtype: 'f32',
      device: 'cpu',
      native: 'transformers-5',
      similarity,
    },
    overrides: normalize === true ? ['unit'] : [],
    states: undefined,
    tokens: undefined,
    classifier: undefined,
    languageModel: undefined,
  }
}

/** No layers, no heads. */
export function tableFacts(
  tensors: TensorSource,
  own: Pick<ModelFacts, 'family' | 'modelType' | 'width'> & Partial<ModelFacts>,
): ModelFacts {
  return {
    layers: 0,
    ...tensorFacts(tensors),
    modules: [],
    prompts: {},
    heads: [],
    vocabulary: undefined,
    notes: [],
    ...own,
  }
}

/** A source without tensors; `name` is for messages. */
export function noTensors(name: string): TensorSource {
  return {
    name,
    names: () => [],
    info: () => undefined,
    read: (seen) => Promise.reject(fault('tensor.missing', { place: name, what: 'the model has no tensors', seen })),
    locate: () => undefined,
    identity: () => Promise.resolve(''),
    close: () => Promise.resolve(),
  }
}

/** One slot, `default`, of what looks texts up; `embed` reports the tokens it looks up, if it has any. */
export function tableEncoder(
  width: number,
  embed: (
    texts: readonly string[],
    prompt: string | null,
    options: { readonly onTokens: (tokens: number) => void },
  ) => Promise<Matrix>,
): Encoder {
  return {
    slots: [{ name: 'default', width }],
    async encode(texts, prompt, { onRows } = {}) {
      let tokens = 0
      const { data } = await embed(texts, prompt, { onTokens: (count) => (tokens += count) })
      onRows?.(texts.length, tokens)
      return [data]
    },
  }
}

/** Results hold a number for the longest text; a table cuts nothing. */
const unlimited = 1_000_000
