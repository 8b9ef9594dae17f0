/**
 * Philox4x32-10 for four counters at once in WebAssembly: 32 × 32 → 64-bit products, which JavaScript lacks, on four
 * lanes. Some eight times as fast as the plain form, word for word the same.
 */
import { code, type Code, doWhile, func, i32, i32x4, i64x2, kernel, local, type Local, v128 } from '#platform/wasm'

/** Groups of four blocks that are made at once, at most. */
export const groupsAtOnce = 1024
const rounds = 10
const [multiplier0, multiplier1] = [0xd2511f53, 0xcd9e8d57]
const [weyl0, weyl1] = [0x9e3779b9, 0xbb67ae85]

/**
 * `fill` writes the words of `groups` times four blocks, counters (low … low + 4 · groups − 1, high, 0, 0), from the
 * start of `words`. `low` must not wrap around.
 */
export const philoxSimd = kernel({ words: ['u32', 16 * groupsAtOnce] }, () => ({
  fill: func(['i32', 'i32', 'i32', 'i32', 'i32'], (declare, [low, high, key0, key1, groups]) => {
    const address = declare('i32')
    const [x0, x1, x2, x3] = [declare(), declare(), declare(), declare()]
    const [k0, k1, counter] = [declare(), declare(), declare()]
    const [p, q, r, s] = [declare(), declare(), declare(), declare()]
    /** Products of the lanes with a multiplier: two 64-bit ones in `even`, two in `odd`. */
    const multiply = (x: Local, multiplier: number, even: Local, odd: Local): Code =>
      code(
        local.set(even, i64x2.extmul_low_i32x4_u(x, i32x4.all(multiplier))),
        local.set(odd, i64x2.extmul_high_i32x4_u(x, i32x4.all(multiplier))),
      )
    const lower = (even: Local, odd: Local): Code => i32x4.shuffle(even, odd, 0, 2, 4, 6)
    const upper = (even: Local, odd: Local): Code => i32x4.shuffle(even, odd, 1, 3, 5, 7)
    const round = code(
      multiply(x0, multiplier0, p, q),
      multiply(x2, multiplier1, r, s),
      local.set(x0, v128.xor(v128.xor(upper(r, s), x1), k0)),
      local.set(x1, lower(r, s)),
      local.set(x2, v128.xor(v128.xor(upper(p, q), x3), k1)),
      local.set(x3, lower(p, q)),
      local.set(k0, i32x4.add(k0, i32x4.all(weyl0))),
      local.set(k1, i32x4.add(k1, i32x4.all(weyl1))),
    )
    /** From one word of four blocks in each vector to one block in each. */
    const transposeAndStore = code(
      local.set(p, i32x4.shuffle(x0, x1, 0, 4, 1, 5)),
      local.set(q, i32x4.shuffle(x0, x1, 2, 6, 3, 7)),
      local.set(r, i32x4.shuffle(x2, x3, 0, 4, 1, 5)),
      local.set(s, i32x4.shuffle(x2, x3, 2, 6, 3, 7)),
      v128.store(address, i32x4.shuffle(p, r, 0, 1, 4, 5)),
      v128.store(address, i32x4.shuffle(p, r, 2, 3, 6, 7), 16),
      v128.store(address, i32x4.shuffle(q, s, 0, 1, 4, 5), 32),
      v128.store(address, i32x4.shuffle(q, s, 2, 3, 6, 7), 48),
    )
    return code(
      local.set(counter, i32x4.add(i32x4.splat(low), i32x4.const(0, 1, 2, 3))),
      doWhile(
        local.tee(groups, i32.sub(groups, i32.const(1))),
        local.set(x0, counter),
        local.set(x1, i32x4.splat(high)),
        local.set(x2, i32x4.all(0)),
        local.set(x3, i32x4.all(0)),
        local.set(k0, i32x4.splat(key0)),
        local.set(k1, i32x4.splat(key1)),
        ...Array.from({ length: rounds }, () => round),
        transposeAndStore,
        local.set(counter, i32x4.add(counter, i32x4.all(4))),
        local.set(address, i32.add(address, i32.const(64))),
      ),
    )
  }),
}))
