/** Reports and their formats, for programs with findings of their own. Rules and SQL parsers are not loaded. */
export { compareFindings, type Finding, type Report } from '../finding.ts'
export { fingerprintOf } from '../fingerprint.ts'
export { type FormatName, printReport } from '../format/format.ts'
export type { FormatOptions, HistoryEntry } from '../format/format-options.ts'
export { printSummary } from '../format/summary.ts'
export type { ChosenRule } from '../lint.ts'
export {
  applyBaseline,
  type Baseline,
  type BaselineOptions,
  BASELINE_FILE,
  nextEntries,
  parseBaseline,
  printBaseline,
} from '../suppress/baseline.ts'
