/** Which hidden state a representation's name means. */

/**
 * `h4`, and `h4+…` where the model was opened with settings of its own, mean 4; undefined of what is no state pooled as
 * the model's are, such as `default` or `h4-cls`.
 */
export function hiddenState(representation: string): number | undefined {
  const [, h] = /^h(\d+)(?:\+|$)/.exec(representation) ?? []
  return h === undefined ? undefined : Number(h)
}
