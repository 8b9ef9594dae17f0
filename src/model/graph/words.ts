/**
 * What a masked-LM head says of a whole text: one number per id of the vocabulary (SPLADE: Formal et al. 2021,
 * https://arxiv.org/abs/2107.05720 and https://arxiv.org/abs/2109.10086). The logits of all tokens never exist at once:
 * a text is read block by block of its columns.
 */
import { fault } from '#core'
import type { HeadSpec, Slot } from '#model/architectures'
import type { Value } from './builder.ts'
import { headNamed, runHead } from './heads.ts'
import { loopBody } from './loop.ts'
import { firstToken } from './pooling.ts'
import type { GraphOutput, GraphRequest } from './request.ts'
import type { States } from './states.ts'
import type { Wiring } from './wiring.ts'

/** 16 MB of float32, which a large cache holds. */
const usualLogits = 2 ** 22

/** Throws `config.unsupported` for a family without such a head. */
export function wireWords(
  wiring: Wiring,
  states: States,
  { words: kind = 'max', blockLogits = usualLogits }: GraphRequest,
  place: string,
): GraphOutput {
  const { builder, spec } = wiring
  const head = headNamed(spec, 'masked', place)
  if (head.from !== 'tokens')
    throw fault('internal', { place, what: 'a masked head that is not one of tokens', seen: head.from })
  const last = { value: states.last(), width: states.lastWidth, firstInside: states.firstInside, blockLogits }
  const value = kind === 'max' ? greatest(wiring, last, head) : summed(wiring, last, head, kind === 'sum' ? 1 : 2)
  builder.name(value, 'words')
  return { name: 'words', kind: 'words', width: spec.vocabulary, per: 'text' }
}

interface Last extends Pick<States, 'firstInside'> {
  readonly value: Value
  readonly width: number
  readonly blockLogits: number
}

/** What a block of columns adds to the text's row so far, [B × V]. */
type Fold = (inside: Wiring, logits: Value, columns: Value, row: Value) => Value

/**
 * Greatest logit of each id, or 0. A token that the mask leaves out is replaced by the text's first: it can raise
 * nothing. The bias of the vocabulary is the same for every token and is added afterwards: rounding keeps the order.
 */
function greatest(wiring: Wiring, last: Last, given: HeadSpec): Value {
  const { builder, spec, weights, mask } = wiring
  const { head, bias } = withoutLastBias(given)
  const isReal = builder.node('Unsqueeze', [builder.cast(mask, 'bool'), builder.int([2])])
  const first = builder.node('Unsqueeze', [firstToken(wiring, last.value), builder.int([1])])
  const real = builder.node('Where', [isReal, last.value, first])
  const start = fullRow(wiring, -3e38)
  const most = overBlocks(wiring, { ...last, value: real }, head, start, ({ builder: inside }, logits, _columns, row) =>
    inside.node('Max', [row, inside.node('ReduceMax', [logits, inside.int([1])], { keepdims: 0 })]),
  )
  const whole = bias === undefined ? most : builder.add(most, weights.tensor(bias, [spec.vocabulary]))
  const any = builder.cast(builder.node('ReduceMax', [mask, builder.int([1])], { keepdims: 1 }), 'float32')
  return builder.multiply(builder.node('Relu', [whole]), any)
}

/** Σ over tokens of log(1 + relu(logit)), the logarithm taken `times` times. */
function summed(wiring: Wiring, last: Last, head: HeadSpec, times: 1 | 2): Value {
  const { builder, mask, columns } = wiring
  const size = builder.node('Size', [columns])
  const float = builder.cast(mask, 'float32')
  return overBlocks(wiring, last, head, fullRow(wiring, 0), ({ builder: inside }, logits, own, row) => {
    const once = logOfOneMore(inside, inside.node('Relu', [logits]))
    const values = times === 1 ? once : logOfOneMore(inside, once)
    // columns beyond the text's end repeat its last
    const end = inside.node('Sub', [size, inside.int(1)])
    const within = inside.cast(inside.node('LessOrEqual', [own, end]), 'float32')
    const read = inside.node('Gather', [float, inside.node('Min', [own, end])], { axis: 1 })
    const counted = inside.node('Unsqueeze', [inside.multiply(read, within), inside.int([2])])
    const sum = inside.node('ReduceSum', [inside.multiply(values, counted), inside.int([1])], { keepdims: 0 })
    return inside.add(row, sum)
  })
}

