/** Every flag and argument that takes a name: with a misspelt name, and the name that was meant. */
import type { Things } from './asking-lines.ts'

/** A command line; the misspelt name in it; the known name that is nearest. */
export type Misspelt = readonly [line: readonly string[], name: string, meant: string]

export function misspelt(things: Things): Misspelt[] {
  return [...ofTasks(things), ...ofModels(things), ...ofLayers(things), ...ofResults(things), ...ofHarness(things)]
}

/** Tasks and what narrows them, on every command that scores. */
function ofTasks({ model, one }: Things): Misspelt[] {
  const scoring = ['evaluate', 'layers', 'aggregate', 'truncate', 'search'].map((command) => [command, model])
  const each = [...scoring, ['compare', model, '--representation', 'default,h0']]
  const lines = each.flatMap((line): Misspelt[] => [
    [[...line, '--tasks', 'STSBenchmrk'], 'STSBenchmrk', 'STSBenchmark'],
    [[...line, '--benchmark', 'MTEB(eng, v3)'], 'MTEB(eng, v3)', 'MTEB(eng, v2)'],
    [[...line, '--types', 'Retrival'], 'Retrival', 'Retrieval'],
    [[...line, '--tasks', 'STS17', '--languages', 'eng-Latin'], 'eng-Latin', 'eng-Latn'],
    [[...line, '--types', 'STS', '--domains', 'Legl'], 'Legl', 'Legal'],
    [[...line, '--task-file', one, '--subsets', 'dee'], 'dee', 'de'],
    [[...line, '--task-file', one, '--profile', 'mteb-3'], 'mteb-3', 'mteb-2'],
    [[...line, '--task-file', one, '--overwrite-strategy', 'allways'], 'allways', 'always'],
  ])
  const listing: Misspelt[] = [
    [['tasks', 'STSBenchmrk'], 'STSBenchmrk', 'STSBenchmark'],
    [['tasks', '--benchmark', 'MTEB(eng, v3)'], 'MTEB(eng, v3)', 'MTEB(eng, v2)'],
    [['tasks', '--types', 'Retrival'], 'Retrival', 'Retrieval'],
    [['tasks', '--domains', 'Legl'], 'Legl', 'Legal'],
    [['tasks', '--task-file', one, '--rows', '--subsets', 'dee'], 'dee', 'de'],
    [['similarity', model, '--task', 'STSBenchmrk'], 'STSBenchmrk', 'STSBenchmark'],
    [['metrics', model, '--task', 'STSBenchmrk:test'], 'STSBenchmrk', 'STSBenchmark'],
    [['aggregate', model, '--task-file', one, '--pca-corpus', 'task:STSBenchmrk'], 'STSBenchmrk', 'STSBenchmark'],
  ]
  return [...lines, ...listing]
}

