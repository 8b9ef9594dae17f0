/** Rows of tokens through the model: the targets asked for at each place, scored and summed. */
import { fault } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { Outputs, Session } from '#platform/runtime'
import { planBatches, type Graphs, type Opened, inFlight, inHalves } from '#model/passes'
import { copyPast, graphFeeds, noPast, packedRows, type PastStates } from './pack-feeds.ts'
import type { Branch, Pack, Pick, Stem } from './pack-tokens.ts'
import { pickSources, type SourceRows } from './source-rows.ts'

export interface TokenScore {
  /** In nats, summed over the continuation. */
  readonly logLikelihood: number
  readonly isGreedy: boolean
  readonly droppedTokens: number
}

export interface ScoreOptions {
  readonly signal?: AbortSignal | undefined
  /** As soon as a request is scored. */
  readonly onScore: (request: number, score: TokenScore) => void
  /** Requests whose score is there: batches that hold nothing else are left out, and the others stay what they are. */
  readonly isKnown?: ((request: number) => boolean) | undefined
}

/** Targets of an input: ids after its last tokens. */
export interface Target {
  readonly request: number
  readonly targets: Int32Array
  readonly dropped: number
  sum: number
  greedy: boolean
  left: number
}

/** A distinct input of the model, with everything that is asked of it. */
export interface Input {
  readonly ids: Int32Array
  /** The first place whose next token is asked. */
  first: number
  readonly asked: Target[]
}

export interface Run {
  readonly inputs: readonly Input[]
  readonly spec: ModelSpec
  readonly graphs: Graphs
  /** Padded tokens of a batch. */
  readonly budget: number
  readonly options: ScoreOptions
  /** Picks of one run, at most. */
  readonly most: number
  /** What an encoder has read, for decoders that attend to it. */
  readonly source?: SourceRows | undefined
}

/** A branch, and the row of the run's source that all of it reads; 0 where there is none. */
export interface Rooted<Part = Branch> {
  readonly part: Part
  readonly reads: number
}

/** Logits that are alive at once, at most: 128 MB. */
const mostLogits = 2 ** 25

/** Picks of one run, at most. */
export function mostPicks({ vocabulary }: ModelSpec): number {
  return Math.max(1, Math.floor(mostLogits / vocabulary))
}

/** Runs packs that share one past, then stems, each with its branches. */
export async function runBranches(branches: readonly Rooted[], past: PastStates, run: Run): Promise<void> {
  const { graphs, budget } = run
  const packs = branches.flatMap(({ part, reads }): Rooted<Pack>[] =>
    part.kind === 'pack' ? [{ part: part.pack, reads }] : [],
  )
  if (packs.length > 0) {
    const opened = await graphs.open({ picked: 'scores', past: 'read' })
    // every row has the keys and values of what it reads
    const lengths = packs.map(({ part }) => Math.max(part.ids.length, run.source?.cols ?? 0))
    // each pack that continues from a past gets a row of its own: the past is kept for one row
    const batches =
      past === noPast ? planBatches(lengths, { budget: Math.min(budget, run.most) }) : lengths.map((_, i) => [i])
    const open = batches.filter((batch) => batch.some((i) => isOpen(packs[i]?.part ?? emptyPack, run)))
    const score = async (batch: readonly number[]): Promise<void> => {
      run.options.signal?.throwIfAborted()
      await scorePacks(
        batch.flatMap((i) => packs[i] ?? []),
        past,
        opened,
        run,
      )
    }
    const size = (batch: readonly number[]): number => batch.length * Math.max(...batch.map((i) => lengths[i] ?? 0))
    const halving = { size, room: { most: Infinity } }
    await inFlight(2, open, (batch) => inHalves(batch, halving, score))
  }
  for (const { part, reads } of branches)
    if (part.kind === 'stem' && isOpenBranch(part, run)) await runStem({ part: part.stem, reads }, past, run)
}

/** Whether a pack scores a request that has no score. */
function isOpen({ picks }: { readonly picks: readonly Pick[] }, run: Run): boolean {
  return picks.some(({ sequence }) => isOpenInput(run.inputs[sequence], run))
}

export function isOpenInput(input: Input | undefined, { options: { isKnown } }: Run): boolean {
  return isKnown === undefined || input?.asked.some(({ request }) => !isKnown(request)) === true
}

