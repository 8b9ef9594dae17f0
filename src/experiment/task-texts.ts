/** Every text that tasks ask, for vectors that are made elsewhere. */
import type { PromptType } from '../core/index.ts'
import { keyTable, textKeys } from '../model/index.ts'
import { textBlocks } from '../tasks/index.ts'
import { loadRows, type SweepOptions } from './sweep-options.ts'

export interface AskedText {
  readonly text: string
  readonly prompt_type: PromptType | null
}

/** Distinct texts with their side, in the order in which the tasks first ask them: the same tasks give the same lines. Throws what loading throws. */
export async function* taskTexts(options: Omit<SweepOptions, 'representations'>): AsyncGenerator<AskedText[]> {
  const known = keyTable()
  for (const task of options.tasks) {
    const loaded = await loadRows(task, { ...options, representations: [] })
    try {
      for (const { texts, promptType } of loaded.texts())
        for (const block of textBlocks(texts)) {
          const keys = textKeys(block.map((text) => `${promptType ?? ''}\0${text}`))
          const start = known.add(keys)
          yield block.flatMap((text, i) => (known.find(keys, i) === start + i ? [{ text, prompt_type: promptType ?? null }] : []))
        }
    } finally {
      loaded.close()
    }
  }
}
