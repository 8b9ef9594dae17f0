/** Where a program for a thread or process of its own lies: Node 20 starts no `.ts`. */

/** `name`.js beside the built module at `moduleUrl`; below `dist`, in the folder of the same name, for a module of the sources that runs as it is. */
export function compiledBeside(moduleUrl: string, name: string): URL {
  const [room] = moduleUrl.split('/').slice(-2)
  return new URL(moduleUrl.endsWith('.ts') ? `../../dist/${room}/${name}.js` : `./${name}.js`, moduleUrl)
}
