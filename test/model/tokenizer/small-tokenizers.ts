/** Tokenizers small enough to be read, made here so that tests need no other data. */

const words = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'hello',
  'world',
  'wor',
  '##ld',
  'a',
  '##a',
  'b',
  '##b',
  '!',
  '中',
  '文',
]

export const wordPieceIds: Readonly<Record<string, number>> = Object.fromEntries(words.map((word, id) => [word, id]))

const special = (content: string, id: number) => ({
  id,
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
})

/** BERT's parts; `changes` replace whole fields of the file. */
export function wordPiece(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    version: '1.0',
    truncation: { direction: 'Right', max_length: 3, strategy: 'LongestFirst', stride: 0 },
    padding: {
      strategy: { Fixed: 12 },
      direction: 'Right',
      pad_to_multiple_of: null,
      pad_id: 0,
      pad_type_id: 0,
      pad_token: '[PAD]',
    },
    added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map(special),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: wordPieceIds,
    },
    ...changes,
  }
}

export function wordPieceJson(changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify(wordPiece(changes))
}

export function wordLevelJson(changes: Readonly<Record<string, unknown>> = {}): string {
  const model = { type: 'WordLevel', vocab: { '[UNK]': 0, hello: 1, world: 2, ['__proto__']: 3 }, unk_token: '[UNK]' }
  return JSON.stringify({
    version: '1.0',
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model,
    ...changes,
  })
}

/** Two merges over four letters. */
export function bpe(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const vocab = Object.fromEntries(['<s>', '</s>', 'a', 'b', 'c', 'ab', 'abc', ' '].map((token, id) => [token, id]))
  return {
    version: '1.0',
    added_tokens: ['<s>', '</s>'].map(special),
    normalizer: null,
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: null,
    decoder: { type: 'Fuse' },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab,
      merges: [
        ['a', 'b'],
        ['ab', 'c'],
      ],
    },
    ...changes,
  }
}
