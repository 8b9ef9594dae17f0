/** Measured speed as tables: rates and latencies by batch size, then time to load, memory and size. */
import { dash, decimals, gigabytes, grouped } from '#core'
import { type Cell, numbers, type Table } from '#result/report'
import { claims } from './claims.ts'
import { millionPrice, type Speed, type Spread } from './speed.ts'

interface TableOptions {
  /** Price of the machine per hour: adds a column with the price of a million texts. */
  readonly pricePerHour?: number | undefined
}

/** Two tables, the sentences that they allow as the notes of the first one. */
export function speedTables(speed: Speed, options: TableOptions = {}): Table[] {
  return [ratesTable(speed), footprintTable(speed, options)]
}

function ratesTable(speed: Speed): Table {
  return {
    id: 'speed',
    title: 'Speed',
    notes: [
      'Rates are medians over the rounds, from the slowest round to the fastest; latency is that of one call.',
      ...claims(speed),
    ],
    columns: [
      { title: 'row' },
      ...numbers('batch', 'texts/s', 'min–max', 'tokens/s', 'p50 ms', 'p95 ms', 'p99 ms', 'calls'),
    ],
    rows: speed.rows.flatMap(({ name, sizes }) =>
      sizes.map(({ batch, textsPerSecond, tokensPerSecond, latency }) => [
        { text: name },
        { text: String(batch), value: batch },
        rate(textsPerSecond),
        { text: `${rateText(textsPerSecond.low)}–${rateText(textsPerSecond.high)}` },
        tokensPerSecond === null ? none : rate(tokensPerSecond),
        ...[latency.p50, latency.p95, latency.p99].map(milliseconds),
        { text: grouped(latency.calls), value: latency.calls },
      ]),
    ),
  }
}

function footprintTable({ rows }: Speed, { pricePerHour }: TableOptions): Table {
  return {
    id: 'footprint',
    title: 'Load, memory and size',
    notes: [
      'Load is the time from opening a model to its first vector; peak memory is that of a process of its own, with the program; files are those that were read: weights, tokenizer, configuration.',
      ...(pricePerHour === undefined
        ? []
        : [`The price is that of a million texts at the fastest batch size, at ${pricePerHour} per hour.`]),
    ],
    columns: [
      { title: 'row' },
      ...numbers('load s', 'peak memory', 'files MB', ...(pricePerHour === undefined ? [] : ['price'])),
    ],
    rows: rows.map(({ name, loadSeconds, peakBytes, fileBytes, sizes }) => [
      { text: name },
      { text: decimals(loadSeconds, 2), value: loadSeconds },
      { text: gigabytes(peakBytes), value: peakBytes },
      { text: decimals(fileBytes / 1e6, 1), value: fileBytes },
      ...(pricePerHour === undefined ? [] : [price(millionPrice(sizes, pricePerHour))]),
    ]),
  }
}

const none: Cell = { text: dash, value: null }

function price(value: number): Cell {
  return { text: decimals(value, value < 0.1 ? 5 : 2), value }
}

function rate({ median }: Spread): Cell {
  return { text: rateText(median), value: median }
}

function rateText(value: number): string {
  return value < 100 ? decimals(value, 1) : grouped(Math.round(value))
}

function milliseconds(seconds: number): Cell {
  const value = 1000 * seconds
  return { text: decimals(value, value < 10 ? 2 : 1), value }
}
