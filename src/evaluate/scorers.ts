/** How each protocol scores a part. A protocol = its file + one line here (and one in the tasks' table of readers). */
import type { PartOfProtocol, Protocol } from '../tasks/index.ts'
import { scoreClassification } from './classification.ts'
import type { Scorer } from './part-scores.ts'
import { scoreRetrieval } from './retrieval.ts'
import { scoreSts } from './sts.ts'

type Scorers = { readonly [Name in Protocol]?: Scorer<PartOfProtocol[Name]> }

export const scorers: Scorers = {
  AbsTaskSTS: (context) => (part) => scoreSts(part, context),
  AbsTaskClassification: (context) => (part) => scoreClassification(part, context),
  AbsTaskRetrieval: (context) => (part) => scoreRetrieval(part, context),
}
