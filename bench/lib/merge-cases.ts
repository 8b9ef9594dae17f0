/** Recipes that mergekit and Strata both merge. `$name` is a model of bench/peers/python/merge_models.py. */

export interface MergeCase {
  readonly id: string
  readonly method: string
  readonly recipe: string
  /** Type of the output's tensors. */
  readonly dtype: 'f32' | 'bf16' | 'f16'
  /** mergekit computes in the 16-bit type that the tensors are stored in. */
  readonly narrow?: boolean
  readonly borders?: Borders
  /** The inputs, the base first, when each output tensor is made from theirs of the same name. */
  readonly inputs?: readonly string[]
  /** Loaded as a classifier, not as a language model. */
  readonly classifier?: boolean
}

export const releases = ['0.1.4', '0.1.5'] as const
export type Release = (typeof releases)[number]

type Family = 'llama' | 'llamab' | 'pythia'

/** Where a method cuts: elements on its border have equals, and which of them are kept is not defined by mergekit. */
export type Borders =
  | { readonly densities: readonly number[]; readonly gamma?: number }
  | { readonly topk: number }
  | 'importance'

const families: Readonly<
  Record<Family, { readonly dtype: MergeCase['dtype']; readonly base: string; readonly tunes: readonly string[] }>
> = {
  llama: { dtype: 'f32', base: '$llama-base', tunes: ['$llama-1', '$llama-2', '$llama-3'] },
  llamab: { dtype: 'bf16', base: '$llamab-base', tunes: ['$llamab-1', '$llamab-2', '$llamab-3'] },
  pythia: { dtype: 'f16', base: '$pythia-step1183', tunes: ['$pythia-ft-qa', '$pythia-ft-science'] },
}

interface Parts {
  /** Parameters by input; its length is the number of inputs. */
  readonly models: readonly string[]
  readonly parameters?: string
  readonly base?: boolean
  readonly more?: string
  /** The base is listed among the models too. */
  readonly listed?: boolean
}

function recipe(
  method: string,
  family: Family,
  { models, parameters, base = false, more = '', listed = false }: Parts,
): string {
  const { base: own, tunes } = families[family]
  const entry = (model: string, text: string): string =>
    `  - model: ${model}\n${text === '' ? '' : `    parameters: {${text}}\n`}`
  return [
    `merge_method: ${method}\n`,
    base ? `base_model: ${own}\n` : '',
    'models:\n',
    listed ? entry(own, '') : '',
    ...models.slice(0, tunes.length).map((text, k) => entry(tunes[k] ?? '', text)),
    parameters === undefined ? '' : `parameters: {${parameters}}\n`,
    more,
  ].join('')
}

const weights = ['weight: 0.6', 'weight: 0.3', 'weight: 0.4']
const thinned = ['weight: 0.6, density: 0.5', 'weight: 0.3, density: 0.7', 'weight: 0.4, density: 0.3']
const whole = ['weight: 0.6, density: 1', 'weight: 0.3, density: 1', 'weight: 0.4, density: 1']
const plain = ['', '', '']

