/** Log-likelihoods of token sequences: packed by what they share, run, summed. */
import { fault } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { Session } from '#platform/runtime'
import { planBatches } from '../batches.ts'
import type { Graphs, Opened } from '../graphs.ts'
import { inFlight } from '../in-flight.ts'
import { regimeOf } from '../regime.ts'
import { type Branch, type Pack, type PackedTokens, packTokens, type Pick, type Stem } from './pack-tokens.ts'
import { copyPast, graphFeeds, noPast, packedRows, type PastStates } from './pack-feeds.ts'
import type { SplitTokens } from '#model/tokenizer'

export interface ScoreParts {
  readonly spec: ModelSpec
  readonly graphs: Graphs
  /** Tokens that an input may have. */
  readonly window: number
  /** Padded tokens of a batch. */
  readonly budget: number
  readonly name: string
}

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

/** What is asked of an input: ids after its last tokens. */
interface Asked {
  readonly request: number
  readonly targets: Int32Array
  readonly dropped: number
  sum: number
  greedy: boolean
  left: number
}

/** A distinct input of the model, with everything that is asked of it. */
interface Input {
  readonly ids: Int32Array
  /** The first place whose next token is asked. */
  first: number
  readonly asked: Asked[]
}

/** Beginnings shorter than this pass again with every row rather than being kept. */
const leastStem = 32
/** Logits that are alive at once, at most: 128 MB. */
const mostLogits = 2 ** 25

/** Requests with one input are run once. Throws `usage.value` for a continuation that is longer than the window, `engine.run`, `run.cancelled`. */
export async function scoreTokens(requests: readonly SplitTokens[], parts: ScoreParts, options: ScoreOptions): Promise<void> {
  const inputs = distinctInputs(requests, parts)
  const run: Run = { inputs, parts, options, most: Math.max(1, Math.floor(mostLogits / parts.spec.vocabulary)) }
  if (parts.spec.scan !== undefined) {
    await scoreRows(run)
    return
  }
  const regime = regimeOf(parts.spec)
  const regimes = new Map<number, number[]>()
  inputs.forEach(({ ids }, i) => regimes.set(regime(ids.length), [...(regimes.get(regime(ids.length)) ?? []), i]))
  for (const [key, members] of regimes) {
    // rotary scalings that look at the longest sequence allow no beginning that passes by itself
    const shared = key === 0
    const rowTokens = shared ? Math.min(usualRow(parts.spec), run.most) : Infinity
    await runBranches(packTokens(inputs, members, { rowTokens, stemTokens: shared ? leastStem : Infinity }), noPast, run)
  }
}

interface Run {
  readonly inputs: readonly Input[]
  readonly parts: ScoreParts
  readonly options: ScoreOptions
  /** Picks of one run, at most. */
  readonly most: number
}

/** Tokens of a packed row: in wide models attention over strangers costs little beside the rest, in narrow ones much. */
function usualRow({ width }: ModelSpec): number {
  return Math.max(128, Math.min(768, width))
}

function distinctInputs(requests: readonly SplitTokens[], { window, name }: ScoreParts): Input[] {
  const known = new Map<string, Input>()
  requests.forEach(({ context, continuation: targets }, request) => {
    if (targets.length > window)
      throw fault('usage.value', {
        place: name,
        what: `the continuation of request ${request + 1} is longer than the model's window`,
        seen: targets.length,
        wanted: `at most ${window} tokens`,
      })
    const whole = Int32Array.of(...context, ...targets)
    const dropped = Math.max(0, whole.length - (window + 1))
    const ids = whole.subarray(dropped, whole.length - 1)
    const key = Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength).toString('latin1')
    const input = known.get(key) ?? { ids, first: ids.length, asked: [] }
    known.set(key, input)
    input.first = Math.min(input.first, ids.length - targets.length)
    input.asked.push({ request, targets, dropped, sum: 0, greedy: true, left: targets.length })
  })
  return [...known.values()]
}

/** Runs packs that share one past, then stems, each with its branches. */
async function runBranches(branches: readonly Branch[], past: PastStates, run: Run): Promise<void> {
  const { graphs, budget } = run.parts
  const packs = branches.flatMap((branch) => (branch.kind === 'pack' ? [branch.pack] : []))
  if (packs.length > 0) {
    const opened = await graphs.open({ picked: 'scores', past: 'read' })
    const lengths = packs.map(({ ids }) => ids.length)
    // a row of its own for each pack that goes on from a past: it is kept for one row
    const batches = past === noPast ? planBatches(lengths, { budget: Math.min(budget, run.most) }) : lengths.map((_, i) => [i])
    const open = batches.filter((batch) => batch.some((i) => isOpen(packs[i] ?? emptyPack, run)))
    await inFlight(2, open, async (batch) => {
      run.options.signal?.throwIfAborted()
      await scorePacks(
        batch.map((i) => packs[i] ?? emptyPack),
        past,
        opened,
        run,
      )
    })
  }
  for (const branch of branches) if (branch.kind === 'stem' && isOpenBranch(branch, run)) await runStem(branch.stem, past, run)
}

