/** Effects of merging as pictures: similarity of the merges' changes, and trees of merges and of tasks. */
import { decimals } from '#core'
import { dendrogram, shadedCells } from '#result/pictures'
import type { MergeEffects } from './merge-effects.ts'
import type { TitledPicture } from './report-pictures.ts'

/** Maximum number of tasks in a tree: with more, a selection by variance would mislead, so the tree is omitted. */
const mostTasks = 120

export function effectPictures({ merges, alike, trees, parents }: MergeEffects): TitledPicture[] {
  const names = merges.map(({ name }) => name)
  const title = 'Similarity of the merges’ changes'
  const subtitle = `correlation of the differences from ${parents[0] ?? ''} over tasks`
  const matrix = shadedCells({
    title,
    subtitle,
    rows: { title: 'merge', labels: names },
    columns: { title: 'merge', labels: names },
    legend: 'r',
    domain: [-1, 1],
    cell: { width: 44, height: 24 },
    cells: alike.map((line) => line.map((value) => ({ value, text: decimals(value, 2) }))),
  })
  return [
    ...(names.length < 2 ? [] : [{ title, picture: matrix }]),
    ...(trees === null
      ? []
      : [tree('Merges by their changes', 'average linkage of standardised differences', names, trees.merges)]),
    ...(trees === null || trees.over.length > mostTasks
      ? []
      : [
          tree(
            'Tasks by the merges that change them',
            "Ward's linkage of standardised differences",
            trees.over,
            trees.tasks,
          ),
        ]),
  ]
}

function tree(
  title: string,
  subtitle: string,
  names: readonly string[],
  joints: Parameters<typeof dendrogram>[0]['joints'],
): TitledPicture {
  return { title, picture: dendrogram({ title, subtitle, names, joints }) }
}
