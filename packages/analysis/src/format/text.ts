import { escapeForTerminal } from '@stagecraft/spec'
import type { Finding, Report, UncheckedSubject } from '../finding.ts'
import type { FormatOptions, Paint } from './format-options.ts'
import { printSummary } from './summary.ts'

const STYLES = { error: 'red', warning: 'yellow', info: 'cyan' } as const

/** The most subjects to name if many were not checked for one reason. */
const NAMED = 3

/** The longest part of a line to show. */
const WIDTH = 160

/** Prints a report for people: each finding with its place and line, as compilers do. */
export function printText(report: Report, { paint = plain, prefix = '' }: FormatOptions): string {
  const findings = report.findings.map((finding) => printFinding(finding, paint, prefix))
  const unchecked = printUnchecked(report.unchecked, paint)
  return [...findings, ...unchecked, printSummary(report), ''].join('\n')
}

function plain(_style: string, text: string): string {
  return text
}

function printFinding(finding: Finding, paint: Paint, prefix: string): string {
  const { fix, help, message, name, path, rule, severity, start } = finding
  const label = paint(STYLES[severity], `${severity}[${rule}]`)
  const gutter = ' '.repeat(String(start.line).length)
  const place = `${prefix}${escapeForTerminal(path)}:${start.line}:${start.column}`
  return [
    `${place} ${label} ${paint('bold', escapeForTerminal(message))}${name === rule ? '' : ` ${paint('dim', `(${name})`)}`}`,
    ...snippet(finding, paint),
    `${gutter} ${paint('dim', '=')} ${escapeForTerminal(help)}`,
    ...(fix
      ? [
          `${gutter} ${paint('dim', '=')} --fix${fix.safety === 'unsafe' ? ' --unsafe' : ''}: ${escapeForTerminal(fix.summary)}`,
        ]
      : []),
    '',
  ].join('\n')
}

/** Prints the line of a finding with a mark below its place; nothing for an empty line. */
function snippet({ end, line, severity, start }: Finding, paint: Paint): readonly string[] {
  if (line.trim() === '') return []
  const from = Math.max(0, start.column - 1 - WIDTH / 2)
  const shown = line.slice(from, from + WIDTH)
  const last = end.line === start.line ? end.column : line.length + 1
  const length = Math.max(1, Math.min(last, from + WIDTH + 1) - start.column)
  const before = shown.slice(0, start.column - 1 - from).replaceAll(/[^\t]/g, ' ')
  const gutter = ' '.repeat(String(start.line).length)
  return [
    `${start.line} ${paint('dim', '|')} ${escapeTabs(shown)}`,
    `${gutter} ${paint('dim', '|')} ${before}${paint(STYLES[severity], '^'.repeat(length))}`,
  ]
}

/** Tabs are kept to align the mark. */
function escapeTabs(text: string): string {
  return text.split('\t').map(escapeForTerminal).join('\t')
}

/**
 * Prints the unchecked parts by rule and reason; rules that skipped the same parts for the same reason share a line.
 */
function printUnchecked(unchecked: readonly UncheckedSubject[], paint: Paint): readonly string[] {
  const groups = Map.groupBy(unchecked, ({ reason, rule }) => `${rule}\0${reason}`)
  const all = [...groups.values()].map((group) => {
    const [first] = group
    const names = [...new Set(group.map(({ subject }) => subject.name))]
    const rest = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
    return {
      rule: first?.rule ?? '',
      text: `${names.slice(0, NAMED).join(', ')}${rest}: ${first?.reason ?? ''}`,
    }
  })
  const lines = [...Map.groupBy(all, ({ text }) => text)].map(
    ([text, rules]) =>
      `${paint('dim', `not checked[${rules.map(({ rule }) => rule).join(', ')}]`)} ${escapeForTerminal(text.replaceAll(/\s*\n\s*/g, ' '))}`,
  )
  return lines.length > 0 ? [...lines, ''] : []
}
