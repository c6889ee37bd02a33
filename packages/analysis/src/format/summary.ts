import { SEVERITIES } from '../vocabulary.ts'
import type { Report } from '../finding.ts'

const PLURALS = { error: 'errors', warning: 'warnings', info: 'infos' } as const

/** Prints a summary: `2 errors, 1 warning in 40 files; 3 suppressed; 12 in the baseline; 5 not checked`. */
export function printSummary({ fileCount, findings, suppressed, unchecked }: Report): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [`${count} ${count === 1 ? severity : PLURALS[severity]}`]
  })
  const found = counts.length === 0 ? 'no findings' : counts.join(', ')
  const files = `${fileCount} ${fileCount === 1 ? 'file' : 'files'}`
  const known = suppressed.filter(({ kind }) => kind === 'baseline').length
  const rest = [
    ...(suppressed.length > known ? [`${suppressed.length - known} suppressed`] : []),
    ...(known > 0 ? [`${known} in the baseline`] : []),
    ...(unchecked.length > 0 ? [`${unchecked.length} not checked`] : []),
  ]
  return [`${found} in ${files}`, ...rest].join('; ')
}
