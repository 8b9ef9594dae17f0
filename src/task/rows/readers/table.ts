/** How each protocol reads its rows. A protocol = its file + one line here (and one in evaluate's table of scorers). */
import type { PartOfProtocol } from '../loaded-task.ts'
import type { Protocol, TaskInfo } from '../task.ts'
import { bitextMining } from './bitext-mining.ts'
import { classification } from './classification.ts'
import { clustering } from './clustering.ts'
import { clusteringLegacy } from './clustering-legacy.ts'
import { multilabel } from './multilabel.ts'
import { pairClassification } from './pair-classification.ts'
import { contrast } from './contrast.ts'
import type { ProtocolReader } from './protocol.ts'
import { regression } from './regression.ts'
import { retrieval } from './retrieval.ts'
import { sequenceClassification } from './sequence-classification.ts'
import { sts } from './sts.ts'
import { summarization } from './summarization.ts'

type Readers = { readonly [Name in Protocol]: ProtocolReader<PartOfProtocol[Name]> }

export const readers: Readers = {
  AbsTaskSTS: sts,
  AbsTaskPairClassification: pairClassification,
  AbsTaskClassification: classification,
  AbsTaskMultilabelClassification: multilabel,
  AbsTaskRegression: regression,
  AbsTaskClustering: clustering,
  AbsTaskClusteringLegacy: clusteringLegacy,
  AbsTaskRetrieval: retrieval,
  AbsTaskBitextMining: bitextMining,
  AbsTaskSummarization: summarization,
  SequenceClassification: sequenceClassification,
  Contrast: contrast,
}

/**
 * Whether a task's samples come from one generator that runs on from part to part: a part scored alone is another
 * measurement than among others.
 */
export function runsOn({ protocol }: Pick<TaskInfo, 'protocol'>): boolean {
  return protocol !== 'AbsTaskAggregate' && readers[protocol].running === true
}

/** Whether a share of what a task asks is a task of its own kind. */
export function hasShares({ protocol }: Pick<TaskInfo, 'protocol'>): boolean {
  return protocol === 'AbsTaskAggregate' || readers[protocol].asked !== undefined
}

/** Whether k-means is run. */
export function isClustering({ protocol }: Pick<TaskInfo, 'protocol'>): boolean {
  return protocol === 'AbsTaskClustering' || protocol === 'AbsTaskClusteringLegacy'
}
