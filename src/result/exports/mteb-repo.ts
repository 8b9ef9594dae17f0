/**
 * The layout of embeddings-benchmark/results: `results/<org>__<name>/<revision>/<Task>.json` next to `model_meta.json`,
 * representations in `experiments/`. Files have mteb's keys alone.
 */
import { dirname } from 'node:path'
import { resultPath } from '#result/ledger'
import type { ResultFormat } from './exported.ts'

export const mtebRepo: ResultFormat = {
  isOfOneModel: false,
  files: (results) => {
    const metas = new Map<string, string>()
    const files = results.map(({ model, revision, representation, task, result, meta }) => {
      const path = resultPath({ root: 'results', model, revision, representation }, task)
      if (meta !== undefined) metas.set(`${dirname(path)}/model_meta.json`, meta)
      const { strata: _, evaluation_time: seconds = null, kg_co2_emissions: emissions = null, ...rest } = result
      const document = { ...rest, evaluation_time: seconds, kg_co2_emissions: emissions }
      return { path, content: `${JSON.stringify(document, null, 2)}\n` }
    })
    return [...files, ...Array.from(metas, ([path, content]) => ({ path, content }))]
  },
}