/** log(1 + x) for x ≥ 0, to the last bits also near 0 (W. Kahan; D. Goldberg 1991, theorem 4). */
function logOfOneMore(builder: Wiring['builder'], x: Value): Value {
  const one = builder.float(1)
  const more = builder.add(x, one)
  const rest = builder.node('Sub', [more, one])
  const isOne = builder.node('Equal', [rest, builder.float(0)])
  const ratio = builder.node('Div', [builder.multiply(x, builder.node('Log', [more])), rest])
  return builder.node('Where', [isOne, x, ratio])
}

/** [B × V] of one number. */
function fullRow({ builder, spec, ids }: Wiring, value: number): Value {
  const rows = builder.node('Shape', [ids], { start: 0, end: 1 })
  const dims = builder.node('Concat', [rows, builder.int([spec.vocabulary])], { axis: 0 })
  return builder.node('Expand', [builder.float(value), dims])
}

/** The head without the bias that it ends with, and that bias. */
function withoutLastBias(head: HeadSpec): { readonly head: HeadSpec; readonly bias: Slot | undefined } {
  const last = head.steps.at(-1)
  if (last?.do !== 'vocabulary' || last.bias === undefined) return { head, bias: undefined }
  return { head: { ...head, steps: [...head.steps.slice(0, -1), { ...last, bias: undefined }] }, bias: last.bias }
}

/**
 * `fold` over blocks of columns: at least two of them, since the engine has another kernel for a single row. The last
 * block ends with columns beyond the text, whose logits are those of its last token.
 */
function overBlocks(wiring: Wiring, last: Last, head: HeadSpec, start: Value, fold: Fold): Value {
  const { builder, spec, ids, columns } = wiring
  if (last.blockLogits === Infinity)
    return fold(wiring, runHead(wiring, { ...last, last: () => last.value }, last.width, head).value, columns, start)
  const size = builder.node('Size', [columns])
  const rows = builder.node('Squeeze', [builder.node('Shape', [ids], { start: 0, end: 1 }), builder.int([0])])
  const room = builder.node('Div', [
    builder.int(Math.max(2, Math.floor(last.blockLogits / spec.vocabulary))),
    builder.node('Max', [rows, builder.int(1)]),
  ])
  const length = builder.node('Max', [builder.node('Min', [room, size]), builder.int(2)])
  const count = builder.node('Div', [builder.add(size, builder.node('Sub', [length, builder.int(1)])), length])

  const scope = builder.scope('words')
  const body = loopBody(scope, (inner, turn) => {
    const dims = ['rows', spec.vocabulary]
    const row = inner.input(`${scope}row`, 'float32', dims)
    const first = inner.multiply(turn, length)
    const own = inner.node('Range', [first, inner.add(first, length), inner.int(1)])
    const places = inner.node('Min', [own, inner.node('Sub', [size, inner.int(1)])])
    const inBlock = (values: Value): Value => inner.node('Gather', [values, places], { axis: 1 })
    // rows and columns are those of the ids
    const inside = { ...wiring, builder: inner, ids: inBlock(ids) }
    const chosen = inBlock(last.value)
    const logits = runHead(inside, { ...last, last: () => chosen }, last.width, head).value
    return { value: fold(inside, logits, own, row), dims }
  })
  return builder.node('Loop', [count, '', start], { body })
}
