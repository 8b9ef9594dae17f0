/** Members of a list by their names, as flags and experiment files give them. */
import { fault } from './fault.ts'
import { suggestion } from './nearest.ts'

interface NamedOptions<Member> {
  readonly place: string
  /** What a member is: `metric`, in `no such metric`. */
  readonly kind: string
  readonly isMeant?: (member: Member, word: string) => boolean
}

/** `all`, or names by comma, each member once. Throws `usage.value`, with the nearest name. */
export function named<Member extends { readonly name: string }>(
  list: string,
  known: readonly Member[],
  { place, kind, isMeant = ({ name }, word) => name === word }: NamedOptions<Member>,
): Member[] {
  if (list === 'all') return [...known]
  const found = list.split(',').map((part) => {
    const word = part.trim()
    const member = known.find((one) => isMeant(one, word))
    if (member !== undefined) return member
    const names = known.map(({ name }) => name)
    throw fault('usage.value', {
      place,
      what: `no such ${kind}`,
      seen: part,
      wanted: names.join(', '),
      hint: suggestion(word, names),
    })
  })
  return [...new Set(found)]
}