/** How a model is read. */
function ofModels({ model, one, texts, speaker, third, recipe }: Things): Misspelt[] {
  const reading = [
    ['evaluate', model, '--task-file', one],
    ['layers', model, '--task-file', one],
    ['similarity', model, '--texts', texts],
    ['metrics', model, '--texts', texts],
    ['encode', model, texts, '--out', '-'],
    ['aggregate', model, '--task-file', one],
    ['compare', model, third, '--task-file', one],
    ['search', model, third, '--task-file', one, '--policy', 'random'],
  ]
  const lines = reading.flatMap((line): Misspelt[] => [
    [[...line, '--pooling', 'maen'], 'maen', 'mean'],
    [[...line, '--final-norm', 'allways'], 'allways', 'always'],
    [[...line, '--architecture', 'brt'], 'brt', 'bert'],
    [[...line, '--device', 'cup'], 'cup', 'cpu'],
    [[...line, '--dtype', 'int9'], 'int9', 'int8'],
    [[...line, '--engine', 'openvina'], 'openvina', 'openvino'],
  ])
  return [
    ...lines,
    [['models', model, '--architecture', 'brt'], 'brt', 'bert'],
    [['export', model, '--out', 'x', '--as', 'onxx'], 'onxx', 'onnx'],
    [['export', model, '--out', 'x', '--dtype', 'float61'], 'float61', 'float16'],
    [['truncate', model, '--task-file', one, '--as', 'onxx', '--out', 'x'], 'onxx', 'onnx'],
    [['merge', recipe, 'x', '--compat', 'exakt'], 'exakt', 'exact'],
    [['transplant', model, third, 'x', '-a', 'opm'], 'opm', 'omp'],
    [['transplant', model, third, 'x', '-a', 'subword', '-s', 'maen'], 'maen', 'mean'],
    [['transplant', model, third, 'x', '--prefix-match', 'lm_haed'], 'lm_haed', 'lm_head'],
    [['generate', speaker, 'x', '--dtype', 'int9'], 'int9', 'int8'],
    [['push', 'me/repo', model, '--repo-type', 'modle'], 'modle', 'model'],
    [['pull', 'me/repo', '--repo-type', 'modle'], 'modle', 'model'],
    [['cache', 'trm'], 'trm', 'trim'],
    [['completion', 'zhs'], 'zhs', 'zsh'],
    [['doctor', '--install', 'openvina'], 'openvina', 'openvino'],
    [
      ['extract-lora', '--model', model, '--base-model', third, '--out-path', 'x', '--save-module', 'poolr.dense'],
      'poolr.dense',
      'pooler.dense',
    ],
  ]
}

/** Layers, and similarities and metrics of layers. */
function ofLayers({ model, third, one, texts, pairs, probes, scores, recipe }: Things): Misspelt[] {
  const represented = [
    ['evaluate', model, '--task-file', one],
    ['metrics', model, '--texts', texts],
    ['similarity', model, '--texts', texts],
    ['encode', model, texts, '--out', '-'],
    ['export', model, '--out', 'x'],
    ['compare', model, third, '--task-file', one],
    ['search', model, third, '--task-file', one, '--policy', 'random'],
  ]
  const aggregated = ['aggregate', model, '--task-file', one]
  const probed = ['probe', model, '--data', `zorro:${probes}`, '--results', 'none']
  const searched = ['search', model, third, '--task-file', one]
  const replayed = ['search', '--replay', scores, '--budget', '1']
  return [
    ...represented.map((line): Misspelt => [[...line, '--representation', 'defualt'], 'defualt', 'default']),
    ...represented.map((line): Misspelt => [[...line, '--representation', 'h0-maen'], 'maen', 'mean']),
    [['similarity', model, '--texts', texts, '--metrics', 'ckka'], 'ckka', 'cka'],
    [['similarity', model, '--texts', texts, '--transform', 'arcos'], 'arcos', 'arccos'],
    [['similarity', model, '--texts', texts, '--out', 'x', '--background', 'drak'], 'drak', 'dark'],
    [['metrics', model, '--texts', texts, '--metrics', 'efective_rank'], 'efective_rank', 'effective_rank'],
    [['metrics', model, '--texts', pairs, '--column', 'sentenc1'], 'sentenc1', 'sentence1'],
    [['encode', model, pairs, '--column', 'sentenc1', '--out', '-'], 'sentenc1', 'sentence1'],
    [['similarity', model, '--texts', pairs, '--column', 'sentenc2'], 'sentenc2', 'sentence2'],
    [[...aggregated, '--methods', 'wieghted'], 'wieghted', 'weighted'],
    [[...aggregated, '--similarity', 'ckka'], 'ckka', 'cka'],
    [[...aggregated, '--quality', 'diagnal'], 'diagnal', 'diagonal'],
    [[...aggregated, '--layer-norm', 'zscor'], 'zscor', 'zscore'],
    [[...aggregated, '--transform', 'arcos'], 'arcos', 'arccos'],
    [[...probed, '--only', 'zorro-ordr'], 'zorro-ordr', 'zorro-order'],
    [[...probed, '--task-types', 'SENTENC'], 'SENTENC', 'SENTENCE'],
    [[...probed, '--controls', 'permutations'], 'permutations', 'permutation'],
    [[...probed, '--probe', 'liner'], 'liner', 'linear'],
    [[...probed, '--profile', 'homes'], 'homes', 'holmes'],
    [['probe', model, '--data', 'zoro:x'], 'zoro', 'zorro'],
    [[...searched, '--policy', 'ranom'], 'ranom', 'random'],
    [[...searched, '--policy', 'random', '--reward', 'rwa'], 'rwa', 'raw'],
    [[...searched, '--policy', 'random', '--aggregation', 'medain'], 'medain', 'median'],
    [[...searched, '--policy', 'random', '--cost', 'awar'], 'awar', 'aware'],
    [[...searched, '--policy', 'random', '--baseline', 'modle'], 'modle', 'model'],
    [[...searched, '--context', 'efective_rank'], 'efective_rank', 'effective_rank'],
    [['search', '--merge', recipe, '--vary', 'tt=0:1:0.5', '--task-file', one, '--policy', 'random'], 'tt', 't'],
    [[...replayed, '--policy', 'ranom'], 'ranom', 'random'],
    [[...replayed, '--policy', 'random', '--average-subsets', '--baseline', 'stpe2'], 'stpe2', 'step2'],
    [[...replayed, '--policy', 'random', '--average-subsets', '--tasks', 'B'], 'B', 'A'],
    [
      ['search', 'P-1n', '--replay', scores, '--budget', '1', '--policy', 'random', '--average-subsets'],
      'P-1n',
      'P-1m',
    ],
  ]
}

