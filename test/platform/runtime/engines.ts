/**
 * The engines that are on this machine: suites of sessions run on each, and are skipped, with a count, where one is not
 * there.
 */
import { engineStates, type Engine, type EngineState } from '#platform/runtime'

export const engineList = await engineStates()

export const engines: readonly { readonly engine: Engine; readonly here: boolean }[] = engineList.map(
  ({ name, available }) => ({
    engine: name,
    here: available,
  }),
)

export function engineOf(engine: Engine): EngineState {
  const state = engineList.find(({ name }) => name === engine)
  if (state === undefined) throw new Error(`no state of ${engine}`)
  return state
}
