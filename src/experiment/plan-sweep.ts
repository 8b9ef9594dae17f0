/** The plan of a sweep, from headers and local data. */
import { choosePrompt, type Model } from '../model/index.ts'
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
    notices: [],
  }
}

async function costOf(model: Model, task: TaskInfo, options: SweepOptions): Promise<TaskCost> {
  try {
    const loaded = await loadRows(task, options)
    const vectors = await model.layerVectors(options.keep ?? 'all')
    let [texts, missing] = [0, 0]
    for (const group of loaded.texts()) {
      const prompt = choosePrompt(model.prompts, { task: { name: task.name, type: task.type }, ...(group.promptType ? { promptType: group.promptType } : {}) })
      texts += new Set(group.texts).size
      missing += vectors === undefined ? 0 : await vectors.missing(group.texts, prompt)
    }
    return { task: task.name, texts, missing }
  } catch {
    return { task: task.name, texts: undefined, missing: undefined }
  }
}
