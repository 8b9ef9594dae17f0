/** `POST /rerank` as text-embeddings-inference has it. */
import { fault } from '#core'
import { json } from '#serve/http'
import { post } from './world.ts'

export const rerank = post({
  path: '/rerank',
  dialect: 'tei',
  summary: 'Scores of texts for a query, the highest first',
  schema: (z) =>
    z.strictObject({
      model: z.string().max(1000).optional(),
      query: z.string(),
      texts: z.array(z.string()).min(1).max(2048),
      raw_scores: z.literal(true, { error: 'scores come as the checkpoint says: raw_scores must be true' }).optional(),
      return_text: z.boolean().default(false),
      truncate: z.literal(true, { error: 'long texts are cut: truncate must be true' }).nullish(),
    }),
  async run({ model: name, query, texts, return_text }, { world: { served }, signal }) {
    const own = served.findModel(name)
    const { reranker } = own.model
    if (reranker === undefined)
      throw fault('config.unsupported', { place: own.name, what: 'the model does not score pairs of texts' })
    const opened = await reranker()
    const scores = await own.inTurn(() =>
      opened.score(
        texts.map((text) => [query, text] as const),
        { signal },
      ),
    )
    const answers = [...scores].map((score, index) => ({
      index,
      score,
      ...(return_text ? { text: texts[index] } : {}),
    }))
    return json(answers.sort((a, b) => b.score - a.score || a.index - b.index))
  },
})
