/**
 * disk: files and folders that appear complete or not at all, journals, spools, locks of living processes, hashes.
 *
 * In: paths and bytes. Out: the same on disk, complete and synced; faults with the reason.
 * Never: the meaning of a file.
 */
export { checksum } from './checksum.ts'
export { contentHash, fileHash, knownHash, rememberHash } from './content-hash.ts'
export { earlySync } from './early-sync.ts'
export { type FilledHash, filledHash } from './filled-hash.ts'
export {
  addLine,
  freeJournal,
  type Journal,
  type JournalKind,
  journalName,
  openJournal,
  readJournal,
} from './journal.ts'
export { keepHashes, type KeepHashesOptions } from './kept-hashes.ts'
export { takeLock } from './lock.ts'
export { openOutputFolder, type OutputFolder } from './output-folder.ts'
export { newOwner, ownerAlive, ownerPattern } from './owner.ts'
export { pathName } from './path-name.ts'
export { readAt, readInto } from './read-at.ts'
export { chainInputs, openRowSpool, type RowSpool } from './row-spool.ts'
export { makeScratchFolder } from './scratch-folder.ts'
export { openScratchSpool, type ScratchSpool } from './scratch-spool.ts'
export { openSpool } from './spool.ts'
export { systemCode } from './system-code.ts'
export { type ThreadFiles, threadFiles } from './thread-files.ts'
export {
  createWholeFile,
  putInPlace,
  temporaryEnding,
  temporaryPath,
  type WholeFile,
  writeWhole,
} from './whole-file.ts'
export { writeAt } from './write-at.ts'
export { lacksRoom, makeFolder, orWriteFault, writeFault } from './write-fault.ts'
