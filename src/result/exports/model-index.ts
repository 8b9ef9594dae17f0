/** The `model-index` block of a model card, as `huggingface_hub.model_index_to_eval_results` reads it. */
import { toModelIndex } from '#files/cards'
import { yamlText } from '#files/formats'
import { toCardScores } from './card-scores.ts'
import type { ResultFormat } from './exported.ts'

export const modelIndex: ResultFormat = {
  isOfOneModel: true,
  files: (results, { taskFacts }) => {
    const [first] = results
    if (first === undefined) return []
    const scores = results.flatMap(({ task, result }) => toCardScores(result, taskFacts(task)))
    return [{ path: 'model-index.yaml', content: yamlText({ 'model-index': toModelIndex(first.model, scores) }) }]
  },
}
