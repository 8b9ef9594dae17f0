/**
 * formats: bytes on disk ⇄ tensors and values – safetensors, torch's .bin, npy, npz, pickled arrays, PEFT adapters, JSON, YAML.
 *
 * In: paths of local files, text. Out: tensor sources that read by range, plain values, files written whole.
 * Never: a network, a model, code from a file, memory for a length that was not checked.
 */
export { fileHash } from './content-hash.ts'
export { parseJson, type JsonOptions } from './json.ts'
export { applyLora } from './lora.ts'
export { createNpyWriter, writeNpy, type NpyWriter } from './npy-writer.ts'
export { allFinite } from './float-simd.ts'
export { narrow, readFloat32, widen, widen64 } from './numbers.ts'
export { openTensors, type OpenTensorsOptions } from './open-tensors.ts'
export { parseWith } from './parse-with.ts'
export { createSafetensorsWriter, writeSafetensors, type SafetensorsWriter, type TensorLayout } from './safetensors-writer.ts'
export { openTensorSet, type TensorSetOptions } from './tensor-set.ts'
export { locateYaml, parseYaml, yamlDocuments } from './yaml.ts'
export { type ZipMember, zipMembers } from './zip-members.ts'
export { type Schema, type Zod, zod } from './zod.ts'
