/** Functions of lm-evaluation-harness 0.4.13 and their ports, by `<path below its tasks>#<function>`. */
import { acvaDocs, arabicMmluDocs } from './arabic-leaderboard.ts'
import { mapRegex, multiChoice, numberParse, wordSort } from './bbh-filters.ts'
import { cbF1, weightedF1 } from './class-f1.ts'
import { coqaResults, coqaTarget, coqaText } from './coqa.ts'
import { biases, crowsPairsResults } from './crows-pairs.ts'
import { dropDocs, dropResults } from './drop.ts'
import { gpqaDocs } from './gpqa.ts'
import { rowsFrom, rowsOf, withCandidates, withTargets } from './kept-rows.ts'
import {
  arabicLetters,
  arabicQuestion,
  greekQuestion,
  lettersOfChoices,
  proxQuestion,
  subjectQuestion,
} from './lettered-questions.ts'
import { letterDocs, mmluSrDocs, okapiArcDocs } from './letter-choices.ts'
import { mmluProChoices, mmluProCotTarget, mmluProCotText, mmluProSubjects, mmluProText } from './mmlu-pro.ts'
import { raceChoices, raceTarget, raceText } from './race.ts'
import { recordChoices, recordDocs, recordResults, recordTarget, recordText } from './record.ts'
import {
  copaChoices,
  copaTarget,
  copaText,
  crowsPairsChoices,
  logiqa2Text,
  logiqaTarget,
  logiqaText,
  mathqaChoices,
  musrChoices,
  musrText,
  pubmedqaText,
  toxigenTarget,
  wscText,
} from './short-fields.ts'
import { okapiTruthfulDocs, truthfulGenDocs, truthfulGenResults, truthfulMc2 } from './truthfulqa.ts'
import { wikitextResults, wikitextTarget } from './wikitext.ts'
import { hellaswagDocs } from './hellaswag.ts'
import { ifevalPorts } from './ifeval/ifeval-ports.ts'
import { mathPorts, mathShapes } from './math/math-table.ts'
import type { Port, Ports, WordedPorts } from './port.ts'
import { mmmluRows, rowsNamed } from './row-filter.ts'
import {
  afriMmluText,
  choicesInLiteral,
  mafandReverseTarget,
  mafandTarget,
  mafandText,
  pairText,
  wordOfLabel,
} from './worded-prompts.ts'
import { winograndeChoices, winograndeTarget, winograndeText } from './winogrande.ts'

/** Functions of one file. */
const inFile = (file: string, own: Ports): Ports =>
  Object.fromEntries(Object.entries(own).map(([name, port]) => [`${file}#${name}`, port]))

