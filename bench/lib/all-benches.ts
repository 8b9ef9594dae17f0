/** The benches that `all` runs, quick ones first, and what each needs that the repository does not carry. */

/** Other programs, and data that is shared between checkouts: bench/README.md. */
export type Need = 'python' | 'model2vec' | 'mergekit' | 'infinity' | 'shared'

export interface Bench {
  readonly name: string
  /** Without these the bench does not run, or says nothing. */
  readonly needs: readonly Need[]
  /** Flags for a run without other programs; a bench without this list is skipped when `python` and its like are missing. */
  readonly alone?: readonly string[]
  /** The records it writes, when they are not one of its own name. */
  readonly records?: readonly string[]
}

/** Quick ones first: a slowdown that shows in minutes is not waited for behind hours. */
export const benches: readonly Bench[] = [
  { name: 'first-vector', needs: ['python'] },
  { name: 'engines', needs: [] },
  { name: 'regressions', needs: [] },
  { name: 'serve-layers', needs: [] },
  { name: 'low-states', needs: [] },
  { name: 'many-results', needs: [] },
  { name: 'arms', needs: [] },
  { name: 'bm25', needs: ['python'] },
  { name: 'static', needs: ['python'] },
  { name: 'inside', needs: ['python'] },
  { name: 'search', needs: ['python'] },
  { name: 'rerank', needs: ['python'] },
  { name: 'sparse', needs: ['python'] },
  { name: 'maxsim', needs: ['python'] },
  { name: 'distil', needs: ['model2vec'] },
  { name: 'probes', needs: ['shared', 'python'] },
  { name: 'serve', needs: ['python', 'infinity'] },
  { name: 'evaluate', needs: ['shared', 'python'], alone: ['--programs', 'strata'] },
  { name: 'layers', needs: ['shared', 'python'], alone: ['--python', '0'] },
  { name: 'encode', needs: ['python'], alone: ['--only', 'strata'] },
  { name: 'export', needs: ['python'] },
  { name: 'workers', needs: [] },
  { name: 'token-metrics', needs: ['shared'] },
  { name: 'language', needs: ['shared', 'python'] },
  { name: 'long-texts', needs: [] },
  { name: 'growth', needs: ['shared'] },
  { name: 'frontier', needs: ['shared'] },
  { name: 'aggregate', needs: ['shared'] },
  { name: 'locales', needs: ['shared', 'python'], records: ['locales', 'locales-average'] },
  { name: 'sizes', needs: ['shared', 'python'], alone: ['--only', 'strata'] },
  { name: 'million-docs', needs: ['shared'] },
  {
    name: 'merge-speed',
    needs: ['mergekit'],
    alone: ['--programs', 'strata,cp'],
    records: ['merge-speed', 'merge-costs'],
  },
]

/** Benches with a record that has no speed in it, or that want another machine: by their names alone. */
export const apart: readonly string[] = ['gpu', 'precision', 'serve-fuzz', 'serve-soak', 'slurm']

export type Turn =
  | { readonly kind: 'run'; readonly bench: Bench; readonly flags: readonly string[] }
  | { readonly kind: 'skip'; readonly bench: Bench; readonly missing: readonly Need[] }

/**
 * What to do with each bench: run it, run it without the others, or skip it. `only`: names, all where it is empty.
 *
 * @throws RangeError for a name that is not in the list.
 *
 * @example
 *   turnsOf([], { isThere: (need) => need === 'shared' })
 */
export function turnsOf(only: readonly string[], { isThere }: { isThere: (need: Need) => boolean }): Turn[] {
  const unknown = only.filter((name) => !benches.some((bench) => bench.name === name))
  if (unknown.length > 0)
    throw new RangeError(
      `--only: no bench ${unknown.join(', ')}; there are ${benches.map(({ name }) => name).join(', ')}`,
    )
  return benches
    .filter(({ name }) => only.length === 0 || only.includes(name))
    .map((bench) => {
      const missing = bench.needs.filter((need) => !isThere(need))
      if (missing.length === 0) return { kind: 'run', bench, flags: [] }
      const canGoAlone = bench.alone !== undefined && !missing.includes('shared')
      return canGoAlone ? { kind: 'run', bench, flags: bench.alone } : { kind: 'skip', bench, missing }
    })
}
