/** The tensors of a model that have a row for every token, found by name and shape. */
import { fault, type TensorInfo, type ModelHeaders } from '#core'
import { hasVocabularyRows, tensorRoles, vocabularyRows } from '#model/architectures'

export type Role = 'embedding' | 'head' | 'bias'

export interface VocabularyTensor {
  readonly info: TensorInfo
  readonly role: Role
}

/**
 * Embeddings first. Throws `tensor.missing` when there is no embedding, `tensor.dtype` for one that holds no plain
 * numbers.
 */
export function vocabularyTensors(input: ModelHeaders): VocabularyTensor[] {
  const rows = vocabularyRows(input.config)
  const roleOf = tensorRoles(input.config, input.tensors.names())
  const tables = input.tensors.names().flatMap((name): VocabularyTensor[] => {
    const info = input.tensors.info(name)
    const { kind } = roleOf(name)
    if (info === undefined || !hasVocabularyRows(roleOf(name), info.shape, rows)) return []
    const table = kind === 'token-embedding' ? 'embedding' : 'head'
    const role = kind === 'head-bias' ? 'bias' : table
    return info.shape.length === (role === 'bias' ? 1 : 2) ? [{ info, role }] : []
  })
  if (!tables.some(({ role }) => role === 'embedding')) {
    throw fault('tensor.missing', {
      place: input.model,
      what: 'no token embedding was found',
      seen: rows === undefined ? 'config.json has no vocab_size' : `vocab_size ${rows}`,
      hint: 'only models with one table of tokens can change their tokenizer',
    })
  }
  const odd = tables.find(
    ({ info: { dtype } }) => dtype !== 'F64' && dtype !== 'F32' && dtype !== 'F16' && dtype !== 'BF16',
  )
  if (odd !== undefined)
    throw fault('tensor.dtype', {
      place: `${input.model} › ${odd.info.name}`,
      what: 'the rows are quantised',
      seen: odd.info.dtype,
      wanted: 'F32, F16, BF16 or F64',
    })
  const order: Readonly<Record<Role, number>> = { embedding: 0, head: 1, bias: 2 }
  return tables.sort((a, b) => order[a.role] - order[b.role])
}

/** The donor's tensor that plays a role; one that stores no head shares its embedding with it. */
export function donorTensor(tables: readonly VocabularyTensor[], role: Role): TensorInfo | undefined {
  if (role === 'bias') return undefined
  return (tables.find((one) => one.role === role) ?? tables.find((one) => one.role === 'embedding'))?.info
}
