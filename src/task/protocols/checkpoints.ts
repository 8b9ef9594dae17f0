/**
 * Where long work stores its finished parts, so that a killed run continues from there. Only `experiment` knows the
 * disk behind it.
 */

export interface Checkpoints {
  /** The bytes last saved under this name; undefined when there are none that can be used. */
  load(name: string): Promise<Uint8Array | undefined>
  /** Whole or not at all; durable when it returns. */
  save(name: string, bytes: Uint8Array): Promise<void>
  remove(name: string): Promise<void>
}
