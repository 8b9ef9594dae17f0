/** Flags as the options of models that are timed in processes of their own: plain values, no cache. */
import type { MeasuredModels } from '#experiment/bench'
import { threadBudget } from '#platform/threads'
import type { Terminal } from '../spec/command.ts'
import { modelOptions } from './model-options.ts'

type ModelFlags = Parameters<typeof modelOptions>[0]

export function measuredOptions(
  flags: ModelFlags,
  terminal: Terminal,
): Pick<MeasuredModels, 'options' | 'threads' | 'signal' | 'onProgress' | 'onNotice'> {
  const { store: _, signal, onProgress, onNotice, ...options } = modelOptions(flags, terminal)
  return { options, threads: options.threads ?? threadBudget(), signal, onProgress, onNotice }
}
