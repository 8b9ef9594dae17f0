/**
 * Recipes whose output has a vocabulary, a chat template, a type or layers of its own. `$name` is a model of
 * bench/peers/python/tokenizer_models.py.
 */

export interface TokenizerCase {
  readonly id: string
  readonly recipe: string
  /** As transformers loads it; a causal language model when not said. */
  readonly kind?: 'masked'
  /** Without a base mergekit begins with any of the models, by a hash: ids and special tokens are not compared. */
  readonly anyStart?: boolean
  /** Several documents: mergekit-multi, with an intermediate folder. */
  readonly several?: boolean
  /** 16-bit outputs: each row may lie one unit of the last place beside. */
  readonly narrow?: boolean
}

interface Parts {
  readonly method?: string
  readonly models: readonly string[]
  readonly base?: string
  readonly more?: string
}

function recipe({ method = 'linear', models, base, more = '' }: Parts): string {
  const list = models
    .map((model, k) => `  - model: $${model}\n    parameters: {weight: ${[0.5, 0.3, 0.2][k]}}\n`)
    .join('')
  return `merge_method: ${method}\n${base === undefined ? '' : `base_model: $${base}\n`}models:\n${list}${more}`
}

const [trio, tunes] = [
  ['base', 'two', 'more'],
  ['two', 'more'],
]
const union = 'tokenizer_source: union\n'
const sources = (text: string, source = 'union'): string =>
  `tokenizer:\n  source: ${source}\n  tokens:\n${text.replaceAll(/^/gm, '    ')}\n`
/** Methods with a base of their own and without. */
const both = (id: string, more: string, models: readonly string[] = trio): TokenizerCase[] => [
  { id: `linear ${id}`, recipe: recipe({ models, base: models[0]!, more }) },
  { id: `ties ${id}`, recipe: recipe({ method: 'ties', models: models.slice(1), base: models[0]!, more }) },
]

