/** How each protocol reads its rows. A protocol = its file + one line here (and one in evaluate's table of scorers). */
import type { PartOfProtocol } from '../loaded-task.ts'
import type { Protocol } from '../task.ts'
import { bitextMining } from './bitext-mining.ts'
import { classification } from './classification.ts'
import { clustering } from './clustering.ts'
import { clusteringLegacy } from './clustering-legacy.ts'
import { pairClassification } from './pair-classification.ts'
import type { ProtocolReader } from './protocol.ts'
import { retrieval } from './retrieval.ts'
import { sts } from './sts.ts'
import { summarization } from './summarization.ts'

type Readers = { readonly [Name in Protocol]?: ProtocolReader<PartOfProtocol[Name]> }

export const readers: Readers = {
  AbsTaskSTS: sts,
  AbsTaskPairClassification: pairClassification,
  AbsTaskClassification: classification,
  AbsTaskClustering: clustering,
  AbsTaskClusteringLegacy: clusteringLegacy,
  AbsTaskRetrieval: retrieval,
  AbsTaskBitextMining: bitextMining,
  AbsTaskSummarization: summarization,
}
