/** Both vocabularies without the tokens that look untrained. */
import type { ModelHeaders } from '#core'
import { sourceReader } from '#model/merge'
import { type Vocabularies, vocabulariesOf } from './assign.ts'
import { type Rows, rowsOf } from './rows.ts'
import { tokenKey, type TokenTable } from './token-keys.ts'
import { donorTensor, vocabularyTensors } from './vocabulary-tensors.ts'
import { untrained } from './well-trained.ts'

/**
 * A token counts as shared only where both models seem to have trained it; the donor's that neither has trained get
 * rows of zeros. Reads both models' tables.
 */
export async function trustedVocabularies(
  model: ModelHeaders,
  modelTable: TokenTable,
  donor: ModelHeaders,
  donorTable: TokenTable,
): Promise<Vocabularies> {
  const all = vocabulariesOf(modelTable, donorTable)
  const reader = sourceReader([model.tensors, donor.tensors])
  try {
    const rows = (input: 0 | 1, tied: boolean): [Rows, Rows | undefined] => {
      const tables = vocabularyTensors(input === 0 ? model : donor)
      const [embedding, head] = [
        tables[0]!.info,
        tied ? donorTensor(tables, 'head') : tables.find(({ role }) => role === 'head')?.info,
      ]
      const of = (info: typeof embedding): Rows => rowsOf(info, (from, to) => reader.read({ input, info }, from, to))
      return [of(embedding), head === undefined ? undefined : of(head)]
    }
    const badInModel = await untrained(modelTable.tokens, ...rows(0, false))
    // In the donor, an embedding that serves as head counts as one. mergekit.
    const badInDonor = await untrained(donorTable.tokens, ...rows(1, true))
    const trained = (
      { tokens }: TokenTable,
      script: Vocabularies['donorScript'],
      bad: ReadonlySet<number>,
    ): Set<string> =>
      new Set(tokens.flatMap((token, id) => (token === undefined || bad.has(id) ? [] : [tokenKey(token, script)])))
    const inModel = trained(modelTable, all.modelScript, badInModel)
    const inDonor = trained(donorTable, all.donorScript, badInDonor)
    const junk = donorTable.tokens.flatMap((token, id) => {
      const key = token === undefined ? undefined : tokenKey(token, all.donorScript)
      return key === undefined || inModel.has(key) || inDonor.has(key) ? [] : [id]
    })
    const modelIds = new Map([...all.modelIds].filter(([key]) => inModel.has(key) && inDonor.has(key)))
    return { ...all, modelIds, junk: new Set(junk) }
  } finally {
    await reader.close()
  }
}
