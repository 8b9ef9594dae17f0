/** What `model[@revision][#representation]` means among results that are there. */
import { basename } from 'node:path'
import type { Identity } from './collect.ts'

/**
 * Rows of that model and representation, by default `default`; several where revisions differ, or settings that a
 * representation's name ends in (`h3+len128`) when none has just this name. A folder means the model of its name.
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

/** `org/name@main#h3`: what stands before, between and behind. */
export function referenceParts(reference: string): {
  model: string
  revision: string | undefined
  representation: string | undefined
} {
  const [, model = reference, revision, representation] = /^([^@#]*)(?:@([^#]+))?(?:#(.+))?$/.exec(reference) ?? []
  return { model, revision, representation }
}
