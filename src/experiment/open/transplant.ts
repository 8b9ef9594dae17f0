/**
 * A model and the donor of its new tokenizer, opened as far as headers and vocabularies, and the plan of the change.
 */
import { fault, type OnProgress, type RepoFiles, type ModelHeaders } from '#core'
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
import { readConfig } from './config-of.ts'
import { listOrigins } from './origins.ts'
import { resolveModel } from './open-model.ts'

export interface TransplantModel extends ModelHeaders {
  readonly files: RepoFiles
  /** Repositories with the cards of the model. */
  readonly origins: readonly RepoFiles[]
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

export interface TransplantCall {
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
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
  { signal, onProgress, ...given }: Partial<TransplantOptions> & TransplantCall = {},
): Promise<OpenedTransplant> {
  const options: TransplantOptions = { ...transplantDefaults, ...given }
  const opened: TransplantModel[] = []
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(({ tensors }) => tensors.close()))
  }
  try {
    for (const reference of [model, donor]) {
      const parts = await resolveModel(reference, { signal, onProgress })
      const { body, tensors } = parts
      try {
        const tokenizer = await loadTokenizer(body)
        opened.push({
          model: reference,
          tensors,
          files: body,
          origins: listOrigins(parts),
          config: await readConfig(body),
          tokenizer,
          table: tokenTable(tokenizer),
        })
      } catch (error) {
        await tensors.close()
        throw error
      }
    }
    const [own, other] = opened
    if (own === undefined || other === undefined)
      throw fault('internal', { place: model, what: 'two models were opened' })
    const vocabularies = options.magikarp
      ? await trustedVocabularies(own, own.table, other, other.table)
      : vocabulariesOf(own.table, other.table)
    return { model: own, donor: other, vocabularies, plan: planTransplant(own, other, vocabularies, options), close }
  } catch (error) {
    await close()
    throw error
  }
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