function isOpenBranch(branch: Branch, run: Run): boolean {
  return branch.kind === 'pack'
    ? isOpen(branch.pack, run)
    : isOpen(branch.stem.pack, run) || branch.stem.branches.some((below) => isOpenBranch(below, run))
}

async function runStem({ part: { pack, branches }, reads }: Rooted<Stem>, past: PastStates, run: Run): Promise<void> {
  run.options.signal?.throwIfAborted()
  const opened = await run.graphs.open({ picked: 'scores', past: 'extend' })
  const kept = await scorePacks([{ part: pack, reads }], past, opened, run)
  await runBranches(
    branches.map((part) => ({ part, reads })),
    kept,
    run,
  )
}

const emptyPack: Pack = { ids: new Int32Array(0), parents: new Int32Array(0), places: new Int32Array(0), picks: [] }

/** Returns the kept states of the rows, where the graph gives them. */
async function scorePacks(
  packs: readonly Rooted<Pack>[],
  past: PastStates,
  { graph, session }: Opened,
  run: Run,
): Promise<PastStates> {
  const own = packs.map(({ part }) => part)
  const source =
    run.source === undefined
      ? undefined
      : pickSources(
          run.source,
          packs.map(({ reads }) => reads),
        )
  const rows = packedRows(own, copyPast(past), run.spec.padId ?? 0)
  const { cols } = rows
  const feeds = graphFeeds(graph, { ...rows, source })
  const asked = findTargets(
    own.map(({ picks }) => picks),
    cols,
    run.inputs,
  )
  const outputs = await session.run({ ...feeds, ...asked.feeds })
  settle(asked.targets, outputs, run)
  const length = past.length + cols
  return {
    length,
    states: new Map(
      graph.outputs.flatMap(({ name, kind }) =>
        kind === 'present' ? [[name.replace('present', 'past'), stateOf(outputs[name], name)] as const] : [],
      ),
    ),
  }
}

function stateOf(value: Outputs[string] | undefined, name: string): { dims: readonly number[]; data: Float32Array } {
  if (value?.dtype !== 'float32') throw fault('engine.run', { place: name, what: 'the graph did not give this output' })
  return { dims: value.dims, data: value.data }
}

/**
 * Which tokens the head looks at, and which ids it is asked there: several sequences may ask one token, several
 * requests one sequence.
 */
export function findTargets(
  rows: readonly (readonly Pick[])[],
  cols: number,
  inputs: readonly Input[],
): { feeds: Parameters<Session['run']>[0]; targets: readonly Target[] } {
  const places = new Map<number, number>()
  const pairs: number[] = []
  const targets: Target[] = []
  rows.forEach((picks, row) => {
    for (const { sequence, place, at } of picks) {
      const flat = row * cols + at
      const pick = places.get(flat) ?? places.size
      places.set(flat, pick)
      const { ids = [], asked = [] } = inputs[sequence] ?? {}
      for (const one of asked) {
        const target = one.targets[place - (ids.length - one.targets.length)]
        if (target === undefined) continue
        pairs.push(pick, target)
        targets.push(one)
      }
    }
  })
  // an engine wants at least one
  const picked = places.size === 0 ? [0] : [...places.keys()]
  const scored = pairs.length === 0 ? [0, 0] : pairs
  return {
    feeds: {
      picked: { dtype: 'int32', dims: [picked.length], data: Int32Array.from(picked) },
      targets: { dtype: 'int32', dims: [scored.length / 2, 2], data: Int32Array.from(scored) },
    },
    targets,
  }
}

/** Adds what the graph says to the sums; a request that has all of its tokens is finished. */
export function settle(targets: readonly Target[], outputs: Outputs, { options }: Run): void {
  const scores = stateOf(outputs['log_probability'], 'log_probability').data
  const greedy = stateOf(outputs['is_greedy'], 'is_greedy').data
  targets.forEach((asked, i) => {
    asked.sum += scores[i] ?? NaN
    asked.greedy &&= greedy[i] === 1
    asked.left--
    if (asked.left > 0) return
    options.onScore(asked.request, { logLikelihood: asked.sum, isGreedy: asked.greedy, droppedTokens: asked.dropped })
  })
}
