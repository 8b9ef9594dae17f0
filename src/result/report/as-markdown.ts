/** A report as Markdown. */
import type { Cell, Table } from './table.ts'

/** The answer comes first, as one paragraph. */
export function asMarkdown(title: string, answer: readonly string[], tables: readonly Table[]): string {
  return [`# ${escaped(title)}`, escaped(answer.join(' ')), ...tables.map(section)].join('\n\n') + '\n'
}

function section({ title, notes, columns, rows }: Table): string {
  const lines = [
    columns.map(({ title: name }) => escaped(name)),
    columns.map(({ number }) => (number === true ? '---:' : '---')),
    ...rows.map((row) => row.map(cellText)),
  ].map((cells) => `| ${cells.join(' | ')} |`)
  return [`## ${escaped(title)}`, ...notes.map(escaped), lines.join('\n')].join('\n\n')
}

function cellText({ text, best, failed, tip }: Cell): string {
  const words = escaped(failed === true && tip !== undefined ? `${text} (${tip})` : text)
  return best === true ? `**${words}**` : words
}

/** No cell's end, HTML, link or emphasis from foreign text survives; a plain `p < 0.05` stays as it is. */
function escaped(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]|#~]/g, String.raw`\$&`)
    .replaceAll(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll(/<(?=[a-z/!?])/gi, '&lt;')
    .replaceAll(/^>/g, '&gt;')
}
