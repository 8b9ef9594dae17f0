/** Facts about an opened model, for people: from headers, config and module files. */
import { type Dtype, type TensorSource, elementCount } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { Tokenizer } from '#model/tokenizer'
import type { ModelFacts } from './model.ts'
import type { ModulesSpec } from './modules.ts'
import type { ModelParts } from './parts.ts'
import type { PromptChoice } from './prompts.ts'

export interface FactsParts {
  readonly parts: ModelParts
  readonly spec: ModelSpec
  readonly modules: ModulesSpec | undefined
  readonly prompts: PromptChoice
  readonly tokenizer: Tokenizer | undefined
}

export function modelFacts({ parts: { tensors }, spec, modules, prompts, tokenizer }: FactsParts): ModelFacts {
  return {
    family: spec.title,
    modelType: spec.modelType,
    layers: spec.layers,
    width: spec.width,
    ...tensorFacts(tensors),
    modules: modules?.names ?? [],
    prompts: prompts.prompts,
    adapters: prompts.adapters?.names,
    heads: [...(spec.heads.pooler === undefined ? [] : ['pooler']), ...(spec.head === undefined ? [] : [spec.head])],
    vocabulary: spec.vocabulary,
    notes: tokenizer === undefined ? ['no tokenizer: only token ids can be encoded'] : [],
  }
}

export function tensorFacts(
  tensors: TensorSource,
): Pick<ModelFacts, 'parameters' | 'weightBytes' | 'dtypes' | 'tensors'> {
  const infos = tensors.names().flatMap((name) => tensors.info(name) ?? [])
  const dtypes: Partial<Record<Dtype, number>> = {}
  for (const { dtype } of infos) dtypes[dtype] = (dtypes[dtype] ?? 0) + 1
  return {
    parameters: infos.reduce((sum, { shape }) => sum + elementCount(shape), 0),
    weightBytes: infos.reduce((sum, { byteLength }) => sum + byteLength, 0),
    dtypes,
    tensors: infos.length,
  }
}
