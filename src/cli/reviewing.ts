/** What the commands take that look at results that are there. */
import type { CommandSpec } from './command.ts'
import { everywhere, machine, reading, selecting } from './flag-groups.ts'

export const reviewing = {
  results: {
    summary:
      'list, show, average, compare and query finished results; import those of mteb, mteb-layersweep, lm-evaluation-harness, Holmes and "Layer by Layer"',
    args: [
      ['[action]', 'list (default), show, query, import'],
      [
        '[names...]',
        'task names and globs; for query: SQL; for import: folders of results, tables of Holmes, rows of "Layer by Layer"',
      ],
    ],
    flags: [
      'outputFolder',
      'tasks',
      'benchmark',
      'types',
      'languages',
      'domains',
      'models',
      'representation',
      'status',
      'against',
      'overwriteStrategy',
      'queryFormat',
      'queryOut',
      ...everywhere,
    ],
    examples: [
      'strata results --benchmark "MTEB(eng, v2)" --against published',
      'strata results show STS17',
      'strata results query "PIVOT results ON task USING first(score) GROUP BY representation"',
      'strata results import ~/.cache/mteb/results',
    ],
  },
  report: {
    summary: 'make one page of folders of results: tables, significance, pictures; or Markdown, csv, LaTeX, JSON',
    args: [
      [
        '<sources...>',
        'folders of results, experiments or searches; recorded scores; replays and similarities (.json)',
      ],
    ],
    flags: [
      'reportOut',
      'reportFormat',
      'baseline',
      'parents',
      'tasks',
      'models',
      'representation',
      'context',
      'contextCorpus',
      'averageSubsets',
      ...everywhere,
    ],
    examples: [
      'strata report results --out report.html',
      'strata report results older/results --tasks "STS*" --baseline h6 --format latex',
    ],
  },
  correlate: {
    summary: 'tell whether two benchmarks order models alike: τ-b or ρ by group, with p, interval and n',
    args: [],
    flags: [
      'xScores',
      'yScores',
      'correlationMethod',
      'minimumModels',
      'portion',
      'seed',
      'rankingTables',
      ...everywhere,
    ],
    examples: ['strata correlate --x holmes:flash-holmes.csv --y harness:results --method kendall --minimum 4'],
  },
  compare: {
    summary: 'compare models or representations: differences beyond chance, texts that changed most, speed, size',
    args: [['<models...>', 'model, model@revision, model#representation; the others are compared with the first']],
    flags: [
      ...selecting,
      'results',
      'representation',
      'merge',
      'changed',
      'reportOut',
      'comparisonFormat',
      ...reading,
      ...machine,
      ...everywhere,
    ],
    examples: [
      'strata compare BAAI/bge-small-en-v1.5 sentence-transformers/all-MiniLM-L6-v2 --tasks "STS*"',
      'strata compare ./model --representation default,h3,h4 --tasks STSBenchmark --format md',
      'strata compare org/model#default org/model#h3 --results results --out comparison.html',
    ],
  },
} as const satisfies Record<string, CommandSpec>
