/**
 * The files next to the vocabulary: tokenizer_config.json, special_tokens_map.json, added_tokens.json, chat templates.
 */
import type { RepoFiles } from '#core'
import { describeUnread, fieldOf, isObject } from '#files/formats'
import { invalid, isId } from './checks.ts'
import { type AddedToken, parse, unreadFlags } from './definition.ts'

/** A special token as a config writes it: a string, or with flags. */
export type SpecialToken = string | AddedToken

export interface Settings {
  /** tokenizer_config.json; empty when there is none. */
  readonly config: Readonly<Record<string, unknown>>
  /** The class in tokenizer_config.json, or in config.json, or the one of config.json's model type; without `Fast`. */
  readonly tokenizerClass: string | undefined
  readonly modelType: string | undefined
  /** `bos_token`, …, and names of the model's own, as files give them; null where a file switches one off. */
  readonly special: Readonly<Record<string, SpecialToken | null>>
  readonly additionalSpecial: readonly SpecialToken[] | undefined
  /** `added_tokens_decoder` of tokenizer_config.json by ascending id, or added_tokens.json. */
  readonly added: readonly AddedToken[]
  /** Name → template; a single one is named `default`. */
  readonly chatTemplates: Readonly<Record<string, string>>
  /** Lines for the keys of these files that are not followed. */
  readonly unread: readonly string[]
}

export const specialTokenNames = [
  'bos_token',
  'eos_token',
  'unk_token',
  'sep_token',
  'pad_token',
  'cls_token',
  'mask_token',
] as const

/** Faults: `tokenizer.invalid` naming the file, `format.lfs`. */
export async function readSettings(files: RepoFiles): Promise<Settings> {
  const config = (await readRecord(files, 'tokenizer_config.json')) ?? {}
  const model = (await readRecord(files, 'config.json', true)) ?? {}
  const decoder = fieldOf(config, 'added_tokens_decoder')
  // Newer repositories say everything in tokenizer_config.json; then the older files are not read.
  const legacy = !isObject(decoder)
  const map = legacy ? await readRecord(files, 'special_tokens_map.json') : undefined
  const place = `${files.name} › tokenizer_config.json`
  const special = Object.fromEntries(
    specialTokenNames.flatMap((name) => {
      const value = fieldOf(map ?? {}, name) ?? fieldOf(config, name)
      return value === undefined
        ? []
        : [[name, value === null ? null : readSpecial(value, `${place} › ${name}`)] as const]
    }),
  )
  const additional = [
    ...readList(config, 'additional_special_tokens', place),
    ...readList(map ?? {}, 'additional_special_tokens', place),
  ]
  const declared =
    Object.hasOwn(config, 'additional_special_tokens') || Object.hasOwn(map ?? {}, 'additional_special_tokens')
  const extra = fieldOf(config, 'extra_special_tokens')
  const named = isObject(extra)
    ? Object.entries(extra).map(
        ([name, value]) => [name, readSpecial(value, `${place} › extra_special_tokens`)] as const,
      )
    : []
  const specialContents = new Set(
    [...Object.values(special), ...additional].map((token) => (token === null ? '' : contentOf(token))),
  )
  return {
    config,
    tokenizerClass: (word(config, 'tokenizer_class') ?? word(model, 'tokenizer_class'))?.replace(/Fast$/, ''),
    modelType: word(model, 'model_type'),
    special: { ...special, ...Object.fromEntries(named) },
    additionalSpecial: declared ? unique(additional) : undefined,
    added: legacy ? await readAddedTokens(files, specialContents) : readDecoder(decoder, place),
    chatTemplates: await readChatTemplates(files, config, place),
    unread: [
      ...describeUnread({ place, fields: config }, [...specialTokenNames, ...Object.values(keys).join(' ').split(' ')]),
      ...(legacy ? [] : unreadFlags(Object.values(decoder), `${place} › added_tokens_decoder`)),
      ...describeUnread({ place: `${files.name} › special_tokens_map.json`, fields: map ?? {} }, [
        ...specialTokenNames,
        'additional_special_tokens',
      ]),
    ],
  }
}

/** Keys of tokenizer_config.json besides the special tokens: those that are read, and those that change no id. */
const keys = {
  read:
    'tokenizer_class added_tokens_decoder additional_special_tokens extra_special_tokens chat_template add_bos_token ' +
    'add_eos_token do_lower_case strip_accents tokenize_chinese_chars add_prefix_space trim_offsets truncation_side ' +
    'padding_side model_max_length clean_up_tokenization_spaces',
  /** How the file was made, and Python's classes for slow tokenizers, whose work tokenizer.json holds already. */
  making:
    'name_or_path special_tokens_map_file tokenizer_file vocab_file merges_file auto_map processor_class use_fast ' +
    'from_slow backend is_local local_files_only trust_remote_code tokenizer_type legacy sp_model_kwargs vocab_size ' +
    'do_basic_tokenize never_split keep_accents remove_space split_by_punct vocab_type extra_ids unk_id errors ' +
    'lang language fix_mistral_regex transformers_version dtype',
  /** For calls: batches are cut and padded here as each command asks. */
  calls:
    'max_length max_len stride truncation truncation_strategy padding pad_to_multiple_of pad_token_type_id ' +
    'model_input_names return_token_type_ids return_tensors add_special_tokens verbose ' +
    'spaces_between_special_tokens use_default_system_prompt model_specific_special_tokens response_schema',
  /** For pictures and sound. */
  media: 'image_token boi_token eoi_token audio_token video_token vision_bos_token vision_eos_token',
} as const

