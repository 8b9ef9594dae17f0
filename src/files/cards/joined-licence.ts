/** The licence of a model made from others, as far as the licences of those say it. */
import { licenceClass, licencesMeet, type LicenceClass } from './licences.ts'

/** A licence as a card states it. */
export interface StatedLicence {
  /** Identifier of the hub, in lower case: `apache-2.0`, `other`. */
  readonly id: string
  /** With `other`. */
  readonly name?: string | undefined
  readonly link?: string | undefined
}

export interface InputLicence {
  readonly model: string
  /** Undefined: its card states none, or it has no card. */
  readonly licence: StatedLicence | undefined
}

export interface JoinedLicence {
  readonly inputs: readonly InputLicence[]
  /** For the front matter of the card; undefined where no input states a licence. */
  readonly licence: StatedLicence | undefined
  /** What a reader must know before sharing the model: sentences. */
  readonly notes: readonly string[]
}

/**
 * The common licence where all inputs have the same; otherwise the strictest one if all others permit it; otherwise
 * `other`, named after all of them, with the reason. An unknown licence is a note, never left out.
 */
export function joinLicences(inputs: readonly InputLicence[]): JoinedLicence {
  const stated = inputs.flatMap(({ licence }) => (licence === undefined ? [] : [licence]))
  const unknown = inputs.filter(({ licence }) => licence === undefined).map(({ model }) => model)
  const distinct = [...new Map(stated.map((licence) => [identity(licence), licence])).values()]
  const [only, ...more] = distinct
  const pairs = distinct.flatMap((first, i) => distinct.slice(i + 1).map((second) => [first, second] as const))
  const clashes = pairs.filter(([first, second]) => licencesMeet(first.id, second.id) === 'clash')
  const strictest = distinct.find((one) => distinct.every((other) => other === one || permits(other, one)))
  const notes = [
    ...unknown.map((model) => `the licence of ${model} is unknown: no card of it states one`),
    ...distinct.flatMap((licence) => toNotes(licence)),
    ...clashes.map(
      ([first, second]) =>
        `${licenceText(first)} (${licenceClass(first.id)}) and ${licenceText(second)} (${licenceClass(second.id)}) are incompatible: no licence of the whole meets both`,
    ),
    ...pairs
      .filter(([first, second]) => licencesMeet(first.id, second.id) === 'neither' && strictest === undefined)
      .map(([first, second]) => `both ${licenceText(first)} and ${licenceText(second)} apply`),
    ...(strictest === undefined
      ? []
      : distinct
          .filter((one) => one !== strictest)
          .map((one) => `notices of ${licenceText(one)} must be kept under ${licenceText(strictest)}`)),
  ]
  if (only === undefined) return { inputs, licence: undefined, notes }
  if (unknown.length > 0) return { inputs, licence: namedAfter([...distinct, { id: 'unknown' }]), notes }
  if (more.length === 0) return { inputs, licence: only, notes }
  return { inputs, licence: clashes.length === 0 && strictest !== undefined ? strictest : namedAfter(distinct), notes }
}

/** A name and an address distinguish licences outside the hub's table. */
function identity({ id, name, link }: StatedLicence): string {
  return id === 'other' ? JSON.stringify([id, name, link]) : id
}

/** Whether a work under `from` may be part of one under `to`. */
function permits(from: StatedLicence, to: StatedLicence): boolean {
  return licencesMeet(from.id, to.id) === 'second'
}

/** `other (name)` for a licence outside the hub's table. */
export function licenceText({ id, name }: StatedLicence): string {
  return name === undefined ? id : `${id} (${name})`
}

/** The hub takes lower-case letters, digits, dots and hyphens. */
function namedAfter(licences: readonly StatedLicence[]): StatedLicence {
  const names = licences.map(({ id, name }) => (name ?? id).toLowerCase().replace(/[^a-z0-9.]+/g, '-'))
  return { id: 'other', name: [...new Set(names)].join('-and-') }
}

function toNotes(licence: StatedLicence): string[] {
  const kind: LicenceClass = licenceClass(licence.id)
  const text = licenceText(licence)
  switch (kind) {
    case 'no derivatives':
      return [`${text} does not allow changed versions to be shared`]
    case 'own terms':
      return [`${text} has terms of its own, which go with the model: read them`]
    case 'permissive':
    case 'share-alike':
    case 'non-commercial':
    case 'non-commercial share-alike':
      return []
    default:
      return kind satisfies never
  }
}
