/** What a frontier says, and what it cannot say. */
import { decimals, grouped, quantity } from '#core'
import type { Frontier, FrontierPoint } from './run-frontier.ts'

export function frontierSentences(frontier: Frontier): string[] {
  const { points, tasks, chosen, baseline, why, unscored } = frontier
  const pointNamed = (name: string | null): FrontierPoint | undefined =>
    points.find(({ representation }) => representation === name)
  const [choice, base] = [pointNamed(chosen), pointNamed(baseline)]
  const front = points.filter(({ isFront }) => isFront).length
  return [
    `${quantity(points.length, 'point')} on ${quantity(tasks.length, 'task')}, ${front} of them on the front.`,
    ...rowsSentence(tasks),
    ...(choice === undefined ? [] : choiceSentences(choice, base, frontier)),
    ...(why === null ? [] : [`No intervals: ${why}.`]),
    ...(unscored === null
      ? []
      : [`${quantity(unscored.points, 'point')} without a score on some task (${unscored.reason}).`]),
  ]
}

function rowsSentence(tasks: Frontier['tasks']): string[] {
  const without = tasks.filter(({ validation }) => validation === null).map(({ task }) => task)
  if (without.length === tasks.length)
    return [
      'No task has validation rows: the front is one in hindsight, by the scores that it shows, and nothing is chosen.',
    ]
  const rows = tasks.flatMap(({ task, validation }) => (validation === null ? [] : [`${task} (${validation})`]))
  const rest = without.length === 0 ? '' : `; ${without.join(', ')} had no say, for lack of validation rows`
  return [`The front and the choice are by validation rows: ${rows.join(', ')}${rest}.`]
}

function choiceSentences(choice: FrontierPoint, base: FrontierPoint | undefined, { loss, points }: Frontier): string[] {
  const within = `the smallest vector within ${decimals(100 * loss, 1)} points of the best on the validation rows`
  const sentences = [`Chosen: ${choice.representation}, ${quantity(choice.bytes, 'byte')}, ${within}.`]
  if (base !== undefined && base !== choice) sentences.push(againstSentence(choice, base))
  const best = points.reduce<FrontierPoint | undefined>(
    (first, one) => (one.test !== null && one.test > (first?.test ?? -Infinity) ? one : first),
    undefined,
  )
  if (best?.test !== undefined && best.test !== null && best !== choice)
    sentences.push(
      `Best on test in hindsight: ${best.representation}, ${decimals(100 * best.test, 2)}. No choice could know that.`,
    )
  return sentences
}

function againstSentence({ representation, bytes, test, interval }: FrontierPoint, base: FrontierPoint): string {
  if (test === null || base.test === null) return `${representation} has no test score to compare.`
  const size = `${decimals(base.bytes / bytes, 1)} times smaller than ${base.representation} (${grouped(base.bytes)} bytes)`
  const difference = interval?.difference
  const points = decimals(100 * Math.abs(test - base.test), 2)
  const way = test < base.test ? 'below' : 'above'
  if (difference === undefined) return `It is ${size}, and ${points} points ${way} it on test.`
  const range = `95 % interval ${decimals(100 * difference.low, 2)} … ${decimals(100 * difference.high, 2)}`
  const certain =
    difference.low > 0 || difference.high < 0 ? 'more than chance' : 'not more than chance among these items'
  return `It is ${size}, and ${points} points ${way} it on test (${range}): ${certain}.`
}
