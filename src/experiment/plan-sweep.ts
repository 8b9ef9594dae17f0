/** The plan of a sweep, from headers and local data. */
import { choosePrompt, type Model } from '../model/index.ts'
import { measureGemmPeak } from '../runtime/index.ts'
import type { TaskInfo } from '../tasks/index.ts'
import { armsOf } from './arms.ts'
import type { Plan, PlanEntry, TaskCost } from './plan.ts'
import { loadRows, type SweepOptions } from './sweep-options.ts'

/** The plan of a sweep: what would run, what is there, what it costs. Reads headers and local data only; never downloads. */
export async function planSweep(model: Model, options: SweepOptions): Promise<Plan> {
  const entries: PlanEntry[] = []
  const costs: TaskCost[] = []
  const vectors = await model.layerVectors(options.keep ?? 'all')
  for (const task of options.tasks) {
    const arms = await armsOf(model, task, options)
    entries.push(...arms.map(({ task, representation, state, reason }) => ({ task, representation, state, reason })))
    if (!arms.some(({ state }) => state === 'run')) continue
    costs.push(await costOf(model, task, options))
  }
  return {
    model: model.name,
    revision: await model.revision(),
    states: model.states,
    entries,
    costs,
    bytesPerText: 4 * (vectors?.slots ?? []).reduce((sum, { width }) => sum + width, 0),
    memoryBytes: await model.memoryBytes(),
    seconds: await secondsFor(model, costs),
    notices: [],
  }
}

/** Texts whose tokens are counted, to know how many a text has. */
const sampleSize = 500
/** Share of the machine's matrix speed that encoding reaches (measured: 0.8 for a 6 × 384 encoder, about 1 for BERT-base). */
const efficiency = 0.8

async function costOf(model: Model, task: TaskInfo, options: SweepOptions): Promise<TaskCost> {
  try {
    const loaded = await loadRows(task, options)
    const vectors = await model.layerVectors(options.keep ?? 'all')
    let [texts, missing, tokens] = [0, 0, 0]
    for (const group of loaded.texts()) {
      const prompt = choosePrompt(model.prompts, { task: { name: task.name, type: task.type }, ...(group.promptType ? { promptType: group.promptType } : {}) })
      const distinct = [...new Set(group.texts)]
      const absent = vectors === undefined ? 0 : await vectors.missing(distinct, prompt)
      texts += distinct.length
      missing += absent
      if (absent > 0) tokens += Math.round(absent * (await tokensPerText(model, distinct)))
    }
    return { task: task.name, texts, missing, tokens }
  } catch {
    return { task: task.name, texts: undefined, missing: undefined, tokens: undefined }
  }
}

async function tokensPerText(model: Model, texts: readonly string[]): Promise<number> {
  const step = Math.max(1, Math.floor(texts.length / sampleSize))
  const sample = texts.filter((_, index) => index % step === 0)
  const rows = await (await model.tokenizer()).encodeBatch(sample, { maxLength: model.settings.maxLength })
  return rows.reduce((sum, { ids }) => sum + ids.length, 0) / Math.max(1, rows.length)
}

/** Two operations a weight and token, embedding tables left out, at the speed the engine shows here. */
async function secondsFor(model: Model, costs: readonly TaskCost[]): Promise<number | undefined> {
  const tokens = costs.reduce((sum, cost) => sum + (cost.tokens ?? 0), 0)
  if (tokens === 0 || model.states === 0) return undefined
  const { parameters, vocabulary = 0, width } = await model.facts()
  const operations = 2 * Math.max(parameters - vocabulary * width, width * width)
  return (tokens * operations) / (efficiency * (await measureGemmPeak()) * 1e9)
}
