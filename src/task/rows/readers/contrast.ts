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
    part.negatives.forEach((own, i) => {
      const same = [part.positives[i], part.anchors[i]].find((text) => text !== undefined && own.includes(text))
      if (same !== undefined)
        throw fault('task.value', {
          place: rowPlace(rows, i),
          what: `a text of ${negatives} is also the ${same === part.positives[i] ? positive : anchor}`,
          seen: same,
        })
    })
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
