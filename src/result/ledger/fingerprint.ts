/**
 * Everything that can move a score, as one hash: equal fingerprints mean that running again would give the same result.
 */
import { fingerprint, type ResultSettings } from '#core'

/** Raised when something is added that can move a score; results of an earlier one are not reused. */
export const fingerprintVersion = 2

export interface FingerprintParts {
  /** Hashes of everything the model is made of: tensors, config, tokenizer, modules. */
  model: object
  /** How the model was read, every setting of it with its real value. */
  reading: object
  /**
   * Every setting with its real value, defaults included: a default that changes later must not make old results look
   * current.
   */
  settings: ResultSettings
  /** Representation by name; for a combination of layers, its name holds the hash of its inputs. */
  representation: string
  /** The task as it is asked: name, type, splits, metrics, parameters. */
  task: unknown
  /** Revision of the data set, or a hash of its rows where it has none. */
  data: string
  profile: string
  /** Version of our own arithmetic for this task type; raised whenever a change moves scores. */
  arithmetic: string
}

/**
 * Hex SHA-256 over the parts as canonical JSON (keys sorted, absent fields left out). Not in it, on purpose: time,
 * machine, threads, batch size, cache folder, the program's version, and the subsets chosen – scores are kept by
 * subset, and each is the same whoever else was asked for.
 */
export function fingerprintOf(parts: FingerprintParts): string {
  return fingerprint(parts)
}
