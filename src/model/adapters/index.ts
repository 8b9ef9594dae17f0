/**
 * adapters: LoRA adapters, read over a base as one model or out of a checkpoint that holds several, and extracted from
 * two models.
 *
 * In: tensor sources and PEFT configs. Out: a tensor source; factors in a file.
 * Never: resolving a reference, a forward pass.
 */
export { adapterCard } from './adapter-card.ts'
export { adapterConfig } from './adapter-config.ts'
export { adapterFile, type ExtractedTensors, extractTensors } from './extract-tensors.ts'
export { type FactorOptions, type Factors, loraFactors } from './factors.ts'
export { applyLora } from './lora.ts'
export { unreadLoraFields } from './peft-config.ts'
export { type ExtractionOptions, type ExtractionPlan, planExtraction } from './plan-extraction.ts'
export { readTaskAdapters, type TaskAdapters, withTaskAdapter } from './task-adapters.ts'
