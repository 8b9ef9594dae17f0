/** Resolves `model[@revision][#representation]` among existing results. */
import { basename } from 'node:path'
import { fault, suggestion } from '#core'
import type { Identity } from './draft.ts'

/**
 * Rows of that model and representation, `default` if none is named; several where revisions differ, or, when no row
 * has exactly this name, where names continue with settings (`h3+len128`). A folder means the model of its name.
 */
function rowsMeant<Row extends Identity>(rows: readonly Row[], reference: string): Row[] {
  const { model, revision, representation = 'default' } = referenceParts(reference)
  const isFolder = /^(?:\.{0,2}|~)\//.test(model)
  const own = rows.filter(
    (row) =>
      (row.model === model || (isFolder && row.model === basename(model))) &&
      (revision === undefined || row.revision.startsWith(revision)),
  )
  const same = own.filter((row) => row.representation === representation)
  return same.length > 0 ? same : own.filter((row) => row.representation.startsWith(`${representation}+`))
}

/**
 * The only row that is meant, by its name in the report or by a reference. Throws `usage.value` with the nearest name
 * where none is, and with all of them where several are.
 */
export function rowMeant<Row extends Identity & { readonly name?: string }>(
  rows: readonly Row[],
  reference: string,
  { place }: { place: string },
): Row {
  const named = rows.find(({ name, representation }) => name === reference || `${name} ${representation}` === reference)
  const meant = named === undefined ? rowsMeant(rows, reference) : [named]
  const [one, ...others] = meant
  if (one === undefined) {
    const known = rows.flatMap((row) =>
      [row.name ?? [], `${row.model}#${row.representation}`, row.representation].flat(),
    )
    throw fault('usage.value', {
      place,
      what: 'no results of this',
      seen: reference,
      hint: suggestion(reference, [...new Set(known)]),
    })
  }
  if (others.length === 0) return one
  throw fault('usage.value', {
    place,
    what: 'several results have this name',
    seen: reference,
    wanted: meant.map(({ model, revision, representation }) => `${model}@${revision}#${representation}`).join(', '),
    hint: 'name one with its revision',
  })
}

/** The parts of `org/name@main#h3`: model, revision, representation. */
export function referenceParts(reference: string): {
  model: string
  revision: string | undefined
  representation: string | undefined
} {
  const [, model = reference, revision, representation] = /^([^@#]*)(?:@([^#]+))?(?:#(.+))?$/.exec(reference) ?? []
  return { model, revision, representation }
}
