/** The tokenizer of a merge, from the inputs' files or another model's, with its companion files. */
import { type ModelHeaders, fault, type RepoFiles } from '#core'
import { parseJson } from '#files/formats'
import { type JoinedVocabulary, joinVocabularies, renumbered, type TokenizerRecipe } from '#model/merge'
import { vocabularyRows } from '#model/architectures'
import { readWholeFile, settingsFor, type TokenizerInput, vocabularyOf } from '#model/tokenizer'
import { readConfig, readGenerationConfig } from './config-of.ts'
import type { OpenedMerge, Resolve } from './opened-merge.ts'

type Input = ModelHeaders & { readonly files: RepoFiles }

const tokenizerFile = 'tokenizer.json'
/** Companions of a tokenizer.json. */
const companions = ['tokenizer_config.json', 'special_tokens_map.json', 'chat_template.jinja', 'chat_template.json']
/** Vocabularies in older formats: they would contradict a joined one. */
const olderForms = [
  'vocab.json',
  'merges.txt',
  'vocab.txt',
  'added_tokens.json',
  'tokenizer.model',
  'spiece.model',
  'sentencepiece.bpe.model',
]
const moreTemplates = 'additional_chat_templates/'

interface Joined {
  readonly joined: NonNullable<OpenedMerge['joined']>
  readonly notes: readonly string[]
}

/**
 * The input at `base` begins a union and lends its tokenizer to inputs without one; the recipe may take the tokenizer
 * of a model that is not merged. Throws `tokenizer.missing`, `tokenizer.invalid`, `usage.value`, and what resolving
 * throws.
 */
export async function joinedTokenizer(
  recipe: TokenizerRecipe,
  inputs: readonly Input[],
  { base, donor, resolve }: { base: number | undefined; donor: number; resolve: Resolve },
): Promise<Joined> {
  const models = inputs.map(({ model }) => model)
  const { source } = recipe
  const outside =
    typeof source === 'object' && !models.includes(source.model)
      ? await besides(source.model, models, resolve)
      : undefined
  const { tokenizers, notes } = await tokenizersOf(inputs, base ?? 0)
  const joined = joinVocabularies(recipe, tokenizers, { models, base, beside: outside?.tokenizer })
  const start = inputs[joined.start]
  const files = outside?.files ?? start?.files
  if (files === undefined) throw fault('internal', { place: 'tokenizer', what: 'no model to begin with' })
  const config = outside?.config ?? start?.config ?? {}
  return {
    joined: {
      ...joined,
      files,
      config,
      ...(joined.start === donor ? ownIds : await renumbering(joined, tokenizers[donor], files)),
    },
    notes,
  }
}

const ownIds = { generation: {}, before: undefined, after: new Map<string, number>() }

async function renumbering(
  { tokenizer }: JoinedVocabulary,
  donor: TokenizerInput | undefined,
  files: RepoFiles,
): Promise<Pick<NonNullable<OpenedMerge['joined']>, 'generation' | 'before' | 'after'>> {
  const before = donor === undefined ? undefined : new Map([...vocabularyOf(donor)].map(([token, id]) => [id, token]))
  return {
    generation: await readGenerationConfig(files),
    before,
    after: vocabularyOf({ name: tokenizerFile, json: tokenizer, rows: Infinity }),
  }
}

async function besides(
  model: string,
  models: readonly string[],
  resolve: Resolve,
): Promise<{ files: RepoFiles; config: Record<string, unknown>; tokenizer: TokenizerInput }> {
  const files = await resolve.files(model).catch((cause: unknown) => {
    throw fault('usage.value', {
      place: 'tokenizer source',
      what: 'neither one of the models nor a model that can be opened',
      seen: model,
      wanted: ['union', 'base', ...models].join(', '),
      hint: cause instanceof Error ? cause.message : undefined,
      cause,
    })
  })
  const config = (await files.has('config.json')) ? await readConfig(files) : {}
  return {
    files,
    config,
    tokenizer: { name: model, json: await readWholeFile(files), rows: vocabularyRows(config) ?? Infinity },
  }
}

