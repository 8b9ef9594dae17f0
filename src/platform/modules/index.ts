/**
 * modules: programs of the user's own, one file each.
 *
 * In: the path of a TypeScript or JavaScript file. Out: its content hash, its program without types, its exports.
 * Never: a file that the user did not name, another file or package that this one imports, the meaning of an export.
 */
export { importProgram } from './import-program.ts'
export { readProgram } from './read-program.ts'
