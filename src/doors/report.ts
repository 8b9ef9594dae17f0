/**
 * Folders of results as one report – a page, tables for a paper, a spreadsheet, JSON – and results as pictures.
 *
 * @module report
 */
export {
  renderReport,
  type Report,
  type ReportFormat,
  reportFormat,
  reportOf,
  type ReportOptions,
  type ReportRow,
  type Table,
  tablesOf,
  writeReport,
} from '#result/report'
export {
  type Background,
  type LayerHeatMap,
  layerHeatMap,
  type MethodGrid,
  methodGrid,
  type Picture,
  type PictureFormat,
  pictureFormat,
  renderPicture,
  scoreByLayer,
  type ScoreByLayer,
  writePicture,
} from '#result/pictures'
