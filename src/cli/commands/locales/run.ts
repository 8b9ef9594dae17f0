/** `strata locales`: compares results of many locales. */
import { fault, quantity, suggestion } from '#core'
import {
  compareLocales,
  comparisonTables,
  languages,
  type LocaleComparison,
  readRuns,
  writeComparison,
} from '#experiment/locales'
import { asTextPage } from '#result/report'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'

const actions = ['aggregate'] as const

export const run: CommandRun<Flags> = async ([action, ...rest], flags, terminal) => {
  if (action !== 'aggregate')
    throw fault('usage.value', {
      place: 'strata locales',
      what: action === undefined ? 'no action is given' : 'no such action',
      seen: action,
      hint: suggestion(action ?? '', actions),
    })
  const [folder = 'results', ...more] = rest
  if (more.length > 0)
    throw fault('usage.value', {
      place: 'strata locales aggregate',
      what: 'takes one folder',
      seen: rest,
      hint: 'give the folder above them',
    })
  return aggregate(folder, flags, terminal)
}

/** Returns 1 when some result could not be read. */
async function aggregate(folder: string, flags: Flags, terminal: Terminal): Promise<number> {
  const known = await languages()
  const { runs, unknown, unreadable } = await readRuns(folder, new Set(known.keys()))
  for (const { message } of unreadable) terminal.note(`unreadable  ${message}`)
  if (runs.length === 0)
    throw fault('result.invalid', {
      place: folder,
      what: 'no result of a locale in it',
      seen: unknown.length === 0 ? undefined : unknown.slice(0, 5),
      wanted: '{type}_{locale}/results.json, such as baseline_sq-AL/results.json',
    })
  const comparison = compareLocales(runs)
  const without = missingLocales(comparison, known.keys())
  if (flags.json === true)
    terminal.print(JSON.stringify({ ...comparison, missing: without.byType, absent: without.absent, unknown }))
  else {
    for (const line of asTextPage(comparisonTables(comparison))) terminal.print(line)
    if (flags.showMissing === true) {
      for (const [type, locales] of Object.entries(without.byType))
        terminal.print(`no ${type}  ${quantity(locales.length, 'locale')}: ${locales.join(', ')}`)
      if (without.absent.length > 0)
        terminal.print(`no result at all  ${quantity(without.absent.length, 'locale')}: ${without.absent.join(', ')}`)
    }
  }
  if (unknown.length > 0)
    terminal.note(`not compared, since their names have no type and locale: ${unknown.join(', ')}`)
  for (const { type, locale, folder: from } of comparison.repeated)
    terminal.note(`not compared, since there is another ${type} for ${locale}: ${from}`)
  const { format, outputPrefix: prefix } = flags
  for (const path of await writeComparison(runs, comparison, { format, prefix, at: new Date() }))
    terminal.note(`written to ${path}`)
  return unreadable.length > 0 ? 1 : 0
}

/** By type, the locales of the comparison that have no result of it; and MASSIVE's locales that have none at all. */
function missingLocales(
  { types, rows, summary }: LocaleComparison,
  known: Iterable<string>,
): { readonly byType: Readonly<Record<string, readonly string[]>>; readonly absent: readonly string[] } {
  const there = new Set(rows.map(({ locale }) => locale))
  return {
    byType: Object.fromEntries(
      types
        .filter((type) => Object.hasOwn(summary, type))
        .map(
          (type) =>
            [type, rows.flatMap(({ locale, accuracy }) => (accuracy[type] === undefined ? [locale] : []))] as const,
        )
        .filter(([, locales]) => locales.length > 0),
    ),
    absent: [...known].filter((locale) => !there.has(locale)),
  }
}
