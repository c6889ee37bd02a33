import { SEVERITIES } from '../vocabulary.ts'
import type { Finding, Report } from '../finding.ts'
import type { FormatOptions } from './format-options.ts'
import { printSummary } from './summary.ts'

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const

/**
 * Prints a report as commands of GitHub Actions, which shows them next to the lines of a pull request. The worst come
 * first, because GitHub shows only about ten of each kind for a step.
 */
export function printGithub(report: Report, { prefix = '' }: FormatOptions): string {
  const findings = report.findings.toSorted(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  )
  return [...findings.map((finding) => printCommand(finding, prefix)), printSummary(report), ''].join('\n')
}

function printCommand(
  { end, help, message, path, rule, severity, start, name }: Finding,
  prefix: string,
): string {
  const properties = {
    file: `${prefix}${path}`,
    line: start.line,
    endLine: end.line,
    ...(end.line === start.line && end.column > start.column && { col: start.column, endColumn: end.column }),
    title: name === rule ? `stagecraft ${rule}` : `${rule} ${name}`,
  }
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`)
  return `::${COMMANDS[severity]} ${list.join(',')}::${escapeData(`${message}\n${help}`)}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
