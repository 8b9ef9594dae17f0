/**
 * What transformers' tokenizer classes do besides reading tokenizer.json: their default special tokens, and what they
 * override in the file.
 * Read from transformers 4.57. Names are without `Fast`; a class that is not here is a plain one.
 */

export type WordPieceWay = 'bert' | 'mpnet' | 'funnel'
export type ByteBpeWay = 'gpt2' | 'roberta' | 'deberta' | 'blenderbot' | 'qwen2' | 'clip'

export interface TokenizerClass {
  readonly name: string
  /** `model_type` of config.json that stands for this class when no file names one. */
  readonly modelTypes?: readonly string[]
  /** Special tokens that hold unless a file says otherwise. */
  readonly special?: Readonly<Record<string, string>>
  readonly additional?: readonly string[]
  /** Sentinels `<extra_id_0>` … that are special unless a file lists its own. */
  readonly sentinels?: number
  /** The mask token takes the space before it; `normalized` says against which text it is matched. */
  readonly mask?: { readonly normalized: boolean }
  /**
   * `do_lower_case`, `strip_accents` (and, for `bert`, `tokenize_chinese_chars`) of the config replace those of the
   * normalizer.
   */
  readonly normalizer?: 'bert' | 'mpnet'
  /** The template is made anew from `add_bos_token` and `add_eos_token`, with these defaults. */
  readonly ends?: { readonly bos: boolean; readonly eos: boolean }
  /** `add_prefix_space` and `trim_offsets` of the config replace those of the post-processor. */
  readonly roberta?: true
  readonly addPrefixSpace?: boolean
  readonly paddingSide?: 'left'
  /** How to build it from vocab.txt. */
  readonly wordPiece?: WordPieceWay
  /** How to build it from vocab.json and merges.txt. */
  readonly byteBpe?: ByteBpeWay
  /** It needs no file: every character is a token, and its code point the id. */
  readonly codePoints?: true
}

const bert = { unk_token: '[UNK]', sep_token: '[SEP]', pad_token: '[PAD]', cls_token: '[CLS]', mask_token: '[MASK]' }
const roberta = {
  bos_token: '<s>',
  eos_token: '</s>',
  unk_token: '<unk>',
  sep_token: '</s>',
  pad_token: '<pad>',
  cls_token: '<s>',
  mask_token: '<mask>',
}
const endOfText = { bos_token: '<|endoftext|>', eos_token: '<|endoftext|>', unk_token: '<|endoftext|>' }
const sentencePiece = { bos_token: '<s>', eos_token: '</s>', unk_token: '<unk>' }
const t5 = { eos_token: '</s>', unk_token: '<unk>', pad_token: '<pad>' }
const albert = { ...bert, bos_token: '[CLS]', eos_token: '[SEP]', unk_token: '<unk>', pad_token: '<pad>' }

const bertLike = (name: string, ...modelTypes: string[]): TokenizerClass => ({
  name,
  modelTypes,
  special: bert,
  normalizer: 'bert',
  wordPiece: 'bert',
})
const robertaLike = (name: string, mask: { normalized: boolean }, ...modelTypes: string[]): TokenizerClass => ({
  name,
  modelTypes,
  special: roberta,
  mask,
  roberta: true,
  byteBpe: 'roberta',
})

