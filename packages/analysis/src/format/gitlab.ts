import type { Report } from '../finding.ts'
import type { FormatOptions } from './format-options.ts'

const SEVERITIES = { error: 'major', warning: 'minor', info: 'info' } as const

/**
 * Prints a report for the code quality widget of GitLab.
 * https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function printGitlab({ findings }: Report, { prefix = '' }: FormatOptions): string {
  const issues = findings.map(({ end, fingerprint, help, message, path, rule, severity, start }) => ({
    description: `${message}; ${help}`,
    check_name: rule,
    fingerprint,
    severity: SEVERITIES[severity],
    location: { path: `${prefix}${path}`, lines: { begin: start.line, end: end.line } },
  }))
  return `${JSON.stringify(issues, null, 2)}\n`
}
