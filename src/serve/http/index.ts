/**
 * http: addresses as values, and the server that answers them – who may ask, how much, in which words it fails.
 *
 * In: routes. Out: checked bodies, answers, an OpenAPI document, counts for those who watch.
 * Never: a model, a result, a key in a message.
 */
export { type Gauges, openGauges } from './gauges.ts'
export { listen, type Listening, type ListenOptions, settleListening } from './listen.ts'
export { type Answer, json, type Route, routeMakers } from './route.ts'