export const tokenizerCases: readonly TokenizerCase[] = [
  ...both('union', union),
  ...both('base', 'tokenizer_source: base\n'),
  ...both('of a model', 'tokenizer_source: $more\n'),
  ...both('padded to 64', 'tokenizer: {source: union, pad_to_multiple_of: 64}\n'),
  ...both('padded, nothing to add', 'tokenizer: {source: base, pad_to_multiple_of: 8}\n'),
  ...both('block without a source', 'tokenizer: {}\n'),
  ...both('tokens from a model', sources('"<|im_start|>": {source: $more}\n" <q>": {source: $two, force: true}')),
  ...both('a new token of zeros', sources('"<new>": {source: {kind: zero}}')),
  ...both(
    'known tokens of zeros',
    sources('"<|im_start|>": {source: {kind: zero}, force: true}\n"<r>": {source: {kind: zero}}'),
  ),
  ...both('a new token like another', sources('"<new>": {source: {kind: model_token, model: $two, token: Ġthe}}')),
  ...both(
    'a new token like an id',
    sources('"<new>": {source: {kind: model_token, model: $more, token_id: 7}, force: true}', 'base'),
  ),
  ...both('an id beyond the rows', sources('"<new>": {source: {kind: model_token, model: $two, token_id: 5000}}')),
  ...both(
    'a token that is not there',
    sources('"<new>": {source: {kind: model_token, model: $two, token: "<nowhere>"}}'),
  ),
  ...both('a new token of a model without it', sources('"<new>": {source: $two}')),
  ...both(
    'a source in full',
    sources('"<new>": {source: {kind: model_token, model: {model: {path: $two}}, token: Ġthe}}'),
  ),
  ...both(
    'a new token in a model’s vocabulary',
    'tokenizer:\n  source: $more\n  tokens:\n    "<new>": {source: {kind: model_token, model: $two, token_id: 9}}\n',
  ),
  ...both('a new token that nothing is said of', sources('"<new>": {}')),
  ...both('the base’s vocabulary from a model', sources('"<|im_start|>": {source: $two}', 'base')),
  { id: 'linear union, no base', recipe: recipe({ models: tunes, more: union }), anyStart: true },
  { id: 'linear union of three, no base', recipe: recipe({ models: trio, more: union }), anyStart: true },
  {
    id: 'linear of a model, no base',
    recipe: recipe({ models: tunes, more: 'tokenizer_source: $two\n' }),
    anyStart: true,
  },
  { id: 'linear union, base not among the models', recipe: recipe({ models: tunes, base: 'base', more: union }) },
  {
    id: 'linear union, base beside the models with a weight',
    recipe: recipe({ models: tunes, base: 'base', more: `parameters: {weight: 0.2}\n${union}` }),
  },
  {
    id: 'linear base, base not among the models',
    recipe: recipe({ models: tunes, base: 'base', more: 'tokenizer_source: base\n' }),
  },
  {
    id: 'linear of a model that is not merged',
    recipe: recipe({ models: tunes, base: 'two', more: 'tokenizer_source: $base\n' }),
  },
  { id: 'nuslerp union', recipe: recipe({ method: 'nuslerp', models: tunes, base: 'base', more: union }) },
  {
    id: 'slerp union',
    recipe: `merge_method: slerp\nbase_model: $two\nmodels:\n  - {model: $two}\n  - {model: $more}\nparameters: {t: 0.4}\n${union}`,
  },
  {
    id: 'slerp base, unlike rows',
    recipe: `merge_method: slerp\nbase_model: $base\nmodels:\n  - {model: $base}\n  - {model: $more}\nparameters: {t: 0.4}\ntokenizer_source: base\n`,
  },
  ...both('another order, union', union, ['base', 'order', 'two']),
  ...both('another order, of that model', 'tokenizer_source: $order\n', ['base', 'order', 'two']),
  ...both('rows beyond the tokens', union, ['base', 'wide', 'more']),
  ...both('base with rows beyond its tokens', union, ['wide', 'base', 'more']),
  ...both('tokens beyond the rows', union, ['base', 'tight', 'more']),
  ...both('base with tokens beyond its rows', union, ['tight', 'base', 'more']),
  ...both('of a model with tokens beyond its rows', 'tokenizer_source: $tight\n', ['base', 'tight', 'more']),
  ...both('a model without a tokenizer', union, ['base', 'bare', 'more']),
  ...both('a piece that is special elsewhere', union, ['piece', 'two', 'more']),
  ...both('special in the base, a piece elsewhere', union, ['two', 'piece', 'base']),
  ...both('byte-level and sentencepiece', union, ['base', 'sp']),
  ...both('sentencepiece and byte-level', union, ['sp', 'base']),
  ...both('byte-level and chat', union, ['base', 'chat']),
  ...both('chat and byte-level', union, ['chat', 'two']),
  ...both('sentencepiece, tokens added', union, ['sp', 'sp-two']),
  ...both('sentencepiece of a model', 'tokenizer_source: $sp-two\n', ['sp', 'sp-two']),
  ...both('unigram, tokens added', union, ['uni', 'uni-two']),
  ...both('unigram and byte-level', union, ['uni', 'two']),
  ...both('tied', union, ['tied-base', 'tied-two', 'tied-more']),
  ...both('tied and not', union, ['tied-base', 'two', 'tied-more']),
  ...both('bias of the head', union, ['phi-base', 'phi-two', 'phi-more']),
  {
    id: 'linear in bfloat16',
    recipe: recipe({ models: ['half-base', 'half-two', 'half-more'], base: 'half-base', more: union }),
    narrow: true,
  },
  {
    id: 'linear in bfloat16, float32 inside',
    recipe: recipe({
      models: ['half-base', 'half-two', 'half-more'],
      base: 'half-base',
      more: `${union}dtype: float32\nout_dtype: bfloat16\n`,
    }),
    narrow: true,
  },
  { id: 'linear of two types', recipe: recipe({ models: ['base', 'half-two', 'more'], base: 'base', more: union }) },
  {
    id: 'linear of two types, padded',
    recipe: recipe({ models: ['half-base', 'two'], base: 'half-base', more: 'tokenizer: {pad_to_multiple_of: 16}\n' }),
  },
  {
    id: 'ties of two types',
    recipe: recipe({ method: 'ties', models: ['two', 'more'], base: 'half-base', more: union }),
    narrow: true,
  },
  ...[
    'task_arithmetic',
    'breadcrumbs',
    'sce',
    'ram',
    'model_stock',
    'nearswap',
    'slerp',
    'nuslerp',
    'multislerp',
    'karcher',
  ].map((method): TokenizerCase => {
    const alone = ['nearswap', 'slerp'].includes(method)
    const unweighted = (alone ? ['bare'] : ['bare', 'order']).map((model) => `  - {model: $${model}}\n`).join('')
    const parameters =
      method === 'nearswap' || method === 'slerp'
        ? 't: 0.3'
        : ['sce', 'ram', 'model_stock', 'karcher'].includes(method)
          ? ''
          : 'weight: 0.4'
    return {
      id: `${method} of two types`,
      recipe: `merge_method: ${method}\nbase_model: $half-base\nmodels:\n${unweighted}parameters: {${parameters}}\n`,
      narrow: true,
    }
  }),
  { id: 'linear masked', recipe: recipe({ models: ['bert', 'bert-two'], base: 'bert', more: union }), kind: 'masked' },
  {
    id: 'ties masked',
    recipe: recipe({ method: 'ties', models: ['bert-two'], base: 'bert', more: union }),
    kind: 'masked',
  },
  ...['alpaca', 'chatml', 'llama3', 'mistral', 'exaone', 'auto'].flatMap((name): TokenizerCase[] => [
    {
      id: `template ${name}`,
      recipe: recipe({ models: trio, base: 'base', more: `${union}chat_template: ${name}\n` }),
    },
  ]),
  {
    id: 'template auto without a vocabulary',
    recipe: recipe({ models: ['base', 'wide'], base: 'base', more: 'tokenizer_source: base\nchat_template: auto\n' }),
  },
  {
    id: 'template in words',
    recipe: recipe({
      models: trio,
      base: 'base',
      more: `${union}chat_template: "{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }}{% endfor %}"\n`,
    }),
  },
  { id: 'template unknown', recipe: recipe({ models: trio, base: 'base', more: `${union}chat_template: chatmll\n` }) },
  {
    id: 'template alone',
    recipe: recipe({ models: ['base', 'deep'].slice(0, 1), base: 'base', more: 'chat_template: chatml\n' }),
  },
  {
    id: 'passthrough union',
    recipe: `merge_method: passthrough\nbase_model: $base\nslices:\n  - sources: [{model: $base, layer_range: [0, 2]}]\n  - sources: [{model: $two, layer_range: [1, 3]}]\n${union}`,
  },
  {
    id: 'passthrough union, no base',
    anyStart: true,
    recipe: `merge_method: passthrough\nslices:\n  - sources: [{model: $two, layer_range: [0, 2]}]\n  - sources: [{model: $more, layer_range: [1, 3]}]\n${union}`,
  },
  {
    id: 'passthrough of a model',
    recipe: `merge_method: passthrough\nbase_model: $base\nslices:\n  - sources: [{model: $base, layer_range: [0, 2]}]\n  - sources: [{model: $two, layer_range: [0, 3]}]\ntokenizer_source: $two\n`,
  },
  {
    id: 'passthrough stacked, no tokenizer',
    recipe: `merge_method: passthrough\nbase_model: $base\nslices:\n  - sources: [{model: $base, layer_range: [0, 2]}]\n  - sources: [{model: $deep, layer_range: [1, 5]}]\n  - sources: [{model: $base, layer_range: [1, 3]}]\ndtype: bfloat16\n`,
    narrow: true,
  },
  {
    id: 'slices with gradients and filters',
    recipe: `merge_method: linear\nbase_model: $base\nslices:\n  - sources:\n      - {model: $base, layer_range: [0, 3], parameters: {weight: [{filter: mlp, value: [0.1, 0.9]}, {filter: embed, value: 0.7}, {value: 0.4}]}}\n      - {model: $deep, layer_range: [2, 5], parameters: {weight: [1, 0.5, 0]}}\n  - sources:\n      - {model: $base, layer_range: [2, 3], parameters: {weight: 0.5}}\n      - {model: $deep, layer_range: [0, 1], parameters: {weight: [{filter: layers.0, value: 0.9}, {value: 0.2}]}}\n${union}`,
  },
  {
    id: 'slices of slerp',
    recipe: `merge_method: slerp\nbase_model: $base\nslices:\n  - sources:\n      - {model: $base, layer_range: [0, 3]}\n      - {model: $deep, layer_range: [1, 4]}\nparameters:\n  t:\n    - {filter: self_attn, value: [0, 0.5, 0.3, 0.7, 1]}\n    - {filter: mlp, value: [1, 0.5, 0.7, 0.3, 0]}\n    - {value: 0.5}\ndtype: bfloat16\n`,
    narrow: true,
  },
  {
    id: 'dtype with torch in front',
    recipe: recipe({ models: ['base', 'deep'].slice(0, 1), more: 'dtype: torch.float16\n' }),
    narrow: true,
  },
  {
    id: 'out_dtype alone',
    recipe: recipe({ models: tunes.slice(0, 1), base: 'two', more: 'out_dtype: bfloat16\n' }),
    narrow: true,
  },
  { id: 'adapter', recipe: recipe({ models: ['base', 'two+$lora-two'], base: 'base', more: union }) },
  {
    id: 'adapters',
    recipe: recipe({
      models: ['base+$lora-base', 'two+$lora-two'],
      base: 'base',
      more: `parameters: {weight: 0.2}\n${union}`,
    }),
  },
  {
    id: 'ties of adapters',
    recipe: recipe({ method: 'ties', models: ['two+$lora-two', 'base+$lora-base'], base: 'base', more: union }),
  },
  {
    id: 'two documents',
    several: true,
    recipe: `name: first\nmerge_method: linear\nbase_model: $base\nmodels:\n  - {model: $base, parameters: {weight: 0.4}}\n  - {model: $two, parameters: {weight: 0.6}}\n${union}---\nmerge_method: ties\nbase_model: $base\nmodels:\n  - {model: first, parameters: {weight: 0.5, density: 1}}\n  - {model: $more, parameters: {weight: 0.5, density: 1}}\ntokenizer_source: union\n`,
  },
]

