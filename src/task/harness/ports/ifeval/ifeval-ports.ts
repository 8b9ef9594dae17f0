/** IFEval's functions: which instructions of a row a response follows, strictly and loosely. */
import { fault, mean } from '#core'
import { pythonRandom } from '#platform/random'
import type { Doc, DocValue } from '../../doc.ts'
import type { Answer, Item, Ports } from '../port.ts'
import type { Checker, Settings } from './checker.ts'
import { formCheckers } from './form-checkers.ts'
import { strip } from './python-text.ts'
import { textCheckers } from './text-checkers.ts'

const checkers: Readonly<Record<string, Checker>> = { ...textCheckers, ...formCheckers }

/** Metric → whether everything is followed, or what of it. */
function followed(doc: Doc, [answer]: readonly Answer[]): Readonly<Record<string, Item>> {
  const [text = ''] = typeof answer === 'string' || !Array.isArray(answer) ? [answer] : answer
  const response = typeof text === 'string' ? text : ''
  const { instruction_id_list: ids, kwargs } = doc
  if (!Array.isArray(ids) || !Array.isArray(kwargs))
    throw fault('task.value', { place: 'IFEval', what: 'a row without instructions or their settings' })
  const instructions = ids.map((id: DocValue, i) => ({
    checker: checkerOf(id),
    settings: given(kwargs[i] as DocValue | undefined),
  }))
  // What a row leaves out, the reference draws from its process's one generator, strictly and loosely anew; here every
  // row begins at its first seed.
  const random = pythonRandom(0)
  const follows = (variants: readonly string[]): boolean[] =>
    instructions.map(({ checker, settings }) => {
      const check = checker(settings, random)
      return variants.some((variant) => strip(variant) !== '' && check(variant))
    })
  const strict = follows([response])
  const loose = follows(variantsOf(response))
  return {
    prompt_level_strict_acc: strict.every(Boolean),
    inst_level_strict_acc: strict,
    prompt_level_loose_acc: loose.every(Boolean),
    inst_level_loose_acc: loose,
  }
}

function checkerOf(id: DocValue): Checker {
  const checker = typeof id === 'string' && Object.hasOwn(checkers, id) ? checkers[id] : undefined
  if (checker === undefined)
    throw fault('task.value', {
      place: 'IFEval › instruction_id_list',
      what: 'an instruction that is not known',
      seen: JSON.stringify(id),
    })
  return checker
}

/** Settings that Python finds true. */
function given(settings: DocValue | undefined): Settings {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return {}
  const isTrue = (value: DocValue): boolean => {
    if (typeof value !== 'object' || value === null) return Boolean(value)
    return 'kind' in value && value['kind'] === 'float' ? value['value'] !== 0 : Object.keys(value).length > 0
  }
  return Object.fromEntries(Object.entries(settings as Settings).filter(([, value]) => isTrue(value)))
}

/** The response, without its first line, its last, both – each also without asterisks; equal ones once. */
function variantsOf(response: string): string[] {
  const lines = response.split('\n')
  const shorter = [lines.slice(1), lines.slice(0, -1), lines.slice(1, -1)].map((kept) => strip(kept.join('\n')))
  return [...new Set([response, ...shorter].flatMap((variant) => [variant, variant.replaceAll('*', '')]))]
}

/** Mean over the instructions of all rows. */
function meanOfAll(items: readonly Item[]): number {
  return mean(items.flatMap((item) => (Array.isArray(item) ? item.map(Number) : [])))
}

const ports: Ports = {
  process_results: { kind: 'results', run: followed },
  agg_inst_level_acc: { kind: 'aggregation', run: meanOfAll },
}

export const ifevalPorts: Ports = Object.fromEntries(
  ['ifeval/utils.py', 'leaderboard/ifeval/utils.py'].flatMap((file) =>
    Object.entries(ports).map(([name, port]) => [`${file}#${name}`, port]),
  ),
)
