/** A model opened to be timed: straight from its weights, with nothing kept. */
import { stat } from 'node:fs/promises'
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
  readonly options: Omit<OpenModelOptions, 'store' | 'signal' | 'onProgress' | 'onNotice' | 'onFile'>
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
  const files = new Set<string>()
  const model = await openModel(reference, { ...options, onNotice, onFile: (path) => files.add(path) })
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
    // a folder's revision reads every file of it
    const fileBytes = await bytesOf([...files])
    return {
      opened: {
        model: model.name,
        revision: await model.revision(),
        representation: representationName(one),
        fileBytes,
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

async function bytesOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