/** Every method on every family: its usual form, and its switches. */
const byMethod: readonly (readonly [id: string, method: string, parts: Parts])[] = [
  ['plain', 'linear', { models: weights }],
  ['unnormalised', 'linear', { models: weights, parameters: 'normalize: false' }],
  ['base-ignored', 'linear', { models: weights, base: true, listed: true, parameters: 'weight: 0.2' }],
  ['plain', 'slerp', { models: [''], base: true, listed: true, parameters: 't: 0.3' }],
  ['outside', 'slerp', { models: [''], base: true, listed: true, parameters: 't: 1.25' }],
  ['plain', 'nuslerp', { models: ['weight: 0.6', 'weight: 0.3'] }],
  ['base', 'nuslerp', { models: ['weight: 0.6', 'weight: 0.3'], base: true }],
  [
    'columns',
    'nuslerp',
    { models: ['weight: 0.6', 'weight: 0.3'], parameters: 'nuslerp_flatten: false, nuslerp_row_wise: true' },
  ],
  [
    'rows',
    'nuslerp',
    { models: ['weight: 0.6', 'weight: 0.3'], parameters: 'nuslerp_flatten: false, nuslerp_row_wise: false' },
  ],
  ['plain', 'multislerp', { models: weights }],
  ['base', 'multislerp', { models: weights, base: true }],
  ['unnormalised', 'multislerp', { models: weights, parameters: 'normalize_weights: false' }],
  ['plain', 'karcher', { models: plain }],
  ['long', 'karcher', { models: plain, parameters: 'max_iter: 50, tol: 1.0e-9' }],
  ['plain', 'task_arithmetic', { models: weights, base: true }],
  ['normalised', 'task_arithmetic', { models: weights, base: true, parameters: 'normalize: true, lambda: 0.7' }],
  ['plain', 'ties', { models: thinned, base: true }],
  ['rescale', 'ties', { models: thinned, base: true, parameters: 'rescale: true, lambda: 0.8, int8_mask: true' }],
  ['unnormalised', 'ties', { models: thinned, base: true, parameters: 'normalize: false' }],
  [
    'negative',
    'ties',
    { models: ['weight: 0.6, density: 0.5', 'weight: -0.3, density: 0.7', 'weight: 0.4'], base: true },
  ],
  ['density-1', 'dare_linear', { models: whole, base: true }],
  ['density-1', 'dare_ties', { models: whole, base: true }],
  ['density-1', 'della', { models: whole, base: true }],
  ['density-1', 'della_linear', { models: whole, base: true }],
  ['plain', 'breadcrumbs', { models: thinned, base: true, parameters: 'gamma: 0.1' }],
  ['default-gamma', 'breadcrumbs', { models: thinned, base: true }],
  ['plain', 'breadcrumbs_ties', { models: thinned, base: true, parameters: 'gamma: 0.1, normalize: true' }],
  ['plain', 'model_stock', { models: plain, base: true }],
  ['filter-wise', 'model_stock', { models: plain, base: true, parameters: 'filter_wise: true' }],
  ['plain', 'nearswap', { models: [''], base: true, parameters: 't: 0.002' }],
  ['plain', 'sce', { models: plain, base: true, parameters: 'select_topk: 0.5' }],
  ['all', 'sce', { models: plain, base: true }],
  ['plain', 'arcee_fusion', { models: [''], base: true }],
  ['plain', 'ram', { models: plain, base: true }],
  ['plain', 'ramplus_tl', { models: plain, base: true }],
  ['plain', 'passthrough', { models: [''] }],
  ['scaled', 'passthrough', { models: ['scale: 0.37'] }],
]

const cuts: Readonly<Record<string, Borders>> = {
  ties: { densities: [0.5, 0.7, 0.3] },
  'ties negative': { densities: [0.5, 0.7, 1] },
  'breadcrumbs plain': { densities: [0.5, 0.7, 0.3], gamma: 0.1 },
  'breadcrumbs default-gamma': { densities: [0.5, 0.7, 0.3], gamma: 0.01 },
  breadcrumbs_ties: { densities: [0.5, 0.7, 0.3], gamma: 0.1 },
  'sce plain': { topk: 0.5 },
  arcee_fusion: 'importance',
}

const gradient = 'weight: [0.9, 0.2, 0.5]'
const filters = 'weight: [{filter: mlp, value: 0.8}, {filter: self_attn.q_proj, value: [0.1, 0.9]}, {value: 0.4}]'

