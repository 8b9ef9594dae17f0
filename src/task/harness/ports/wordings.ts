/** How lm-evaluation-harness 0.4.13 words the functions that have ports: fingerprints, so that the same function is known in other folders and a changed one is not. Made by scripts/harness-wordings.mjs. */
export const wordings: Readonly<Record<string, { readonly exact: string; readonly shape: string }>> = {
  'global_mmlu/full/ar/utils.py#process_anatomy': { exact: '44bf03d0617cedb5', shape: '6b3ac9bacc812f07' },
  'hellaswag/utils.py#process_docs': { exact: '1b19865a2c45352f', shape: 'fe58bb3486a6b058' },
  'ifeval/utils.py#agg_inst_level_acc': { exact: '71f40b3168556740', shape: 'bad8f9ab49026c0f' },
  'ifeval/utils.py#process_results': { exact: '5b367045d4b0173d', shape: 'b4bdf719b5263ec1' },
  'include/default/Albanian/utils.py#process_stem': { exact: '3d00dd534989151f', shape: '64264e09962fe873' },
  'leaderboard/ifeval/utils.py#agg_inst_level_acc': { exact: '71f40b3168556740', shape: 'bad8f9ab49026c0f' },
  'leaderboard/ifeval/utils.py#process_results': { exact: '5b367045d4b0173d', shape: 'b4bdf719b5263ec1' },
  'openai-mmmlu/default/utils.py#process_anatomy': { exact: 'b6be6f17d4e2390f', shape: '5592926a957410bf' },
  'winogrande/preprocess_winogrande.py#doc_to_choice': { exact: '44069d35a838e639', shape: '10a7269d3354fcbf' },
  'winogrande/preprocess_winogrande.py#doc_to_target': { exact: 'b981c896c7b3cbe4', shape: 'b03527a0dd4998cc' },
  'winogrande/preprocess_winogrande.py#doc_to_text': { exact: '0c381db858e04aea', shape: '7ff026b2fc1249ab' },
}
