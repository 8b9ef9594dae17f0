/**
 * architectures: the meaning of config.json, family by family, as data.
 *
 * In: a parsed config.json. Out: a `ModelSpec`, the closed description of every size, wiring and tensor name from which
 * the graph is built; frequencies of rotary tables.
 * Never: reading a file, a tensor, arithmetic on weights.
 */
export type { Activation } from './activation.ts'
export type { ClipSpec, ExpertsSpec, RoutingSpec, SharedSpec, SparseMixer, TopRouting } from './experts-spec.ts'
export { configNotices } from './config-notices.ts'
export { type CutConfig, cutConfig, sharesBlocks } from './cut-config.ts'
export type { GatedNorm, MixerSpec } from './mixer-spec.ts'
export type { Family } from './family.ts'
export type { IndexerSpec, LatentSpec } from './latent-spec.ts'
export { type Part, type Place, type SlotSpellings, slotSpellings } from './slot-names.ts'
export { modelTypes } from './find-family.ts'
export { type DecoderPart, decoderOf, specOf, type SpecOptions } from './spec-of.ts'
export type {
  AdapterSpec,
  AssembledRow,
  AttendedPositions,
  AttentionSpec,
  BlockSpec,
  BottleneckSpec,
  ConvolvedRows,
  PooledRows,
  CompanionSpec,
  ConvolutionSpec,
  CrossSpec,
  DifferentialAttention,
  DynamicMask,
  EmbeddingSpec,
  FinalSpec,
  FixedRow,
  HeadName,
  HeadSpec,
  HeadStep,
  LayerInputs,
  LearnedPositions,
  MixFactors,
  MlpSpec,
  ModelSpec,
  NormPlacement,
  NormSpec,
  QueryKeyNorm,
  QueryTemperature,
  ShorterSpec,
  Rotary,
  RotaryScaling,
  Slot,
  SlotNames,
  StreamsSpec,
  TensorNames,
} from './spec.ts'
export { fixedFrequencies, rotaryExponents, rotaryWavelengths } from './rotary-frequencies.ts'
export { recurs } from './recurs.ts'
export { refusedTypes } from './refused-types.ts'
export { referenceIndex, stateAt, type StateIndex } from './state-names.ts'
export { families } from './table.ts'
export { isBuffer, layerCounts } from './tensor-names.ts'
export {
  hasVocabularyRows,
  headName,
  otherTowers,
  belongsToHead,
  roleByName,
  type TensorRole,
  tensorRoles,
  textConfig,
  vocabularyRows,
} from './tensor-roles.ts'
export { type TiedHead, tiedHead, untiedConfig } from './tied-head.ts'
export { unreadConfig } from './unread-config.ts'
