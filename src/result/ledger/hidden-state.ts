/** The hidden state that the name of a representation means. */

/**
 * 4 for `h4`, and for `h4+…` where the model was opened with its own settings; undefined for a representation that is
 * not a hidden state with the model's own pooling, such as `default` or `h4-cls`.
 */
export function hiddenState(representation: string): number | undefined {
  const [, h] = /^h(\d+)(?:\+|$)/.exec(representation) ?? []
  return h === undefined ? undefined : Number(h)
}
