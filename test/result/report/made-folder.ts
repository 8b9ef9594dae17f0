/**
 * A folder of results as tests of reports want it: layers and a default, items and none, a failure, a broken file,
 * names that attack whoever prints them.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SubsetScores } from '#core'
import { writeResult } from '#result/ledger'
import { sampleFailure, sampleResult } from '../ledger/made-results.ts'

export const hostile = {
  model: `evil/<script>alert(1)</script>`,
  formula: `=cmd|'/c calc'!A0`,
  latex: String.raw`\input{/etc/passwd} $x_1^2$ 100% #1 & ~ {}`,
  markdown: '| a\n\n# b <img src=x onerror=alert(1)> [c](javascript:alert(1))',
}

const text = { languages: ['eng-Latn'] }
const part = (score: number, subset = 'default'): SubsetScores => ({ main_score: score, hf_subset: subset, ...text })

/** Share `good` of `items` right, spread by a stride, so that two rows differ on many items. */
function items(
  good: number,
  count: number,
  stride: number,
): { score: number; options: NonNullable<Parameters<typeof writeResult>[2]> } {
  const correct = Array.from({ length: count }, (_, i) => ((i * stride) % count < good * count ? 1 : 0))
  const columns = ['split', 'subset', 'correct'].map((name) => ({
    name,
    type: name === 'correct' ? ('number' as const) : ('text' as const),
  }))
  const rows = correct.map((value) => ({ split: 'test', subset: 'default', correct: value }))
  return {
    score: correct.reduce<number>((sum, value) => sum + value, 0) / count,
    options: { items: { columns, rows } },
  }
}

/**
 * One model: `default`, h0, h1, h2, h10. Labels has items (h2 is far better than default, h10 as good); Pairs none;
 * Both lacks a subset on h0; Rare is missing on h1 and failed on h2.
 */
export async function madeFolder(root: string): Promise<string> {
  const shares: Readonly<Record<string, number>> = { default: 0.6, h0: 0.3, h1: 0.55, h2: 0.9, h10: 0.6 }
  for (const [representation, share] of Object.entries(shares)) {
    const strata = { representation, model: 'org/model', revision: 'main' }
    const { score, options } = items(share, 200, 7)
    await writeResult(root, sampleResult({ task_name: 'Labels', scores: { test: [part(score)] }, strata }), options)
    await writeResult(root, sampleResult({ task_name: 'Pairs', scores: { test: [part(share / 2)] }, strata }))
    const both = representation === 'h0' ? [part(0.5, 'en')] : [part(share, 'en'), part(0.99, 'de')]
    await writeResult(root, sampleResult({ task_name: 'Both', scores: { test: both }, strata }))
    if (representation === 'h2') await writeResult(root, { ...sampleFailure(strata), task_name: 'Rare' })
    else if (representation !== 'h1')
      await writeResult(root, sampleResult({ task_name: 'Rare', scores: { test: [part(0.4)] }, strata }))
  }
  return root
}

/** The same with a model, a representation, a task and a reason that attack, and a file that is none. */
export async function hostileFolder(root: string): Promise<string> {
  await madeFolder(root)
  for (const [model, representation, task] of [
    [hostile.model, 'default', 'Labels'],
    [hostile.formula, 'default', 'Labels'],
    ['org/model', hostile.latex, 'Pairs'],
    ['org/model', 'default', hostile.markdown],
  ] as const)
    await writeResult(
      root,
      sampleResult({
        task_name: task,
        scores: { test: [part(0.5)] },
        strata: { model, representation, revision: 'main' },
      }),
    )
  await writeResult(root, {
    ...sampleFailure({ model: 'org/model', revision: 'main', representation: 'h1', reason: hostile.markdown }),
    task_name: 'Rare',
  })
  mkdirSync(join(root, 'org__model', 'main'), { recursive: true })
  writeFileSync(join(root, 'org__model', 'main', '<b>.json'), '{')
  return root
}
