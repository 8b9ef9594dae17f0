/**
 * board: folders of results, runs and searches that grow, as one page that follows them.
 *
 * In: folders. Out: a page, events when something changed, the parts of the page one by one.
 * Never: writing a file, a path out of a request, a score that is not in a file.
 */
export { type BoardPlan, planBoard, serveBoard, type ServeBoardOptions } from './serve-board.ts'
