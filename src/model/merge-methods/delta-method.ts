/**
 * What task_arithmetic, ties, dare_*, breadcrumbs* and della* share: differences from the base are sparsified,
 * rescaled, weighted, put to the vote, divided, scaled and added to the base – in mergekit's order. Under `paper` an
 * election's survivors are averaged without weights and its ties follow the tensor's majority (Yadav et al. 2023, §4),
 * and survivors of random masks are divided by their probability. Thresholds are of one tensor in every profile.
 */
import type { Floats } from '#core'
import {
  type Block,
  type Compat,
  flagOf,
  type Kernel,
  type MergeMethod,
  numberOf,
  type ParameterSpec,
  perModel,
  shared,
  sharedFlag,
  type TensorTask,
} from './method.ts'
import type { DeltaChunk } from './delta-chunk.ts'
import { addMagnitudes, plainDelta, roundAll } from './delta-loops.ts'
import { vectorDelta } from './delta-simd.ts'
import { chunkLength, fitsVectors } from './fits-vectors.ts'
import { keyScratch, magnitudes } from './ranking.ts'
import { rowsOf } from './sparsifiers/magprune.ts'
import type { SparsificationMethod, Sparsifier } from './sparsifiers/sparsifier.ts'
import { weightedChanges } from './weighted-changes.ts'

export interface DeltaRecipe {
  readonly name: string
  readonly reference: string
  readonly sparsification?: SparsificationMethod
  /** Sparsified by rows. */
  readonly rows?: boolean
  /** Elements whose sign loses the election are left out. */
  readonly election: boolean
  /** Defaults. */
  readonly normalize: boolean
  readonly rescale: boolean
  readonly parameters?: Readonly<Record<string, ParameterSpec>>
  readonly streaming: MergeMethod['streaming']
  readonly tolerance: MergeMethod['tolerance']
  readonly deviations?: readonly string[]
}

type Rescale = 'l1' | 'density' | 'none'

export function deltaMethod(recipe: DeltaRecipe): MergeMethod {
  const { name, reference, normalize, rescale, streaming, tolerance, deviations, election } = recipe
  const paper = [
    ...(election
      ? ['survivors of the election are averaged without weights, its ties follow the majority of the tensor']
      : []),
    ...(rescale ? ['survivors are divided by their probability to be kept'] : []),
  ]
  return {
    name,
    reference,
    base: 'required',
    inputs: [1, Infinity],
    parameters: {
      weight: perModel(),
      density: perModel(1),
      ...recipe.parameters,
      normalize: sharedFlag(normalize),
      rescale: {
        scope: 'shared',
        kind: 'word',
        words: ['l1', 'density', 'none', 'true', 'false'],
        fallback: rescale ? 'l1' : 'none',
        help: 'multiply the rest of a task vector by the ratio of its L1 norms (l1, true), by 1/density (the DARE paper), or by nothing (none, false)',
      },
      lambda: shared(1),
      int8_mask: { ...sharedFlag(false), help: 'accepted; changes nothing' },
    },
    streaming,
    tolerance,
    deviations,
    ...(paper.length === 0 ? {} : { paper: paper.join('; ') }),
    kernel: (task) => deltaKernel(task, recipe),
  }
}

function rescaleOf(value: unknown, compat: Compat): Rescale {
  if (value === 'density' || value === 'inverse_density') return 'density'
  if (value === 'none' || value === 'false' || value === false || value === 0 || value === null || value === undefined)
    return 'none'
  return compat === 'paper' ? 'density' : 'l1'
}

