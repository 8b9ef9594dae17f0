/** A family's draft of a spec with everything that it leaves out. */
import type { ConfigReader } from './config-reader.ts'
import type { FamilySpec, SpecSource } from './family.ts'
import { dividedWidth } from './sizes.ts'
import type { AttentionSpec, BlockSpec, HeadName, ModelSpec } from './spec.ts'

export interface SpecContext {
  readonly modelType: string
  readonly className: string | undefined
  readonly labels: readonly string[] | undefined
  readonly reader: ConfigReader
}

const headClasses: readonly (readonly [RegExp, HeadName])[] = [
  [/ForSequenceClassification$/, 'sequence'],
  [/(?:ForMaskedLM|BertForPreTraining)$/, 'masked'],
  [/(?:ForCausalLM|LMHeadModel|GenerationDecoder)$/, 'causal'],
]

export function completeSpec(
  family: SpecSource,
  draft: FamilySpec,
  { modelType, className, labels, reader }: SpecContext,
): ModelSpec {
  const { heads } = draft.attention
  const headWidth = draft.attention.headWidth ?? dividedWidth(reader, draft.width, heads)
  const attention: AttentionSpec = {
    keyHeads: heads,
    layout: 'separate',
    queryKeyNorm: undefined,
    softcap: undefined,
    clip: undefined,
    gate: undefined,
    factors: undefined,
    ...draft.attention,
    headWidth,
  }
  return {
    title: family.title,
    modelType,
    className,
    head: headClasses.find(([pattern]) => className !== undefined && pattern.test(className))?.[1],
    labels,
    causal: draft.causal,
    layers: draft.layers,
    width: draft.width,
    vocabulary: draft.vocabulary,
    maxTokens: draft.maxTokens,
    padId: draft.padId,
    embedding: completeEmbedding(draft),
    norm: draft.norm,
    convolution: draft.convolution,
    bottleneck: draft.bottleneck,
    stateNames: draft.stateNames ?? 'embeddings-first',
    attention,
    mlp: draft.mlp,
    cross: draft.cross,
    adapter: draft.adapter,
    residual: draft.residual ?? 1,
    streamWeights: draft.streamWeights ?? false,
    layerInputs: draft.layerInputs,
    streams: draft.streams,
    laurel: draft.laurel,
    blockScale: draft.blockScale ?? false,
    final: { norm: false, lastState: 'normed', project: undefined, ...draft.final },
    blocks: completeBlocks(draft, attention),
    heads: draft.heads,
    tensors: {
      prefixes: family.prefixes,
      slots: { ...family.tensors, ...draft.tensors },
      linear: family.linear ?? 'out-in',
    },
  }
}

function completeEmbedding(draft: FamilySpec): ModelSpec['embedding'] {
  return {
    width: draft.width,
    tokenTypes: 0,
    positions: undefined,
    norm: undefined,
    multiplier: 1,
    fixed: [],
    tokenDropout: undefined,
    project: undefined,
    ...draft.embedding,
  }
}

function completeBlocks(draft: FamilySpec, attention: AttentionSpec): readonly BlockSpec[] {
  const { blocksPerState = 1 } = draft
  const usual: BlockSpec = {
    i: 0,
    j: 0,
    state: true,
    window: undefined,
    ahead: undefined,
    rotary: attention.positions.kind === 'rotary' ? 0 : undefined,
    scale: draft.scale ?? attention.headWidth ** -0.5,
    placement: draft.placement,
    firstNorm: true,
    attention,
    mlp: draft.mlp,
    scan: draft.scan,
  }
  return Array.from({ length: draft.layers * blocksPerState }, (_, index) => {
    const own = draft.block?.(index)
    return {
      ...usual,
      i: index,
      state: (index + 1) % blocksPerState === 0,
      ...own,
      attention: { ...attention, ...own?.attention },
    }
  })
}
