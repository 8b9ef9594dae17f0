/** `POST /v1/embeddings` as OpenAI has it, and several layers from one pass. */
import { fault, type Matrix, row } from '#core'
import { statesNamed, type Representation, toWhole } from '#representation/layers'
import { statesOf } from '#model/checkpoint'
import type { Zod } from '#files/formats'
import { embedRows, type EmbedInput } from './embed-rows.ts'
import { json } from '#serve/http'
import { post } from './world.ts'

/** As OpenAI limits a request. */
const mostTexts = 2048

const word = (z: Zod) => z.string().max(1000)

export const embeddings = post({
  path: '/v1/embeddings',
  dialect: 'openai',
  summary: 'Vectors of texts or token ids, of any representation or of several layers',
  schema: (z) => {
    const id = z
      .int()
      .min(0)
      .max(2 ** 31 - 1)
    return z.strictObject({
      model: word(z).optional(),
      input: z.union([
        z.string(),
        z.array(z.string()).min(1).max(mostTexts),
        z.array(id).min(1),
        z.array(z.array(id).min(1)).min(1).max(mostTexts),
      ]),
      encoding_format: z.enum(['float', 'base64']).default('float'),
      dimensions: z.int().min(1).max(1_000_000).optional(),
      user: z.string().optional(),
      layers: z.union([z.literal('all'), z.array(z.int().min(-100_000).max(100_000)).min(1).max(1000)]).optional(),
      prompt_name: word(z).optional(),
      input_type: z.enum(['query', 'document']).optional(),
      truncate: z.boolean().default(true),
    })
  },
  async run(body, { world: { served }, signal }) {
    const asked = await served.find(body.model)
    const { model } = asked.served
    const layers =
      body.layers === undefined
        ? undefined
        : statesNamed(body.layers === 'all' ? 'all' : body.layers.join(), statesOf(model).count)
    if (layers !== undefined && toWhole(asked.representation).kind !== 'default')
      throw fault('usage.conflict', {
        place: 'layers',
        what: 'cannot be combined with a representation behind the name of the model',
        seen: body.model,
      })
    const wholes = layers?.map((h): Representation => ({ kind: 'state', h })) ?? [asked.representation]
    const { vectors, tokens } = await embedRows(
      asked.served,
      wholes.map((one) => cutTo(one, body.dimensions)),
      inputOf(body.input),
      { promptName: body.prompt_name, side: body.input_type, truncate: body.truncate, signal },
    )
    const encode = body.encoding_format === 'base64' ? base64 : (values: Float32Array) => [...values]
    const data = tokens.flatMap((_, at) =>
      vectors.map((one: Matrix, slot) => ({
        object: 'embedding',
        index: at,
        ...(layers === undefined ? {} : { layer: layers[slot] }),
        embedding: encode(row(one, at)),
      })),
    )
    const total = tokens.reduce((sum, count) => sum + count, 0)
    return json({
      object: 'list',
      data,
      model: body.model ?? asked.served.name,
      usage: { prompt_tokens: total, total_tokens: total },
    })
  },
})

/** A representation cut to its leading dimensions. */
export function cutTo(representation: Representation, dimensions: number | undefined): Representation {
  if (dimensions === undefined) return representation
  return { kind: 'sized', of: toWhole(representation), dimensions, type: 'float32' }
}

function inputOf(input: string | readonly string[] | readonly number[] | readonly (readonly number[])[]): EmbedInput {
  if (typeof input === 'string') return { kind: 'texts', texts: [input] }
  const texts = input.filter((one) => typeof one === 'string')
  if (texts.length > 0) return { kind: 'texts', texts }
  const ids = input.filter((one) => typeof one === 'number')
  return { kind: 'ids', ids: ids.length > 0 ? [ids] : input.filter((one) => typeof one === 'object') }
}

/** Little-endian float32, as OpenAI's clients read it. */
function base64(values: Float32Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64')
}
