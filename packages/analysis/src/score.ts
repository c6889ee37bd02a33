import type { Finding, Report } from './finding.ts'
import type { Severity } from './vocabulary.ts'

/** The share of a file that a finding costs. */
const PENALTIES = { error: 1, warning: 0.5, info: 0.1 } as const

/** The scores of a project, from 0 to 100, rounded down; 100 means that no file has a finding. */
export interface Score {
  readonly total: number
  /** The scores by group, for checked rules. */
  readonly groups: Readonly<Record<string, number>>
}

/**
 * Returns the share of files without findings. The worst finding of a file decides: an error costs the whole file, a
 * warning half, a note a tenth. Findings of a baseline count, since they still exist; suppressed ones do not.
 */
export function scoreOf(report: Report): Score {
  const findings = presentFindings(report)
  const groups = new Set(report.rules.map(({ group }) => group))
  const share = (found: readonly Finding[]): number => {
    const worst = [...Map.groupBy(found, ({ path }) => path).values()].map((own) =>
      Math.max(...own.map(({ severity }) => PENALTIES[severity])),
    )
    const lost = worst.reduce((sum, penalty) => sum + penalty, 0)
    // Tenths are not exact in binary: without rounding, 100 - 90.1 is below 9.9.
    const left = 100 * (1 - lost / Math.max(1, report.fileCount, worst.length))
    return Math.floor(Math.round(left * 1e6) / 1e6)
  }
  return {
    total: share(findings),
    groups: Object.fromEntries(
      [...groups].map((group) => [group, share(findings.filter((finding) => finding.group === group))]),
    ),
  }
}

/** Returns all existing findings, including known ones. */
export function presentFindings({ findings, suppressed }: Report): readonly Finding[] {
  return [...findings, ...suppressed.flatMap(({ finding, kind }) => (kind === 'baseline' ? [finding] : []))]
}

export function countSeverities(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const count = (severity: string): number => findings.filter((one) => one.severity === severity).length
  return { error: count('error'), warning: count('warning'), info: count('info') }
}
