/** Anchors with a text of the same meaning and texts of the same words that mean something else. */
import { fault } from '#core'
import { type Rows, rowPlace } from '../dataset.ts'
import type { ContrastPart } from '../loaded-task.ts'
import { at } from '../share-of-rows.ts'
import { texts, values } from '../values.ts'
import { type ProtocolReader, readOwnRows } from './protocol.ts'

/** Column that names an anchor's topic, where the rows have one. */
const topicColumn = 'topic'

export const contrast: ProtocolReader<ContrastPart> = {
  columns: () => ({ anchor: 'anchor', positive: 'positive', negatives: 'negatives' }),
  async read(scope) {
    const { anchor = '', positive = '', negatives = '' } = scope.task.columns
    const rows = await readOwnRows(scope, { optional: [topicColumn] })
    const part = {
      ...scope.part,
      anchors: texts(rows, anchor),
      positives: texts(rows, positive),
      negatives: textLists(rows, negatives),
      topics: topicsOf(rows),
    }
    checkTexts(part, rows, { anchor, positive, negatives })
    return part
  },
  asked: {
    count: ({ anchors }) => anchors.length,
    only: (part, rows) => ({
      ...part,
      anchors: at(part.anchors, rows),
      positives: at(part.positives, rows),
      negatives: at(part.negatives, rows),
      topics: part.topics && at(part.topics, rows),
    }),
  },
  counts: ({ anchors, negatives }) => ({ anchors: anchors.length, negatives: negatives.flat().length }),
  texts: ({ anchors, positives, negatives }) => [{ texts: [...anchors, ...positives, ...negatives.flat()] }],
}

/**
 * Every text says something, and says it once: an anchor that is its own positive or a text among its own negatives
 * scores without being understood, and a pair that is there twice narrows the interval.
 */
function checkTexts(
  { anchors, positives, negatives }: Pick<ContrastPart, 'anchors' | 'positives' | 'negatives'>,
  rows: Rows,
  names: { readonly anchor: string; readonly positive: string; readonly negatives: string },
): void {
  const pairs = new Map<string, number>()
  anchors.forEach((anchor, i) => {
    const [positive = '', own = []] = [positives[i], negatives[i]]
    const refuse = (what: string, seen: string): never => {
      throw fault('task.value', { place: rowPlace(rows, i), what, seen })
    }
    if ([anchor, positive, ...own].some((text) => text.trim() === '')) refuse('a text is empty', '')
    if (anchor === positive) refuse(`the ${names.positive} is the ${names.anchor} itself`, anchor)
    if (own.includes(positive)) refuse(`a text of ${names.negatives} is also the ${names.positive}`, positive)
    if (own.includes(anchor)) refuse(`a text of ${names.negatives} is also the ${names.anchor}`, anchor)
    const twice = own.find((text, at) => own.indexOf(text) < at)
    if (twice !== undefined) refuse(`a text is among the ${names.negatives} twice`, twice)
    const pair = JSON.stringify([anchor, positive])
    const before = pairs.get(pair)
    if (before !== undefined)
      refuse(`the same ${names.anchor} and ${names.positive} as ${rowPlace(rows, before)}`, anchor)
    pairs.set(pair, i)
  })
}

/** Lists with at least one text each. */
function textLists(rows: Rows, name: string): string[][] {
  return values(rows, name).map((list, i) => {
    if (Array.isArray(list) && list.length > 0 && list.every((text) => typeof text === 'string')) return list
    throw fault('task.value', {
      place: rowPlace(rows, i),
      what: `${name} is not a list of texts`,
      seen: list,
      wanted: 'at least one text, as in ["…", "…"]',
    })
  })
}

/** Undefined where no row has a topic; a topic that only some rows have is a `task.value` fault. */
function topicsOf(rows: Rows): readonly string[] | undefined {
  const found = rows.columns[topicColumn]
  return found === undefined || found.every((topic) => topic === null) ? undefined : texts(rows, topicColumn)
}
