/** From ids to hidden states: embedding, blocks, final norm and projection. */
import { fault } from '#core'
import type { BlockSpec, ModelSpec, ShorterSpec } from '#model/architectures'
import { type BlockContext, runBlock } from './block.ts'
import { attentionContext } from './block-context.ts'
import type { Value } from './builder.ts'
import { joinConvolution } from './convolution.ts'
import { embed } from './embeddings.ts'
import { makeLayerInputs } from './layer-inputs.ts'
import { normalize } from './norm.ts'
import { once, remember } from './remember.ts'
import { convolveInside, joinConvolved, joinPooled, poolInside } from './shorter.ts'
import { closeStreams, openStreams, streamAt } from './streams.ts'
import { linear, type Wiring } from './wiring.ts'

/** Values are wired when they are first asked for, so that blocks above the last state needed are left out. */
export interface States {
  /** Output of block h as it is; 0 is the embedding output. Where there are several streams, the one that blocks compute. */
  readonly raw: (h: number) => Value
  /** After final norm and projection. */
  readonly last: () => Value
  readonly lastWidth: number
  /** The first of the rows that the last block inside leaves, [B × W]. */
  readonly firstInside: () => Value
}

export function runModel(wiring: Wiring): States {
  const { spec } = wiring
  const embedded = embed(wiring)
  const { layerInputs, streams, shorter } = spec
  const context: BlockContext = {
    ...attentionContext(wiring),
    companion: { value: undefined },
    embedded,
    waiting: { value: undefined },
    inputs: once(() => (layerInputs === undefined ? '' : makeLayerInputs(wiring, embedded, layerInputs))),
  }
  const raw = [streams === undefined ? embedded : openStreams(wiring, embedded, streams)]
  const blocks = spec.blocks.filter(({ inside }) => inside === undefined)[Symbol.iterator]()
  const state = (h: number): Value => {
    while (raw.length <= h) {
      const x =
        raw.length - 1 === shorter?.after && raw.length <= spec.layers
          ? joinRows(wiring, { state, rows: inside() }, shorter)
          : nextState(wiring, context, raw.at(-1) ?? '', blocks)
      raw.push(
        raw.length > 1 || spec.convolution === undefined
          ? x
          : joinConvolution(wiring, { embedded: raw[0] ?? '', x }, spec.convolution),
      )
    }
    return raw[h] ?? ''
  }
  const inside = once((): Value => {
    if (shorter === undefined) throw fault('internal', { place: spec.title, what: 'no blocks run on fewer rows' })
    return runInside(wiring, state(shorter.after), shorter)
  })
  const { norm, project } = spec.final
  const last = once(() => {
    if (endsInside(spec))
      throw fault('config.unsupported', {
        place: spec.title,
        what: `the last state has fewer rows than the text has tokens: ${spec.className ?? 'this class'} has no decoder`,
        wanted: `hidden states 0 … ${spec.layers}, or the head for texts`,
      })
    const end = state(spec.layers)
    const x = streams === undefined ? end : closeStreams(wiring, end, streams)
    const normed = norm ? finalNorm(wiring, x) : x
    return project === undefined
      ? normed
      : linear(wiring, normed, 'final.project', { in: spec.width, out: project, bias: false })
  })
  const active = streams === undefined ? state : remember((h: number) => streamAt(wiring, state(h), streams.active))
  const firstInside = once(() => firstRow(wiring, inside()))
  return { raw: active, last, lastWidth: project ?? spec.width, firstInside }
}

/** Whether blocks inside are the last ones. */
export function endsInside({ shorter }: ModelSpec): boolean {
  return shorter?.kind === 'pooled' && shorter.joins === undefined
}

/** The rows that the last block inside leaves, [B × R × W], from those of all tokens. */
function runInside(wiring: Wiring, x: Value, shorter: ShorterSpec): Value {
  switch (shorter.kind) {
    case 'pooled':
      return poolInside(wiring, x, shorter)
    case 'convolved':
      return convolveInside(wiring, x, shorter)
    default:
      return shorter satisfies never
  }
}

/** [B × S × W] from rows of fewer. */
function joinRows(
  wiring: Wiring,
  { state, rows }: { readonly state: (h: number) => Value; readonly rows: Value },
  shorter: ShorterSpec,
): Value {
  switch (shorter.kind) {
    case 'pooled':
      return joinPooled(wiring, { rows, state: state(shorter.joins ?? shorter.after) }, shorter)
    case 'convolved':
      return joinConvolved(wiring, { rows, state: state(shorter.after) }, shorter)
    default:
      return shorter satisfies never
  }
}

function firstRow({ builder }: Wiring, x: Value): Value {
  return builder.node('Gather', [x, builder.int(0)], { axis: 1 })
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
