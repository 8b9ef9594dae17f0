/** Log-likelihoods of token sequences: packed by what they share, run, summed. */
import { fault } from '#core'
import { type ModelSpec, recurs } from '#model/architectures'
import type { SplitTokens } from '#model/tokenizer'
import { planBatches, type Graphs, inFlight, regimeOf } from '#model/passes'
import { graphFeeds, noPast, packedRows } from './pack-feeds.ts'
import { type PackedTokens, packTokens, type Pick } from './pack-tokens.ts'
import {
  findTargets,
  type Input,
  isOpenInput,
  mostPicks,
  type Run,
  runBranches,
  type ScoreOptions,
  settle,
} from './run-packs.ts'

export interface ScoreParts {
  readonly spec: ModelSpec
  readonly graphs: Graphs
  /** Tokens that an input may have. */
  readonly window: number
  /** Padded tokens of a batch. */
  readonly budget: number
  readonly name: string
}

/** Beginnings shorter than this pass again with every row rather than being kept. */
const leastStem = 32

/**
 * Requests with one input are run once. Throws `usage.value` for a continuation that is longer than the window,
 * `engine.run`, `run.cancelled`.
 */
export async function scoreTokens(
  requests: readonly SplitTokens[],
  parts: ScoreParts,
  options: ScoreOptions,
): Promise<void> {
  checkLengths(requests, parts)
  const { spec, graphs, budget, window } = parts
  const inputs = distinctInputs(
    requests.map(({ context, continuation }) => ({ before: context, targets: continuation })),
    window,
  )
  const run: Run = { inputs, spec, graphs, budget, options, most: mostPicks(spec) }
  if (recurs(spec)) {
    await scoreRows(run)
    return
  }
  const regime = regimeOf(spec)
  const regimes = new Map<number, number[]>()
  inputs.forEach(({ ids }, i) => regimes.set(regime(ids.length), [...(regimes.get(regime(ids.length)) ?? []), i]))
  for (const [key, members] of regimes) {
    // rotary scalings that look at the longest sequence allow no beginning that passes by itself
    const shared = key === 0
    const branches = packTokens(inputs, members, {
      rowTokens: shared ? usualRow(run) : Infinity,
      stemTokens: shared ? leastStem : Infinity,
    })
    await runBranches(
      branches.map((part) => ({ part, reads: 0 })),
      noPast,
      run,
    )
  }
}

/**
 * Tokens per packed row: attention over unrelated tokens is cheap compared with the rest in wide models, and expensive
 * in narrow ones.
 */
export function usualRow({ spec: { width }, most }: Run): number {
  return Math.min(most, Math.max(128, Math.min(768, width)))
}

/** Throws `usage.value` for a continuation that is longer than the window. */
export function checkLengths(requests: readonly SplitTokens[], { window, name }: ScoreParts): void {
  const request = requests.findIndex(({ continuation }) => continuation.length > window)
  if (request < 0) return
  throw fault('usage.value', {
    place: name,
    what: `the continuation of request ${request + 1} is longer than the model's window`,
    seen: requests[request]?.continuation.length,
    wanted: `at most ${window} tokens`,
  })
}

export interface Targets {
  /** Tokens before them in the input. */
  readonly before: Int32Array
  readonly targets: Int32Array
  /** Index among the requests; its place by default. */
  readonly request?: number
  /** Tokens that were lost before. */
  readonly dropped?: number
}

/** Inputs of at most `window` tokens, each once. */
export function distinctInputs(requests: readonly Targets[], window: number): Input[] {
  const known = new Map<string, Input>()
  requests.forEach(({ before, targets, request, dropped: lost = 0 }, index) => {
    const whole = Int32Array.of(...before, ...targets)
    const dropped = Math.max(0, whole.length - (window + 1))
    const ids = whole.subarray(dropped, whole.length - 1)
    const key = Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength).toString('latin1')
    const input = known.get(key) ?? { ids, first: ids.length, asked: [] }
    known.set(key, input)
    input.first = Math.min(input.first, ids.length - targets.length)
    input.asked.push({
      request: request ?? index,
      targets,
      dropped: lost + dropped,
      sum: 0,
      greedy: true,
      left: targets.length,
    })
  })
  return [...known.values()]
}

/** A text as a row of its own. */
export function plainLine(ids: Int32Array): PackedTokens {
  return { ids, parents: Int32Array.from(ids, (_, i) => i - 1), places: Int32Array.from(ids, (_, i) => i) }
}

/** One row an input, padded at its end: for scans, whose state is no set of tokens to choose from. */
async function scoreRows(run: Run): Promise<void> {
  const { inputs, spec, graphs, budget, most } = run
  const { graph, session } = await graphs.open({ picked: 'scores' })
  const batches = planBatches(
    inputs.map(({ ids }) => ids.length),
    { budget: Math.min(budget, most) },
  )
  const open = batches.filter((batch) => batch.some((i) => isOpenInput(inputs[i], run)))
  await inFlight(2, open, async (batch) => {
    run.options.signal?.throwIfAborted()
    const rows = packedRows(
      batch.map((i) => plainLine(inputs[i]?.ids ?? new Int32Array(0))),
      noPast,
      spec.padId ?? 0,
    )
    const { cols } = rows
    const feeds = graphFeeds(graph, rows)
    const picks = batch.map((sequence): Pick[] => {
      const { first = 0, ids = [] } = inputs[sequence] ?? {}
      return Array.from({ length: ids.length - first }, (_, k) => ({ sequence, place: first + k, at: first + k }))
    })
    const asked = findTargets(picks, cols, inputs)
    settle(asked.targets, await session.run({ ...feeds, ...asked.feeds }), run)
  })
}
