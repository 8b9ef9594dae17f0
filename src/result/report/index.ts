/**
 * report: results as pictures.
 *
 * In: results, or numbers with names. Out: pictures as values, and their bytes as SVG or PNG, without a browser.
 * Never: a score computed, a font or a file of the machine's, a call over the network.
 */
export { type LayerHeatMap, layerHeatMap } from './layer-heat-map.ts'
export { type MethodGrid, methodGrid } from './method-grid.ts'
export type { Background, Picture } from './picture.ts'
export { type PictureFormat, pictureFormat, renderPicture, writePicture } from './render-picture.ts'
export { type RegretCurves, regretCurves } from './regret-curves.ts'
export { type ScoreByLayer, type ScoreLine, type ScorePoint, scoreByLayer } from './score-by-layer.ts'
export { scorePicture } from './score-picture.ts'
export { type WeightsByLayer, weightsByLayer } from './weights-by-layer.ts'