function deltaKernel(
  task: TensorTask,
  { sparsification, rows = false, election, rescale: rescaleDefault }: DeltaRecipe,
): Kernel {
  const { shared: settings, compat, round } = task
  const classic = compat === 'mergekit-0.1.4'
  const rescale = rescaleOf(settings['rescale'] ?? rescaleDefault, compat)
  const notes: string[] = []
  const counted = compat === 'paper' && election
  const again = rescale === 'l1' || counted
  const sparsifiers = task.perModel.map((values, input): Sparsifier | undefined =>
    sparsification?.({ task, values, input, inverse: rescale === 'density', again, note: (text) => notes.push(text) }),
  )
  const sparse = sparsifiers.some((sparsifier) => sparsifier !== undefined)
  const weights = task.perModel.map((values) => (counted ? 1 : round(numberOf(values, 'weight'))))
  const [normalize, lambda] = [flagOf(settings, 'normalize'), numberOf(settings, 'lambda')]
  const plain = !sparse && !election && !classic
  const share = lambda / divisorOf(weights, normalize)
  const grain = rows && sparse ? rowsOf(task.shape).grain : 1
  const chunk = Math.min(Math.max(task.count, 1), Math.max(grain, Math.floor(chunkLength / grain) * grain))
  const scales = sparsifiers.map(() => 1)
  /** Sign that decides tied elections; 0: positive. */
  let majority = 0

  const { inChunks, changesOf, keysOf } = walkOf(task, chunk)
  const sparsifyAll = (work: DeltaChunk, offset: number, size: number): Float64Array[] =>
    sparsifiers.map((sparsifier, k) => {
      const values = changesOf(work, k, size)
      sparsifier?.sparsify(values, offset, size)
      return values
    })
  const factors = (): readonly number[] => weights.map((weight, k) => weight * scales[k]!)

  const rankings = rankingPasses(sparsifiers, { inChunks, changesOf, keysOf })
  const sampled = sparsifiers.some((sparsifier) => sparsifier?.sample !== undefined)
  const sample = (block: Block): void => {
    inChunks(block, undefined, (work, _from, size) => {
      sparsifiers.forEach((sparsifier, k) => sparsifier?.sample?.(keysOf(work, k, size), size))
    })
  }
  const sums = sparsifiers.map(() => ({ before: 0, after: 0 }))
  const weighing = (block: Block): void => {
    inChunks(block, undefined, (work, from, size) => {
      sums.forEach((sum, k) => {
        if (sparsifiers[k] === undefined) return
        const values = changesOf(work, k, size)
        sum.before = addMagnitudes(sum.before, values, size)
        sparsifiers[k].sparsify(values, block.offset + from, size)
        sum.after = addMagnitudes(sum.after, values, size)
        scales[k] = l1Ratio(round(sum.before), round(sum.after), round)
      })
    })
  }
  const counting = (block: Block): void => {
    inChunks(block, undefined, (work, from, size) => {
      sparsifyAll(work, block.offset + from, size)
      majority += signs(work.weigh(weights, scales), size)
    })
  }
  const passes = [...rankings, ...(rescale === 'l1' && sparse ? [weighing] : []), ...(counted ? [counting] : [])]
  return {
    grain,
    passes,
    ...(sampled ? { sample } : {}),
    needs: (pass) => pass >= rankings.length || sparsifiers.some((sparsifier) => isNeeded(sparsifier, pass)),
    notes,
    ...(plain && weights.length === 2
      ? { mix: () => ({ of: 'changes' as const, coefficients: [weights[0]! * share, weights[1]! * share] as const }) }
      : {}),
    output(block, out) {
      if (plain) return weightedChanges(block, weights, share, out)
      inChunks(block, out, (work, from, size) => {
        const deltas = sparsifyAll(work, block.offset + from, size)
        if (classic)
          return classicChunk({ deltas, weights, scales, round, election, normalize, lambda }, block, from, size, out)
        if (!election) return work.add(factors(), share, out)
        const total = work.weigh(weights, scales)
        if (majority < 0) for (let i = 0; i < size; i++) if (total[i] === 0) total[i] = -1
        work.elect(weights, normalize, lambda, out)
      })
    },
  }
}

/** The chunks of a block, and the values read from one. */
interface Walk {
  readonly inChunks: (
    block: Block,
    out: Floats | undefined,
    step: (work: DeltaChunk, from: number, size: number) => void,
  ) => void
  readonly changesOf: (work: DeltaChunk, k: number, size: number) => Float64Array
  readonly keysOf: (work: DeltaChunk, k: number, size: number) => Uint32Array
}

