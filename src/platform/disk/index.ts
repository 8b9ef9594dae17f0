/**
 * disk: files that appear whole or not at all, journals, spools, locks of living processes, hashes.
 *
 * In: paths and bytes. Out: the same on the disk, whole and synced; faults that say why not.
 * Never: the meaning of a file.
 */
export { createAtomicFile } from './atomic-file.ts'
export { checksum } from './checksum.ts'
export { contentHash, fileHash } from './content-hash.ts'
export { earlySync } from './early-sync.ts'
export { filledHash } from './filled-hash.ts'
export { journalName, readJournalLines } from './journal-lines.ts'
export { openOutputFolder, type OutputFolder } from './output-folder.ts'
export { newOwner, ownerAlive, ownerPattern } from './owner.ts'
export { readAt } from './read-at.ts'
export { chainInputs, openSpool, type Spool } from './spool.ts'
export { type ThreadFiles, threadFiles } from './thread-files.ts'
export { openForWriting, putInPlace, temporaryEnding, temporaryPath, writeFault, writeWhole } from './whole-file.ts'
export { writeAt } from './write-at.ts'
export { makeFolder, orWriteFault } from './write-fault.ts'