/** A model without a tokenizer is assumed to use the base's, as in mergekit. */
async function tokenizersOf(
  inputs: readonly Input[],
  base: number,
): Promise<{ tokenizers: TokenizerInput[]; notes: string[] }> {
  const notes: string[] = []
  const lender = inputs[base]
  const lent = lender === undefined ? undefined : await readWholeFile(lender.files)
  const tokenizers = await Promise.all(
    inputs.map(async (input, k): Promise<TokenizerInput> => {
      const { files, model } = input
      const rows = vocabularyRows(input.config) ?? Infinity
      if (k === base) return { name: model, json: lent, rows }
      if (!(await hasTokenizer(files))) {
        notes.push(`${model} has no tokenizer: its rows are taken to be those of ${lender?.model}'s tokens`)
        return { name: model, json: lent, rows }
      }
      return { name: model, json: await readWholeFile(files), rows }
    }),
  )
  return { tokenizers, notes }
}

async function hasTokenizer(files: RepoFiles): Promise<boolean> {
  const paths = await files.list()
  return [tokenizerFile, 'tokenizer_config.json', ...olderForms].some((name) => paths.includes(name))
}

/** The output's config.json for a vocabulary that begins with another model's: special ids follow their tokens. */
export function configFor(config: Record<string, unknown>, joined: OpenedMerge['joined']): Record<string, unknown> {
  if (joined?.before === undefined) return config
  return renumbered(config, { before: joined.before, after: joined.after, instead: joined.config })
}

/**
 * Files of the donor to drop, and those that replace them: joined tokenizer, its settings, chat template, ids of the
 * generation config.
 */
export async function tokenizerTexts({
  donor,
  joined,
  chatTemplate,
}: Pick<OpenedMerge, 'donor' | 'joined' | 'chatTemplate'>): Promise<{
  texts: Map<string, string>
  gone: (path: string) => boolean
}> {
  const texts = new Map<string, string>()
  const said = (fields: Readonly<Record<string, unknown>>): string => `${JSON.stringify(fields, undefined, 2)}\n`
  if (joined !== undefined) {
    for (const path of await joined.files.list())
      if (companions.includes(path) || path.startsWith(moreTemplates)) texts.set(path, await joined.files.text(path))
    texts.set(tokenizerFile, said(joined.tokenizer as Record<string, unknown>))
    const settings = texts.get('tokenizer_config.json')
    if (settings !== undefined)
      texts.set('tokenizer_config.json', said(settingsFor(joined.tokenizer, settingsIn(settings, joined.files))))
    const { before, after, generation: instead } = joined
    if (before !== undefined && (await donor.files.has('generation_config.json')))
      texts.set(
        'generation_config.json',
        said(renumbered(await readGenerationConfig(donor.files), { before, after, instead })),
      )
  }
  if (chatTemplate !== undefined) {
    for (const path of texts.keys())
      if (path === 'chat_template.json' || path.startsWith(moreTemplates)) texts.delete(path)
    texts.set('chat_template.jinja', chatTemplate)
    // Readers that predate the separate file look in the settings.
    const name = 'tokenizer_config.json'
    const settings =
      texts.get(name) ??
      (joined === undefined && (await donor.files.has(name)) ? await donor.files.text(name) : undefined)
    if (settings !== undefined)
      texts.set(name, said({ ...settingsIn(settings, donor.files), chat_template: chatTemplate }))
  }
  return {
    texts,
    gone: (path) =>
      (joined !== undefined && (companions.includes(path) || olderForms.includes(path))) ||
      ((joined !== undefined || chatTemplate !== undefined) &&
        (path === 'chat_template.json' || path.startsWith(moreTemplates))),
  }
}

function settingsIn(text: string, { name }: RepoFiles): Record<string, unknown> {
  return parseJson(text, `${name}/tokenizer_config.json`) as Record<string, unknown>
}
