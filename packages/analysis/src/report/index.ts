/** Reports and how they are written, for programs that have findings of their own: rules and readers of SQL are not loaded. */
export { compareFindings, type Finding, type Report } from '../finding.ts'
export { fingerprintOf } from '../fingerprint.ts'
export { type FormatName, printReport } from '../format/format.ts'
export type { FormatOptions, HistoryEntry } from '../format/format-options.ts'
export { printSummary } from '../format/summary.ts'
export type { ChosenRule } from '../lint.ts'
export {
  applyBaseline,
  type Baseline,
  BASELINE_FILE,
  nextEntries,
  parseBaseline,
  printBaseline,
} from '../suppress/baseline.ts'