/** Whether a pack scores a request that has no score. */
function isOpen({ picks }: { readonly picks: readonly Pick[] }, run: Run): boolean {
  return picks.some(({ sequence }) => isOpenInput(run.inputs[sequence], run))
}

function isOpenInput(input: Input | undefined, { options: { isKnown } }: Run): boolean {
  return isKnown === undefined || input?.asked.some(({ request }) => !isKnown(request)) === true
}

function isOpenBranch(branch: Branch, run: Run): boolean {
  return branch.kind === 'pack' ? isOpen(branch.pack, run) : isOpen(branch.stem.pack, run) || branch.stem.branches.some((below) => isOpenBranch(below, run))
}

async function runStem({ pack, branches }: Stem, past: PastStates, run: Run): Promise<void> {
  run.options.signal?.throwIfAborted()
  const opened = await run.parts.graphs.open({ picked: 'scores', past: 'extend' })
  const kept = await scorePacks([pack], past, opened, run)
  await runBranches(branches, kept, run)
}

const emptyPack: Pack = { ids: new Int32Array(0), parents: new Int32Array(0), places: new Int32Array(0), picks: [] }

/** What is kept of the rows afterwards, where the graph gives it. */
async function scorePacks(packs: readonly Pack[], past: PastStates, { graph, session }: Opened, run: Run): Promise<PastStates> {
  const rows = packedRows(packs, copyPast(past), run.parts.spec.padId ?? 0)
  const { cols } = rows
  const feeds = graphFeeds(graph, rows)
  const asked = askedOf(
    packs.map(({ picks }) => picks),
    cols,
    run.inputs,
  )
  const outputs = await session.run({ ...feeds, ...asked.feeds })
  settle(asked.targets, outputs, run)
  const length = past.length + cols
  return {
    length,
    states: new Map(
      graph.outputs.flatMap(({ name, kind }) => (kind === 'present' ? [[name.replace('present', 'past'), stateOf(outputs[name], name)] as const] : [])),
    ),
  }
}

type Outputs = Awaited<ReturnType<Session['run']>>

function stateOf(value: Outputs[string] | undefined, name: string): { dims: readonly number[]; data: Float32Array } {
  if (value?.dtype !== 'float32') throw fault('engine.run', { place: name, what: 'the graph did not give this output' })
  return { dims: value.dims, data: value.data }
}

/** A text as a row of its own. */
function lineOf(ids: Int32Array): PackedTokens {
  return { ids, parents: Int32Array.from(ids, (_, i) => i - 1), places: Int32Array.from(ids, (_, i) => i) }
}

/** One row an input, padded at its end: for scans, whose state is no set of tokens to choose from. */
async function scoreRows(run: Run): Promise<void> {
  const { inputs, parts } = run
  const { graph, session } = await parts.graphs.open({ picked: 'scores' })
  const batches = planBatches(
    inputs.map(({ ids }) => ids.length),
    { budget: Math.min(parts.budget, run.most) },
  )
  const open = batches.filter((batch) => batch.some((i) => isOpenInput(inputs[i], run)))
  await inFlight(2, open, async (batch) => {
    run.options.signal?.throwIfAborted()
    const rows = packedRows(
      batch.map((i) => lineOf(inputs[i]?.ids ?? new Int32Array(0))),
      noPast,
      parts.spec.padId ?? 0,
    )
    const { cols } = rows
    const feeds = graphFeeds(graph, rows)
    const picks = batch.map((sequence): Pick[] => {
      const { first = 0, ids = [] } = inputs[sequence] ?? {}
      return Array.from({ length: ids.length - first }, (_, k) => ({ sequence, place: first + k, at: first + k }))
    })
    const asked = askedOf(picks, cols, inputs)
    settle(asked.targets, await session.run({ ...feeds, ...asked.feeds }), run)
  })
}

/** Which tokens the head looks at, and which ids it is asked there: several sequences may ask one token, several requests one sequence. */
function askedOf(
  rows: readonly (readonly Pick[])[],
  cols: number,
  inputs: readonly Input[],
): { feeds: Parameters<Session['run']>[0]; targets: readonly Asked[] } {
  const places = new Map<number, number>()
  const pairs: number[] = []
  const targets: Asked[] = []
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
function settle(targets: readonly Asked[], outputs: Outputs, { options }: Run): void {
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
