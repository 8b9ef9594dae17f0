import { expect, test } from 'vitest'
import type { ChatTurn, LanguageModel } from '#core'
import { converse } from '../../../../src/cli/commands/generate/converse.ts'

/** Answers with the number of turns it was given; says at what it was asked. */
function counting(): { model: LanguageModel; prompts: string[] } {
  const prompts: string[] = []
  const model = {
    facts: { name: 'counting', window: 9 },
    chatPrompt: (turns: readonly ChatTurn[]) => turns.map(({ role, content }) => `${role}: ${content}`).join('|'),
    generate: async (
      [prompt = '']: readonly string[],
      { onText }: { onText?: (index: number, text: string) => void } = {},
    ) => {
      prompts.push(prompt)
      const text = String(prompt.split('|').length)
      onText?.(0, text)
      return [{ text, end: 'end-of-text', droppedTokens: 0 }]
    },
  }
  return { model: model as unknown as LanguageModel, prompts }
}

test('every turn is asked with all before it; lines without a word are asked again', async () => {
  const { model, prompts } = counting()
  const lines = ['Hello', '  ', 'And now?']
  let shown = ''
  const terminal = {
    write: (text: string) => void (shown += text),
    print: () => undefined,
    note: () => undefined,
    progress: () => undefined,
    signal: new AbortController().signal,
    interruptible: async <T>(work: (signal: AbortSignal) => Promise<T>) => work(new AbortController().signal),
  }
  const turns = await converse([{ role: 'system', content: 'Count.' }], { model, terminal, json: false }, async () =>
    lines.shift(),
  )
  expect(prompts).toEqual(['system: Count.|user: Hello', 'system: Count.|user: Hello|assistant: 2|user: And now?'])
  expect(shown).toBe('2\n4\n')
  expect(turns.at(-1)).toEqual({ role: 'assistant', content: '4' })
})
