/** Help of `strata serve`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'serve',
  group: 'serve',
  summary: 'answer requests for vectors of any layer, labels and scores, in the interfaces of OpenAI and TEI',
  args: [['[models...]', 'org/name, org/name@revision, a folder, org/name+adapter, or merge:recipe.yml']],
  examples: [
    'strata serve sentence-transformers/all-MiniLM-L6-v2',
    'strata serve ./model --representation mean:2-5,h12 --port 9000',
    'strata serve --merge slerp.yml --host 0.0.0.0 --api-key-env STRATA_KEY',
    'strata serve org/embedder org/reranker --max-queue 256 --dry-run',
  ],
  keeps: 'nothing',
}
