/**
 * The implementation whose numbers are reproduced: a profile is a name that a family of protocols owns. These two are
 * mteb's major versions.
 */

/** Name → the release it follows, which results carry as `mteb_version`. */
export const profiles = { 'mteb-2': '2.26.24', 'mteb-1': '1.39.7' } as const
export type Profile = keyof typeof profiles
export const profileNames = Object.keys(profiles) as readonly Profile[]
