/** Help of `strata evaluate`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'evaluate',
  group: 'measure',
  summary: 'score models on tasks',
  args: [
    [
      '[models...]',
      'org/name, org/name@revision, folders, merge:recipe.yml, or bm25; none with --vectors, --merge or --model',
    ],
  ],
  examples: [
    'strata evaluate minishlab/potion-base-4M --tasks "STS*"',
    'strata evaluate sentence-transformers/all-MiniLM-L6-v2 --benchmark "MTEB(eng, v2)" --dry-run',
    'strata evaluate ./one ./two --merge ties.yml --merge slerp.yml --tasks STSBenchmark',
    'strata evaluate ./model --task-file mine.yaml',
    'strata evaluate bm25 --rerank cross-encoder/ms-marco-MiniLM-L6-v2 --top 100 --tasks SciFact',
    'strata evaluate --model openai-embeddings --model_args base_url=http://localhost:8000/v1,model=NAME --tasks SciFact',
    'strata evaluate --vectors vectors.npy --texts texts.jsonl --tasks SciFact',
  ],
}
