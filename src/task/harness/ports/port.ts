/**
 * Functions that task files name (`!function utils.process_docs`), written again: one file for each idea, one line in
 * the table, cases recorded from the original.
 */
import type { Doc, DocValue } from '../doc.ts'
import type { Filter } from '../filters/filter.ts'

/**
 * What a model answered to one request: a text, several (repeats, after filters that keep them), a log-likelihood in
 * nats with its greedy flag, or the log-likelihood of a whole text.
 */
export type Answer = string | readonly string[] | number | readonly [logLikelihood: number, isGreedy: boolean]

/** What one document adds to a metric; its aggregation knows the shape. */
export type Item = DocValue

/** A port by the field it may stand in. */
export type Port =
  /** `process_docs`: a whole split, filtered and mapped. */
  | { readonly kind: 'docs'; readonly run: (docs: readonly Doc[]) => readonly Doc[] }
  /** `doc_to_text`, `doc_to_target`, `doc_to_choice`. */
  | { readonly kind: 'field'; readonly run: (doc: Doc) => DocValue }
  /** `process_results`: metric → item. */
  | { readonly kind: 'results'; readonly run: (doc: Doc, answers: readonly Answer[]) => Readonly<Record<string, Item>> }
  /** `metric_list[].aggregation`. */
  | { readonly kind: 'aggregation'; readonly run: (items: readonly Item[]) => number }
  /** `metric_list[].metric`: one document's gold and prediction, to a number or what the aggregation takes. */
  | { readonly kind: 'metric'; readonly run: (gold: DocValue, prediction: DocValue) => DocValue }
  /** `filter_list[].filter[]`, a class or a function: every document's responses, and the documents. */
  | { readonly kind: 'filter'; readonly filter: Filter }
  /** `fewshot_config.samples`. */
  | { readonly kind: 'samples'; readonly run: () => readonly Doc[] }

/**
 * By `<path below the tasks folder>#<function>` in lm-evaluation-harness 0.4.13, the wording that the port was made
 * from.
 */
export type Ports = Readonly<Record<string, Port>>

/**
 * What a port may take from the file that names it: literals in their order (prompts, names of subjects), and the
 * folder's name.
 */
export interface Worded {
  readonly constants: readonly (string | number)[]
  readonly folder: string
}

/** Ports of functions whose wording is known to the letter, that take their texts from it. */
export type WordedPorts = Readonly<Record<string, (wording: Worded) => Port>>
