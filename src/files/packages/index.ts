/**
 * packages: libraries of other programs out of a package index.
 *
 * In: the address of an index, a table of files with their hashes. Out: a folder with the libraries, whole or not at
 * all.
 * Never: code run from it, a file whose hash is not the one in the table, a token of the hub.
 */
export { harnessRelease, installHarness } from './install-harness.ts'
export { installOpenVino } from './install-openvino.ts'
export { type Installed, type InstallOptions } from './install-wheel.ts'
