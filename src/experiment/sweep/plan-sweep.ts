/** The plan of a sweep, from headers and local data. */
import {
  chooseAdapter,
  choosePrompt,
  explainPrompt,
  type Keep,
  type LayerVectors,
  type Model,
  ruleNotice,
  tokensOf,
} from '#model/checkpoint'
import { estimateGemmPeak } from '#platform/runtime'
import { type TaskRequest, askingTask, type LoadedTask, sidesOf, type TaskInfo, textBlocks } from '#task/rows'
import { taskSize, withMembers } from '#task/registry'
import { requestSweep, type SweepRequest, type SweepOptions } from './sweep-request.ts'
import { planJobs } from './jobs.ts'
import { loadRows } from './load-rows.ts'
import { planSecond, secondCost } from './plan-second.ts'
import type { Plan, PlanEntry, PlannedServer, TaskCost, TaskPrompt } from './plan.ts'

/**
 * Plans a sweep: the results to compute, those that exist, and the cost in texts, tokens, bytes and seconds. Reads
 * headers and local data only; never downloads.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { chooseTasks, planSweep } from 'strata-lm/tasks'
 *
 * const model = await openModel('assets/models/stories260K')
 * const { tasks, ownData } = await chooseTasks(['./pairs.yaml'])
 * const plan = await planSweep(model, {
 *   tasks,
 *   ownData,
 *   representations: [{ kind: 'state', h: 3 }],
 *   outputFolder: 'out',
 * })
 * console.log(plan.entries.map(({ task, representation, state }) => `${task} ${representation}: ${state}`))
 * // → [ 'pairs h3: run' ]
 * await model.close()
 * ```
 */
export async function planSweep(model: Model, options: SweepOptions): Promise<Plan> {
  const entries: PlanEntry[] = []
  const costs: TaskCost[] = []
  const tasks = await withMembers(options.tasks)
  const sweep = requestSweep({ ...options, tasks })
  const vectors = await keptVectors(model)
  for (const { task, reason } of sweep.skipped)
    entries.push({ task: task.name, representation: '', state: 'skipped', reason })
  for (const task of tasks) {
    const jobs = await planJobs(model, sweep.asked(task), sweep)
    entries.push(...jobs.map(({ task, representation, state, reason }) => ({ task, representation, state, reason })))
    if (!jobs.some(({ state }) => state === 'run') || task.protocol === 'AbsTaskAggregate') continue
    costs.push(await costOf(model, sweep.asked(task), sweep))
  }
  const second = sweep.rerank && (await planSecond(sweep.rerank, costs))
  return {
    model: model.name,
    revision: await model.revision(),
    states: model.states?.count ?? 0,
    ...(model.server && { server: planServer(model.server, costs) }),
    entries,
    costs,
    bytesPerText:
      4 *
      (vectors?.slots ?? [])
        .filter(({ name }) => model.server !== undefined || isKept(name, sweep.keep, (model.states?.count ?? 0) - 1))
        .reduce((sum, { width }) => sum + width, 0),
    memoryBytes: (await model.memoryBytes()) + (second?.memoryBytes ?? 0),
    ...(second && { rerank: second }),
    seconds: await secondsFor(model, costs),
    prompts: tasks.filter(({ protocol }) => protocol !== 'AbsTaskAggregate').flatMap((task) => promptsFor(model, task)),
    notices: noticesFor(model),
  }
}

/** The vectors that a model keeps; undefined where it keeps none, or a server has given none yet. */
async function keptVectors(
  { states, server }: Model,
  call?: Parameters<NonNullable<Model['states']>['vectors']>[0],
): Promise<LayerVectors | undefined> {
  return states === undefined ? server?.vectors() : states.vectors(call)
}

function planServer({ place, batchSize }: NonNullable<Model['server']>, costs: readonly TaskCost[]): PlannedServer {
  const texts = costs.reduce((sum, { missing = 0 }) => sum + missing, 0)
  return { place, requests: Math.ceil(texts / batchSize) }
}

/** Whether a pass with this reach has a slot. */
function isKept(slot: string, keep: Keep, last: number): boolean {
  if (keep === 'last') return slot === 'last'
  return keep === 'all' || keep >= last || (slot !== 'last' && Number(slot.slice(1)) <= keep)
}

/** Number of texts whose tokens are counted, to estimate tokens per text. */
const sampleSize = 500
/** Texts looked up at a time; a text repeated further apart counts twice. */
const blockTexts = 100_000
/**
 * Share of the machine's matrix speed that encoding reaches (measured: 0.8 for a 6 × 384 encoder, about 1 for
 * BERT-base).
 */
const efficiency = 0.8

