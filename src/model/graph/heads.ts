/** Heads over the last state: pooler, classifiers, language model heads, each a list of steps. */
import { fault } from '#core'
import type { HeadSpec, HeadStep, ModelSpec, Slot } from '#model/architectures'
import { activate } from './activation.ts'
import { capScores } from './attention.ts'
import type { Value } from './builder.ts'
import { normalize } from './norm.ts'
import { firstToken, lastOne, meanToken, tokenAt } from './pooling.ts'
import { linear, type Wiring } from './wiring.ts'

export interface HeadOutput {
  readonly value: Value
  readonly width: number
  readonly per: 'token' | 'text'
}

/** What heads read. */
interface Read {
  readonly last: () => Value
  readonly firstInside: () => Value
}

/** The head's output; `width` is the last state's. */
export function runHead(wiring: Wiring, states: Read, width: number, head: HeadSpec): HeadOutput {
  const start: HeadOutput = {
    value: input(wiring, states, head.from),
    width,
    per: head.from === 'tokens' ? 'token' : 'text',
  }
  const run = (from: HeadOutput): HeadOutput =>
    head.steps.reduce((state, step) => ({ ...state, ...runStep(wiring, state, step) }), from)
  return start.per === 'token' ? run(start) : inPairs(wiring, start, run)
}

/**
 * Every text goes through the head twice. The engine multiplies a single row by another kernel than several rows, with
 * another last bit: a text that stands alone in its batch would have another vector than in company.
 */
function inPairs({ builder }: Wiring, start: HeadOutput, run: (from: HeadOutput) => HeadOutput): HeadOutput {
  const end = run({ ...start, value: builder.node('Concat', [start.value, start.value], { axis: 0 }) })
  const rows = builder.node('Gather', [builder.node('Shape', [start.value]), builder.int([0])], { axis: 0 })
  return { ...end, value: builder.node('Slice', [end.value, builder.int([0]), rows, builder.int([0])]) }
}

function input(wiring: Wiring, { last, firstInside }: Read, from: HeadSpec['from']): Value {
  const { builder, spec, ids } = wiring
  switch (from) {
    case 'tokens':
      return last()
    case 'first':
      return firstToken(wiring, last())
    case 'mean':
      return meanToken(wiring, last())
    case 'last-not-pad': {
      // Without a pad id the reference takes the last column. The mask is ignored.
      const real = builder.cast(
        builder.node('Not', [builder.node('Equal', [ids, builder.int(spec.padId ?? -1)])]),
        'int64',
      )
      return tokenAt(wiring, last(), lastOne(wiring, real))
    }
    case 'first-inside':
      return firstInside()
    default:
      return from satisfies never
  }
}

function runStep(
  wiring: Wiring,
  { value, width, per }: HeadOutput,
  step: HeadStep,
): Pick<HeadOutput, 'value' | 'width'> & Partial<HeadOutput> {
  const { builder, spec, weights } = wiring
  switch (step.do) {
    case 'linear': {
      const out = step.out === 'labels' ? labelCount(wiring, step) : step.out
      return { value: linear(wiring, value, step.slot, { in: width, out, bias: step.bias, per }), width: out }
    }
    case 'activation':
      return { value: activate(builder, value, step.activation), width }
    case 'norm':
      return { value: normalize(wiring, value, { slot: step.slot, norm: step.norm, width }), width }
    case 'mean':
      return { value: meanToken(wiring, value), width, per: 'text' }
    case 'vocabulary': {
      // A head that is stored counts, whatever the config ties: so read transformers 5 and PEFT.
      const slot = step.tied && !weights.has(step.slot) ? 'embed.token' : step.slot
      const scores = vocabularyScores(wiring, value, { slot, width, rest: step.rest })
      return {
        value: step.bias === undefined ? scores : builder.add(scores, biasOf(wiring, step.bias)),
        width: spec.vocabulary,
      }
    }
    case 'scale':
      return { value: builder.multiply(value, builder.float(step.by)), width }
    case 'softcap':
      return { value: capScores(wiring, value, step.cap), width }
    default:
      return step satisfies never
  }
}

function vocabularyScores(
  { builder, spec, weights }: Wiring,
  x: Value,
  { slot, width, rest }: { slot: Slot; width: number } & Pick<Extract<HeadStep, { do: 'vocabulary' }>, 'rest'>,
): Value {
  if (rest === undefined || rest.columns === 0)
    return builder.fused('FusedMatMul', [x, weights.tensor(slot, [spec.vocabulary, width])], { transB: 1 })
  const own = width - rest.columns
  const [first = '', others = ''] = builder.split('Split', [x, builder.int([own, rest.columns])], 2, { axis: -1 })
  return builder.add(
    builder.fused('FusedMatMul', [first, weights.tensor(slot, [spec.vocabulary, own])], { transB: 1 }),
    builder.node('MatMul', [others, weights.tensor(rest.slot, [rest.columns, spec.vocabulary])]),
  )
}

function biasOf({ weights, spec }: Wiring, slot: Parameters<typeof weights.tensor>[0]): Value {
  return weights.tensor(slot, [spec.vocabulary])
}

/** As many as the config names; where it names none, as the file holds. */
function labelCount({ spec, weights }: Wiring, { slot }: Extract<HeadStep, { do: 'linear' }>): number {
  return spec.labels?.length ?? weights.shape(slot)?.[0] ?? 0
}

/** The head asked for, or a fault that says which ones there are. */
export function headNamed(spec: ModelSpec, name: 'pooler' | 'sequence' | 'causal' | 'masked', place: string): HeadSpec {
  const head = spec.heads[name]
  if (head !== undefined) return head
  throw fault('config.unsupported', {
    place,
    what: `${spec.title} has no ${name} head`,
    wanted: Object.keys(spec.heads).join(', ') || 'none',
  })
}
