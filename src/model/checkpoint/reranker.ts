/** Rerankers, which score pairs of texts and have no vector of one, by the signs that mteb 2.26 goes by. */
import { fault, type RepoFiles } from '#core'
import { isObject, readJsonFields } from '#files/formats'

/** Libraries' classes for models that are not one vector per text. */
const otherTypes = ['CrossEncoder', 'SparseEncoder', 'MultiVectorEncoder', 'ColBERT']

/** The sign that a folder without modules is no embedder; undefined for one that may be. `model`: as results call it. */
export async function rerankerSign(files: RepoFiles, config: unknown, model: string): Promise<string | undefined> {
  const type = (await readJsonFields(files, 'config_sentence_transformers.json'))?.fields['model_type']
  if (typeof type === 'string' && otherTypes.includes(type)) return `model_type ${type}`
  if (type === 'SentenceTransformer' || !isObject(config)) return undefined
  const { architectures, num_labels: labels } = config
  const classes = Array.isArray(architectures) ? architectures.filter((one) => typeof one === 'string') : []
  const classifier = classes.find((name) => name.endsWith('ForSequenceClassification'))
  if (classifier !== undefined) return classifier
  const writer = classes.find((name) => name.endsWith('ForCausalLM'))
  if (writer === undefined) return undefined
  if (typeof labels === 'number' && labels > 0) return `${writer} with num_labels`
  return /rerank|cross-encoder/i.test(model) ? `${writer} by the name of a reranker` : undefined
}

/** Throws `config.unsupported` for a model that has no `default`. */
export function assertDefault({ name, defaultLacks }: { name: string; defaultLacks?: string | undefined }): void {
  if (defaultLacks === undefined) return
  throw fault('config.unsupported', {
    place: `${name} › default`,
    what: defaultLacks,
    hint: '--pooling mean reads it as an encoder; h<n> are its hidden states, and a task of sequence classification asks its head',
  })
}

/** Why such a model has no `default`. */
export function withoutDefault(sign: string): string {
  return `${sign} without a pooling is a reranker or a classifier: it has no vector of a text`
}
