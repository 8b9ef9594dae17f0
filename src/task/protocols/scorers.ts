/** How each protocol scores a part. A protocol = its file + one line here (and one in the tasks' table of readers). */
import type { PartOfProtocol, Protocol } from '#task/rows'
import { bitextScorer } from './bitext-mining.ts'
import { scoreClassification } from './classification.ts'
import { clusteringScorer } from './clustering.ts'
import { scoreClusterSets } from './clustering-legacy.ts'
import { scoreContrast } from './contrast.ts'
import { scoreMultilabel } from './multilabel.ts'
import { scorePairs } from './pair-classification.ts'
import type { Scorer } from './part-scores.ts'
import { scoreRegression } from './regression.ts'
import { scoreRetrieval } from './retrieval.ts'
import { scoreSequenceClassification } from './sequence-classification.ts'
import { scoreSts } from './sts.ts'
import { scoreSummaries } from './summarization.ts'

type Scorers = { readonly [Name in Protocol]: Scorer<PartOfProtocol[Name]> }

export const scorers: Scorers = {
  AbsTaskSTS: (context) => (part) => scoreSts(part, context),
  AbsTaskPairClassification: (context) => (part) => scorePairs(part, context),
  AbsTaskClassification: (context) => (part) => scoreClassification(part, context),
  AbsTaskMultilabelClassification: (context) => (part) => scoreMultilabel(part, context),
  AbsTaskRegression: (context) => (part) => scoreRegression(part, context),
  AbsTaskClustering: clusteringScorer,
  AbsTaskClusteringLegacy: (context) => (part) => scoreClusterSets(part, context),
  AbsTaskRetrieval: (context) => (part) => scoreRetrieval(part, context),
  AbsTaskBitextMining: bitextScorer,
  AbsTaskSummarization: (context) => (part) => scoreSummaries(part, context),
  SequenceClassification: (context) => (part) => scoreSequenceClassification(part, context),
  Contrast: (context) => (part) => scoreContrast(part, context),
}
