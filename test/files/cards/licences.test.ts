import { expect, test } from 'vitest'
import { licencesMeet } from '../../../src/files/cards/licences.ts'

test.each([
  ['apache-2.0', 'mit', 'neither'],
  ['apache-2.0', 'cc-by-sa-4.0', 'second'],
  ['cc-by-nc-4.0', 'apache-2.0', 'first'],
  ['mit', 'gemma', 'second'],
  ['cc-by-nc-4.0', 'cc-by-nc-sa-4.0', 'second'],
  ['cc-by-nc-4.0', 'gpl-3.0', 'clash'],
  ['cc-by-sa-4.0', 'cc-by-nc-sa-4.0', 'clash'],
  ['llama3', 'gpl-3.0', 'clash'],
  ['llama3', 'gemma', 'neither'],
  ['llama3', 'a-licence-of-their-own', 'neither'],
  ['cc-by-nd-4.0', 'mit', 'clash'],
  ['cc-by-sa-3.0', 'cc-by-sa-4.0', 'second'],
  ['cc-by-sa-4.0', 'gpl-3.0', 'second'],
  ['gpl-2.0', 'gpl-3.0', 'clash'],
  ['agpl-3.0', 'gpl-3.0', 'first'],
  ['apache-2.0', 'gpl-2.0', 'clash'],
  ['apache-2.0', 'gpl-3.0', 'second'],
] as const)('%s with %s: %s, and the other way round', (first, second, meeting) => {
  expect(licencesMeet(first, second)).toBe(meeting)
  const exchanged = { first: 'second', second: 'first', neither: 'neither', clash: 'clash' }[meeting]
  expect(licencesMeet(second, first)).toBe(exchanged)
})
