/** Experiments for people: their cost, and their progress. */
import { asText } from '#result/report'
import { duration, quantity, roughBytes } from '#core'
import type { LanguageCost } from '#experiment/run'
import type { Plan } from '#experiment/sweep'
import { progressText, type WorkStatus } from '#experiment/workers'

export function statusLines(found: WorkStatus, nameOf: (id: string) => string, folder: string): string[] {
  const { done, failed, running, workers } = found
  return [
    `${progressText(found)}; in ${folder}/`,
    ...running.map(({ id, worker, seconds }) => `running  ${nameOf(id)}  by ${worker} for ${duration(seconds)}`),
    ...failed.map(({ id, what }) => `failed   ${nameOf(id)}: ${what}`),
    ...(workers.length > 1
      ? asText({
          columns: [{ title: 'worker' }, { title: 'done', number: true }, { title: 'failed', number: true }],
          rows: workers.map((one) => [one.name, String(one.done), String(one.failed)]),
        })
      : []),
    ...(failed.length === 0 ? [] : ['--resume tries failed jobs again']),
    ...(done === 0 || running.length > 0
      ? []
      : [`strata report ${folder} --out ${folder}/report.html shows the results`]),
  ]
}

/** Tasks of the harness and sources of probes, with what would stop them. */
export function languageCostLines(costs: readonly LanguageCost[]): string[] {
  return costs.map(({ kind, name, tasks, documents, problem }) => {
    if (problem !== null) return `failed   ${kind} ${name}: ${problem}`
    const count = tasks === null ? '' : `: ${quantity(tasks, 'task')}`
    const rows =
      documents === null ? ', data sets to download' : `, ${documents.toLocaleString('en')} documents per model`
    return `${kind} ${name}${count}${tasks === null ? '' : rows}`
  })
}

export function costLines(
  name: string,
  costs: readonly { readonly group: string; readonly jobs: number; readonly plan: Plan | undefined }[],
  { jobs, done }: WorkStatus,
): string[] {
  const sum = (of: (plan: Plan) => number | undefined): number =>
    costs.reduce((total, { plan }) => total + (plan === undefined ? 0 : (of(plan) ?? 0)), 0)
  const missing = (plan: Plan): number => plan.costs.reduce((total, cost) => total + (cost.missing ?? 0), 0)
  const columns = [
    { title: 'model' },
    ...['jobs', 'results', 'done', 'texts', 'to encode', 'time', 'memory', 'disk'].map((title) => ({
      title,
      number: true,
    })),
  ]
  const rows = costs.map(({ group, jobs: count, plan }) => {
    if (plan === undefined) return [group, String(count)]
    const texts = plan.costs.reduce((total, cost) => total + (cost.texts ?? 0), 0)
    return [
      group,
      String(count),
      String(plan.entries.length),
      String(plan.entries.filter(({ state }) => state === 'reused').length),
      texts.toLocaleString('en'),
      missing(plan).toLocaleString('en'),
      plan.seconds === undefined ? '' : duration(plan.seconds),
      roughBytes(plan.memoryBytes),
      roughBytes(missing(plan) * plan.bytesPerText),
    ]
  })
  return [
    `${name}: ${quantity(jobs, 'job')}, ${done} done`,
    ...asText({ columns, rows }),
    '',
    `${quantity(sum(missing), 'text')} to encode, each once per model${sum(({ seconds }) => seconds) > 0 ? `, about ${duration(sum(({ seconds }) => seconds))} of encoding on this machine` : ''}`,
  ]
}
