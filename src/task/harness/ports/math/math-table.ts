/** Functions of MATH's relatives and their ports. */
import type { Port, Ports } from '../port.ts'
import { agievalResults, filledText, hrm8kResults, hrm8kTarget } from './agieval-answers.ts'
import { aimeResults, hendrycksResults, leaderboardResults, minervaResults, putnamResults } from './math-ports.ts'
import { hendrycksRows, leaderboardRows, literalRows, mathText, minervaRows, putnamVariations } from './math-rows.ts'

export const mathPorts: Ports = {
  'agieval/utils.py#process_results': agievalResults,
  'aime/utils.py#process_results': aimeResults,
  'hendrycks_math/utils.py#process_docs': hendrycksRows,
  'hendrycks_math/utils.py#process_results': hendrycksResults,
  'hrm8k/default/utils.py#doc_to_target': hrm8kTarget,
  'hrm8k/default/utils.py#process_results': hrm8kResults,
  'leaderboard/math/utils.py#doc_to_text': mathText,
  'leaderboard/math/utils.py#process_docs': leaderboardRows,
  'leaderboard/math/utils.py#process_results': leaderboardResults,
  'minerva_math/utils.py#doc_to_text': mathText,
  'minerva_math/utils.py#process_docs': minervaRows,
  'minerva_math/utils.py#process_results': minervaResults,
  'putnam_axiom/utils.py#doc_to_text': mathText,
  'putnam_axiom/utils.py#process_docs': minervaRows,
  'putnam_axiom/utils.py#process_results': putnamResults,
  'putnam_axiom/utils.py#process_variations': putnamVariations,
}

/** Made from the literals of their files. */
export const mathShapes: Readonly<Record<string, (constants: readonly (string | number)[]) => Port | undefined>> = {
  'hrm8k/default/utils.py#doc_to_text': filledText,
  'hrm8k/default/utils.py#doc_to_text_mmmlu': filledText,
  'leaderboard/math/utils.py#list_fewshot_samples': literalRows,
  'minerva_math/utils.py#list_fewshot_samples': literalRows,
  'putnam_axiom/utils.py#list_fewshot_samples': literalRows,
}
