export { chooseRules, type ChooseRulesOptions, findRule } from './choose-rules.ts'
export type { Finding, LintReport, SuppressedFinding, UncheckedSubject } from './finding.ts'
export { applyFixes, type FixedFile, type FixOptions, type FixReport } from './fix/apply-fixes.ts'
export { type FormatName, FORMATS, printReport } from './format/format.ts'
export type { FormatOptions, Paint } from './format/format-options.ts'
export { type ChosenRule, lint, type LintOptions } from './lint.ts'
export type { InstalledPackages, LintProject } from './project/lint-project.ts'
export {
  type ConfiguredSuppressions,
  readLintProject,
  type ReadLintProjectOptions,
} from './project/read-lint-project.ts'
export type { Place, Position, SourceFile } from './project/source-file.ts'
export type { Hit, Rule, RuleRun, Unchecked } from './rule.ts'
export {
  type Fix,
  type Group,
  GROUPS,
  type Need,
  SEVERITIES,
  type Severity,
  type Subject,
  type TextEdit,
} from './vocabulary.ts'
export { RULES } from './rules/index.ts'
export { type Suppression } from './suppress/suppression.ts'
export { printSummary } from './format/summary.ts'
