/** Help of `strata results`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'results',
  group: 'compare',
  summary: 'list, show, query, export and import finished results',
  args: [
    ['[action]', 'list (default), show, query, export or import'],
    [
      '[names...]',
      'names of tasks and globs; query: SQL; import: folders of mteb, mteb-layersweep, lm-evaluation-harness or merginguriel, tables of Holmes, rows of "Layer by Layer", the JSON of an older evaluation of static embeddings',
    ],
  ],
  examples: [
    'strata results --benchmark "MTEB(eng, v2)" --against published',
    'strata results show STS17',
    'strata results query "PIVOT results ON task USING first(score) GROUP BY representation"',
    'strata results export --models org/name --representation default --as eval-results --out ./name',
    'strata results import ~/.cache/mteb/results',
    'strata results import mteb_results --models org/name',
  ],
}
