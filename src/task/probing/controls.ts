/**
 * Control tasks on the data: the same probe on words or labels in another order. The weights of a model are its
 * opener's affair.
 */
import { pythonRandom, randomState, type PythonRandom } from '#platform/random'
import type { ProbeDataSet, ProbeInput, ProbeInstance } from './data-set.ts'
import type { ProbeControl } from './settings.ts'

/** The same for every probe, so that all of them see the same data. */
const seed = 0

/**
 * The data set under a control: words in another order (`permutation`), labels in another order (`randomization`), or
 * as it is. Draws are seeded, the same for every probe.
 *
 * @example
 * ```ts
 * import { controlled, openProbeData } from 'strata-lm/probing'
 *
 * for await (const dataSet of (await openProbeData('blimp:blimp')).dataSets())
 *   console.log(controlled(dataSet, 'permutation').instances[0]?.inputs[0]?.text) // → The run. girl
 * ```
 */
export function controlled(dataSet: ProbeDataSet, control: ProbeControl): ProbeDataSet {
  const { instances } = dataSet
  switch (control) {
    case 'none':
    case 'random-weights':
      return dataSet
    case 'randomization': {
      const order = randomState(seed).permutation(instances.length)
      return {
        ...dataSet,
        instances: instances.map((one, row) => ({ ...one, label: instances[order[row] ?? row]?.label ?? one.label })),
      }
    }
    case 'permutation': {
      const sentences = pythonRandom(seed)
      return { ...dataSet, instances: instances.map((one) => permuted(one, sentences)) }
    }
    default:
      return control satisfies never
  }
}

function permuted(instance: ProbeInstance, sentences: PythonRandom): ProbeInstance {
  const { inputs, contexts } = instance
  if (contexts.length === 0)
    return {
      ...instance,
      inputs: inputs.map((input) => ({ ...input, text: sentences.shuffle(input.text.split(' ')).join(' ') })),
    }
  let moved = inputs
  const texts = contexts.map((text, context) => {
    const [shuffled, placed] = permutedContext(text, moved, context)
    moved = placed
    return shuffled
  })
  return { ...instance, inputs: moved, contexts: texts }
}

/**
 * A context's words in another order; spans stay whole, and are where they went. As in Holmes every context is shuffled
 * by the same seed.
 */
function permutedContext(text: string, inputs: readonly ProbeInput[], context: number): [string, ProbeInput[]] {
  const letters = Array.from(text)
  const units: { readonly text: string; readonly start: number | undefined }[] = []
  const addWords = (from: number, to: number): void => {
    for (const word of letters.slice(from, to).join('').split(' '))
      if (word !== '') units.push({ text: word, start: undefined })
  }
  const kept = joinedSpans(inputs, context)
  let at = 0
  for (const { start, end } of kept) {
    addWords(at, start)
    units.push({ text: letters.slice(start, end).join(''), start })
    at = end
  }
  addWords(at, letters.length)
  const order = pythonRandom(seed).shuffle(units)
  const places = new Map<number, number>()
  let length = 0
  for (const { text: unit, start } of order) {
    if (start !== undefined) places.set(start, length)
    length += Array.from(unit).length + 1
  }
  const moved = inputs.map((input) => {
    const { span } = input
    const unit =
      span?.context === context ? kept.find(({ start, end }) => start <= span.start && span.end <= end) : undefined
    if (span === undefined || unit === undefined) return input
    const by = (places.get(unit.start) ?? 0) - unit.start
    return { ...input, span: { context, start: span.start + by, end: span.end + by } }
  })
  return [order.map((unit) => unit.text).join(' '), moved]
}

/** Spans of a context as intervals that do not overlap, in their order. */
function joinedSpans(inputs: readonly ProbeInput[], context: number): { start: number; end: number }[] {
  const joined: { start: number; end: number }[] = []
  const spans = inputs.flatMap(({ span }) => (span?.context === context ? [{ start: span.start, end: span.end }] : []))
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end)
    else joined.push(span)
  }
  return joined
}
