/**
 * Which engine computes a model, and in which type: settled before anything is kept under it, and never replaced by
 * another.
 */
import { type Device, deviceName, fault } from '#core'
import {
  type Engine,
  type EngineState,
  engineStates,
  type IntegerWeights,
  engineNames,
  precisions,
} from '#platform/runtime'

/** `int8`: tokens times weights in integers, the rest in float32 (`#model/graph`, integer products). */
export const computeTypes = [...precisions, 'int8'] as const
export type ComputeType = (typeof computeTypes)[number]

/** `auto`: OpenVINO where it is installed and has the type, otherwise ONNX Runtime. */
export const engineChoices = [...engineNames, 'auto'] as const
export type EngineChoice = (typeof engineChoices)[number]

export interface Arithmetic {
  readonly engine: Engine
  readonly type: ComputeType
  /** Form in which this processor wants int8 weights. The numbers are the same either way. */
  readonly integerWeights?: IntegerWeights | undefined
  /**
   * Release of OpenVINO, which the user chooses: another may add in another order. ONNX Runtime's comes with Strata.
   */
  readonly version?: string | undefined
}

export interface ArithmeticOptions {
  engine?: EngineChoice | undefined
  /** Type of products; states and vectors are float32 regardless. */
  dtype?: ComputeType | undefined
  device?: Device | undefined
}

/** Names of types as keys, results and representations have them. */
export const shortNames = { float32: 'f32', bfloat16: 'bf16', float16: 'f16', int8: 'int8' } as const satisfies Record<
  ComputeType,
  string
>

/**
 * Throws `engine.device` for an engine that is not installed, or a type that it does not compute in on this processor;
 * lists the possible ones.
 */
export async function settleArithmetic({
  engine = 'onnxruntime',
  dtype = 'float32',
  device = 'cpu',
}: ArithmeticOptions): Promise<Arithmetic> {
  if (engine === 'onnxruntime' && dtype === 'float32') return { engine, type: dtype }
  if (device !== 'cpu') return settleOnDevice(device, engine, dtype)
  const states = await engineStates()
  const able = states.filter((state) => typesOf(state).includes(dtype)).map(({ name }) => name)
  const chosen = engine === 'auto' ? (able.find((name) => name === 'openvino') ?? 'onnxruntime') : engine
  if (chosen === 'onnxruntime' && dtype === 'float32') return { engine: chosen, type: dtype }
  const state = states.find(({ name }) => name === chosen)
  if (state?.available !== true)
    throw fault('engine.device', {
      place: `--engine ${chosen}`,
      what: state?.reason ?? 'not available',
      hint: state?.hint,
    })
  if (able.includes(chosen)) {
    return chosen === 'openvino'
      ? { engine: chosen, type: dtype, version: state.version }
      : { engine: chosen, type: dtype, integerWeights: state.integerWeights }
  }
  throw fault('engine.device', {
    place: `--dtype ${dtype}`,
    what: `${chosen} does not compute in ${dtype} on this processor`,
    wanted: typesOf(state).join(', '),
    // an engine that is not here might
    hint:
      able.length > 0 ? `--engine ${able.join(' or ')}` : states.flatMap((one) => (one.available ? [] : [one.hint]))[0],
  })
}

/** Types in which a graph is written: every device of ONNX Runtime computes what the graph says. */
const halves: readonly ComputeType[] = ['bfloat16', 'float16']

/** ONNX Runtime has the devices; CUDA alone has products of 16 bits. */
function settleOnDevice(device: Device, engine: EngineChoice, type: ComputeType): Arithmetic {
  const name = deviceName(device)
  const isHalf = name === 'cuda' && halves.includes(type)
  if (engine !== 'openvino' && (type === 'float32' || isHalf)) return { engine: 'onnxruntime', type }
  throw fault('engine.device', {
    place: engine === 'openvino' ? '--engine openvino' : `--dtype ${type}`,
    what: 'only for models that run on the processor',
    seen: `--device ${device}`,
    ...(engine !== 'openvino' && { wanted: name === 'cuda' ? ['float32', ...halves] : ['float32'] }),
  })
}

/** The types that an engine computes in here. */
export function typesOf(state: EngineState): readonly ComputeType[] {
  if (!state.available) return []
  return [...state.precisions, ...(state.integerWeights === undefined ? [] : ['int8' as const])]
}
