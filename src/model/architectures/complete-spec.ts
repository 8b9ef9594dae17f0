/** A family's draft of a spec with everything that it leaves out. */
import type { ConfigReader } from './config-reader.ts'
import type { FamilySpec, SpecSource } from './family.ts'
import { dividedWidth } from './sizes.ts'
import { towerNames } from './text-part.ts'
import type { AttentionSpec, BlockSpec, HeadName, ModelSpec } from './spec.ts'

export interface SpecContext {
  readonly modelType: string
  readonly className: string | undefined
  readonly labels: readonly string[] | undefined
  /** Whether this is the text part of a model of several towers. */
  readonly wrapped: boolean
  readonly plainLogits: boolean
  readonly reader: ConfigReader
}

const headClasses: readonly (readonly [RegExp, HeadName])[] = [
  [/ForSequenceClassification$/, 'sequence'],
  [/(?:ForMaskedLM|BertForPreTraining)$/, 'masked'],
  [/(?:ForCausalLM|LMHeadModel|GenerationDecoder)$/, 'causal'],
]

/** Models of several towers write text under many names. */
const writes = /For(?:ConditionalGeneration|\w*Text2Text|\w*OCR)$/

function headOf(className: string | undefined, mayWrite: boolean): HeadName | undefined {
  if (className === undefined) return undefined
  const head = headClasses.find(([pattern]) => pattern.test(className))?.[1]
  return head ?? (mayWrite && writes.test(className) ? 'causal' : undefined)
}

/** Logits of these classes are neither scaled nor capped, whatever the text part's own class does. */
function withPlainLogits(heads: ModelSpec['heads']): ModelSpec['heads'] {
  const { causal } = heads
  if (causal === undefined) return heads
  const steps = causal.steps.filter((step) => step.do !== 'scale' && step.do !== 'softcap')
  return { ...heads, causal: { ...causal, steps } }
}

export function completeSpec(
  family: SpecSource,
  draft: FamilySpec,
  { modelType, className, labels, wrapped, plainLogits, reader }: SpecContext,
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
    head: headOf(className, wrapped && draft.heads.causal !== undefined),
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
    streamShifts: draft.streamShifts ?? false,
    layerInputs: draft.layerInputs,
    streams: draft.streams,
    companion: draft.companion,
    shorter: draft.shorter,
    laurel: draft.laurel,
    blockScale: draft.blockScale ?? false,
    final: { norm: false, lastState: 'normed', project: undefined, ...draft.final },
    blocks: completeBlocks(draft, attention),
    heads:
      plainLogits && className !== undefined && writes.test(className) ? withPlainLogits(draft.heads) : draft.heads,
    tensors: towerNames({ ...family, tensors: { ...family.tensors, ...draft.tensors } }, wrapped),
  }
}

function completeEmbedding(draft: FamilySpec): ModelSpec['embedding'] {
  return {
    rows: draft.vocabulary,
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
  return Array.from({ length: draft.blockCount ?? draft.layers * blocksPerState }, (_, index) => {
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
