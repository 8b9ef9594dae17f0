/** A model opened to be timed: straight from its weights, with nothing kept. */
import { fault } from '#core'
import { openModel, type OpenModelOptions } from '#experiment/open'
import { choosePrompt } from '#model/checkpoint'
import { representationEncoder, representationName, representationsNamed } from '#representation/layers'
import type { Opened, Round } from './speed.ts'
import { type Clock, timeCalls } from './time-calls.ts'

/** Plain values only: it crosses from one process to another. */
export interface MeasuredRequest {
  readonly reference: string
  /** A name, or a file. */
  readonly representation: string
  readonly texts: readonly string[]
  readonly options: Omit<OpenModelOptions, 'store' | 'signal' | 'onProgress' | 'onNotice'>
}

export interface OpenedModel {
  readonly opened: Opened
  round(batch: number): Promise<Round>
  close(): Promise<void>
}

/** Throws what opening and encoding throw, `representation.unknown`. */
export async function openMeasured(
  { reference, representation, texts, options }: MeasuredRequest,
  { clock, onNotice }: { readonly clock: Clock; readonly onNotice?: (line: string) => void },
): Promise<OpenedModel> {
  const begun = clock()
  const model = await openModel(reference, { ...options, onNotice })
  try {
    const [one, ...more] = await representationsNamed([representation], model)
    if (one === undefined || more.length > 0)
      throw fault('usage.value', {
        place: '--representation',
        what: 'one representation is timed at a time',
        seen: representation,
      })
    const encoder = await representationEncoder(model, one)
    const prompt = choosePrompt(model.prompts)
    const encode = async (part: readonly string[]): Promise<number> => {
      let tokens = 0
      await encoder.encode(part, prompt, { onRows: (_, count) => (tokens += count) })
      return tokens
    }
    await encode(texts.slice(0, 1))
    const loadSeconds = clock() - begun
    const { weightBytes } = await model.facts()
    return {
      opened: {
        model: model.name,
        revision: await model.revision(),
        representation: representationName(one),
        weightBytes,
        loadSeconds,
      },
      round: (batch) => timeCalls(encode, { texts, batch, clock }),
      close: () => model.close(),
    }
  } catch (error) {
    await model.close()
    throw error
  }
}