export function contentOf(token: SpecialToken): string {
  return typeof token === 'string' ? token : token.content
}

/** A string field, or undefined. */
function word(record: Record<string, unknown>, name: string): string | undefined {
  const value = fieldOf(record, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** `lenient`: the file belongs to another room, which reports its faults. */
async function readRecord(
  files: RepoFiles,
  name: string,
  lenient = false,
): Promise<Record<string, unknown> | undefined> {
  if (!(await files.has(name))) return undefined
  const place = `${files.name} › ${name}`
  try {
    const value = parse(await files.text(name), place)
    if (!isObject(value)) throw invalid(place, 'not a JSON object')
    return value
  } catch (error) {
    if (lenient) return undefined
    throw error
  }
}

function readList(record: Record<string, unknown>, name: string, place: string): readonly SpecialToken[] {
  const value = fieldOf(record, name) ?? []
  if (!Array.isArray(value)) throw invalid(`${place} › ${name}`, 'not a list of tokens')
  return value.map((token: unknown, index) => readSpecial(token, `${place} › ${name}[${index}]`))
}

function readSpecial(value: unknown, place: string): SpecialToken {
  return typeof value === 'string' ? value : readFlags(value, true, place)
}

/** Flags that are left out are those of transformers' AddedToken. */
function readFlags(value: unknown, special: boolean, place: string): AddedToken {
  const content = isObject(value) ? fieldOf(value, 'content') : undefined
  if (!isObject(value) || typeof content !== 'string')
    throw invalid(place, 'not a token', value, 'a string, or an object with content')
  const flag = (name: string, fallback: boolean): boolean => {
    const given = fieldOf(value, name)
    return typeof given === 'boolean' ? given : fallback
  }
  const isSpecial = special || flag('special', false)
  return {
    content,
    single_word: flag('single_word', false),
    lstrip: flag('lstrip', false),
    rstrip: flag('rstrip', false),
    normalized: flag('normalized', !isSpecial),
    special: isSpecial,
  }
}

function readDecoder(decoder: Record<string, unknown>, place: string): readonly AddedToken[] {
  return Object.entries(decoder)
    .map(([key, value]) => {
      const id = Number(key)
      if (!/^\d+$/.test(key) || !isId(id)) throw invalid(`${place} › added_tokens_decoder`, 'not a token id', key)
      return { id, token: readFlags(value, false, `${place} › added_tokens_decoder.${key}`) }
    })
    .sort((a, b) => a.id - b.id)
    .map(({ token }) => token)
}

/** added_tokens.json: token → id. */
async function readAddedTokens(files: RepoFiles, special: ReadonlySet<string>): Promise<readonly AddedToken[]> {
  const record = (await readRecord(files, 'added_tokens.json')) ?? {}
  return Object.entries(record)
    .map(([content, id]) => {
      if (!isId(id)) throw invalid(`${files.name} › added_tokens.json`, 'not a token id', id)
      return { content, id }
    })
    .sort((a, b) => a.id - b.id)
    .map(({ content }) => plainToken(content, special.has(content)))
}

/** A token matched as it stands, normalized unless it is special. */
export function plainToken(content: string, special: boolean): AddedToken {
  return { content, single_word: false, lstrip: false, rstrip: false, normalized: !special, special }
}

function unique(tokens: readonly SpecialToken[]): readonly SpecialToken[] {
  return [...new Map(tokens.map((token) => [contentOf(token), token])).values()]
}

/**
 * The template that chats are rendered with where none is named; undefined when the folder has none. Faults:
 * `tokenizer.invalid`.
 */
export async function readChatTemplate(files: RepoFiles): Promise<string | undefined> {
  const config = (await readRecord(files, 'tokenizer_config.json')) ?? {}
  return (await readChatTemplates(files, config, `${files.name} › tokenizer_config.json`))['default']
}

/**
 * chat_template.jinja and additional_chat_templates/*.jinja win over `chat_template` of tokenizer_config.json and of
 * chat_template.json.
 */
async function readChatTemplates(
  files: RepoFiles,
  config: Record<string, unknown>,
  place: string,
): Promise<Readonly<Record<string, string>>> {
  const templates = new Map<string, string>()
  const older = fieldOf((await readRecord(files, 'chat_template.json')) ?? {}, 'chat_template')
  for (const value of [older, fieldOf(config, 'chat_template')]) {
    if (typeof value === 'string') templates.set('default', value)
    else if (isObject(value))
      for (const [name, text] of Object.entries(value)) templates.set(name, templateText(text, place))
    else if (Array.isArray(value)) {
      for (const entry of value as unknown[]) {
        const name = isObject(entry) ? fieldOf(entry, 'name') : undefined
        if (typeof name !== 'string' || !isObject(entry))
          throw invalid(`${place} › chat_template`, 'not a named template', entry)
        templates.set(name, templateText(fieldOf(entry, 'template'), place))
      }
    } else if (value !== undefined && value !== null) throw invalid(`${place} › chat_template`, 'not a template', value)
  }
  if (await files.has('chat_template.jinja')) templates.set('default', await files.text('chat_template.jinja'))
  const folder = 'additional_chat_templates/'
  for (const path of await files.list()) {
    if (path.startsWith(folder) && path.endsWith('.jinja'))
      templates.set(path.slice(folder.length, -'.jinja'.length), await files.text(path))
  }
  return Object.fromEntries(templates)
}

function templateText(value: unknown, place: string): string {
  if (typeof value !== 'string') throw invalid(`${place} › chat_template`, 'not a template', value)
  return value
}
