/** Source texts with summaries by people and by machines, and ratings of the latter. */
import { fault } from '#core'
import { rowPlace, type Rows } from '../dataset.ts'
import type { SummarizationPart } from '../loaded-task.ts'
import { texts, values } from '../values.ts'
import { at } from '../share-of-rows.ts'
import { readOwnRows, type ProtocolReader } from './protocol.ts'

export const summarization: ProtocolReader<SummarizationPart> = {
  columns: ({
    text_column_name: text = 'text',
    human_summaries_column_name: human = 'human_summaries',
    machine_summaries_column_name: machine = 'machine_summaries',
    relevancy_column_name: relevance = 'relevance',
  }) => ({ text: String(text), human: String(human), machine: String(machine), relevance: String(relevance) }),
  async read(scope) {
    const { text = '', human = '', machine = '', relevance = '' } = scope.task.columns
    const rows = await readOwnRows(scope)
    const part = {
      ...scope.part,
      texts: texts(rows, text),
      human: lists(rows, human, 'texts', isText),
      machine: lists(rows, machine, 'texts', isText),
      relevance: lists(rows, relevance, 'numbers', isNumber).map((ratings) => ratings.map(Number)),
    }
    part.relevance.forEach(({ length }, i) => {
      const summaries = part.machine[i]?.length
      if (length === summaries) return
      throw fault('task.value', {
        place: rowPlace(rows, i),
        what: `${relevance} does not rate each of ${machine}`,
        seen: length,
        wanted: summaries,
      })
    })
    return part
  },
  asked: {
    count: (part) => part.texts.length,
    only: (part, rows) => ({
      ...part,
      texts: at(part.texts, rows),
      human: at(part.human, rows),
      machine: at(part.machine, rows),
      relevance: at(part.relevance, rows),
    }),
  },
  counts: (part) => ({ texts: part.texts.length, summaries: part.machine.flat().length }),
  texts: ({ human, machine }) => [{ texts: human.flat() }, { texts: machine.flat() }],
}

/** Lists with at least one entry each, all of them of the kind. */
function lists<Entry>(rows: Rows, name: string, what: string, isEntry: (value: unknown) => value is Entry): Entry[][] {
  return values(rows, name).map((list, i) => {
    if (Array.isArray(list) && list.length > 0 && list.every(isEntry)) return list
    throw fault('task.value', { place: rowPlace(rows, i), what: `${name} is not a list of ${what}`, seen: list })
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
}
