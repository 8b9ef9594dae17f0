/**
 * Log-likelihoods of what a decoder writes after what its encoder has read: each context passes the encoder once,
 * whatever is asked after it.
 */
import { planBatches } from '#model/passes'
import { noPast } from './pack-feeds.ts'
import { packTokens } from './pack-tokens.ts'
import {
  type Input,
  isOpenInput,
  mostPicks,
  type Rooted,
  type Run,
  runBranches,
  type ScoreOptions,
} from './run-packs.ts'
import { checkLengths, distinctInputs, type ScoreParts, type Targets, usualRow } from './score-tokens.ts'
import { readSources, type Source } from './source-rows.ts'
import type { SplitTokens } from '#model/tokenizer'

export interface AnswerParts extends ScoreParts {
  readonly source: Source
}

/** A distinct context, with the decoder's inputs after it. */
interface Read {
  readonly ids: Int32Array
  readonly inputs: readonly Input[]
}

/**
 * Contexts lose their beginning where they are longer than the window. Throws `usage.value` for a continuation that is
 * longer, `engine.run`, `run.cancelled`.
 */
export async function scoreAnswers(
  requests: readonly SplitTokens[],
  parts: AnswerParts,
  options: ScoreOptions,
): Promise<void> {
  checkLengths(requests, parts)
  const { spec, graphs, source, budget } = parts
  const reads = distinctContexts(requests, parts)
  const batches = planBatches(
    reads.map(({ ids }) => ids.length),
    { budget },
  )
  for (const batch of batches) {
    const own = batch.flatMap((i) => reads[i] ?? [])
    const run: Run = {
      inputs: own.flatMap(({ inputs }) => inputs),
      spec,
      graphs,
      budget,
      options,
      most: mostPicks(spec),
    }
    if (!run.inputs.some((input) => isOpenInput(input, run))) continue
    options.signal?.throwIfAborted()
    const rows = await readSources(
      own.map(({ ids }) => ids),
      source,
      graphs,
    )
    await runBranches(rootedBranches(own, run), noPast, { ...run, source: rows })
  }
}

function distinctContexts(requests: readonly SplitTokens[], { window, source: { startId } }: AnswerParts): Read[] {
  const known = new Map<string, { ids: Int32Array; targets: Targets[] }>()
  const before = Int32Array.of(startId)
  requests.forEach(({ context, continuation }, request) => {
    const dropped = Math.max(0, context.length - window)
    const ids = context.slice(dropped)
    const key = Buffer.from(ids.buffer).toString('latin1')
    const read = known.get(key) ?? { ids, targets: [] }
    known.set(key, read)
    read.targets.push({ before, targets: continuation, request, dropped })
  })
  return Array.from(known.values(), ({ ids, targets }) => ({ ids, inputs: distinctInputs(targets, Infinity) }))
}

/** All begin with one token, which is worth nothing to be kept: beginnings are shared within a row. */
function rootedBranches(reads: readonly Read[], run: Run): Rooted[] {
  let from = 0
  return reads.flatMap(({ inputs }, row) => {
    const members = inputs.map((_, i) => from + i)
    from += inputs.length
    return packTokens(run.inputs, members, { rowTokens: usualRow(run), stemTokens: Infinity }).map((part) => ({
      part,
      reads: row,
    }))
  })
}
