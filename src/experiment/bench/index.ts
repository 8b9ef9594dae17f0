/**
 * bench: how fast models encode on this machine, and how much memory they need, measured now.
 *
 * In: references of models, texts, batch sizes. Out: measured seconds as values: texts and tokens per second, latency,
 * time to the first vector, peak memory, with their spread; and what they allow to be said.
 * Never: the vector cache, a score, a recorded time, console output.
 */
export { carriedTexts } from './carried-texts.ts'
export { type MeasuredModels, measureModels } from './measure-models.ts'
export { fastestRate, millionPrice, type Speed } from './speed.ts'
export { speedTables } from './speed-tables.ts'
