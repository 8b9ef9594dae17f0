/**
 * onnx: ONNX messages ⇄ protobuf bytes.
 *
 * In: models, graphs, nodes and tensors as values; a model's bytes. Out: bytes; the same bytes with the tensors moved
 * outside them; inputs and outputs of a graph.
 * Never: the computation of a graph, a file, a session.
 */
export { encodeModel, type ModelPiece, modelPieces } from './encode-model.ts'
export { graphValues, type GraphValue } from './graph-values.ts'
export {
  type Attribute,
  type ElementType,
  elementTypes,
  type InitializerMessage,
  type ModelMessage,
  type NodeMessage,
  type ValueMessage,
} from './messages.ts'
export { type ExternalTensor, moveTensors } from './move-tensors.ts'
