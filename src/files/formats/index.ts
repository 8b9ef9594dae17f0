/**
 * formats: bytes on disk ⇄ tensors and values – safetensors, torch's .bin, GGUF, npy, npz, pickled arrays, PEFT adapters,
 * JSON, YAML.
 *
 * In: paths of local files, text. Out: tensor sources that read by range, plain values, files written completely.
 * Never: a network, a model, code from a file, allocating memory for an unchecked length.
 */
export { allFinite } from './float-simd.ts'
export { frontMatter } from './front-matter.ts'
export { type Gguf, openGguf } from './gguf.ts'
export type { GgufScalar, GgufValue } from './gguf-values.ts'
export { inputFiles, inputPaths, inputStamp } from './input-files.ts'
export { type JsonOptions, parseJson, parsePythonJson } from './json.ts'
export { jsonLike } from './json-like.ts'
export {
  countOf,
  fieldOf,
  flagOf,
  isObject,
  type JsonFields,
  optionalCountOf,
  optionalObjectOf,
  optionalTextOf,
  readJsonFields,
  readJsonList,
  wrongField,
} from './json-fields.ts'
export { createNpyWriter, type NpyWriter, writeNpy } from './npy-writer.ts'
export { parsePythonYaml, type PythonYamlOptions, type WholeFloat } from './python-yaml.ts'
export { narrow, readFloat32, widen, widen64 } from './numbers.ts'
export { openTensors, type OpenTensorsOptions } from './open-tensors.ts'
export { checkYaml, parseWith } from './parse-with.ts'
export {
  createSafetensorsWriter,
  type SafetensorsWriter,
  type TensorBytes,
  type TensorLayout,
  writeSafetensors,
} from './safetensors-writer.ts'
export { openTensorSet, type TensorSetOptions } from './tensor-set.ts'
export { decodeUtf8 } from './text.ts'
export { missingTensor } from './view-source.ts'
export { locateYaml, parseYaml, yamlDocuments, yamlText } from './yaml.ts'
export { describeUnread } from './unread-keys.ts'
export { type ZipMember, zipMembers } from './zip-members.ts'
export { type Schema, type Zod, zod } from './zod.ts'
