/**
 * The answer of a report as sentences that can be quoted: the rows compared, the best one and its lead, whether that is
 * more than chance and by which test, and everything missing.
 */
import { mean, points, signedPoints, quantity } from '#core'
import { chosenLayer, chosenMix } from './combined-rows.ts'
import type { ChoiceEffect } from './choice-effects.ts'
import { companionSentences } from './companion-sentences.ts'
import { groupTasks } from './task-groups.ts'
import type { MergeEffects } from './merge-effects.ts'
import type { Report, Standing } from './report.ts'
import { chanceFor, listNames, overText, singleTaskText } from './sentence-parts.ts'
import { missingSentences } from './missing-sentences.ts'

/** Whole sentences, in the order in which they are read. */
export function answer(report: Report): string[] {
  const { rows, choices, effects, standings, beside } = report
  const wholes = standings.filter(({ whole }) => whole)
  return [
    ...(rows.length === 0 ? [] : [subject(report)]),
    ...choices.slice(0, most).map((choice) => mixAgainstLayer(report, choice)),
    ...(choices.length > most ? [`The tables show the other ${choices.length - most} models.`] : []),
    ...(effects === null ? [] : [mergesAgainstParents(report, effects)]),
    ...wholes.slice(0, most).map((standing) => leader(report, standing)),
    ...(wholes.length > most
      ? [`The tables show ${wholes.length - most} further groups of rows that share tasks.`]
      : []),
    ...companionSentences(beside),
    ...missingSentences(report),
  ].filter((sentence) => sentence !== '')
}

/** Maximum number of sentences of one kind. */
const most = 3

function subject({ rows, tasks }: Report): string {
  const models = [...new Set(rows.map(({ model }) => model))]
  const states = new Set(rows.map(({ representation }) => representation))
  const revisions = new Set(rows.map(({ model, revision }) => `${model}\n${revision}`))
  const [only = ''] = models
  const representations = quantity(states.size, 'representation')
  const of = revisions.size > models.length ? `${representations} of ${revisions.size} checkpoints` : representations
  const what = models.length === 1 ? `${of} of ${only}` : `${models.length} models${seenAs([...states])}`
  return `${capital(what)} ${rows.length === 1 ? 'was' : 'were'} scored on ${tasksText(tasks)}.`
}

function seenAs([state = '', ...others]: readonly string[]): string {
  if (others.length > 0) return ` in ${others.length + 1} representations`
  return state === 'default' ? '' : ` (${state})`
}

function tasksText(tasks: Report['tasks']): string {
  const names = tasks.map(({ name }) => name)
  if (names.length < 5) return names.length === 1 ? (names[0] ?? '') : `${names.length} tasks: ${listNames(names)}`
  const groups = groupTasks(tasks)
  const shown = groups.slice(0, 4).map(({ name, tasks: own }) => `${own.length} ${name}`)
  const rest = groups.slice(4).reduce((sum, { tasks: own }) => sum + own.length, 0)
  return groups.length < 2
    ? `${names.length} tasks`
    : `${names.length} tasks (${listNames(rest === 0 ? shown : [...shown, `${rest} others`])})`
}

function mixAgainstLayer({ rows, tasks }: Report, { mix, layer, onTasks, overTasks: [over] }: ChoiceEffect): string {
  const scored = onTasks.filter(({ lowerIsBetter }) => !lowerIsBetter)
  if (over === undefined || scored.length === 0)
    return `The mix and the layer that validation chose have no task in common.`
  const meanOf = (name: string): number =>
    mean(
      scored.map(({ task }) => {
        const at = tasks.findIndex((one) => one.name === task)
        return rows.find((row) => row.name === name)?.scores[at] ?? Number.NaN
      }),
    )
  const where = scored.length === 1 ? `On ${scored[0]?.task ?? ''}` : `Over ${scored.length} tasks`
  const whose = mix.replace(chosenMix, '').trim()
  const named = whose === '' ? '' : ` for ${whose}`
  const head = `${where} the ${chosenMix.replace('chosen by validation', 'of layers that validation chose')} scores ${points(meanOf(mix))}${named}, the ${chosenLayer.replace('chosen by validation', 'that validation chose')} ${points(meanOf(layer))} (${signedPoints(over.difference)})`
  const { text, isSure } = chanceFor(over, onTasks)
  const verdict = over.difference > 0 ? 'Mixing layers helps.' : 'Mixing layers hurts.'
  return `${head}: ${text}. ${isSure ? verdict : 'This does not show that mixing layers helps.'}`
}

