/**
 * gguf: a GGUF file as a model – names and shapes as its family has them, config.json and tokenizer from its metadata.
 *
 * In: an opened GGUF file. Out: a tensor source, and the texts of config.json, tokenizer.json, tokenizer_config.json.
 * Never: decoding blocks, a forward pass, a network.
 */
export { ggufModel, type GgufModel } from './gguf-model.ts'
