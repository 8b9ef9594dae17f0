/**
 * A model and the donor of its new tokenizer, opened as far as headers and vocabularies, and the plan of the change.
 */
import { type CallOptions, fault } from '#core'
import {
  planTransplant,
  type TokenTable,
  transplantDefaults,
  type TransplantOptions,
  type TransplantPlan,
  trustedVocabularies,
  type Vocabularies,
  vocabulariesOf,
} from '#model/transplant'
import { loadTokenizer, type Tokenizer } from '#model/tokenizer'
import { type HeadedModel, openPair } from './open-pair.ts'

export interface TransplantModel extends HeadedModel {
  readonly table: TokenTable
  readonly tokenizer: Tokenizer
}

export interface OpenedTransplant {
  readonly model: TransplantModel
  readonly donor: TransplantModel
  readonly vocabularies: Vocabularies
  readonly plan: TransplantPlan
  close(): Promise<void>
}

/**
 * Opens a model and the donor of its new tokenizer – headers, configs, vocabularies – and plans which tokens keep their
 * rows and how the others are approximated. Settings and their defaults are mergekit-tokensurgeon's. Throws what
 * opening and planning throw; both models are closed again then.
 *
 * @example
 * ```ts
 * import { openTransplant } from 'strata-lm/merge'
 *
 * const opened = await openTransplant('assets/models/stories260K', 'assets/models/tiny-t5', { method: 'mean' })
 * console.log(opened.plan.rowsBefore, opened.plan.rows) // → 512 152
 * await opened.close()
 * ```
 */
export async function openTransplant(
  model: string,
  donor: string,
  { signal, onProgress, ...given }: Partial<TransplantOptions> & CallOptions = {},
): Promise<OpenedTransplant> {
  const options: TransplantOptions = { ...transplantDefaults, ...given }
  const {
    models: [ours, theirs],
    close,
  } = await openPair(model, donor, { signal, onProgress })
  try {
    const [own, other] = [await withTokenizer(ours), await withTokenizer(theirs)]
    const vocabularies = options.magikarp
      ? await trustedVocabularies(own, own.table, other, other.table)
      : vocabulariesOf(own.table, other.table)
    return { model: own, donor: other, vocabularies, plan: planTransplant(own, other, vocabularies, options), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function withTokenizer(model: HeadedModel): Promise<TransplantModel> {
  const tokenizer = await loadTokenizer(model.files)
  return { ...model, tokenizer, table: tokenTable(tokenizer) }
}

/** Maximum id checked beyond the number of tokens: gaps of vocabularies are small. */
const largestGap = 2 ** 20

function tokenTable(tokenizer: Tokenizer): TokenTable {
  const { name, vocabularySize, specialTokens } = tokenizer
  const table: (string | undefined)[] = []
  let found = 0
  const step = 4096
  for (let from = 0; found < vocabularySize; from += step) {
    if (from > vocabularySize + largestGap)
      throw fault('tokenizer.invalid', {
        place: name,
        what: 'the token ids are far apart',
        seen: found,
        wanted: `${vocabularySize} tokens`,
      })
    for (const token of tokenizer.tokens(Array.from({ length: step }, (_, i) => from + i))) {
      table.push(token)
      if (token !== undefined) found++
    }
  }
  while (table.length > 0 && table.at(-1) === undefined) table.pop()
  return { tokens: table, special: specialTokens }
}
