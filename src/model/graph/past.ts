/**
 * What blocks keep of tokens that passed before – keys and values, or of a scan the tail of its convolution and its
 * state – and who sees whom among old and new.
 */
import { fault } from '#core'
import type { BlockSpec, ModelSpec } from '#model/architectures'
import type { Builder, Value } from './builder.ts'
import { once, remember } from './remember.ts'
import type { GraphInput, GraphOutput, PastRequest } from './request.ts'

/** B rows, S new tokens, P past ones. */
export interface Past {
  /** Which tokens the new ones see, in blocks of this window: [B × S × (P + S)] int64. */
  visible(window: number | undefined): Value
  /** Places of all tokens, [B × (P + S)] int64. */
  keyPositions(): Value
  /**
   * Past and new ones together, joined along the tokens [B × heads × (P + S) × D]; kept, or of `append` the new ones.
   */
  extend(block: BlockSpec, part: 'key' | 'value', now: Value): Value
  /** The same for [B × channels × S]; only the last `tail` columns are kept. */
  roll(block: BlockSpec, part: string, now: Value, sizes: { channels: number; tail: number }): Value
  /** A state [B × …dims], and what it is after the new tokens. */
  before(block: BlockSpec, part: string, dims: readonly number[]): Value
  keep(block: BlockSpec, part: string, now: Value, dims: readonly number[]): void
  /** In the order in which blocks asked. */
  readonly inputs: readonly GraphInput[]
  readonly outputs: readonly GraphOutput[]
}

type MakeInput = (name: GraphInput['name'], dims: GraphInput['dims']) => Value

/** `integers` makes an input of whole numbers. Throws `config.unsupported` for a model that looks ahead. */
export function openPast(
  builder: Builder,
  spec: ModelSpec,
  integers: MakeInput,
  { kind, place }: { kind: PastRequest; place: string },
): Past {
  if (!spec.causal)
    throw fault('config.unsupported', { place, what: `${spec.title} looks ahead: no token passes before another` })
  if (spec.blocks.some(({ attention }) => attention.latent?.indexer !== undefined))
    throw fault('config.unsupported', {
      place,
      what: `${spec.title} chooses among keys: no past is kept for the choice`,
    })
  if (spec.blocks.some(({ chunk }) => chunk !== undefined))
    throw fault('config.unsupported', { place, what: `${spec.title} attends within chunks: no past is kept for it` })
  if (spec.blocks.some(({ attention }) => attention.compressed !== undefined))
    throw fault('config.unsupported', {
      place,
      what: `${spec.title} convolves queries and keys along the text: no past is kept for it`,
    })
  const inputs: GraphInput[] = []
  const outputs: GraphOutput[] = []
  const input = (block: BlockSpec, part: string, dims: readonly (string | number)[]): Value => {
    const name = `past.${spec.blocks.indexOf(block)}.${part}` as const
    inputs.push({ name, dtype: 'float32', dims })
    return builder.input(name, 'float32', dims)
  }
  const output = (block: BlockSpec, part: string, value: Value, dims: readonly (string | number)[]): void => {
    const name = `present.${spec.blocks.indexOf(block)}.${part}`
    builder.name(value, name)
    outputs.push({ name, kind: 'present', width: Number(dims.at(-1)), per: 'past', dims })
  }
  return {
    visible: remember((window: number | undefined) =>
      integers(window === undefined ? 'visible' : `visible.${window}`, ['rows', 'cols', 'all']),
    ),
    keyPositions: once(() => integers('key_positions', ['rows', 'all'])),
    extend(block, part, now) {
      const { keyHeads, headWidth: keyWidth, valueWidth = keyWidth } = block.attention
      const headWidth = part === 'value' ? valueWidth : keyWidth
      const joined = builder.node('Concat', [input(block, part, ['rows', keyHeads, 'past', headWidth]), now], {
        axis: 2,
      })
      if (kind === 'append') output(block, part, now, ['rows', keyHeads, 'cols', headWidth])
      else output(block, part, joined, ['rows', keyHeads, 'all', headWidth])
      return joined
    },
    roll(block, part, now, { channels, tail }) {
      if (tail === 0) return now
      const joined = builder.node('Concat', [input(block, part, ['rows', channels, tail]), now], { axis: 2 })
      const end = builder.node('Slice', [joined, builder.int([-tail]), builder.int([2 ** 31 - 1]), builder.int([2])])
      output(block, part, end, ['rows', channels, tail])
      return joined
    },
    before: (block, part, dims) => input(block, part, ['rows', ...dims]),
    keep: (block, part, now, dims) => output(block, part, now, ['rows', ...dims]),
    inputs,
    outputs,
  }
}
