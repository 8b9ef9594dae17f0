/** Every text of the tasks, for vectors that are made elsewhere. */
import type { PromptType } from '#core'
import { keyTable, textKeys } from '#platform/vectors'
import { type MissingPart, textBlocks } from '#task/rows'
import { requestSweep, type SweepOptions } from './sweep-request.ts'
import { loadRows } from './load-rows.ts'

export interface PromptedText {
  readonly text: string
  readonly prompt_type: PromptType | null
}

/**
 * Distinct texts with their side, in order of first use: the same tasks give the same lines. Throws what loading
 * throws.
 * @param onMissing hears of parts of a task that cannot be read
 */
export async function* taskTexts(
  options: Omit<SweepOptions, 'representations'>,
  onMissing: (task: string, missing: readonly MissingPart[]) => void = () => undefined,
): AsyncGenerator<PromptedText[]> {
  const sweep = requestSweep({ ...options, representations: [] })
  const known = keyTable()
  for (const task of options.tasks) {
    const loaded = await loadRows(sweep.asked(task), sweep)
    try {
      if (loaded.missing.length > 0) onMissing(task.name, loaded.missing)
      for (const { texts, promptType } of loaded.texts())
        for (const block of textBlocks(texts)) {
          const keys = textKeys(block.map((text) => `${promptType ?? ''}\0${text}`))
          const start = known.add(keys)
          yield block.flatMap((text, i) =>
            known.find(keys, i) === start + i ? [{ text, prompt_type: promptType ?? null }] : [],
          )
        }
    } finally {
      loaded.close()
    }
  }
}