/** Rows, models and tasks of folders of results. */
function ofResults({ results }: Things): Misspelt[] {
  const compared = ['compare', 'org/model', 'org/model#h2', '--results', results]
  return [
    [['compare', 'org/model', 'org/modle', '--results', results], 'org/modle', 'org/model'],
    [['compare', 'org/model', 'org/model#h22', '--results', results], 'h22', 'org/model#h2'],
    [[...compared, '--tasks', 'Lables'], 'Lables', 'Labels'],
    [[...compared, '--splits', 'tset'], 'tset', 'test'],
    [[...compared, '--subsets', 'enn'], 'enn', 'en'],
    [[...compared, '--types', 'Retrival'], 'Retrival', 'Retrieval'],
    [[...compared, '--domains', 'Legl'], 'Legl', 'Legal'],
    [[...compared, '--format', 'cvs'], 'cvs', 'csv'],
    [['report', results, '--baseline', 'h22'], 'h22', 'h2'],
    [['report', results, '--parents', 'org/modle#h2'], 'org/modle#h2', 'org/model#h2'],
    [['report', results, '--models', 'org/modle'], 'org/modle', 'org/model'],
    [['report', results, '--representation', 'defualt'], 'defualt', 'default'],
    [['report', results, '--tasks', 'Lables'], 'Lables', 'Labels'],
    [['report', results, '--format', 'cvs'], 'cvs', 'csv'],
    [['results', '--results', results, '--models', 'org/modle'], 'org/modle', 'org/model'],
    [['results', '--results', results, '--representation', 'defualt'], 'defualt', 'default'],
    [['results', '--results', results, '--tasks', 'Lables'], 'Lables', 'Labels'],
    [['results', '--results', results, '--status', 'faild'], 'faild', 'failed'],
    [['results', '--results', results, '--against', 'org/modle'], 'org/modle', 'org/model'],
    [['results', '--results', results, '--against', 'org/model#h22'], 'h22', 'org/model#h2'],
    [
      ['results', '--results', results, '--against', 'published:sentence-transformers/all-MiniLM-L6-v3'],
      'all-MiniLM-L6-v3',
      'sentence-transformers/all-MiniLM-L6-v2',
    ],
    [['results', 'show', 'Lables', '--results', results], 'Lables', 'Labels'],
    [['results', 'shwo', '--results', results], 'shwo', 'show'],
    [['verify', 'org/modle', '--results', results], 'org/modle', 'org/model'],
    [['verify', '--results', results, '--tasks', 'Lables'], 'Lables', 'Labels'],
    [['verify', '--results', results, '--against', 'org/modle'], 'org/modle', 'org/model'],
    [['correlate', '--x', `reslts:${results}#h1`], 'reslts', 'results'],
    [['correlate', '--x', `results:${results}#defualt`], 'defualt', 'default'],
    [
      ['correlate', '--x', `results:${results}#h1`, '--y', `results:${results}#h2`, '--method', 'kendal'],
      'kendal',
      'kendall',
    ],
    [['evaluat'], 'evaluat', 'evaluate'],
    [['evaluate', '--taks', 'x'], '--taks', '--tasks'],
  ]
}

