/**
 * A long text as windows that are scored one by one: every token once, each window but the first with one token before
 * it (lm-evaluation-harness, `get_rolling_token_windows`).
 */
import type { SplitTokens } from './split-requests.ts'

/**
 * `ids`: tokens to score. The first follows `prefixToken`; later windows look back as far as the window reaches, but at
 * least at one token.
 */
export function rollingWindows(ids: Int32Array, prefixToken: number, window: number): SplitTokens[] {
  if (ids.length === 0) return []
  const first = Math.min(window, ids.length)
  const windows: SplitTokens[] = [{ context: Int32Array.of(prefixToken), continuation: ids.subarray(0, first) }]
  for (let scored = first; scored < ids.length;) {
    const count = Math.min(ids.length - scored, window)
    const end = scored + count
    windows.push({
      context: ids.subarray(Math.max(0, end - window - 1), scored),
      continuation: ids.subarray(scored, end),
    })
    scored = end
  }
  return windows
}