interface Expected {
  /** Which lines of a comparison it explains. */
  readonly problem: RegExp
  readonly why: string
  /** Which cases; all when not said. */
  readonly cases?: RegExp
  readonly release?: string
}

/** Where Strata does otherwise on purpose; docs/mergekit.md tells why. */
const onPurpose: readonly Expected[] = [
  { problem: /^mergekit’s output/, why: 'transformers does not open what mergekit wrote' },
  { problem: /^config dtype/, why: 'config.json names the type that is stored', cases: /types|dtype|bfloat16/ },
  {
    problem: /^output/,
    why: 'mergekit’s config.json names another type than is stored, in which transformers then computes',
    cases: /types/,
  },
  {
    problem: /^tokenizer (pieces|decoded|added)/,
    why: 'of tokens that the normalizer makes one, the first is found',
    cases: /unigram and byte-level/,
  },
  {
    problem: /^config (bos|eos|pad)_token_id/,
    why: 'special ids follow their token into the other vocabulary',
    cases: /of that model|of a model/,
  },
  { problem: /^(config tie_word_embeddings|output)/, why: 'a head that is stored is used', cases: /tied and not/ },
  {
    problem: /^tokenizer chats/,
    why: 'the prompt format is the models’ own, without mergekit’s blanks',
    cases: /template (alpaca|llama3|exaone)/,
  },
  {
    problem: /^tokenizer (template|chats)/,
    why: '0.1.4 leaves chat_template.jinja behind',
    release: '0.1.4',
    cases: /no tokenizer|slices of slerp|out_dtype|of two types/,
  },
  {
    problem: /^tokenizer added/,
    why: '0.1.4 makes a token that the recipe names an ordinary one',
    release: '0.1.4',
    cases: /tokens from a model|known tokens/,
  },
  {
    problem: /^lm_head\.bias|^output/,
    why: '0.1.4 leaves the head’s bias in the base’s order',
    release: '0.1.4',
    cases: /bias of the head/,
  },
  {
    problem: /^cls\.predictions\.(transform|bias)|^loading: bert\.pooler|^output/,
    why: 'mergekit drops the transform of the head (and 0.1.4 leaves its bias in the base’s order)',
    cases: /masked/,
  },
]

export function expectedOf({ id }: TokenizerCase, release: string): readonly Expected[] {
  return onPurpose.filter(
    ({ cases, release: own }) => (cases === undefined || cases.test(id)) && (own === undefined || own === release),
  )
}
