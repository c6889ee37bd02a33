import type { Finding, Report } from './finding.ts'
import type { Severity } from './vocabulary.ts'

/** How much of a file a finding takes from the score. */
const PENALTIES = { error: 1, warning: 0.5, info: 0.1 } as const

/** How a project does. Each score is from 0 to 100, rounded down: 100 when no file has a finding. */
export interface Score {
  readonly total: number
  /** By the groups of the rules that were checked. */
  readonly groups: Readonly<Record<string, number>>
}

/**
 * Returns the share of files without findings. A file counts by its worst finding: an error takes all of it, a warning half,
 * a note a tenth. Findings of a baseline count, since they are still there; those that are suppressed with a reason do not.
 */
export function scoreOf(report: Report): Score {
  const findings = presentFindings(report)
  const groups = new Set(report.rules.map(({ group }) => group))
  const share = (found: readonly Finding[]): number => {
    const worst = [...Map.groupBy(found, ({ path }) => path).values()].map((own) =>
      Math.max(...own.map(({ severity }) => PENALTIES[severity])),
    )
    const lost = worst.reduce((sum, penalty) => sum + penalty, 0)
    // Tenths are not exact in binary: without the rounding, 100 - 90.1 is below 9.9.
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

/** The findings that are there, known ones too. */
export function presentFindings({ findings, suppressed }: Report): readonly Finding[] {
  return [...findings, ...suppressed.flatMap(({ finding, kind }) => (kind === 'baseline' ? [finding] : []))]
}

export function countSeverities(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const count = (severity: string): number => findings.filter((one) => one.severity === severity).length
  return { error: count('error'), warning: count('warning'), info: count('info') }
}
