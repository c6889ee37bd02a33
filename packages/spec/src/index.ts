export {
  type AnswerCache,
  type AssistantTurn,
  type Backend,
  BACKEND_FAILURES,
  type BackendAnswer,
  BackendError,
  type BackendErrorOptions,
  type BackendFailure,
  type BackendRequest,
  type BackendTool,
  type BackendTurn,
  type BackendUsage,
  type JsonSchema,
  type ToolCall,
  type ToolResult,
} from './backend.ts'
export type { Catalog, QueryOptions, SizesOptions, TableSize } from './catalog.ts'
export { type Clock, type IdPrefix, type Ids, systemClock, timeSortedIds } from './clock.ts'
export {
  type BackendConfig,
  type ColumnConfig,
  type Config,
  configSchema,
  type IgnoreSetting,
  type TypeNaming,
  type TypesNaming,
  type LintConfig,
  type NamePatterns,
  type Naming,
  type RangeConfig,
  namingSchema,
  type SourceConfig,
  type TableConfig,
} from './config.ts'
export { configJsonSchema } from './config-json-schema.ts'
export {
  type ErrorEnvelope,
  errorEnvelopeSchema,
  generationSchema,
  type Meta,
  metaSchema,
  type SuccessEnvelope,
  successEnvelopeSchema,
  warningSchema,
} from './envelope.ts'
export {
  ERROR_CODES,
  type ErrorCode,
  type ErrorDetails,
  type Fault,
  type InvalidOptions,
  StagecraftError,
  type StagecraftErrorOptions,
} from './errors.ts'
export {
  type ColumnExplanation,
  type Decision,
  type Explanation,
  explanationSchema,
  type NotedWarning,
  type Reason,
} from './explanation.ts'
export {
  type GeneratedFile,
  type Generation,
  type Warning,
  type WarningCode,
  WARNINGS,
} from './generation.ts'
export { type LlmOptions, type LlmSettings, llmSettingsSchema, type Usage, usageSchema } from './llm.ts'
export {
  DECISION_SUBJECTS,
  type DecisionSubject,
  EVIDENCE_KINDS,
  type EvidenceKind,
  BACKEND_NAMES,
  type BackendName,
  DIALECT_NAMES,
  EXPORTED_DIALECTS,
  type ExportedDialect,
  type DialectName,
  MODEL_TYPES,
  type ModelType,
  type Conversion,
  CONVERSIONS,
  PROPOSED_CONVERSIONS,
  RESULT_TYPES,
  type ResultType,
  PRESET_NAMES,
  type PresetName,
  TABLE_KINDS,
  type TableKind,
} from './names.ts'
export {
  type Freshness,
  type FreshnessAge,
  freshnessSchema,
  type GenerationOptions,
  generationOptionsSchema,
} from './options.ts'
export {
  answerSchema,
  type ColumnEdit,
  columnEditSchema,
  EDIT_TESTS,
  type EditTest,
  expressionEditSchema,
  type PlanEdit,
  planEditJsonSchema,
  planEditSchema,
  type TestProposal,
  testProposalSchema,
  type Violation,
  type ViolationCode,
  VIOLATIONS,
} from './plan-edit.ts'
export {
  type ColumnProfile,
  columnProfileSchema,
  type DateCounts,
  type PatternCounts,
  type ProfiledValue,
  type TableProfile,
  tableProfileSchema,
} from './profile.ts'
export { loadPackage, type OptionalPackage } from './load-package.ts'
export type { HouseStyle, Project, ProjectModel } from './project.ts'
export { type GenerationRequest, generationRequestSchema } from './request.ts'
export type { NamePart, SourceName, TableSelector } from './source-name.ts'
export {
  type KeyReference,
  type Observation,
  observationSchema,
  type ObservedKey,
  type ObservedForm,
  type ObservedRange,
  type ObservedReference,
  type ObservedValues,
  type CatalogTable,
  type Column,
  type ColumnValue,
  columnSchema,
  columnValueSchema,
  type ForeignKey,
  foreignKeySchema,
  type Table,
  type TableReference,
  type TableStorage,
  tableReferenceSchema,
  tableStorageSchema,
  UNKNOWN_TYPE,
  tableSchema,
} from './table.ts'
export { redactError, redactMessages, redactSecrets } from './redact-secrets.ts'
export { compareText, escapeForTerminal, escapeHtml, escapeInvisible, hasInvisible, shorten } from './text.ts'