function walkOf({ inputs, compat, round }: TensorTask, chunk: number): Walk {
  const classic = compat === 'mergekit-0.1.4'
  const keys = keyScratch(classic ? chunk : 0)
  let loops: DeltaChunk | undefined
  let vectors: DeltaChunk | undefined
  const inChunks = (
    block: Block,
    out: Floats | undefined,
    step: (work: DeltaChunk, from: number, size: number) => void,
  ): void => {
    const work =
      !classic && fitsVectors(block, out, chunk) ? (vectors ??= vectorDelta()) : (loops ??= plainDelta(inputs, chunk))
    for (let from = 0; from < block.length; from += chunk) {
      const size = Math.min(chunk, block.length - from)
      work.begin(block, from, size)
      step(work, from, size)
    }
  }
  const changesOf = (work: DeltaChunk, k: number, size: number): Float64Array => {
    const values = work.changes(k)
    if (classic) roundAll(values, size, round)
    return values
  }
  const keysOf = (work: DeltaChunk, k: number, size: number): Uint32Array => {
    if (!classic) return work.keys(k)
    keys.values.set(changesOf(work, k, size).subarray(0, size))
    magnitudes(keys.bits, size)
    return keys.bits
  }
  return { inChunks, changesOf, keysOf }
}

function rankingPasses(
  sparsifiers: readonly (Sparsifier | undefined)[],
  { inChunks, keysOf }: Walk,
): ((block: Block) => void)[] {
  const stages = Math.max(0, ...sparsifiers.map((sparsifier) => sparsifier?.passes.length ?? 0))
  return Array.from({ length: stages }, (_, stage) => (block: Block) => {
    inChunks(block, undefined, (work, _from, size) => {
      sparsifiers.forEach((sparsifier, k) => {
        const pass = sparsifier?.passes[stage]
        if (pass !== undefined && isNeeded(sparsifier, stage)) pass(keysOf(work, k, size), size)
      })
    })
  })
}

function isNeeded(sparsifier: Sparsifier | undefined, pass: number): boolean {
  return sparsifier !== undefined && pass < sparsifier.passes.length && sparsifier.needs?.(pass) !== false
}

function signs(values: Float64Array, size: number): number {
  let sum = 0
  for (let i = 0; i < size; i++) sum += Math.sign(values[i]!)
  return sum
}

/** ‖δ‖₁ / ‖rest of δ‖₁, or 1 where either is next to nothing. */
function l1Ratio(before: number, after: number, round: (value: number) => number): number {
  return before < round(1e-7) || after < round(1e-7) ? 1 : round(before / after)
}

interface Classic {
  readonly deltas: readonly Float64Array[]
  readonly election: boolean
  readonly weights: readonly number[]
  readonly scales: readonly number[]
  readonly round: (value: number) => number
  readonly normalize: boolean
  readonly lambda: number
}

const negligible = 1e-8

function divisorOf(weights: readonly number[], normalize: boolean): number {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  return normalize && Math.abs(sum) >= negligible ? sum : 1
}

/**
 * Every step rounded to the type the tensors are stored in; sums over inputs run in float32 and are rounded once, as
 * torch reduces.
 */
function classicChunk(
  { deltas, weights, scales, round, election, normalize, lambda }: Classic,
  { base, inputs }: Block,
  from: number,
  size: number,
  out: Floats,
): void {
  const whole = round(weights.reduce((all, weight) => Math.fround(all + weight), 0))
  const wide = inputs[0] instanceof Float64Array
  const add = wide ? (a: number, b: number) => a + b : (a: number, b: number) => Math.fround(a + b)
  for (let i = 0; i < size; i++) {
    let total = 0
    for (let k = 0; k < deltas.length; k++) {
      const values = deltas[k]!
      const scaled = scales[k] === 1 ? values[i]! : round(values[i]! * scales[k]!)
      values[i] = round(weights[k]! * scaled)
      total = add(total, values[i]!)
    }
    let [sum, divisor] = [round(total), Math.abs(whole) < round(negligible) ? 1 : whole]
    if (election) {
      const sign = round(total) >= 0 ? 1 : -1
      ;[sum, divisor] = [0, 0]
      for (let k = 0; k < deltas.length; k++) {
        const value = deltas[k]![i]!
        const agrees = Math.sign(value) === sign ? 1 : 0
        sum = add(sum, value * agrees)
        divisor = add(divisor, weights[k]! * agrees)
      }
      ;[sum, divisor] = [round(sum), round(divisor) === 0 ? 1 : round(divisor)]
    }
    const mixed = normalize ? round(sum / divisor) : sum
    out[from + i] = round(base![from + i]! + (lambda === 1 ? mixed : round(lambda * mixed)))
  }
}
