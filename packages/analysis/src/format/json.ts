import type { Finding, LintReport } from '../finding.ts'
import type { FormatOptions } from './format-options.ts'

/** Prints a report for programs. */
export function printJson(report: LintReport, { prefix = '', version }: FormatOptions): string {
  const { fileCount, findings, modelCount, rules, suppressed, unchecked } = report
  const answer = {
    stagecraft: version,
    findings: findings.map((finding) => toJson(finding, prefix)),
    suppressed: suppressed.map(({ finding, kind, reason }) => ({
      ...toJson(finding, prefix),
      suppression: { kind, reason },
    })),
    unchecked,
    rules,
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
