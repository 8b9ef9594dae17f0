/** `POST /predict` as text-embeddings-inference has it: labels of a classifier with their probabilities. */
import { fault, row } from '#core'
import { json } from '#serve/http'
import { post } from './world.ts'

export const predict = post({
  path: '/predict',
  dialect: 'tei',
  summary: 'Labels of texts with their probabilities, the most probable first',
  schema: (z) =>
    z.strictObject({
      model: z.string().max(1000).optional(),
      inputs: z.union([
        z.string(),
        z
          .array(z.union([z.string(), z.array(z.string()).min(1).max(2)]))
          .min(1)
          .max(2048),
      ]),
      raw_scores: z.boolean().default(false),
      truncate: z.literal(true, { error: 'long texts are cut: truncate must be true' }).nullish(),
    }),
  async run({ model: name, inputs, raw_scores }, { world: { served }, signal }) {
    const own = served.findModel(name)
    const { model } = own
    if (model.classifier === undefined)
      throw fault('config.unsupported', { place: own.name, what: 'the model has no head for classes' })
    const classifier = await model.classifier()
    const { labels } = classifier
    const texts = [inputs].flat().map((one) => singleOf([one].flat()))
    const logits = await own.inTurn(() => classifier.logits(texts, { signal }))
    const answers = texts.map((_, at) => {
      const scores = raw_scores ? [...row(logits, at)] : probabilities([...row(logits, at)])
      return scores
        .map((score, label) => ({ score, label: labels[label] ?? String(label) }))
        .sort((a, b) => b.score - a.score)
    })
    return json(typeof inputs === 'string' ? answers[0] : answers)
  },
})

function singleOf([text = '', ...more]: readonly string[]): string {
  if (more.length > 0)
    throw fault('usage.value', {
      place: 'inputs',
      what: 'a classifier reads single texts',
      hint: 'ask /rerank for pairs',
    })
  return text
}

/** Softmax, or the sigmoid of a single label. */
function probabilities(logits: readonly number[]): number[] {
  if (logits.length === 1) return logits.map((logit) => 1 / (1 + Math.exp(-logit)))
  const top = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp(logit - top))
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map((power) => power / sum)
}