async function costOf(model: Model, asked: TaskRequest, sweep: SweepRequest): Promise<TaskCost> {
  const { task } = asked
  let loaded: LoadedTask | undefined
  try {
    loaded = await loadRows(asked, { ...sweep, offline: true })
    // of a server's vectors, none are here before the first
    const none = model.server === undefined ? 0 : 1
    let [texts, missing, tokens] = [0, 0, 0]
    for (const group of loaded.texts()) {
      const call = { task: askingTask(task), promptType: group.promptType }
      const vectors = await keptVectors(model, call)
      const prompt = choosePrompt(model.prompts, call)
      for (const block of textBlocks(group.texts, blockTexts)) {
        const distinct = [...new Set(block)]
        const absent =
          vectors === undefined
            ? none * distinct.length
            : await vectors.missing({ texts: distinct, prompt }, sweep.keep)
        texts += distinct.length
        missing += absent
        if (absent > 0) tokens += Math.round(absent * (await tokensPerText(model, distinct, prompt)))
      }
    }
    const rerank = sweep.rerank && secondCost(loaded, sweep.rerank)
    return { task: task.name, texts, missing, tokens, from: 'rows', ...(rerank === undefined ? {} : { rerank }) }
  } catch {
    const isUnknown = sweep.rerank !== undefined && task.protocol === 'AbsTaskRetrieval'
    return { ...(await sizeInRegistry(model, asked, sweep)), ...(isUnknown ? { rerank: 'unknown' } : {}) }
  } finally {
    loaded?.close()
  }
}

/**
 * Characters per token: English text in a vocabulary of 30,000 to 50,000 pieces, special tokens included
 * (all-MiniLM-L6-v2 on the carried data: 3.9).
 */
const charactersPerToken = 4

/** The reference's counts, for data that is not on this machine. */
async function sizeInRegistry(
  model: Model,
  { task, splits, subsets, refusal }: TaskRequest,
  { benchmarks }: SweepRequest,
): Promise<TaskCost> {
  const size = await taskSize(task, refusal === undefined ? { splits, subsets } : { splits }, benchmarks)
  if (size === undefined)
    return { task: task.name, texts: undefined, missing: undefined, tokens: undefined, from: 'unknown' }
  const perText = Math.min(model.settings.maxLength, size.characters / Math.max(1, size.texts) / charactersPerToken)
  return {
    task: task.name,
    texts: size.texts,
    missing: size.texts,
    tokens: Math.round(size.texts * perText),
    from: 'registry',
  }
}

/** Prompts of a task, one per side. */
function promptsFor(model: Model, task: TaskInfo): TaskPrompt[] {
  return sidesOf(task).map((side) => {
    const call = { task: askingTask(task), promptType: side }
    const { text, from } = explainPrompt(model.prompts, call)
    return { task: task.name, side: side ?? null, prompt: text, from, ...adapterFor(model, call) }
  })
}

function adapterFor({ prompts }: Model, call: Parameters<typeof explainPrompt>[1]): Pick<TaskPrompt, 'adapter'> {
  const adapter = chooseAdapter(prompts.adapters, call)
  return adapter === undefined ? {} : { adapter }
}

function noticesFor({ name, prompts }: Model): string[] {
  const notice = prompts.rule === undefined ? undefined : ruleNotice(name, prompts.rule)
  return notice === undefined ? [] : [notice]
}

/** From a sample; without a tokenizer, of a server, by letters. */
async function tokensPerText(model: Model, texts: readonly string[], prompt: string | null): Promise<number> {
  if (model.server !== undefined)
    return texts.reduce((sum, text) => sum + text.length + (prompt ?? '').length, 0) / texts.length / charactersPerToken
  const step = Math.max(1, Math.floor(texts.length / sampleSize))
  const sample = texts.filter((_, index) => index % step === 0)
  const rows = await (await tokensOf(model).tokenizer()).encodeBatch(sample, { maxLength: model.settings.maxLength })
  return rows.reduce((sum, { ids }) => sum + ids.length, 0) / Math.max(1, rows.length)
}

/** Two operations per weight and token, without embedding tables, at the speed measured for the engine here. */
async function secondsFor(model: Model, costs: readonly TaskCost[]): Promise<number | undefined> {
  const tokens = costs.reduce((sum, cost) => sum + (cost.tokens ?? 0), 0)
  if (tokens === 0 || model.states === undefined) return undefined
  const { parameters, vocabulary = 0, width } = await model.facts()
  const operations = 2 * Math.max(parameters - vocabulary * width, width * width)
  return (tokens * operations) / (efficiency * (await estimateGemmPeak()) * 1e9)
}