function ofHarness({ speaker, harness }: Things): Misspelt[] {
  const line = (...more: string[]): string[] => ['harness', speaker, '--include_path', harness, ...more]
  const chosen = (...more: string[]): string[] => line('--tasks', 'toy_choose', ...more)
  return [
    [line('--tasks', 'toy_chose'), 'toy_chose', 'toy_choose'],
    [['tasks', '--harness', 'toy_chose', '--include_path', harness], 'toy_chose', 'toy_choose'],
    [chosen('--samples', '{"toy_chose": [1]}'), 'toy_chose', 'toy_choose'],
    [chosen('--model', 'fh'), 'fh', 'hf'],
    [chosen('--model_args', 'max_lenght=9'), 'max_lenght', 'max_length'],
    [chosen('--model_args', 'backend=casual'), 'casual', 'causal'],
    [line('--tasks', 'toy_write', '--gen_kwargs', 'temprature=1'), 'temprature', 'temperature'],
    [chosen('--device', 'cup'), 'cup', 'cpu'],
  ]
}

/** A split is known when its data are open: the result fails, and its reason names the nearest. */
export function misspeltSplits({ model, third, one }: Things): (readonly string[])[] {
  return [
    ['evaluate', model],
    ['layers', model],
    ['aggregate', model, '--methods', 'mean'],
    ['compare', model, third],
    ['tasks', '--rows'],
    ['tasks', '--texts'],
  ].map((line) => [...line, '--task-file', one, '--splits', 'tset'])
}

/** A file of the user's own; the command that reads it; the misspelt word; the word that was meant. */
export type MisspeltFile = readonly [text: string, line: readonly string[], word: string, meant: string]

