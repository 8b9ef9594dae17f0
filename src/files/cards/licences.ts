/**
 * Licences that the hub knows by an identifier, and what each asks of a model made from the licensed one.
 * Identifiers: the hub's table (huggingface.co/docs/hub/repositories-licenses). Classes: the licences' texts;
 * for Creative Commons also its list of compatible licences (creativecommons.org/compatiblelicenses), for GNU licences
 * the FSF's list (gnu.org/licenses/license-list). They inform; they are no legal advice.
 */

/**
 * What a licence asks of derived works, the mildest first.
 *
 * - `permissive`: notices stay; another licence may be added.
 * - `share-alike`: the same licence or one that it names, and no further conditions.
 * - `own terms`: conditions of its own (uses, size of the company, research) that must be passed on.
 * - `non-commercial`: no commercial use; another licence that says so may be chosen.
 * - `non-commercial share-alike`: both.
 * - `no derivatives`: changed versions may not be shared.
 */
export type LicenceClass =
  | 'permissive'
  | 'share-alike'
  | 'own terms'
  | 'non-commercial'
  | 'non-commercial share-alike'
  | 'no derivatives'

const byClass = {
  permissive: [
    'apache-2.0',
    'mit',
    'afl-3.0',
    'artistic-2.0',
    'bsl-1.0',
    'bsd',
    'bsd-2-clause',
    'bsd-3-clause',
    'bsd-3-clause-clear',
    'cc0-1.0',
    'cc-by-2.0',
    'cc-by-2.5',
    'cc-by-3.0',
    'cc-by-4.0',
    'cdla-permissive-1.0',
    'cdla-permissive-2.0',
    'wtfpl',
    'ecl-2.0',
    'etalab-2.0',
    'isc',
    'odc-by',
    'openmdw-1.0',
    'postgresql',
    'ncsa',
    'unlicense',
    'zlib',
    'pddl',
  ],
  'share-alike': [
    'cc-by-sa-3.0',
    'cc-by-sa-4.0',
    'cdla-sharing-1.0',
    'epl-1.0',
    'epl-2.0',
    'eupl-1.1',
    'eupl-1.2',
    'agpl-3.0',
    'gfdl',
    'gpl',
    'gpl-2.0',
    'gpl-3.0',
    'lgpl',
    'lgpl-2.1',
    'lgpl-3.0',
    'lgpl-lr',
    'lppl-1.3c',
    'ms-pl',
    'mpl-2.0',
    'odbl',
    'osl-3.0',
    'ofl-1.1',
  ],
  'own terms': [
    'openrail',
    'bigscience-openrail-m',
    'creativeml-openrail-m',
    'bigscience-bloom-rail-1.0',
    'bigcode-openrail-m',
    'openrail++',
    // may be any of the Creative Commons licences
    'cc',
    'c-uda',
    'h-research',
    'intel-research',
    'apple-amlr',
    'apple-ascl',
    'deepfloyd-if-license',
    'fair-noncommercial-research-license',
    'llama2',
    'llama3',
    'llama3.1',
    'llama3.2',
    'llama3.3',
    'llama4',
    'grok2-community',
    'gemma',
    'other',
  ],
  'non-commercial': ['cc-by-nc-2.0', 'cc-by-nc-3.0', 'cc-by-nc-4.0'],
  'non-commercial share-alike': ['cc-by-nc-sa-2.0', 'cc-by-nc-sa-3.0', 'cc-by-nc-sa-4.0'],
  'no derivatives': ['cc-by-nd-4.0', 'cc-by-nc-nd-3.0', 'cc-by-nc-nd-4.0'],
} as const satisfies Record<LicenceClass, readonly string[]>

const classes: ReadonlyMap<string, LicenceClass> = new Map(
  Object.entries(byClass).flatMap(([kind, ids]) => ids.map((id) => [id, kind as LicenceClass] as const)),
)

/** Whether the hub knows the identifier. */
export function isLicence(id: string): boolean {
  return classes.has(id)
}

