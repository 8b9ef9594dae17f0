/**
 * The tensors of a PEFT adapter file, sorted by what they do. Names as PEFT's save and state_dict write them, with and
 * without the adapter's name.
 */
import { fault, type TensorSource } from '#core'

export interface LowRankPair {
  /** Name of the adapted module in the base model. */
  readonly module: string
  readonly a: string
  readonly b: string
  readonly embedding: boolean
}

export interface AdapterTensors {
  readonly pairs: readonly LowRankPair[]
  /** Biases of B (`lora_bias`, and what mergekit extracts): the adapted module, and the name in the adapter. */
  readonly biases: readonly { module: string; stored: string }[]
  /** Trained whole: the name in the base model, and the one in the adapter. */
  readonly whole: readonly { name: string; stored: string }[]
}

/**
 * Faults: `config.unsupported` for tensors of other methods (DoRA …) or of two adapters, `tensor.missing` for half a
 * pair.
 */
export function readAdapter(adapter: TensorSource): AdapterTensors {
  const halves = new Map<string, { a?: string; b?: string; embedding: boolean }>()
  const whole: { name: string; stored: string }[] = []
  const biases: { module: string; stored: string }[] = []
  const labels = new Set<string>()
  for (const stored of adapter.names()) {
    const name = stored.replace(/^base_model\.model\./, '')
    const { module, embedding, side, label, weight } = LOW_RANK.exec(name)?.groups ?? {}
    if (module !== undefined && (embedding === undefined) === (weight !== undefined)) {
      const half = halves.get(module) ?? { embedding: embedding !== undefined }
      const key = side === 'A' ? 'a' : 'b'
      if (label !== undefined) labels.add(label)
      if (half[key] !== undefined || labels.size > 1)
        throw fault('config.unsupported', {
          place: `${adapter.name}: ${stored}`,
          what: 'the file holds several adapters',
        })
      half[key] = stored
      halves.set(module, half)
    } else if (BIAS.test(name)) {
      biases.push({ module: name.replace(BIAS, ''), stored })
    } else if (
      /\.(lora|hada|lokr|oft|boft|vera|ia3)_|\.(prompt_embeddings|original_module|token_adapter)\b/.test(`.${name}`)
    ) {
      throw fault('config.unsupported', {
        place: `${adapter.name}: ${stored}`,
        what: 'not a tensor of plain LoRA',
        hint: 'merge the adapter into its base model with PEFT and open the result',
      })
    } else
      whole.push({
        name: name.replace(/\.modules_to_save(?:\.[^.]+)?(?=\.)/, '').replace(/\.base_layer(?=\.)/, ''),
        stored,
      })
  }
  const pairs = Array.from(halves, ([module, { a, b, embedding }]) => {
    if (a === undefined || b === undefined)
      throw fault('tensor.missing', {
        place: `${adapter.name}: ${module}`,
        what: `lora_${a === undefined ? 'A' : 'B'} is missing`,
      })
    return { module, a, b, embedding }
  })
  return { pairs, biases, whole }
}

/** `….lora_A.weight`, `….lora_A.default.weight`, `….lora_embedding_A`, `….lora_embedding_A.default`. */
const LOW_RANK =
  /^(?<module>.+)\.lora_(?<embedding>embedding_)?(?<side>[AB])(?:\.(?<label>[^.]+))??(?<weight>\.weight)?$/

/** `….lora_B.bias`, `….lora_B.default.bias`. */
const BIAS = /\.lora_B(\.[^.]+)?\.bias$/