function mergesAgainstParents({ held: against }: Report, { parents, tasks, merges }: MergeEffects): string {
  const changes = merges.map(({ name, places, surely, differences }) => ({
    name,
    places,
    surely,
    change: mean(differences.flatMap((value) => value ?? [])),
  }))
  const [best] = changes.toSorted((a, b) => b.change - a.change)
  if (best === undefined) return ''
  const [first = ''] = parents
  const count = quantity(merges.length, 'merge')
  const head =
    best.change > 0
      ? `The best of ${count} by its mean over ${quantity(tasks.length, 'task')} is ${best.name}, ${signedPoints(best.change)} from ${first}`
      : `None of ${count} has a higher mean over ${quantity(tasks.length, 'task')} than ${first}; the nearest is ${best.name}, ${signedPoints(best.change)}`
  const { better, worse, between } = best.places
  const places = `By its scores it is better than every parent on ${better}, worse than every parent on ${worse}, and between or level on ${between}`
  const sure =
    against?.onTasks.some(({ p }) => p !== null) === true
      ? `${sureText(best.surely)} (paired bootstrap over items, Holm's correction)`
      : 'whether that is more than chance is unknown, because scores of single items are not stored'
  return `${head}. ${places}; ${sure}.`
}

function sureText({ better, worse }: MergeEffects['merges'][number]['surely']): string {
  if (better + worse === 0) return 'none of that is more than chance'
  return `by more than chance it is better on ${better} and worse on ${worse}`
}

function leader(report: Report, { rows, common, tasks }: Standing): string {
  const scored = rows.flatMap(({ name, mean: value }) => (value === null ? [] : [{ name, value }]))
  const onAll = scored.filter(({ name }) => !onPart.test(name))
  const ranked = onAll.length === 0 ? scored : onAll
  const sorted = ranked.toSorted((a, b) => b.value - a.value)
  const [best] = sorted
  if (best === undefined)
    return `No task has a score in ${rows.length === 1 ? 'the only row' : `every one of ${rows.length} rows`}, so no mean orders ${tasks.length === 1 ? 'them' : 'the rows'}.`
  const where = overText(common)
  const score = common.length === 1 ? 'score' : 'mean'
  if (rows.length === 1)
    return `${capital(where)} ${best.name} has a ${score} of ${points(best.value)}; with one row, nothing is compared.`
  const tied = sorted.filter(({ value }) => points(value) === points(best.value))
  const next = sorted[tied.length]
  if (next === undefined && tied.length > 1)
    return `${capital(where)} all ${tied.length} rows have the same ${score}, ${points(best.value)}.`
  const lead = next === undefined ? '' : `, ${points(best.value - next.value)} above ${next.name}`
  const head =
    tied.length === 1
      ? `${capital(where)} ${best.name} has the highest ${score} of ${ranked.length} rows, ${points(best.value)}${lead}`
      : `${capital(where)} ${listNames(
          tied.map(({ name }) => name),
          4,
        )} share the highest ${score} of ${ranked.length} rows, ${points(best.value)}${lead}`
  // whoever validation chose was compared above: here the scores themselves pick the best
  if (report.choices.length > 0) return `${head}; which row that would be is known only afterwards.`
  const parts = scored.length - ranked.length
  const left =
    parts === 0
      ? ''
      : ` ${quantity(parts, 'row')} scored on a part of the texts ${parts === 1 ? 'is' : 'are'} not among them.`
  const all = new Set((parts === 0 ? rows : ranked).map(({ name }) => name))
  return `${head}.${left} ${certainty(report, { tied: tied.map(({ name }) => name), all, common })}`
}

/** Names of rows scored on a part of the texts: `h0+limit-0.125` of a search by halves, `logits+limit30`. */
const onPart = /\+limit-?[\d.]+/

interface Lead {
  /** Rows with the highest mean. */
  readonly tied: readonly string[]
  /** Every row of the standing. */
  readonly all: ReadonlySet<string>
  readonly common: readonly string[]
}

/** How certain the lead is, by the tests against the baseline; nothing is claimed about other pairs of rows. */
function certainty({ held: against }: Report, { tied, all, common }: Lead): string {
  const over = against?.overTasks.filter(({ name }) => all.has(name)) ?? []
  if (against === null || over.length === 0) return 'No test compares these rows.'
  const { onTasks, chosen } = against
  const isBaseline = tied.some((name) => !over.some((one) => one.name === name))
  const picked =
    chosen === 'best' ? ' The baseline was picked by the same scores, so these p-values are too small.' : ''
  if (!isBaseline || over.length === 1) {
    const best = over.find(({ name }) => tied.includes(name)) ?? over[0]
    if (best === undefined) return ''
    const own = onTasks.filter(({ name }) => name === best.name)
    const who = isBaseline ? `${best.name} differs from it by ${signedPoints(best.difference)}` : differenceText(best)
    return `${who}: ${chanceFor(best, own).text}.${picked}`
  }
  const others = quantity(over.length, 'other row')
  if (common.length === 1)
    return `${singleTaskText(
      onTasks.filter(({ name }) => all.has(name)),
      others,
    )}${picked}`
  const behind = over.filter(({ pHolm, difference }) => pHolm < 0.05 && difference < 0).length
  const rest = over.length - behind
  const count =
    behind === 0
      ? `None of the ${others} is behind it by more than chance`
      : `${behind} of the ${others} ${behind === 1 ? 'is' : 'are'} behind it by more than chance, and ${rest} cannot be distinguished from it`
  return `${count} (sign flips over tasks, Holm's correction over the rows).${picked}`
}

function differenceText({ against, difference }: { against: string; difference: number }): string {
  return `Its difference from ${against} is ${signedPoints(difference)}`
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
