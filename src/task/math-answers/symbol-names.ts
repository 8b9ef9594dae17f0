/**
 * Names of symbols in latex2sympy2_extended: Greek letters by their commands, everything in lower case, accents before
 * their letter.
 */
import type { Expression } from './expression.ts'

const greek = new Map(
  Object.entries({
    α: 'alpha',
    β: 'beta',
    γ: 'gamma',
    Γ: 'Gamma',
    δ: 'delta',
    Δ: 'Delta',
    ε: 'epsilon',
    ϵ: 'varepsilon',
    ζ: 'zeta',
    η: 'eta',
    θ: 'theta',
    Θ: 'Theta',
    ϑ: 'vartheta',
    ι: 'iota',
    κ: 'kappa',
    λ: 'lambda',
    Λ: 'Lambda',
    μ: 'mu',
    ν: 'nu',
    ξ: 'xi',
    Ξ: 'Xi',
    ο: 'omicron',
    π: 'pi',
    Π: 'Pi',
    ϖ: 'varpi',
    ρ: 'rho',
    ϱ: 'varrho',
    σ: 'sigma',
    Σ: 'Sigma',
    ς: 'varsigma',
    τ: 'tau',
    υ: 'upsilon',
    Υ: 'Upsilon',
    φ: 'phi',
    Φ: 'Phi',
    ϕ: 'varphi',
    χ: 'chi',
    ψ: 'psi',
    Ψ: 'Psi',
    ω: 'omega',
    Ω: 'Omega',
  }),
)

/** Commands that are symbols: Greek letters and a few signs. */
export const symbolCommands: ReadonlySet<string> = new Set([
  ...greek.values(),
  ...'Bbbk wp nabla bigstar angle nexists diagdown measuredangle eth diagup sphericalangle clubsuit varnothing Diamond complement diamondsuit imath Finv triangledown heartsuit jmath Game triangle spadesuit ell hbar vartriangle hslash blacklozenge lozenge blacksquare mho blacktriangle sharp prime Im flat square backprime Re natural surd circledS'.split(
    ' ',
  ),
])

/** A symbol, or the constant that has its name. */
export function namedSymbol(text: string, real: boolean): Expression {
  const bare = greek.get(text.trim()) ?? text.trim().replace(/^\\/, '')
  const name = /^gamma$/i.test(bare) ? 'gamma' : bare.toLowerCase()
  if (name === 'pi') return { kind: 'constant', name: 'pi' }
  if (name === 'gamma') return { kind: 'constant', name: 'eulerGamma' }
  return { kind: 'symbol', name, real }
}

/** `\vec{v}` as `vec{v}`; a text command as its contents alone. */
export function accentName(text: string): string {
  const open = text.indexOf('{')
  const accent = text.slice(1, open)
  const inside = text.slice(open + 1, -1).replaceAll(' ', '')
  const name = accentOf(accent)
  return name === '' ? inside.replace(/[()]/g, '') : `${name}{${inside}}`
}

function accentOf(accent: string): string {
  if (accent === 'bar' || accent === 'overline') return 'bar'
  if (accent === 'vec' || accent === 'overrightarrow') return 'vec'
  if (accent === 'tilde' || accent === 'widetilde') return 'tilde'
  if (accent.includes('text') || accent.includes('mbox')) return ''
  return accent.includes('math') ? 'math' : accent
}