/** What configurations can say. */
const shapes: readonly MergeCase[] = [
  {
    id: 'gradient',
    method: 'linear',
    dtype: 'f32',
    recipe: recipe('linear', 'llama', { models: [gradient, 'weight: 0.5'] }),
  },
  {
    id: 'gradient-ties',
    method: 'ties',
    dtype: 'f32',
    recipe: recipe('ties', 'llama', {
      base: true,
      models: ['weight: [0.2, 0.9], density: [1, 0.4]', 'weight: 0.5, density: [0.3, 0.6, 0.9]'],
    }),
  },
  {
    id: 'gradient-slerp',
    method: 'slerp',
    dtype: 'f32',
    recipe: recipe('slerp', 'llama', {
      base: true,
      listed: true,
      models: [''],
      parameters:
        't: [{filter: self_attn, value: [0, 0.5, 0.3, 0.7, 1]}, {filter: mlp, value: [1, 0.5, 0.7, 0.3, 0]}, {value: 0.5}]',
    }),
  },
  {
    id: 'filters',
    method: 'linear',
    dtype: 'f32',
    recipe: recipe('linear', 'llama', { models: [filters, 'weight: 0.5'] }),
  },
  {
    id: 'precedence',
    method: 'task_arithmetic',
    dtype: 'f32',
    recipe: recipe('task_arithmetic', 'llama', {
      base: true,
      models: ['weight: [{filter: mlp, value: 0.8}]', ''],
      parameters: 'weight: 0.35, lambda: [{filter: norm, value: 0.5}, {value: 0.9}]',
    }),
  },
  {
    id: 'dtype-f32',
    method: 'linear',
    dtype: 'f32',
    recipe: recipe('linear', 'llamab', { models: weights, more: 'dtype: float32\n' }),
  },
  {
    id: 'dtype-bf16',
    method: 'linear',
    dtype: 'bf16',
    narrow: true,
    inputs: ['$llama-1', '$llama-2', '$llama-3'],
    recipe: recipe('linear', 'llama', { models: weights, more: 'dtype: bfloat16\n' }),
  },
  {
    id: 'dtype-f16',
    method: 'task_arithmetic',
    dtype: 'f16',
    narrow: true,
    inputs: ['$llama-base', '$llama-1', '$llama-2', '$llama-3'],
    recipe: recipe('task_arithmetic', 'llama', { base: true, models: weights, more: 'dtype: float16\n' }),
  },
  {
    id: 'base-listed',
    method: 'ties',
    dtype: 'f32',
    recipe: recipe('ties', 'llama', { base: true, listed: true, models: thinned }),
  },
  {
    id: 'base-joins',
    method: 'karcher',
    dtype: 'f32',
    recipe: recipe('karcher', 'llama', { base: true, models: plain }),
  },
  {
    id: 'frankenmerge',
    method: 'passthrough',
    dtype: 'f32',
    recipe: `merge_method: passthrough\nslices:\n  - sources: [{model: $llama-1, layer_range: [0, 2]}]\n  - sources: [{model: $llama-2, layer_range: [1, 3]}]\n  - sources: [{model: $llama-1, layer_range: [2, 3], parameters: {scale: [{filter: down_proj, value: 0}, {value: 1}]}}]\n`,
  },
  {
    id: 'slices',
    method: 'slerp',
    dtype: 'f32',
    recipe: `merge_method: slerp\nbase_model: $llama-1\nslices:\n  - sources:\n      - {model: $llama-1, layer_range: [0, 3]}\n      - {model: $llama-2, layer_range: [0, 3]}\nparameters:\n  t:\n    - {filter: self_attn, value: [0, 0.5, 1]}\n    - {value: 0.4}\ndtype: float32\n`,
  },
  {
    id: 'slices-linear',
    method: 'linear',
    dtype: 'f32',
    recipe: `merge_method: linear\nslices:\n  - sources:\n      - {model: $llama-1, layer_range: [0, 2], parameters: {weight: [0, 1]}}\n      - {model: $llama-2, layer_range: [1, 3], parameters: {weight: 0.5}}\n  - sources:\n      - {model: $llama-3, layer_range: [2, 3], parameters: {weight: 1}}\n      - {model: $llama-1, layer_range: [0, 1], parameters: {weight: [{filter: layers.0, value: 0.3}, {value: 0.9}]}}\nparameters: {normalize: true}\n`,
  },
  {
    id: 'pythia-slices',
    method: 'linear',
    dtype: 'f16',
    narrow: true,
    recipe: `merge_method: linear\nslices:\n  - sources:\n      - {model: $pythia-ft-qa, layer_range: [0, 4], parameters: {weight: [0.1, 0.9]}}\n      - {model: $pythia-ft-science, layer_range: [0, 4], parameters: {weight: 0.5}}\n  - sources:\n      - {model: $pythia-ft-qa, layer_range: [2, 6], parameters: {weight: 1}}\n`,
  },
  {
    id: 'tied',
    method: 'linear',
    dtype: 'f32',
    recipe:
      'merge_method: linear\nmodels:\n  - {model: $tied-1, parameters: {weight: 0.3}}\n  - {model: $tied-2, parameters: {weight: 0.7}}\n',
  },
  {
    id: 'tied-and-not',
    method: 'linear',
    dtype: 'f32',
    recipe:
      'merge_method: linear\nbase_model: $llama-base\nmodels:\n  - {model: $llama-base, parameters: {weight: 0.3}}\n  - {model: $tied-2, parameters: {weight: 0.7}}\n',
  },
  {
    id: 'bert',
    method: 'ties',
    dtype: 'f32',
    classifier: true,
    recipe:
      'merge_method: ties\nbase_model: $bert-seqcls-base\nmodels:\n  - {model: $bert-seqcls-1, parameters: {weight: 0.3, density: 0.6}}\n  - {model: $bert-seqcls-2, parameters: {weight: 0.7, density: 0.4}}\n',
  },
  {
    id: 'xlm-roberta',
    method: 'linear',
    dtype: 'f32',
    classifier: true,
    recipe:
      'merge_method: linear\nmodels:\n  - {model: $xlm-roberta-seqcls-1, parameters: {weight: 0.3}}\n  - {model: $xlm-roberta-seqcls-2, parameters: {weight: 0.7}}\n',
  },
  {
    id: 'lora',
    method: 'linear',
    dtype: 'f32',
    recipe:
      'merge_method: linear\nmodels:\n  - {model: $llama-base+$llama-lora, parameters: {weight: 0.3}}\n  - {model: $llama-1, parameters: {weight: 0.7}}\n',
  },
  {
    id: 'rslora',
    method: 'passthrough',
    dtype: 'f32',
    recipe: 'merge_method: passthrough\nmodels:\n  - {model: $llama-base+$llama-rslora}\n',
  },
  ...vocabularies('linear', 'parameters: {weight: 0.5}\n'),
  ...vocabularies('task_arithmetic', 'parameters: {weight: 0.5}\n'),
]

