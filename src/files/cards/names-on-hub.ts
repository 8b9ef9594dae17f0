/** Which references of a model card the hub could know. */

/** Only what the hub could know: a folder's path says nothing to anybody else. */
export function namesOnHub(references: readonly string[]): string[] {
  return references
    .map((name) => name.split(/[@+]/, 1)[0] ?? '')
    .filter((name) => /^[\w.-]+\/[\w.-]+$/.test(name) && !name.startsWith('.'))
}
