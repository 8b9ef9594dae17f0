/** `POST /tokenize` as text-embeddings-inference has it. */
import { tokensOf } from '#model/checkpoint'
import { json } from '#serve/http'
import { post } from './world.ts'

export const tokenize = post({
  path: '/tokenize',
  dialect: 'tei',
  summary: 'Tokens of texts, with their places in code points',
  schema: (z) =>
    z.strictObject({
      model: z.string().max(1000).optional(),
      inputs: z.union([z.string(), z.array(z.string()).min(1).max(2048)]),
      add_special_tokens: z.boolean().default(true),
    }),
  async run({ model: name, inputs, add_special_tokens }, { world: { served } }) {
    const own = served.findModel(name)
    const tokenizer = await tokensOf(own.model).tokenizer()
    const texts = [inputs].flat()
    const rows = await tokenizer.encodeBatch(texts, {
      addSpecialTokens: add_special_tokens,
      offsets: true,
      specialTokensMask: true,
    })
    return json(
      await Promise.all(
        rows.map(async ({ ids, offsets, specialTokensMask }, at) => {
          const points = Array.from(texts[at] ?? '')
          return Promise.all(
            Array.from(ids, async (id, i) => {
              if (specialTokensMask?.[i] === 1) {
                const text = await tokenizer.decode([id], { skipSpecialTokens: false })
                return { id, text, special: true, start: null, stop: null }
              }
              const [start = 0, stop = 0] = [offsets?.[2 * i], offsets?.[2 * i + 1]]
              return { id, text: points.slice(start, stop).join(''), special: false, start, stop }
            }),
          )
        }),
      ),
    )
  },
})
