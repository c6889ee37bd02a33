export { type AnswerStore, profileTable, type Query, verifyBy } from './ask-warehouse.ts'
export { checkStatements, type CheckStatement, readChecks } from './check-statements.ts'
export { infer, type InferOptions } from './infer.ts'
export {
  type Check,
  type CheckResult,
  type ColumnOf,
  type ColumnsOf,
  type Fact,
  type FactKind,
  type Inference,
  type InferenceOrigin,
  type InferenceTable,
  type Proposal,
  type ProposedFact,
  type ProposedKey,
  type ProposedReference,
  type Verify,
  type WrittenJoin,
} from './inference.ts'
export {
  type SettingValue,
  type Suggestion,
  type SuggestionData,
  suggestionData,
  type SuggestionKind,
  isAcceptedByAll,
  suggestionsOf,
} from './suggestions.ts'
export {
  describeFailure,
  observeTables,
  type Observed,
  type ObserveFailure,
  type ObserveOptions,
} from './observe.ts'
export { observedCatalog, observeIn, type ObserveCatalogOptions } from './observed-catalog.ts'
export {
  profileStatements,
  type ProfileStatement,
  readProfile,
  type ResultRow,
} from './profile-statements.ts'
export {
  NO_ANSWERS,
  observeRecorded,
  type ObserveRecordedOptions,
  type OpenStatement,
  answersOfRows,
  readAnswers,
  type RecordedAnswers,
  type RecordedObserved,
} from './recorded.ts'
export type { ReadingLimits } from './reading.ts'
export { type Budget, printBytes, type TableCost } from './size-table.ts'
export { printDbml, printMermaidDiagram } from './print-diagram.ts'
