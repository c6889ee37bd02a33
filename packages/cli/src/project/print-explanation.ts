import {
  type ColumnExplanation,
  type Decision,
  escapeForTerminal,
  type Explanation,
  type NotedWarning,
} from '@stagecraft/spec'
import { paintOutput as paint } from '../terminal/paint.ts'
import { print } from '../terminal/print.ts'
import type { Explained } from './explain-tables.ts'
import { toShown } from '../terminal/to-shown.ts'

/** Prints the reasons for a decision. */
export function printExplained(explained: Explained): void {
  if (explained.kind === 'source') printSource(explained.name, explained.explanations)
  else if (explained.kind === 'column') printColumn(explained.explanation)
  else printModel(explained.explanation)
}

function printModel({ columns, decisions, model, source, type, warnings }: Explanation): void {
  print(paint('bold', escapeForTerminal(`${model}, the ${type} model of ${source}`)))
  for (const decision of decisions) printDecision(decision, '')
  for (const column of columns) {
    print(`\n${titleOf(column)}`)
    for (const { about, reasons, value } of column.decisions) {
      const why = reasons.map(({ text }) => text).join('; ')
      print(
        `  ${about.padEnd(WIDTH)} ${escapeForTerminal(value ?? '–')} ${paint('dim', escapeForTerminal(`← ${why}`))}`,
      )
    }
  }
  printWarnings(warnings)
  const [first] = columns
  if (first)
    print(
      `\nstagecraft explain ${escapeForTerminal(`${model}.${first.name ?? first.column ?? ''}`)} shows the keys that change a column`,
    )
}

function printColumn({ columns, model, warnings }: Explanation): void {
  for (const column of columns) {
    print(`${titleOf(column)} of ${escapeForTerminal(model)}`)
    for (const decision of column.decisions) printDecision(decision, '')
  }
  printWarnings(warnings)
}

function printSource(name: string, explanations: readonly Explanation[]): void {
  print(paint('bold', escapeForTerminal(`${name}, the dbt source of ${explanations.length} tables`)))
  const shared = explanations[0]?.decisions.filter(({ about }) => about === 'source') ?? []
  for (const decision of shared) printDecision(decision, '')
  for (const { decisions, model, source } of explanations) {
    print(`\n${paint('bold', escapeForTerminal(source))} → ${escapeForTerminal(model)}`)
    for (const decision of decisions.filter(({ about }) => OF_TABLES.has(about)))
      printDecision(decision, '  ')
  }
}

const OF_TABLES: ReadonlySet<Decision['about']> = new Set([
  'table',
  'entity',
  'loader',
  'key',
  'rows',
  'freshness',
])

/** The width of `description`, the longest word for the subject of a decision. */
const WIDTH = 11

function titleOf({ column, name, type }: ColumnExplanation): string {
  const from = column === undefined ? 'computed' : `from ${column} ${type ?? ''}`.trim()
  const title = name === undefined ? `${column ?? ''}, left out` : `${name}, ${from}`
  return paint('bold', escapeForTerminal(title))
}

function printDecision({ about, keys, reasons, value }: Decision, indent: string): void {
  const margin = `${indent}${' '.repeat(WIDTH)} `
  print(`${indent}${paint('cyan', about.padEnd(WIDTH))} ${escapeForTerminal(value ?? '–')}`)
  for (const { evidence, rule, text } of reasons)
    print(`${margin}${escapeForTerminal(text)} ${paint('dim', escapeForTerminal(`[${rule}, ${evidence}]`))}`)
  if (keys.length > 0) print(`${margin}${paint('dim', 'change:')} ${escapeForTerminal(keys.join(', '))}`)
}

function printWarnings(warnings: readonly NotedWarning[]): void {
  for (const { code, message } of warnings)
    print(`\n${paint('yellow', `warning[${code}]`)} ${toShown(message)}`)
}
