/** One answer of a language model: printed as it is generated, or as a document. */
import { type ChatTurn, fault, type GenerateOptions, type Generation, type LanguageModel, quantity } from '#core'
import type { Terminal } from '../../spec/command.ts'

export type AnswerOptions = Pick<GenerateOptions, 'temperature' | 'topK' | 'topP' | 'maxTokens' | 'until' | 'seed'>

export interface AnswerSettings extends AnswerOptions {
  readonly model: LanguageModel
  readonly terminal: Terminal
  readonly json: boolean
}

export interface Answer {
  readonly text: string
  readonly end: Generation['end'] | 'interrupted'
}

/**
 * Continues a text, or answers a chat. Text generated before Ctrl-C is the answer. Throws `usage.value` for a prompt
 * that fills the window.
 */
export async function answer(
  prompt: string | readonly ChatTurn[],
  { model, terminal, json, ...options }: AnswerSettings,
): Promise<Answer> {
  const chat = typeof prompt !== 'string'
  const asked = chat ? model.chatPrompt?.(prompt) : prompt
  if (asked === undefined) throw fault('internal', { place: model.facts.name, what: 'a chat without a template' })
  let text = ''
  // the first token waits for graph and prompt: the speed is measured over the others
  let first: number | undefined
  const written = await terminal.interruptible(async (signal) =>
    model
      .generate([asked], {
        ...options,
        longPrompts: 'refuse',
        addSpecialTokens: chat ? false : undefined,
        signal,
        onText(_, now) {
          first ??= performance.now()
          if (!json) terminal.write(now.slice(text.length))
          text = now
        },
      })
      .catch((error: unknown) => {
        if (signal.aborted && !terminal.signal.aborted) return []
        throw error
      }),
  )
  const seconds = (performance.now() - (first ?? NaN)) / 1000
  const [generation] = written
  const end = generation?.end ?? 'interrupted'
  if (json)
    terminal.print(
      JSON.stringify(documentOf({ text, end, generation, seconds, seed: options.seed, model: model.facts.name })),
    )
  else terminal.write('\n')
  if (end === 'length')
    terminal.note(
      `cut after ${quantity(generation?.tokens?.written ?? 0, 'token')}: --max-new-tokens, or the model's window of ${model.facts.window}`,
    )
  return { text, end }
}

function documentOf({
  text,
  end,
  generation,
  seconds,
  seed,
  model,
}: Answer & { generation: Generation | undefined; seconds: number; seed: number | undefined; model: string }): Readonly<
  Record<string, unknown>
> {
  const { prompt = null, written = null } = generation?.tokens ?? {}
  return {
    model,
    text,
    finish_reason: end,
    tokens: { prompt, written },
    tokens_per_second: written === null || written < 2 ? null : (written - 1) / seconds,
    seed: seed ?? null,
  }
}