/** Words and keys of the files that are Strata's, or whose words are a closed list. */
export function misspeltFiles({ model, third, one, speaker, harness }: Things): Readonly<Record<string, MisspeltFile>> {
  const run = ['run', 'FILE', '--dry-run']
  const experiment = `models: ${model}\nrepresentations: default\n`
  const merge = ['merge', 'FILE', '--dry-run']
  const two = `models: [{ model: ${model} }, { model: ${third} }]\n`
  const score = ['evaluate', model, '--task-file', 'FILE']
  const task = 'name: T\ntype: STS\nlanguages: [eng-Latn]\n'
  const data = 'data: { test: views.csv }\n'
  const ask = ['harness', speaker, '--tasks', 'FILE']
  const toy = `task: toy_file\ndataset_path: ${harness}\ntest_split: test\ndoc_to_text: question\ndoc_to_target: label\n`
  return {
    'a key of an experiment': [`${experiment}taks: STS17\n`, run, 'taks', 'tasks'],
    'its task': [`${experiment}tasks: STSBenchmrk\n`, run, 'STSBenchmrk', 'STSBenchmark'],
    'its benchmark': [`${experiment}benchmarks: "MTEB(eng, v3)"\n`, run, 'MTEB(eng, v3)', 'MTEB(eng, v2)'],
    'its type': [`${experiment}types: Retrival\n`, run, 'Retrival', 'Retrieval'],
    'its subset': [`${experiment}task_files: ${one}\nsubsets: dee\n`, run, 'dee', 'de'],
    'its language': [`${experiment}tasks: STS17\nlanguages: eng-Latin\n`, run, 'eng-Latin', 'eng-Latn'],
    'its pooling': [`${experiment}task_files: ${one}\npooling: maen\n`, run, 'maen', 'mean'],
    'its profile': [`${experiment}task_files: ${one}\nprofile: mteb-3\n`, run, 'mteb-3', 'mteb-2'],
    'its representation': [
      `models: ${model}\nrepresentations: defualt\ntask_files: ${one}\n`,
      run,
      'defualt',
      'default',
    ],
    'its method': [`${experiment}task_files: ${one}\naggregate: { methods: wieghted }\n`, run, 'wieghted', 'weighted'],
    'its similarity': [`${experiment}task_files: ${one}\naggregate: { similarity: ckka }\n`, run, 'ckka', 'cka'],
    'its key of an aggregation': [
      `${experiment}task_files: ${one}\naggregate: { metods: mean }\n`,
      run,
      'metods',
      'methods',
    ],
    'its control of probes': [
      `models: ${model}\nprobes: { data: "zorro:probes", controls: [permutations] }\n`,
      run,
      'permutations',
      'permutation',
    ],
    'a method of a recipe': [`merge_method: linaer\n${two}`, merge, 'linaer', 'linear'],
    'its key': [`merge_method: linear\n${two}dtpye: float32\n`, merge, 'dtpye', 'dtype'],
    'its dtype': [`merge_method: linear\n${two}dtype: float61\n`, merge, 'float61', 'float16'],
    'its parameter': [`merge_method: linear\n${two}parameters: { normalise: true }\n`, merge, 'normalise', 'normalize'],
    'a type of a task': [`name: T\ntype: STSS\n${data}`, score, 'STSS', 'STS'],
    'its key of a task': [`${task}${data}mainscore: cosine_spearman\n`, score, 'mainscore', 'main_score'],
    'its column': [`${task}${data}columns: { sentence: a }\n`, score, 'sentence', 'sentence1'],
    'its step': [`${task}${data}steps: [{ renam: { a: b } }]\n`, score, 'renam', 'rename'],
    'a key of the harness': [`${toy}doc_to_choise: options\n`, ask, 'doc_to_choise', 'doc_to_choice'],
    'its kind of request': [`${toy}output_type: multiple_choise\n`, ask, 'multiple_choise', 'multiple_choice'],
    'its option of a filter': [
      `${toy}filter_list: [{ name: n, filter: [{ function: regex, regex_patern: a }] }]\n`,
      ask,
      'regex_patern',
      'regex_pattern',
    ],
    'its setting of generation': [`${toy}generation_kwargs: { temprature: 1 }\n`, ask, 'temprature', 'temperature'],
    'its key of examples': [`${toy}fewshot_config: { sampelr: default }\n`, ask, 'sampelr', 'sampler'],
  }
}

/** The same; known only when the rest has been read or scored: the task fails, and its reason names the nearest. */
export function failing({ model, speaker, harness }: Things): Readonly<Record<string, MisspeltFile>> {
  const ask = ['harness', speaker, '--tasks', 'FILE']
  const toy = `task: toy_file\ndataset_path: ${harness}\ntest_split: test\ndoc_to_text: question\ndoc_to_target: label\n`
  const task = 'name: T\ntype: STS\nlanguages: [eng-Latn]\ndata: { test: One-en-test.csv }\n'
  const score = ['evaluate', model, '--results', 'failing', '--task-file', 'FILE']
  const experiment = `models: ${speaker}\nharness: { tasks: toy_chose, include_path: ${harness} }\n`
  return {
    'a main score': [`${task}main_score: cosine_spearmn\n`, score, 'cosine_spearmn', 'cosine_spearman'],
    'a task of the harness in an experiment': [experiment, ['run', 'FILE', '--dry-run'], 'toy_chose', 'toy_choose'],
    'its metric': [
      `${toy}output_type: multiple_choice\ndoc_to_choice: options\nmetric_list: [{ metric: ac }]\n`,
      ask,
      'ac',
      'acc',
    ],
    'its aggregation': [
      `${toy}output_type: multiple_choice\ndoc_to_choice: options\nmetric_list: [{ metric: acc, aggregation: maen }]\n`,
      ask,
      'maen',
      'mean',
    ],
    'its filter': [
      `${toy}filter_list: [{ name: n, filter: [{ function: take_frist }] }]\n`,
      ask,
      'take_frist',
      'take_first',
    ],
  }
}
