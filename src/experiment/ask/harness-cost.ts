/** What tasks of the harness would ask, before a model is run; nothing is downloaded. */
import { asFault, type CallOptions, type FaultCode } from '#core'
import { hubSettings } from '#files/hub'
import { tasksOf } from '#task/harness'
import type { HarnessSettings } from './harness-settings.ts'
import { openData, openTasks, type OpenTasksOptions } from './open-tasks.ts'
import { countDocuments } from './prepare-task.ts'
import { checkTasks } from './run-harness.ts'

/**
 * Number of single tasks, and of the documents of all of them: null where a data set is not on this machine. Throws
 * what choosing the tasks and loading their data throws.
 */
export async function harnessCost(
  names: readonly string[],
  { settings, ...options }: OpenTasksOptions & CallOptions & { readonly settings: HarnessSettings },
): Promise<{ readonly tasks: number; readonly documents: number | null }> {
  const nodes = tasksOf(await openTasks(names, options))
  checkTasks(nodes)
  const offline = hubSettings({ ...process.env, HF_HUB_OFFLINE: '1' })
  const openDataset = openData({ signal: options.signal, settings: offline })
  let documents: number | null = 0
  for (const node of nodes) {
    const count: number | null = await countDocuments(node, { settings, openDataset }).catch(absent)
    documents = documents === null || count === null ? null : documents + count
  }
  return { tasks: nodes.length, documents }
}

const away: readonly FaultCode[] = ['hub.offline', 'hub.missing']

/** Null for a data set that the run would download. Throws every other fault. */
function absent(error: unknown): null {
  if (away.includes(asFault(error, 'internal', 'harness').code)) return null
  throw error
}
