/**
 * plugins: definitions from files of the user's own, in the tables of the rooms that they extend.
 *
 * In: paths that the user named. Out: entries that are found by their names; the laws of each, held or broken.
 * Never: a file that was not named, a definition of Strata's own replaced.
 */
export { checkPlugin, type Verdict } from './check-plugin.ts'
export { type Definition, usePlugins } from './use-plugins.ts'
