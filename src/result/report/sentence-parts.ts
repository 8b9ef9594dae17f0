/** Parts of sentences about results: counts, lists, and what a test says. */
import { pPhrase, signedPoints } from '#core'
import type { RowDifference, RowOverTasks } from '#result/statistics'

/** Holm-corrected p-value below which a difference is significant. */
export const level = 0.05

/** `a, b and c`; the number of further ones after the first few. */
export function listNames(names: readonly string[], shown = names.length): string {
  const parts = names.length > shown ? [...names.slice(0, shown - 1), `${names.length - shown + 1} more`] : names
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
}

/** Where a mean is from: `on STS17`, `over 3 tasks`. */
export function overText(common: readonly string[]): string {
  return common.length === 1 ? `on ${common[0] ?? ''}` : `over ${common.length} tasks`
}

/** What the tests of one row against another say, and whether the difference as a whole is more than chance. */
export function chanceFor(
  over: Pick<RowOverTasks, 'tasks' | 'p'> & { readonly pHolm?: number | undefined },
  onTasks: readonly RowDifference[],
): { readonly text: string; readonly isSure: boolean } {
  const tested = onTasks.filter(({ p }) => p !== null)
  if (over.tasks === 1) {
    const [one] = onTasks
    if (one?.p == null || one.pHolm === null)
      return {
        text: `whether that is more than chance is unknown (${one?.why ?? 'scores of single items are not stored'})`,
        isSure: false,
      }
    const isSure = one.pHolm < level
    return {
      text: `${isSure ? '' : 'not '}more than chance (paired bootstrap over items, 95 % interval ${signedPoints(one.low)} to ${signedPoints(one.high)}, ${pPhrase(one.pHolm)} after Holm's correction)`,
      isSure,
    }
  }
  const p = over.pHolm ?? over.p
  const isSure = p < level
  const least = 2 ** (1 - over.tasks)
  const few = least >= level ? `; ${over.tasks} tasks cannot give a p below ${least}` : ''
  return {
    text: `over tasks ${isSure ? '' : 'not '}more than chance (sign flips, ${pPhrase(p)}${few}); ${taskByTask(tested)}`,
    isSure,
  }
}

function taskByTask(tested: readonly RowDifference[]): string {
  if (tested.length === 0) return 'single tasks are not tested, because scores of single items are not stored'
  const sure = tested.filter(({ pHolm }) => pHolm !== null && pHolm < level)
  const better = sure.filter(({ ahead }) => ahead).length
  const counts = {
    'better on': better,
    'worse on': sure.length - better,
    'not distinguishable on': tested.length - sure.length,
  }
  const parts = Object.entries(counts).flatMap(([words, count]) => (count === 0 ? [] : [`${words} ${count}`]))
  return `task by task ${listNames(parts)} (paired bootstrap over items, Holm's correction)`
}

/** The other rows on the only task, against the baseline. */
export function singleTaskText(onTasks: readonly RowDifference[], others: string): string {
  const tested = onTasks.filter(({ p }) => p !== null)
  if (tested.length === 0)
    return 'Whether its lead is more than chance is unknown: scores of single items are not stored.'
  const behind = tested.filter(({ pHolm, ahead }) => pHolm !== null && pHolm < level && !ahead).length
  return behind === 0
    ? `None of the ${others} is behind it by more than chance (paired bootstrap over items, Holm's correction).`
    : `${behind} of the ${others} ${behind === 1 ? 'is' : 'are'} behind it by more than chance (paired bootstrap over items, Holm's correction).`
}
