/** `POST /embed` and `/embed_all` as text-embeddings-inference has them. */
import { fault, row } from '#core'
import type { Zod } from '#files/formats'
import { choosePrompt, stateOutput, type TokenOutput, tokensOf, type TokenStates } from '#model/checkpoint'
import { embedRows } from './embed-rows.ts'
import { cutTo } from './embeddings.ts'
import { json } from '#serve/http'
import { post } from './world.ts'

const mostTexts = 2048

/** What both take; `model`: the first one served by default. */
const shared = (z: Zod) => ({
  model: z.string().max(1000).optional(),
  inputs: z.union([z.string(), z.array(z.string()).min(1).max(mostTexts)]),
  prompt_name: z.string().max(1000).nullish(),
  truncate: z.boolean().nullish(),
  truncation_direction: z.literal('Right').optional(),
})

export const embed = post({
  path: '/embed',
  dialect: 'tei',
  summary: 'Vectors of texts, of length 1 unless normalize says no',
  schema: (z) =>
    z.strictObject({
      ...shared(z),
      normalize: z.boolean().default(true),
      dimensions: z.int().min(1).max(1_000_000).nullish(),
    }),
  async run({ model, inputs, prompt_name, truncate, normalize, dimensions }, { world: { served }, signal }) {
    const asked = await served.find(model)
    const {
      vectors: [vectors],
      tokens,
    } = await embedRows(
      asked.served,
      [cutTo(asked.representation, dimensions ?? undefined)],
      { kind: 'texts', texts: [inputs].flat() },
      { promptName: prompt_name ?? undefined, truncate: truncate ?? true, signal },
    )
    if (vectors === undefined) return json([])
    return json(tokens.map((_, at) => (normalize ? unit(row(vectors, at)) : [...row(vectors, at)])))
  },
})

export const embedAll = post({
  path: '/embed_all',
  dialect: 'tei',
  summary: 'A vector for each token of the texts: the last state, or the one behind the name of the model',
  schema: (z) =>
    z.strictObject({
      ...shared(z),
      truncate: z.literal(true, { error: 'long texts are cut: truncate must be true' }).nullish(),
    }),
  async run({ model: name, inputs, prompt_name }, { world: { served }, signal }) {
    const { served: own, representation } = await served.find(name)
    const { model } = own
    if (representation.kind !== 'default' && representation.kind !== 'state')
      throw fault('usage.value', {
        place: 'model',
        what: 'a mix of layers or a part of a vector is not one of tokens',
        seen: name,
        wanted: 'default or h<n>',
      })
    const tokens = tokensOf(model)
    const choice = prompt_name == null ? model.prompts : { ...model.prompts, name: prompt_name }
    const state = representation.kind === 'state' ? representation.h : undefined
    const answers: number[][][] = []
    for (const text of [inputs].flat()) {
      signal.throwIfAborted()
      const batch = await tokens.batch([text], { prompt: choosePrompt(choice), side: 'right' })
      const found = await own.inTurn(() =>
        tokens.run(state === undefined ? { batch, states: [], lastState: true } : { batch, states: [state] }),
      )
      const output = state === undefined ? lastState(found) : stateOutput(found, state, model.name)
      const width = output.dims.at(-1) ?? 0
      answers.push(
        Array.from({ length: batch.cols }, (_, at) => [...output.data.subarray(at * width, (at + 1) * width)]),
      )
    }
    return json(answers)
  },
})

function lastState(outputs: TokenStates): TokenOutput {
  const found = outputs.find(({ name }) => name === 'last_hidden_state')
  if (found === undefined) throw fault('internal', { place: '/embed_all', what: 'the graph gave no last state' })
  return found
}

/** x / ‖x‖; zeros stay zeros. */
function unit(values: ArrayLike<number> & Iterable<number>): number[] {
  const list = [...values]
  const length = Math.hypot(...list)
  return length === 0 ? list : list.map((value) => Math.fround(value / length))
}
