/** Names of models, revisions and representations that a user gives, against those that folders hold results of. */
import { fault, suggestion } from '#core'
import { pathName } from '#platform/disk'
import { type Listed, listResults } from './find-results.ts'

type Named = Pick<Listed, 'model' | 'revision' | 'representation'>

interface Names {
  readonly models?: readonly string[] | undefined
  readonly revisions?: readonly string[] | undefined
  readonly representations?: readonly string[] | undefined
}

/**
 * Throws `usage.value` for a name that no result of the folders has, with the nearest. `found`: the results that passed
 * the filters; the others are read only where one of the names is not among them. An empty folder knows no name.
 */
export async function checkResultNames(roots: readonly string[], found: readonly Named[], names: Names): Promise<void> {
  let all: readonly Listed[] | undefined
  for (const [flag, what, wanted, nameOf] of [
    ['--models', 'model', names.models, ({ model }: Named) => model],
    ['--revision', 'revision', names.revisions, ({ revision }: Named) => revision],
    ['--representation', 'representation', names.representations, ({ representation }: Named) => representation],
  ] as const)
    for (const name of wanted ?? []) {
      // as folders are named
      const has = (one: string): boolean => pathName(one) === pathName(name)
      if (found.map(nameOf).some(has)) continue
      all ??= (await Promise.all(roots.map((root) => listResults(root)))).flat()
      const known = [...new Set(all.map(nameOf))]
      if (known.length === 0 || known.some(has)) continue
      throw fault('usage.value', {
        place: flag,
        what: `no result is of this ${what}`,
        seen: name,
        hint: suggestion(name, known),
      })
    }
}
