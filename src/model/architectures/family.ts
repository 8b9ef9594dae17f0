/** A model family as data: which configs it reads, what they mean, how its tensors are called. */
import type { ConfigReader } from './config-reader.ts'
import type { AttentionSpec, BlockSpec, EmbeddingSpec, FinalSpec, ModelSpec, SlotNames } from './spec.ts'

/** What a spec is made from. */
export interface SpecSource {
  /** For people: the family's name, with its relatives. */
  readonly title: string
  readonly spec: (config: ConfigReader) => FamilySpec
  readonly prefixes: readonly string[]
  readonly tensors: SlotNames
  /** Layout of the block's matrices in the file; [out, in] unless said otherwise. */
  readonly linear?: 'in-out' | 'kernel'
}

/** A decoder that continues from the states of the family's encoder. */
export interface DecoderSource extends SpecSource {
  /** The token in front of everything it writes. */
  readonly startId: (config: ConfigReader) => number
}

export interface Family extends SpecSource {
  /** Its particularities in one line, for docs/support.md. */
  readonly notes: string
  /** `model_type` values, the eponym first. */
  readonly modelTypes: readonly string[]
  /**
   * Stems of class names in `architectures`, as in `BertModel`, `BertForMaskedLM`; used where `model_type` is missing.
   */
  readonly classes: readonly string[]
  /** For repositories that write another family's `model_type` and have code of their own: how their config shows it. */
  readonly borrows?: { readonly modelType: string; readonly when: (config: ConfigReader) => boolean }
  /**
   * Whole names of the only classes that this family reads of its model types; another family reads the others (a
   * decoder alone, in place of the encoder of a whole checkpoint).
   */
  readonly only?: readonly string[]
  readonly depth?: DepthKeys
  /** Class of the part that is read, where the config's own class holds more (a decoder). */
  readonly encoderClass?: string
  /** The decoder of checkpoints that hold one as well as the encoder. */
  readonly decoder?: DecoderSource
}

/** Fields that a family reads from a config; `specOf` fills in the rest. */
export interface FamilySpec
  extends
    Pick<ModelSpec, 'causal' | 'layers' | 'width' | 'vocabulary' | 'maxTokens' | 'padId' | 'norm' | 'mlp' | 'heads'>,
    Partial<Pick<ModelSpec, 'residual' | 'adapter' | 'convolution' | 'bottleneck' | 'cross' | 'stateNames'>>,
    Pick<
      ModelSpec,
      'streamWeights' | 'streamShifts' | 'layerInputs' | 'streams' | 'companion' | 'shorter' | 'laurel' | 'blockScale'
    > {
  /** The mixer of every block. */
  readonly scan?: BlockSpec['scan']
  /** Norms of most blocks. */
  readonly placement: BlockSpec['placement']
  readonly embedding?: Partial<EmbeddingSpec>
  readonly attention: Pick<AttentionSpec, 'heads' | 'bias' | 'positions'> &
    Partial<Omit<AttentionSpec, 'heads' | 'bias' | 'positions'>>
  readonly final?: Partial<FinalSpec>
  /** Names that depend on the config. */
  readonly tensors?: SlotNames
  /** Factor on query · key where it is not headWidth^-0.5. */
  readonly scale?: number
  /** What layer `layer` (from 0) has of its own. */
  readonly block?: (layer: number) => Partial<Omit<BlockSpec, 'attention'>> & {
    /** Only what differs from the model's. */
    readonly attention?: Partial<AttentionSpec>
  }
  /** Number of blocks where it does not follow from the number of states. */
  readonly blockCount?: number
  /** Blocks of one hidden state, where that is more than one (ALBERT's inner groups). */
  readonly blocksPerState?: number
}

/** Where config.json says how many layers there are, and what it says layer by layer. */
export interface DepthKeys {
  /** Every spelling of their number; `num_hidden_layers` unless said otherwise. */
  readonly count?: readonly string[]
  /** Lists with one entry per layer; `layer_types` unless said otherwise. */
  readonly lists?: readonly string[]
  /** What else must change for these blocks alone. */
  readonly further?: (blocks: readonly BlockSpec[]) => Readonly<Record<string, unknown>>
}
