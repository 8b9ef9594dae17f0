/** The outcome of an aggregation in one sentence. */
import { mean, points, pPhrase, signedPoints } from '#core'
import { recipeName } from '#result/ledger'
import type { AggregateReport, TaskReport } from './report.ts'

/** The conclusion that the numbers support, and no more. */
export function toSentence(tasks: readonly TaskReport[], overTasks: AggregateReport['overTasks']): string {
  const whole = tasks.filter(
    ({ mix, single }) => mix !== undefined && mix.test !== null && single !== undefined && single.test !== null,
  )
  if (overTasks === null || whole.length === 0)
    return 'No mix of layers and single layer were both chosen by validation and scored: there is nothing to compare.'
  const [mixed, alone] = [
    mean(whole.map(({ mix }) => mix?.test ?? 0)),
    mean(whole.map(({ single }) => single?.test ?? 0)),
  ]
  const over = whole.length === 1 ? `On ${whole[0]?.task ?? ''}` : `Over ${whole.length} tasks`
  const [first] = whole
  const which = whole.length === 1 && first?.mix !== undefined ? ` (${recipeName(first.mix.recipe)})` : ''
  const head = `${over} the mix of layers that validation chose${which} scores ${points(mixed)}, the single layer that validation chose ${points(alone)} (${signedPoints(mixed - alone)})`
  const counted =
    whole.length === 1
      ? singleVerdict(first)
      : `${byTask(overTasks, whole)}; over the tasks together the difference is ${overTasks.p < 0.05 ? '' : 'not '}more than chance (sign flips, ${pPhrase(overTasks.p)})`
  const hindsight = mean(whole.map(({ hindsight: best }) => best?.test ?? 0))
  return [
    `${head}; ${counted}.`,
    verdictOf(overTasks),
    `The best in hindsight, which nobody could have chosen, has ${points(hindsight)}.`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** The question of single tasks; that of all of them together is another one, with a test of its own. */
function byTask(
  { better, worse, tasks }: NonNullable<AggregateReport['overTasks']>,
  compared: readonly TaskReport[],
): string {
  const tested = compared.filter(({ mixAgainstSingle: one }) => one?.pHolm != null).length
  if (tested === 0) return 'no single task is tested, because scores of single items are not stored'
  const counts = [
    [better, 'better'],
    [worse, 'worse'],
    [tested - better - worse, 'not distinguishable'],
  ] as const
  const parts = counts.flatMap(([count, word]) => (count === 0 ? [] : [`${word} on ${count}`]))
  return `task by task it is ${parts.join(', ')} of ${tasks} (paired bootstrap over items, Holm's correction over the tasks)`
}

function verdictOf({ tasks, p, difference }: NonNullable<AggregateReport['overTasks']>): string {
  if (tasks < 2) return ''
  if (p >= 0.05) return 'This does not show that mixing layers helps.'
  return difference > 0 ? 'Mixing layers helps.' : 'Mixing layers hurts.'
}

function singleVerdict(task: TaskReport | undefined): string {
  const one = task?.mixAgainstSingle
  if (one === undefined || one.low === null || one.high === null)
    return `whether the difference exceeds chance is unknown (${one?.why ?? 'no single items'})`
  const [low, high] = [points(one.low), points(one.high)]
  const p = one.pHolm ?? 1
  return `the difference is ${p < 0.05 ? 'more than' : 'not more than'} chance (95 % interval ${low} to ${high}, ${pPhrase(p)})`
}
