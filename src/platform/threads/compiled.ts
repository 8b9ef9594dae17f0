/** Where a program for a thread or process of its own lies: Node 20 starts no `.ts`. */

/**
 * `name`.js next to the built module at `moduleUrl`; below `dist`, at the same place, for a module of the sources that
 * runs as it is.
 */
export function compiledSibling(moduleUrl: string, name: string): URL {
  const source = moduleUrl.endsWith('.ts') ? moduleUrl.lastIndexOf('/src/') : -1
  return new URL(
    `./${name}.js`,
    source < 0 ? moduleUrl : `${moduleUrl.slice(0, source)}/dist/${moduleUrl.slice(source + 5)}`,
  )
}
