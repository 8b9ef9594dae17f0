/** The task adapters of a checkpoint, as its options and its folder choose among them. */
import type { TensorSource } from '#core'
import { readTaskAdapters, withTaskAdapter } from '#model/adapters'
import { type AdapterChoice, chooseAdapter, readAdapterChoice } from './adapter-choice.ts'
import { adaptersByTask } from './model-rules.ts'
import type { ModulesSpec } from './modules.ts'

export interface CheckpointAdapters {
  /** Undefined for a checkpoint without adapters. */
  readonly choice: AdapterChoice | undefined
  /** Present where texts of several tasks, or of two sides, pass other weights. */
  readonly byTask: AdapterChoice | undefined
  /** The weights of texts that no task asks for. */
  readonly usual: TensorSource
  readonly under: (adapter: string | undefined) => TensorSource
  /** A model's spec with what the config says about the adapters: both are part of what the model is. */
  readonly withSpec: (spec: unknown) => unknown
}

/** Throws what `readTaskAdapters` and `readAdapterChoice` throw. */
export async function openAdapters(
  { config, tensors, name, place }: { config: unknown; tensors: TensorSource; name: string; place: string },
  named: string | undefined,
  modules: Pick<ModulesSpec, 'defaultAdapter'> | undefined,
): Promise<CheckpointAdapters> {
  const held = readTaskAdapters(config, tensors, place)
  const choice = readAdapterChoice(
    held,
    { named, usual: modules?.defaultAdapter, byTask: await adaptersByTask() },
    name,
  )
  const under = (adapter: string | undefined): TensorSource =>
    held === undefined || adapter === undefined ? tensors : withTaskAdapter(tensors, held, adapter)
  return {
    choice,
    byTask: named === undefined ? choice : undefined,
    usual: under(chooseAdapter(choice)),
    under,
    withSpec: (spec) => (held === undefined ? spec : { spec, adapters: held }),
  }
}
