/** A search for people: each pull as it happens, the best arms at the end. */
import { asText } from '#result/report'
import { points, decimals, duration, quantity } from '#core'
import type { RatedPull, SearchReport } from '#experiment/search'

export function pullLine({ seq, arm, by, reward, scores, failed, seconds, reused, tasks, share }: RatedPull): string {
  const what =
    failed ??
    (reward === null
      ? `${Object.keys(scores).length} scores${share === undefined ? '' : ` of ${share} of the texts`}`
      : `reward ${decimals(reward, 4)}`)
  return `${seq + 1}  ${arm}  ${failed === undefined ? '' : 'failed: '}${what}${by === 'baseline' ? ' (baseline)' : ''}  ${reused === tasks.length ? 'reused' : duration(seconds)}`
}

/** Number of arms shown. */
const most = 10

export function searchLines({
  arms,
  tasks,
  policy,
  budget,
  spent,
  seconds,
  context,
  failed,
  best,
  baseline,
  clip,
  unmeasured,
  ended,
}: SearchReport): string[] {
  const [first] = best
  const columns = [
    { title: 'arm' },
    { title: 'reward', number: true },
    ...tasks.map((title) => ({ title, number: true })),
    { title: 'pull', number: true },
  ]
  const rows = best
    .slice(0, most)
    .map((pull) => [
      pull.arm,
      decimals(pull.reward ?? 0, 4),
      ...tasks.map((task) => (pull.scores[task] === undefined ? '' : points(pull.scores[task]))),
      String(pull.seq + 1),
    ])
  return [
    ...asText({ columns, rows }),
    '',
    `${policy}: ${spent % 1 === 0 ? spent : spent.toFixed(1)} of ${arms} arms pulled, budget ${budget}, ${duration(seconds)}${context === null ? '' : `, of them ${duration(context.seconds)} for ${context.name}`}${failed === 0 ? '' : `; ${quantity(failed, 'pull')} failed`}`,
    ...(context === null || context.without === 0 ? [] : [`${quantity(context.without, 'arm')} without a context.`]),
    ...tieLines(best, clip),
    first === undefined
      ? noneLine(unmeasured)
      : `The best arm found is ${first.arm}${baseline === null || baseline.arm === first.arm ? '' : `, ${decimals((first.reward ?? 0) - baseline.reward, 4)} above ${baseline.arm}, the best arm of the baseline`}. ${ended === 'no arm left' ? 'Every arm has been pulled.' : `${arms - best.length} arms were not scored: a better one may be among them.`}`,
  ]
}

/** A bound hides which of the arms at it is better. */
function tieLines(best: SearchReport['best'], clip: number | null): string[] {
  const [first] = best
  const tied = best.filter(({ reward }) => reward === first?.reward)
  if (tied.length < 2) return []
  const bound =
    clip !== null && first?.reward === clip ? `, the bound of --clip ${clip}: a wider one may part them` : ''
  return [`${tied.length} arms share the best reward${bound}. The first of them to be pulled is named.`]
}

function noneLine(unmeasured: number): string {
  return unmeasured === 0
    ? 'No arm has a score on every task.'
    : `No arm has a reward: ${unmeasured} layers of the baseline, by which rewards are measured, are not scored. Run the command again with more --budget-seconds, or give --reward raw.`
}
