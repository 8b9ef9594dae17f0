/** A report as a LaTeX document with booktabs: compiles as it is, and its tables can be copied out. */
import type { Cell, Table } from './table.ts'

/** Maximum number of task columns next to each other; further ones go below. */
const columnsAcross = 8

export function asLatex(title: string, answer: readonly string[], tables: readonly Table[]): string {
  return `${[
    String.raw`\documentclass[a4paper,10pt]{article}`,
    String.raw`\usepackage[T1]{fontenc}`,
    String.raw`\usepackage[margin=2cm]{geometry}`,
    String.raw`\usepackage{booktabs,longtable,graphicx,array}`,
    String.raw`\setlength{\tabcolsep}{4pt}`,
    String.raw`\begin{document}`,
    String.raw`\section*{${escaped(title)}}`,
    `${escaped(answer.join(' '))}\n`,
    ...tables.flatMap(section),
    String.raw`\end{document}`,
  ].join('\n')}\n`
}

function section({ title, notes, columns, rows }: Table): string[] {
  const blocks = inBlocks(columns.length)
  return [
    '',
    String.raw`\subsection*{${escaped(title)}}`,
    ...notes.map((note) => `${escaped(note)}\n`),
    ...blocks.flatMap((block) =>
      tabular(
        block.map((at) => columns[at] ?? { title: '' }),
        rows.map((row) => block.map((at) => row[at] ?? { text: '' })),
      ),
    ),
  ]
}

/** The first column is repeated in each block. */
function inBlocks(columns: number): number[][] {
  const blocks: number[][] = []
  for (let start = 1; start < columns || start === 1; start += columnsAcross)
    blocks.push([
      0,
      ...Array.from({ length: Math.max(0, Math.min(columnsAcross, columns - start)) }, (_, i) => start + i),
    ])
  return blocks
}

function tabular(columns: Table['columns'], rows: Table['rows']): string[] {
  // names are long and numbers are short: text columns share the rest of the line
  const texts = columns.filter(({ number }) => number !== true).length
  const width = (
    (texts === columns.length ? 0.92 : 0.92 - 0.075 * (columns.length - texts)) / Math.max(1, texts)
  ).toFixed(3)
  const format = columns
    .map(({ number }) => (number === true ? 'r' : String.raw`>{\raggedright\arraybackslash}p{${width}\linewidth}`))
    .join('')
  const header = columns
    .map(({ title, number }) => (number === true ? String.raw`\rotatebox{60}{${escaped(title)}}` : escaped(title)))
    .join(' & ')
  return [
    String.raw`{\small\begin{longtable}{${format}}`,
    String.raw`\toprule`,
    String.raw`${header} \\`,
    String.raw`\midrule\endhead`,
    String.raw`\bottomrule\endfoot`,
    ...rows.map((row) => String.raw`${row.map(cellText).join(' & ')} \\`),
    String.raw`\end{longtable}}`,
  ]
}

function cellText({ text, best }: Cell): string {
  const words = escaped(text)
  return best === true ? String.raw`\textbf{${words}}` : words
}

const signs: Readonly<Record<string, string>> = {
  '\\': String.raw`\textbackslash{}`,
  '{': String.raw`\{`,
  '}': String.raw`\}`,
  '^': String.raw`\textasciicircum{}`,
  '~': String.raw`\textasciitilde{}`,
  '<': String.raw`\textless{}`,
  '>': String.raw`\textgreater{}`,
  '|': String.raw`\textbar{}`,
  '"': String.raw`\textquotedbl{}`,
  '[': '{[}',
  ']': '{]}',
  '-': '-{}',
  '`': String.raw`\textasciigrave{}`,
  '–': '--',
  '−': '$-$',
  '↑': String.raw`$\uparrow$`,
  '↓': String.raw`$\downarrow$`,
  '×': String.raw`$\times$`,
  '…': String.raw`\ldots{}`,
  '’': "'",
  λ: String.raw`$\lambda$`,
}

/**
 * Every sign that is special to TeX is escaped; letters missing from its fonts are written by their number. Long words
 * may break after a joint.
 */
function escaped(text: string): string {
  return Array.from(text.replaceAll(/\s+/g, ' '), (sign) => {
    if (signs[sign] !== undefined) return signs[sign]
    if ('$&#%'.includes(sign)) return `\\${sign}`
    if (sign === '_') return String.raw`\_\allowbreak{}`
    if (sign === '/') return String.raw`/\allowbreak{}`
    // T1 fonts contain Latin-1
    return /^[\u0020-\u007e\u00a1-\u00ff]$/.test(sign)
      ? sign
      : `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  }).join('')
}