function vocabularies(method: string, parameters: string): MergeCase[] {
  const make = (id: string, tokenizer: string): MergeCase => ({
    id: `tokens-${id}`,
    method,
    dtype: 'f32',
    recipe: `merge_method: ${method}\nbase_model: $voc-step1183\nmodels:\n${method === 'linear' ? '  - {model: $voc-step1183}\n' : ''}  - {model: $voc-ft-qa}\n  - {model: $voc-ft-science}\n${parameters}${tokenizer}`,
  })
  return [
    make('union', 'tokenizer_source: union\n'),
    make('base', 'tokenizer_source: base\n'),
    make('model', 'tokenizer_source: $voc-ft-science\n'),
    make('padded', 'tokenizer: {source: union, pad_to_multiple_of: 64}\n'),
    make(
      'sources',
      'tokenizer:\n  source: union\n  tokens:\n    "<q>": {source: $voc-ft-qa, force: true}\n    "<both>": {source: $voc-ft-science}\n    "<s>": {source: {kind: model_token, model: $voc-step1183, token: the}}\n',
    ),
    make('template-auto', 'tokenizer_source: union\nchat_template: auto\n'),
    make('template-name', 'tokenizer_source: base\nchat_template: chatml\n'),
    make(
      'template-only',
      "tokenizer_source: base\nchat_template: \"{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }}{% endfor %}\"\n",
    ),
  ]
}

/**
 * In the files' own type, and 16-bit files once more with float32 arithmetic: then one rounding is all that may differ.
 */
export const mergeCases: readonly MergeCase[] = [
  ...byMethod.flatMap(([id, method, parts]): MergeCase[] =>
    (Object.keys(families) as Family[]).flatMap((family): MergeCase[] => {
      const { dtype, base, tunes } = families[family]
      const borders = cuts[`${method} ${id}`] ?? cuts[method]
      const common = {
        method,
        dtype,
        inputs: [base, ...tunes.slice(0, parts.models.length)],
        ...(borders === undefined ? {} : { borders }),
      }
      const own = { ...common, id: `${family}-${id}`, recipe: recipe(method, family, parts), narrow: dtype !== 'f32' }
      const out = dtype === 'bf16' ? 'bfloat16' : 'float16'
      const wide = {
        ...common,
        id: `${family}-${id}-f32`,
        recipe: recipe(method, family, { ...parts, more: `dtype: float32\nout_dtype: ${out}\n` }),
      }
      return dtype === 'f32' ? [own] : [own, wide]
    }),
  ),
  ...shapes,
]
