/** Finished results, and the facts of their task, as the forms of other programs get them. */
import type { Result } from '#core'
import type { FinishedResult, FormatContext } from '../../../src/result/exports/exported.ts'
import { sampleResult } from '../ledger/made-results.ts'

export function finished(representation: string, changes: Partial<Omit<Result, 'strata'>> = {}): FinishedResult {
  const { strata, ...result } = sampleResult({ strata: { representation }, ...changes })
  const { model, revision } = strata
  const meta = `{"name": "${model}"}\n`
  return { model, revision, representation, task: result.task_name, result: { ...result, strata }, meta }
}

export const context: FormatContext = {
  taskFacts: (task) =>
    task === 'STS17'
      ? {
          type: 'STS',
          dataset: { path: 'mteb/sts17-crosslingual-sts', revision: 'other' },
          mainScore: 'cosine_spearman',
          splits: ['test'],
          subsets: ['en-en'],
        }
      : undefined,
  address: 'file:///out',
}
