/** Flags of strata correlate. */
import type { AssociationMethod } from '#result/statistics'
import { atLeastTwo, type Flag, wordsOf, aboveZero } from './flag.ts'

export const correlateFlags = {
  xScores: {
    flags: '--x <source>',
    help: 'one side: harness:FOLDER of lm-evaluation-harness, holmes:FILE, a leaderboard of Holmes, or results:FOLDER#REPRESENTATION, such as logits or h6',
  },
  yScores: { flags: '--y <source>', help: 'the other side; without it the winning rates of the one' },
  correlationMethod: {
    flags: '--method <name>',
    help: "Kendall's τ-b, or Spearman's ρ",
    choices: wordsOf<AssociationMethod>()(['kendall', 'spearman']),
    fallback: 'kendall',
  },
  rankingTables: {
    flags: '--tables <folder>',
    help: 'also write six tables there: ranks of the models on either side, means and one by one, and both correlations',
  },
  minimumModels: {
    flags: '--minimum <n>',
    help: 'models that two scores must share',
    fallback: 4,
    parse: atLeastTwo('--minimum'),
  },
  portion: {
    flags: '--portion <share>',
    help: 'training portion of Flash-Holmes (default: the largest)',
    parse: aboveZero('--portion'),
  },
} as const satisfies Record<string, Flag>
