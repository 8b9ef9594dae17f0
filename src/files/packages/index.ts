/**
 * packages: libraries of other programs from a package index.
 *
 * In: the address of an index, a table of files with their hashes. Out: a folder with the libraries, complete or
 * absent.
 * Never: running code from it, a file whose hash is not in the table, the hub's token.
 */
export type { CudaWheel } from './cuda-wheels.ts'
export { installCuda } from './install-cuda.ts'
export { harnessRelease, installHarness } from './install-harness.ts'
export { installOpenVino } from './install-openvino.ts'
export { type Installed, type InstallOptions } from './install-wheel.ts'
