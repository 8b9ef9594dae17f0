/**
 * Combinations of layers as rows that are named by what they are – method, λ, similarity. The mixes of one recipe have
 * other weights, and so another name, on every task: they are one row, as the model's layers are.
 */
import { type Choice, readRecipe, recipeName, settingsSuffix } from '#result/ledger'
import { type Draft, draftIn, keyOf } from './draft.ts'

/** Names of the rows that follow the choices on all tasks. */
export const chosenMix = 'mix chosen by validation'
export const chosenLayer = 'layer chosen by validation'

interface Combined {
  /** Rows named by recipe, and what validation chose. */
  readonly combined: readonly Draft[]
  /** All other rows. */
  readonly left: readonly Draft[]
}

/** `choices`: by model and revision. Rows of what validation chose follow where `withChosen`. */
export function combinedRows(
  drafts: readonly Draft[],
  choices: ReadonlyMap<string, readonly Choice[]>,
  withChosen: boolean,
): Combined {
  const sources = new Map(drafts.map((draft) => [keyOf(draft), draft]))
  const [recipes, chosen] = [new Map<string, Draft>(), new Map<string, Draft>()]
  /** Source and task that a row of a recipe shows. */
  const shown = new Set<string>()
  const kept = new Set<Draft>()
  for (const [place, own] of choices) {
    const [model = '', revision = ''] = place.split('\n')
    const rowIn = (rows: Map<string, Draft>, name: string, { representation, parameters }: Draft): Draft =>
      draftIn(rows, { model, revision, parameters, representation: `${name}${settingsSuffix(representation)}` })
    for (const { kind, method, task, chosen: pick, candidates } of own) {
      for (const candidate of candidates) {
        const source = sources.get(`${place}\n${candidate.representation}`)
        if (source === undefined) continue
        copyTask(source, rowIn(recipes, recipeName(candidate), source), task)
        shown.add(`${keyOf(source)}\n${task}`)
      }
      const source = sources.get(`${place}\n${pick}`)
      if (!withChosen || pick === null || source === undefined) continue
      if (kind === 'method' && candidates.length > 1)
        copyTask(source, rowIn(chosen, `${method} (chosen by validation)`, source), task)
      if (kind === 'mix') copyTask(source, rowIn(chosen, chosenMix, source), task)
      if (kind === 'layer') copyTask(source, rowIn(chosen, chosenLayer, source), task)
    }
  }
  for (const draft of drafts) {
    const recipe = readRecipe(draft.combination)
    if (recipe === undefined) {
      kept.add(draft)
      continue
    }
    const recorded = (choices.get(`${draft.model}\n${draft.revision}`)?.length ?? 0) > 0
    for (const task of new Set([...draft.scores.keys(), ...draft.codes.keys()])) {
      if (shown.has(`${keyOf(draft)}\n${task}`)) continue
      const suffix = settingsSuffix(draft.representation)
      const name = `${recipeName(recipe)}${suffix}`
      const there = recipes.get(keyOf({ ...draft, representation: name }))
      // without a record, results of one recipe are those of one run; a second result of a task is another mix
      const isOther = recorded || there?.scores.has(task) === true || there?.codes.has(task) === true
      const named = isOther ? `${recipeName(recipe)} (${hashIn(draft)})${suffix}` : name
      copyTask(draft, draftIn(recipes, { ...draft, representation: named }), task)
    }
  }
  return { combined: [...recipes.values(), ...chosen.values()], left: drafts.filter((draft) => kept.has(draft)) }
}

function copyTask(from: Draft, to: Draft, task: string): void {
  const fields = ['scores', 'roots', 'stored', 'codes', 'seconds', 'reasons'] as const
  for (const field of fields) {
    const value = from[field].get(task)
    if (value !== undefined) (to[field] as Map<string, unknown>).set(task, value)
  }
}

/** The end of the name that tells one mix from another. */
function hashIn({ representation }: Draft): string {
  return /-([0-9a-f]{8})(?:\+|$)/.exec(representation)?.[1] ?? representation
}
