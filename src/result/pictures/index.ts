/**
 * pictures: results as pictures.
 *
 * In: scores, matrices, curves with names. Out: pictures as values, and their SVG and PNG without a browser.
 * Never: computing a score, a font or a file of the machine, a call over the network.
 */
export { barsByGroup, boxesByGroup } from './bars-by-group.ts'
export { checkpointHeatMap } from './checkpoint-heat-map.ts'
export { dendrogram } from './dendrogram.ts'
export { embedded } from './embedded.ts'
export { heatMap } from './heat-map.ts'
export { type LayerHeatMap, layerHeatMap } from './layer-heat-map.ts'
export { type LayerPhenomena, layerPhenomena } from './layer-phenomena.ts'
export { type MethodGrid, methodGrid } from './method-grid.ts'
export type { Background, Picture } from './picture.ts'
export { pointsByValue } from './points-by-value.ts'
export { type RegretCurves, regretCurves } from './regret-curves.ts'
export { type PictureFormat, pictureFormat, renderPicture, writePicture } from './render-picture.ts'
export { type ScoreByLayer, scoreByLayer, type ScoreLine, type ScorePoint } from './score-by-layer.ts'
export { scoreByPull } from './score-by-pull.ts'
export { scorePicture } from './score-picture.ts'
export { shadedCells } from './shaded-cells.ts'
export { recoloured } from './theme.ts'
export { valuesByName } from './values-by-name.ts'
export { type WeightsByLayer, weightsByLayer } from './weights-by-layer.ts'
