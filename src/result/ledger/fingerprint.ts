/**
 * Everything that can move a score, as one hash: equal fingerprints mean that running again would give the same result.
 */
import { fingerprint, type ResultSettings } from '#core'

/** Raised when something that can move a score is added; results with an earlier version are not reused. */
export const fingerprintVersion = 2

export interface FingerprintParts {
  /** Hashes of everything the model is made of: tensors, config, tokenizer, modules. */
  model: object
  /** How the model was read: every setting with its real value. */
  reading: object
  /**
   * Every setting with its real value, defaults included: a default that changes later must not make old results look
   * current.
   */
  settings: ResultSettings
  /** Representation by name; for a combination of layers, its name holds the hash of its inputs. */
  representation: string
  /** The task as it runs: name, type, splits, metrics, parameters. */
  task: unknown
  /** Revision of the data set, or a hash of its rows where it has none. */
  data: string
  profile: string
  /** Version of Strata's own arithmetic for this task type; raised whenever a change moves scores. */
  arithmetic: string
}

/**
 * Hex SHA-256 over the parts as canonical JSON (keys sorted, absent fields left out). Left out on purpose: time,
 * machine, threads, batch size, cache folder, the program's version, and the chosen subsets – scores are stored per
 * subset, and the choice of others does not change them.
 */
export function makeFingerprint(parts: FingerprintParts): string {
  return fingerprint(parts)
}
