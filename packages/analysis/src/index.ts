export { chooseRules, type ChooseRulesOptions, findRule, findRulesLike, suggestRule } from './choose-rules.ts'
export {
  compareFindings,
  type Finding,
  narrowReport,
  type Report,
  type ReportedRule,
  type SuppressedFinding,
  type UncheckedSubject,
} from './finding.ts'
export { fingerprintOf } from './fingerprint.ts'
export { applyFixes, type FixedFile, type FixOptions, type FixReport } from './fix/apply-fixes.ts'
export { type FormatName, FORMATS, printReport } from './format/format.ts'
export type { FormatOptions, HistoryEntry, Paint } from './format/format-options.ts'
export { countSeverities, presentFindings, type Score, scoreOf } from './score.ts'
export { columnLineage } from './lineage/column-lineage.ts'
export { knownColumns } from './lineage/known-columns.ts'
export {
  type BrokenRead,
  type Impact,
  type Lineage,
  lineageAround,
  type LineageAround,
  type LineageDirection,
  type LineageEdge,
  type LineageGap,
  type LineageNode,
} from './lineage/lineage.ts'
export { type SourceColumn, type SourceJoin, sourceJoins, tableJoins } from './lineage/source-joins.ts'
export { idOfModel, idOfRelation, idOfTable, lineOfPlace, modelLineage } from './lineage/model-lineage.ts'
export { type Entry } from './project/properties-file.ts'
export { lockOf } from './project/raw-tables.ts'
export { type PlacedReference } from './project/references.ts'
export { printOpenLineage } from './lineage/open-lineage.ts'
export { printLineageJson, printLineageMermaid, printLineageText } from './lineage/print-lineage.ts'
export { type ChosenRule, lint, type LintOptions } from './lint.ts'
export type { InstalledPackages, LintProject } from './project/lint-project.ts'
export {
  type ConfiguredSuppressions,
  readLintProject,
  type ReadLintProjectOptions,
} from './project/read-lint-project.ts'
export type {
  ColumnCast,
  ColumnJoin,
  ColumnRead,
  ModelStructure,
  OutputColumn,
  ReadStructure,
  SqlStructure,
  StructureRelation,
  UnreadStructure,
} from './structure/sql-structure.ts'
export { loadSqlStructure, type StructureOptions } from './structure/load-structure.ts'
export { lineOf, type Place, type Position, positionOf, type SourceFile } from './project/source-file.ts'
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
export { nearest } from './rules/nearest.ts'
export { readTests, type WrittenTest } from './rules/columns.ts'
export { testWith } from './rules/raw-columns.ts'
export { builtModels } from './rules/subjects.ts'
export {
  applyBaseline,
  type BaselineOptions,
  type Baseline,
  BASELINE_FILE,
  nextEntries,
  parseBaseline,
  printBaseline,
} from './suppress/baseline.ts'
export { type Suppression } from './suppress/suppression.ts'
export { printSummary } from './format/summary.ts'
export { printPage } from './format/html/markup.ts'
export { STYLE as PAGE_STYLE } from './format/html/style.ts'
