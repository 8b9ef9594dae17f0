/** config.json and generation_config.json of a model that has got another's vocabulary. */
import { type TokenTable, tokenKey } from './token-keys.ts'
import type { Vocabularies } from './assign.ts'

type Fields = Readonly<Record<string, unknown>>

/** What the donor says of its special tokens. */
export interface DonorWords {
  readonly config: Fields
  readonly generation: Fields
  readonly table: TokenTable
}

/** Ids that every model has its own idea of where the file says nothing. */
const always = ['bos_token_id', 'eos_token_id']
const taken = ['pad_token_id', 'unk_token_id', 'mask_token_id', 'sep_token_id', 'cls_token_id', 'padding_side']

/** `config` with the new number of rows and the donor's special ids; other ids follow their token, or go. */
export function transplantedConfig(
  config: Fields,
  model: TokenTable,
  donor: DonorWords,
  vocabularies: Vocabularies,
): { config: Record<string, unknown>; notes: string[] } {
  const notes: string[] = []
  const text = config['text_config']
  if (typeof text === 'object' && text !== null && 'vocab_size' in text) {
    const inner = withIds({ ...(text as Fields), vocab_size: vocabularies.rows }, model, donor, vocabularies, notes)
    const outer = 'vocab_size' in config ? { ...config, vocab_size: vocabularies.rows } : config
    return { config: { ...withIds(outer, model, donor, vocabularies, notes), text_config: inner }, notes }
  }
  const out = withIds({ ...config, vocab_size: vocabularies.rows }, model, donor, vocabularies, notes)
  delete out['_name_or_path']
  return { config: out, notes }
}

/** Lists of ids that mean nothing under another vocabulary. */
const idLists = [
  'suppress_tokens',
  'begin_suppress_tokens',
  'bad_words_ids',
  'forced_decoder_ids',
  'force_words_ids',
  'sequence_bias',
  'no_timestamps_token_id',
]

/** The model's habits of generating with the donor's special ids. */
export function transplantedGeneration(generation: Fields, config: Fields, donor: DonorWords): Record<string, unknown> {
  const out: Record<string, unknown> = { ...generation }
  for (const key of Object.keys(out)) {
    if (idLists.includes(key)) delete out[key]
    else if (key.endsWith('_token_id')) {
      const value = donor.generation[key] ?? config[key]
      if (value === undefined || value === null) delete out[key]
      else out[key] = value
    }
  }
  return out
}

function withIds(
  config: Record<string, unknown>,
  model: TokenTable,
  donor: DonorWords,
  vocabularies: Vocabularies,
  notes: string[],
): Record<string, unknown> {
  const out = { ...config }
  const donorText = donor.config['text_config']
  const donorConfig: Fields =
    typeof donorText === 'object' && donorText !== null ? { ...donor.config, ...donorText } : donor.config
  for (const key of [...always, ...taken]) {
    const own = donorConfig[key] ?? specialId(donor.table, key)
    if (donorConfig[key] !== undefined) out[key] = donorConfig[key]
    else if (own !== undefined && (always.includes(key) || key in out)) out[key] = own
    else if (key in out && key !== 'padding_side') out[key] = null
  }
  for (const [key, value] of Object.entries(config)) {
    if (!/_token_(id|index)$/.test(key) || always.includes(key) || taken.includes(key) || typeof value !== 'number')
      continue
    const id = donorConfig[key] ?? sameToken(value, model, vocabularies)
    if (id === undefined) notes.push(`${key} ${value}: the new vocabulary has no such token, the key is left out`)
    if (id === undefined) delete out[key]
    else out[key] = id
  }
  return out
}

function specialId({ tokens, special }: TokenTable, key: string): number | undefined {
  const token = special[key.replace(/_id$/, '')]
  const id = token === undefined ? -1 : tokens.indexOf(token)
  return id < 0 ? undefined : id
}

/** The new id of the token that had an id before. */
function sameToken(
  id: number,
  { tokens }: TokenTable,
  { donor, donorScript, modelScript }: Vocabularies,
): number | undefined {
  const token = tokens[id]
  if (token === undefined) return undefined
  const key = tokenKey(token, modelScript)
  const found = donor.tokens.findIndex(
    (own) => own === token || (own !== undefined && tokenKey(own, donorScript) === key),
  )
  return found < 0 ? undefined : found
}
