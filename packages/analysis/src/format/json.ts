import type { Finding, Report } from '../finding.ts'
import { countSeverities, scoreOf } from '../score.ts'
import type { FormatOptions } from './format-options.ts'

/** Prints a report for programs. */
export function printJson(report: Report, { prefix = '', version }: FormatOptions): string {
  const { fileCount, findings, modelCount, rules, suppressed, unchecked } = report
  const answer = {
    stagecraft: version,
    summary: countSeverities(findings),
    score: scoreOf(report),
    findings: findings.map((finding) => toJson(finding, prefix)),
    suppressed: suppressed.map(({ finding, kind, reason }) => ({
      ...toJson(finding, prefix),
      suppression: { kind, reason },
    })),
    unchecked,
    rules: rules.map(({ id }) => id),
    files: fileCount,
    models: modelCount,
  }
  return `${JSON.stringify(answer, null, 2)}\n`
}

function toJson({ fix, line: _line, path, ...finding }: Finding, prefix: string): object {
  return {
    ...finding,
    path: `${prefix}${path}`,
    ...(fix && { fix: { safety: fix.safety, summary: fix.summary } }),
  }
}