/** Functions that are ported as they are. */
export const ports: Ports = {
  ...ifevalPorts,
  ...mathPorts,
  'arabic_leaderboard_complete/arabic_leaderboard_arabic_mmlu/utils.py#process_docs': arabicMmluDocs,
  'arabic_leaderboard_complete/arabic_leaderboard_avca/utils.py#process_docs': acvaDocs,
  'afrimmlu/direct/prompt_1/utils.py#doc_to_choice': choicesInLiteral,
  'afrobench/mafand/prompt_1/african-english/utils.py#get_target': mafandTarget,
  'afrobench/mafand/prompt_1/african-english/utils.py#get_target_reverse': mafandReverseTarget,
  ...inFile('bbh/zeroshot/utils.py', {
    MapRegexFilter: mapRegex,
    MultiChoiceRegexFilter: multiChoice,
    NumberParseRegexFilter: numberParse,
    WordSortFilter: wordSort,
  }),
  'bigbench/utils.py#filter_multiple_choice': withTargets,
  ...inFile('coqa/utils.py', { doc_to_text: coqaText, doc_to_target: coqaTarget, process_results: coqaResults }),
  ...inFile('crows_pairs/utils.py', { doc_to_choice: crowsPairsChoices, process_results: crowsPairsResults }),
  ...inFile(
    'crows_pairs/utils.py',
    Object.fromEntries(Object.entries(biases).map(([name, bias]) => [name, rowsFrom('bias_type', bias)])),
  ),
  ...inFile('drop/utils.py', { process_docs: dropDocs, process_results: dropResults }),
  'eus_exams/utils.py#process_docs': withCandidates,
  'afrobench/sib/prompt_1/utils.py#weighted_f1_score': weightedF1,
  'gpqa/generative/utils.py#process_docs': gpqaDocs({ brackets: false, list: true }),
  'gpqa/n_shot/utils.py#process_docs': gpqaDocs({ brackets: false, list: false }),
  'gpqa/zeroshot/utils.py#process_docs': gpqaDocs({ brackets: false, list: false }),
  'hellaswag/utils.py#process_docs': hellaswagDocs,
  'leaderboard/gpqa/utils.py#process_docs': gpqaDocs({ brackets: true, list: false }),
  ...inFile('leaderboard/mmlu_pro/utils.py', { doc_to_text: mmluProText, doc_to_choice: mmluProChoices }),
  ...inFile('leaderboard/musr/utils.py', { doc_to_text: musrText, doc_to_choice: musrChoices }),
  ...inFile('logiqa/utils_logiqa.py', { doc_to_text: logiqaText, doc_to_target: logiqaTarget }),
  'logiqa2/utils_logiqa2.py#doc_to_text': logiqa2Text,
  'mathqa/utils.py#doc_to_choice': mathqaChoices,
  ...inFile('mmlu_pro/utils.py', {
    doc_to_text: mmluProCotText,
    fewshot_to_text: mmluProCotText,
    fewshot_to_target: mmluProCotTarget,
  }),
  ...inFile(
    'mmlu_pro/utils.py',
    Object.fromEntries(mmluProSubjects.map((name) => [`process_${name.replace(' ', '_')}`, rowsOf('category', name)])),
  ),
  'mmlusr/answer_only/utils.py#process_docs': mmluSrDocs,
  'okapi/arc_multilingual/utils.py#process_docs': okapiArcDocs,
  'okapi/hellaswag_multilingual/utils.py#process_docs': hellaswagDocs,
  ...inFile('okapi/truthfulqa_multilingual/utils.py', {
    process_docs: okapiTruthfulDocs,
    process_results_mc2: truthfulMc2,
  }),
  'pubmedqa/preprocess_pubmedqa.py#doc_to_text': pubmedqaText,
  ...inFile('race/preprocess_race.py', {
    doc_to_text: raceText,
    doc_to_target: raceTarget,
    doc_to_choice: raceChoices,
  }),
  'super_glue/cb/aggregate.py#cb_multi_fi': cbF1,
  ...inFile('super_glue/copa/utils.py', {
    doc_to_text: copaText,
    doc_to_target: copaTarget,
    doc_to_choice: copaChoices,
  }),
  ...inFile('super_glue/record/util.py', {
    process_docs: recordDocs,
    doc_to_text: recordText,
    doc_to_target: recordTarget,
    doc_to_choice: recordChoices,
    process_results: recordResults,
  }),
  'super_glue/wsc/preprocess_wsc.py#default_doc_to_text': wscText,
  'tmlu/default/utils.py#process_docs': letterDocs(['E', 'F']),
  'tmmluplus/default/utils.py#process_docs': letterDocs([]),
  'toxigen/utils.py#doc_to_target': toxigenTarget,
  ...inFile('truthfulqa/utils.py', {
    process_results_mc2: truthfulMc2,
    process_docs_gen: truthfulGenDocs,
    process_results_gen: truthfulGenResults,
  }),
  ...inFile('wikitext/preprocess_wikitext.py', {
    wikitext_detokenizer: wikitextTarget,
    process_results: wikitextResults,
  }),
  ...inFile('winogrande/preprocess_winogrande.py', {
    doc_to_text: winograndeText,
    doc_to_target: winograndeTarget,
    doc_to_choice: winograndeChoices,
  }),
}

/** Functions whose texts – prompts, names – are taken from their file. */
export const worded: WordedPorts = {
  'arabicmmlu/utils.py#doc_to_text': arabicQuestion,
  'arabicmmlu/utils.py#doc_to_choice': arabicLetters,
  'darijammlu/utils.py#doc_to_text': subjectQuestion('subject_darija'),
  'darijammlu/utils.py#doc_to_choice': lettersOfChoices,
  'egymmlu/utils.py#doc_to_text': subjectQuestion('egy_subject'),
  'greekmmlu/utils.py#doc_to_text': greekQuestion,
  'greekmmlu/utils.py#doc_to_choice': lettersOfChoices,
  'mmlu_prox/af/utils.py#doc_to_text': proxQuestion(false),
  'mmlu_prox/af/utils.py#fewshot_to_text': proxQuestion(true),
  'afrobench/mafand/prompt_1/african-english/utils.py#create_text_prompt_1': mafandText,
  'afrobench/mafand/prompt_1/african-english/utils.py#create_reverse_prompt_1': mafandText,
  'afrobench/mafand/prompt_3/african-english/utils.py#create_text_prompt_3': mafandText,
  'afrobench/mafand/prompt_3/african-english/utils.py#create_reverse_prompt_3': mafandText,
}

/** Functions of which only literals differ: made from these, in the order of their file. */
export const shapes: Readonly<Record<string, (constants: readonly (string | number)[]) => Port | undefined>> = {
  ...mathShapes,
  'global_mmlu/full/ar/utils.py#process_anatomy': rowsNamed('subject', (value) => `process_${value}`),
  'openai-mmmlu/default/utils.py#process_anatomy': mmmluRows,
  'afrimmlu/direct/prompt_1/utils.py#doc_to_text': afriMmluText(['subject', 'question']),
  'afrimmlu/direct/prompt_4/utils.py#doc_to_text': afriMmluText(['question']),
  'afrixnli/direct/prompt_2/utils.py#doc_to_target': wordOfLabel,
  'afrixnli/lai prompt/direct/utils.py#doc_to_text': pairText,
  'global_mmlu/default/ar/utils.py#process_business': rowsNamed(
    'subject_category',
    (value) => `process_${value.toLowerCase().replaceAll(' ', '_')}`,
  ),
  'include/default/Albanian/utils.py#process_stem': rowsNamed(
    'domain',
    (value) => `process_${value.toLowerCase().replaceAll(' & ', '_').replaceAll(' ', '_')}`,
  ),
}
