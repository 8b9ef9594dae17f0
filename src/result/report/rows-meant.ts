/** Resolves `model[@revision][#representation]` among existing results. */
import { basename } from 'node:path'
import type { Identity } from './collect.ts'

/**
 * Rows of that model and representation, `default` if none is named; several where revisions differ, or, when no row
 * has exactly this name, where names continue with settings (`h3+len128`). A folder means the model of its name.
 */
export function rowsMeant<Row extends Identity>(rows: readonly Row[], reference: string): Row[] {
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

/** The parts of `org/name@main#h3`: model, revision, representation. */
export function referenceParts(reference: string): {
  model: string
  revision: string | undefined
  representation: string | undefined
} {
  const [, model = reference, revision, representation] = /^([^@#]*)(?:@([^#]+))?(?:#(.+))?$/.exec(reference) ?? []
  return { model, revision, representation }
}