/** An identifier that is not in the table has terms of its own, for all that is known. */
export function licenceClass(id: string): LicenceClass {
  return classes.get(id) ?? 'own terms'
}

/**
 * What two different licences mean for a model made from both: the one in the first place must be the whole's licence
 * (`first`, `second`), none of both can be it (`neither`), nobody can meet both (`clash`).
 */
export type Meeting = 'first' | 'second' | 'neither' | 'clash'

/** Rows and columns: classes. Below the diagonal the same with the places exchanged. */
const byClasses: Readonly<Record<LicenceClass, Readonly<Partial<Record<LicenceClass, Meeting>>>>> = {
  permissive: {
    permissive: 'neither',
    'share-alike': 'second',
    'own terms': 'second',
    'non-commercial': 'second',
    'non-commercial share-alike': 'second',
  },
  'share-alike': {
    'share-alike': 'clash',
    'own terms': 'clash',
    'non-commercial': 'clash',
    'non-commercial share-alike': 'clash',
  },
  'own terms': { 'own terms': 'neither', 'non-commercial': 'neither', 'non-commercial share-alike': 'clash' },
  'non-commercial': { 'non-commercial': 'neither', 'non-commercial share-alike': 'second' },
  'non-commercial share-alike': { 'non-commercial share-alike': 'clash' },
  'no derivatives': {},
}

/**
 * Pairs that differ from their classes: from the first, a work may change to the second. Later versions that a licence
 * allows itself (cc-by-sa-3.0 §4b, cc-by-nc-sa-2.0 and 3.0 §4b), one-way compatibility that Creative Commons declares
 * (by-sa-4.0 → GPLv3), GNU's own (LGPLv3 §2, LGPLv2.1 §3, GPLv3 §13) and MPL 2.0's secondary licences (§3.3).
 */
const towards: readonly (readonly [string, string])[] = [
  ['cc-by-sa-3.0', 'cc-by-sa-4.0'],
  ['cc-by-nc-sa-2.0', 'cc-by-nc-sa-3.0'],
  ['cc-by-nc-sa-2.0', 'cc-by-nc-sa-4.0'],
  ['cc-by-nc-sa-3.0', 'cc-by-nc-sa-4.0'],
  ['cc-by-sa-4.0', 'gpl-3.0'],
  ['lgpl-2.1', 'gpl-2.0'],
  ['lgpl-2.1', 'gpl-3.0'],
  ['lgpl-3.0', 'gpl-3.0'],
  ['lgpl-3.0', 'agpl-3.0'],
  ['gpl-3.0', 'agpl-3.0'],
  ['mpl-2.0', 'lgpl-2.1'],
  ['mpl-2.0', 'lgpl-3.0'],
  ['mpl-2.0', 'gpl-2.0'],
  ['mpl-2.0', 'gpl-3.0'],
  ['mpl-2.0', 'agpl-3.0'],
]

/** Nobody can meet both, though the classes could: the FSF's list on Apache 2.0 and GPLv2. */
const clashing: readonly (readonly [string, string])[] = [['apache-2.0', 'gpl-2.0']]

/** The meeting of two different identifiers. No derivatives clash with everything. */
export function licencesMeet(first: string, second: string): Meeting {
  const has = (pairs: readonly (readonly [string, string])[], a: string, b: string): boolean =>
    pairs.some(([from, to]) => from === a && to === b)
  if (has(clashing, first, second) || has(clashing, second, first)) return 'clash'
  if (has(towards, first, second)) return 'second'
  if (has(towards, second, first)) return 'first'
  const [a, b] = [licenceClass(first), licenceClass(second)]
  const direct = byClasses[a][b]
  return direct ?? exchanged(byClasses[b][a] ?? 'clash')
}

function exchanged(meeting: Meeting): Meeting {
  switch (meeting) {
    case 'first':
      return 'second'
    case 'second':
      return 'first'
    case 'neither':
    case 'clash':
      return meeting
    default:
      return meeting satisfies never
  }
}