const classes: readonly TokenizerClass[] = [
  bertLike(
    'BertTokenizer',
    'bert',
    'ernie',
    'megatron-bert',
    'nezha',
    'qdqbert',
    'visual_bert',
    'chinese_clip',
    'blip',
  ),
  bertLike('ConvBertTokenizer', 'convbert'),
  bertLike('DistilBertTokenizer', 'distilbert'),
  bertLike('ElectraTokenizer', 'electra'),
  bertLike('LayoutLMTokenizer', 'layoutlm'),
  bertLike('LxmertTokenizer', 'lxmert'),
  bertLike('MobileBertTokenizer', 'mobilebert'),
  bertLike('SqueezeBertTokenizer', 'squeezebert'),
  bertLike('DPRQuestionEncoderTokenizer', 'dpr'),
  bertLike('DPRContextEncoderTokenizer'),
  bertLike('DPRReaderTokenizer'),
  bertLike('RetriBertTokenizer', 'retribert'),
  bertLike('RealmTokenizer', 'realm'),
  {
    ...bertLike('FunnelTokenizer', 'funnel'),
    special: {
      unk_token: '<unk>',
      sep_token: '<sep>',
      pad_token: '<pad>',
      cls_token: '<cls>',
      mask_token: '<mask>',
      bos_token: '<s>',
      eos_token: '</s>',
    },
    wordPiece: 'funnel',
  },
  {
    name: 'CanineTokenizer',
    modelTypes: ['canine'],
    special: {
      bos_token: '\uE000',
      eos_token: '\uE001',
      sep_token: '\uE001',
      cls_token: '\uE000',
      pad_token: '\0',
      mask_token: '\uE003',
    },
    codePoints: true,
  },
  {
    name: 'MPNetTokenizer',
    modelTypes: ['mpnet'],
    special: { ...roberta, unk_token: '[UNK]' },
    mask: { normalized: true },
    normalizer: 'mpnet',
    wordPiece: 'mpnet',
  },
  robertaLike(
    'RobertaTokenizer',
    { normalized: false },
    'roberta',
    'roberta-prelayernorm',
    'data2vec-text',
    'ibert',
    'mega',
    'mra',
    'clap',
    'bridgetower',
  ),
  robertaLike('LongformerTokenizer', { normalized: false }, 'longformer'),
  robertaLike('BartTokenizer', { normalized: true }, 'bart'),
  robertaLike('LEDTokenizer', { normalized: true }, 'led'),
  robertaLike('MvpTokenizer', { normalized: true }, 'mvp'),
  { ...robertaLike('BlenderbotTokenizer', { normalized: false }, 'blenderbot'), byteBpe: 'blenderbot' },
  { ...robertaLike('LayoutLMv3Tokenizer', { normalized: false }, 'layoutlmv3', 'lilt'), addPrefixSpace: true },
  {
    name: 'DebertaTokenizer',
    modelTypes: ['deberta'],
    special: { ...bert, bos_token: '[CLS]', eos_token: '[SEP]' },
    mask: { normalized: true },
    byteBpe: 'deberta',
  },
  {
    name: 'DebertaV2Tokenizer',
    modelTypes: ['deberta-v2'],
    special: { ...bert, bos_token: '[CLS]', eos_token: '[SEP]' },
  },
  {
    name: 'GPT2Tokenizer',
    modelTypes: [
      'gpt2',
      'gpt_neo',
      'gptj',
      'gpt_bigcode',
      'opt',
      'starcoder2',
      'exaone4',
      'olmo3',
      'flex_olmo',
      'dbrx',
    ],
    special: endOfText,
    byteBpe: 'gpt2',
  },
  { name: 'CodeGenTokenizer', modelTypes: ['codegen', 'phi'], special: endOfText, byteBpe: 'gpt2' },
  {
    name: 'GPTNeoXTokenizer',
    modelTypes: [
      'gpt_neox',
      'mamba',
      'mamba2',
      'falcon_mamba',
      'mpt',
      'olmo',
      'olmo2',
      'olmoe',
      'rwkv',
      'stablelm',
      'xlstm',
    ],
    special: endOfText,
    ends: { bos: false, eos: false },
  },
  { name: 'BloomTokenizer', modelTypes: ['bloom'], special: { ...sentencePiece, pad_token: '<pad>' } },
  {
    name: 'Qwen2Tokenizer',
    modelTypes: ['qwen2', 'qwen2_moe', 'qwen2_vl', 'qwen2_5_vl', 'qwen3', 'qwen3_moe', 'qwen3_next'],
    special: { unk_token: '<|endoftext|>', eos_token: '<|endoftext|>', pad_token: '<|endoftext|>' },
    byteBpe: 'qwen2',
  },
  {
    name: 'CLIPTokenizer',
    modelTypes: ['clip', 'clipseg', 'owlvit', 'owlv2', 'xclip', 'groupvit'],
    special: { ...endOfText, bos_token: '<|startoftext|>', pad_token: '<|endoftext|>' },
    byteBpe: 'clip',
  },
  {
    name: 'LlamaTokenizer',
    modelTypes: [
      'llama',
      'llama4',
      'llama4_text',
      'phi3',
      'phimoe',
      'persimmon',
      'jamba',
      'jetmoe',
      'zamba',
      'zamba2',
      'deepseek_v2',
      'deepseek_v3',
      'diffllama',
    ],
    special: sentencePiece,
    ends: { bos: true, eos: false },
    paddingSide: 'left',
  },
  {
    name: 'CodeLlamaTokenizer',
    modelTypes: ['code_llama'],
    special: sentencePiece,
    ends: { bos: true, eos: false },
    paddingSide: 'left',
  },
  {
    name: 'GemmaTokenizer',
    modelTypes: ['gemma', 'gemma2', 'gemma3', 'gemma3_text', 'gemma3n', 'gemma3n_text', 't5gemma', 'recurrent_gemma'],
    special: { bos_token: '<bos>', eos_token: '<eos>', unk_token: '<unk>', pad_token: '<pad>' },
    ends: { bos: true, eos: false },
    paddingSide: 'left',
  },
  {
    name: 'CohereTokenizer',
    modelTypes: ['cohere', 'cohere2'],
    special: { bos_token: '<BOS_TOKEN>', eos_token: '<|END_OF_TURN_TOKEN|>', unk_token: '<UNK>' },
    ends: { bos: true, eos: false },
    paddingSide: 'left',
  },
  {
    name: 'XLMRobertaTokenizer',
    modelTypes: ['xlm-roberta', 'xlm-roberta-xl', 'xmod', 'kosmos-2'],
    special: roberta,
    mask: { normalized: true },
  },
  {
    name: 'CamembertTokenizer',
    modelTypes: ['camembert'],
    special: roberta,
    mask: { normalized: true },
    additional: ['<s>NOTUSED', '</s>NOTUSED', '<unk>NOTUSED'],
  },
  { name: 'BarthezTokenizer', modelTypes: ['barthez'], special: roberta, mask: { normalized: true } },
  { name: 'MBartTokenizer', modelTypes: ['mbart'], special: roberta, mask: { normalized: true } },
  {
    name: 'AlbertTokenizer',
    modelTypes: ['albert', 'nystromformer', 'yoso'],
    special: albert,
    mask: { normalized: false },
  },
  { name: 'RemBertTokenizer', modelTypes: ['rembert'], special: albert, mask: { normalized: true } },
  {
    name: 'BigBirdTokenizer',
    modelTypes: ['big_bird'],
    special: { ...albert, bos_token: '<s>', eos_token: '</s>' },
    mask: { normalized: true },
  },
  {
    name: 'FNetTokenizer',
    modelTypes: ['fnet'],
    special: { ...bert, unk_token: '<unk>', pad_token: '<pad>' },
    mask: { normalized: true },
  },
  {
    name: 'T5Tokenizer',
    modelTypes: ['t5', 'longt5', 'umt5', 'switch_transformers', 'pix2struct'],
    special: t5,
    sentinels: 100,
  },
  { name: 'MT5Tokenizer', modelTypes: ['mt5'], special: t5, sentinels: 100 },
  {
    name: 'XGLMTokenizer',
    modelTypes: ['xglm'],
    special: { ...sentencePiece, sep_token: '</s>', cls_token: '<s>', pad_token: '<pad>' },
  },
  {
    name: 'XLNetTokenizer',
    modelTypes: ['xlnet'],
    special: { ...sentencePiece, sep_token: '<sep>', pad_token: '<pad>', cls_token: '<cls>', mask_token: '<mask>' },
    mask: { normalized: true },
    additional: ['<eop>', '<eod>'],
    paddingSide: 'left',
  },
]

/** Classes whose old files only transformers' slow tokenizers can read, by the same model types. */
const plain: TokenizerClass = { name: 'PreTrainedTokenizer' }

/** The class a repository means; a plain one when it names an unknown class, or none. */
export function classOf(name: string | undefined, modelType: string | undefined): TokenizerClass {
  if (name !== undefined) return classes.find((entry) => entry.name === name) ?? { ...plain, name }
  return classes.find((entry) => modelType !== undefined && entry.modelTypes?.includes(modelType)) ?? plain
}
