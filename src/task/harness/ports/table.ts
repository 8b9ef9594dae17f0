/** Functions of lm-evaluation-harness 0.4.13 and what stands for them, by `<path below its tasks>#<function>`. */
import { hellaswagDocs } from './hellaswag.ts'
import { ifevalPorts } from './ifeval/ifeval-ports.ts'
import type { Port, Ports } from './port.ts'
import { mmmluRows, rowsNamed } from './row-filter.ts'
import { winograndeChoices, winograndeTarget, winograndeText } from './winogrande.ts'

/** Functions that are ported as they are. */
export const ports: Ports = {
  ...ifevalPorts,
  'hellaswag/utils.py#process_docs': hellaswagDocs,
  'winogrande/preprocess_winogrande.py#doc_to_text': winograndeText,
  'winogrande/preprocess_winogrande.py#doc_to_target': winograndeTarget,
  'winogrande/preprocess_winogrande.py#doc_to_choice': winograndeChoices,
}

/** Functions of which only literals differ: made from these, in the order of their file. */
export const shapes: Readonly<Record<string, (constants: readonly (string | number)[]) => Port | undefined>> = {
  'global_mmlu/full/ar/utils.py#process_anatomy': rowsNamed('subject', (value) => `process_${value}`),
  'openai-mmmlu/default/utils.py#process_anatomy': mmmluRows,
  'include/default/Albanian/utils.py#process_stem': rowsNamed(
    'domain',
    (value) => `process_${value.toLowerCase().replaceAll(' & ', '_').replaceAll(' ', '_')}`,
  ),
}
