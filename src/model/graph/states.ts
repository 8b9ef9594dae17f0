/** From ids to hidden states: embedding, blocks, final norm and projection. */
import { fault } from '#core'
import type { BlockSpec } from '#model/architectures'
import { attentionBias, type AttentionContext } from './attention.ts'
import { whereLong } from './attention-blocks.ts'
import { type BlockContext, runBlock } from './block.ts'
import type { Value } from './builder.ts'
import { chunkBias } from './chunks.ts'
import { joinConvolution } from './convolution.ts'
import { embed } from './embeddings.ts'
import { makeLayerInputs } from './layer-inputs.ts'
import { normalize } from './norm.ts'
import { once, remember } from './remember.ts'
import { rotaryCache } from './rotary.ts'
import { closeStreams, openStreams, streamAt } from './streams.ts'
import { linear, type Wiring } from './wiring.ts'

/** Values are wired when they are first asked for, so that blocks above the last state needed are left out. */
export interface States {
  /** Output of block h as it is; 0 is the embedding output. Where there are several streams, the one that blocks compute. */
  readonly raw: (h: number) => Value
  /** After final norm and projection. */
  readonly last: () => Value
  readonly lastWidth: number
}

export function runModel(wiring: Wiring): States {
  const { spec } = wiring
  const embedded = embed(wiring)
  const { layerInputs, streams } = spec
  const context: BlockContext = {
    ...attentionContext(wiring),
    embedded,
    waiting: { value: undefined },
    inputs: once(() => (layerInputs === undefined ? '' : makeLayerInputs(wiring, embedded, layerInputs))),
  }
  const raw = [streams === undefined ? embedded : openStreams(wiring, embedded, streams)]
  const blocks = spec.blocks[Symbol.iterator]()
  const state = (h: number): Value => {
    while (raw.length <= h) {
      const x = nextState(wiring, context, raw.at(-1) ?? '', blocks)
      raw.push(
        raw.length > 1 || spec.convolution === undefined
          ? x
          : joinConvolution(wiring, { embedded: raw[0] ?? '', x }, spec.convolution),
      )
    }
    return raw[h] ?? ''
  }
  const { norm, project } = spec.final
  const last = once(() => {
    const end = state(spec.layers)
    const x = streams === undefined ? end : closeStreams(wiring, end, streams)
    const normed = norm ? finalNorm(wiring, x) : x
    return project === undefined
      ? normed
      : linear(wiring, normed, 'final.project', { in: spec.width, out: project, bias: false })
  })
  const active = streams === undefined ? state : remember((h: number) => streamAt(wiring, state(h), streams.active))
  return { raw: active, last, lastWidth: project ?? spec.width }
}

/** Runs blocks up to and with the next one whose output counts as a hidden state. */
function nextState(wiring: Wiring, context: BlockContext, x: Value, blocks: Iterator<BlockSpec>): Value {
  let value = x
  for (let next = blocks.next(); next.done !== true; next = blocks.next()) {
    value = runBlock(wiring, context, value, next.value)
    if (next.value.state) break
  }
  return value
}

export function finalNorm(wiring: Wiring, x: Value): Value {
  const { final, norm, width } = wiring.spec
  return normalize(wiring, x, { slot: 'final.norm', norm: final.own ?? norm, width })
}

function attentionContext(wiring: Wiring): AttentionContext {
  const { spec } = wiring
  const { positions } = spec.attention
  const bias = remember((window: number | undefined) =>
    remember((ahead: number | undefined) => {
      const none = (inside: Wiring): Value => inside.builder.float([0], [1, 1, 1, 1])
      return whereLong(wiring, ['rows', 'heads', 'queries', 'keys'], none, (inside) =>
        attentionBias(inside, { window, ahead }),
      )
    }),
  )
  return {
    kept: new Map(),
    bias: ({ window, ahead }) => bias(window)(ahead),
    chosen: { bias: undefined },
    chunks: remember((chunk: number) => {
      const none = (inside: Wiring): Value => inside.builder.float([0], [1, 1, 1, 1])
      return whereLong(wiring, ['rows', 1, 'queries', 'keys'], none, (inside) => chunkBias(inside, chunk))
    }),
    rotary: remember((table: number) => {
      const rotary = positions.kind === 'rotary' ? positions.tables[table] : undefined
      if (rotary === undefined)
        throw fault('internal', { place: spec.title, what: 'no such rotary table', seen: table })
      return rotaryCache(wiring, rotary)
    }),
  }
}
