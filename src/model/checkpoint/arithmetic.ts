/** Which engine computes a model, and in which type: settled before anything is kept under it, and never replaced by another. */
import { fault } from '#core'
import { type Device, type Engine, engineStates, type Precision } from '#platform/runtime'

export interface Arithmetic {
  readonly engine: Engine
  readonly precision: Precision
  /** Of OpenVINO, which the user chooses: another release may add in another order. ONNX Runtime's comes with Strata. */
  readonly version?: string | undefined
}

export interface ArithmeticOptions {
  /** `auto`: OpenVINO where it is installed and has the type, else ONNX Runtime. */
  engine?: Engine | 'auto' | undefined
  /** Of products; states and vectors are float32 whatever it is. */
  dtype?: Precision | undefined
  device?: Device | undefined
}

/** Names of types as keys, results and representations have them. */
export const shortNames = { float32: 'f32', bfloat16: 'bf16', float16: 'f16' } as const satisfies Record<Precision, string>

/** Throws `engine.device` for an engine that is not here, or a type that it does not compute in on this processor; says what is possible. */
export async function settleArithmetic({ engine = 'onnxruntime', dtype = 'float32', device = 'cpu' }: ArithmeticOptions): Promise<Arithmetic> {
  if (engine === 'onnxruntime' && dtype === 'float32') return { engine, precision: dtype }
  if (device !== 'cpu' && (engine === 'openvino' || dtype !== 'float32'))
    throw fault('engine.device', {
      place: engine === 'openvino' ? '--engine openvino' : `--dtype ${dtype}`,
      what: 'only for models that run on the processor',
      seen: `--device ${device}`,
    })
  const states = device === 'cpu' ? await engineStates() : []
  const able = states.filter((state) => state.available && state.precisions.includes(dtype)).map(({ name }) => name)
  const chosen = engine === 'auto' ? (able.find((name) => name === 'openvino') ?? 'onnxruntime') : engine
  if (chosen === 'onnxruntime' && dtype === 'float32') return { engine: chosen, precision: dtype }
  const state = states.find(({ name }) => name === chosen)
  if (state?.available !== true) throw fault('engine.device', { place: `--engine ${chosen}`, what: state?.reason ?? 'not available', hint: state?.hint })
  if (state.precisions.includes(dtype)) return { engine: chosen, precision: dtype, version: state.version }
  throw fault('engine.device', {
    place: `--dtype ${dtype}`,
    what: `${chosen} does not compute in ${dtype} on this processor`,
    wanted: state.precisions.join(', '),
    hint: able.length > 0 ? `--engine ${able.join(' or ')}` : undefined,
  })
}
