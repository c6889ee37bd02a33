import {
  BACKEND_NAMES,
  columnProfileSchema,
  columnSchema,
  columnValueSchema,
  configSchema,
  CONVERSIONS,
  DECISION_SUBJECTS,
  DIALECT_NAMES,
  EVIDENCE_KINDS,
  foreignKeySchema,
  freshnessSchema,
  generationOptionsSchema,
  generationRequestSchema,
  llmSettingsSchema,
  MODEL_TYPES,
  namingSchema,
  PRESET_NAMES,
  TABLE_KINDS,
  tableProfileSchema,
  tableReferenceSchema,
  tableStorageSchema,
  tableSchema,
} from '@stagecraft/spec'
import {
  backendConfigSchema,
  columnConfigSchema,
  rangeConfigSchema,
  ignoreSettingSchema,
  typeNamingSchema,
  typesNamingSchema,
  lintConfigSchema,
  namePatternsSchema,
  sourceConfigSchema,
  tableConfigSchema,
} from '../../packages/spec/src/config.ts'
import {
  columnExplanationSchema,
  decisionSchema,
  explanationSchema,
  notedWarningSchema,
  reasonSchema,
} from '../../packages/spec/src/explanation.ts'
import {
  dateCountsSchema,
  patternCountsSchema,
  profiledValueSchema,
} from '../../packages/spec/src/profile.ts'
import {
  keyReferenceSchema,
  observationSchema,
  observedKeySchema,
  observedFormSchema,
  observedRangeSchema,
  observedReferenceSchema,
  observedValuesSchema,
} from '../../packages/spec/src/table.ts'
import { freshnessAgeSchema } from '../../packages/spec/src/options.ts'
import type { PrintOptions, TypeEntry } from './print-types.ts'

/** The types that users of the library write, with the comments above them. */
export const TYPES: readonly TypeEntry[] = [
  {
    name: 'GenerationRequest',
    schema: generationRequestSchema,
    doc: 'The request of `POST /generate` and `generate()`.',
  },
  {
    name: 'GenerationOptions',
    schema: generationOptionsSchema,
    doc: 'The options of a request, a configuration file, or an override of one source or table.',
  },
  { name: 'Freshness', schema: freshnessSchema, doc: 'Thresholds for `dbt source freshness`.' },
  { name: 'FreshnessAge', schema: freshnessAgeSchema, doc: 'An age of the newest row.' },
  {
    name: 'Config',
    schema: configSchema,
    doc: 'A `stagecraft.yml`. docs/reference/configuration.md explains it with examples.',
  },
  { name: 'BackendConfig', schema: backendConfigSchema, doc: 'The language model of a `stagecraft.yml`.' },
  {
    name: 'LlmSettings',
    schema: llmSettingsSchema,
    doc: 'Settings for a language model that takes part in planning.',
  },
  {
    name: 'LintConfig',
    schema: lintConfigSchema,
    doc: 'The rules of `stagecraft lint` and their exceptions.',
  },
  {
    name: 'IgnoreSetting',
    schema: ignoreSettingSchema,
    doc: 'Intended findings of a rule. Path, source and model narrow it; a finding must match all that are given.',
  },
  { name: 'SourceConfig', schema: sourceConfigSchema, doc: 'Overrides for one schema.' },
  { name: 'TableConfig', schema: tableConfigSchema, doc: 'Overrides for one table.' },
  { name: 'RangeConfig', schema: rangeConfigSchema, doc: 'Bounds of the numbers of a column.' },
  { name: 'ColumnConfig', schema: columnConfigSchema, doc: 'Overrides for one column.' },
  {
    name: 'Naming',
    schema: namingSchema,
    doc: 'The rules for names. Every member has a default in the preset.',
  },
  {
    name: 'NamePatterns',
    schema: namePatternsSchema,
    doc: 'Patterns of staged names, by what a column holds.',
  },
  { name: 'TypesNaming', schema: typesNamingSchema, doc: 'Names and places per type of model.' },
  { name: 'TypeNaming', schema: typeNamingSchema, doc: 'Names and places of one type of model.' },
  {
    name: 'Table',
    schema: tableSchema,
    doc: 'A table or view as a catalog describes it. docs/reference/columns-file.md documents it with examples.',
  },
  { name: 'Column', schema: columnSchema, doc: 'A column of a table.' },
  {
    name: 'ColumnValue',
    schema: columnValueSchema,
    doc: 'A value of a closed list: from an enum type, a CHECK constraint, or a documented domain.',
  },
  { name: 'ForeignKey', schema: foreignKeySchema, doc: 'Columns whose values are those of a key elsewhere.' },
  { name: 'KeyReference', schema: keyReferenceSchema, doc: 'A key of another table.' },
  {
    name: 'TableStorage',
    schema: tableStorageSchema,
    doc: 'The order and the places in which a warehouse keeps the rows of a table.',
  },
  { name: 'TableReference', schema: tableReferenceSchema, doc: 'The table that a foreign key points to.' },
  {
    name: 'Observation',
    schema: observationSchema,
    doc: 'Undeclared facts that the rows of a table confirm.',
  },
  { name: 'ObservedKey', schema: observedKeySchema, doc: 'A key that the rows confirm.' },
  { name: 'ObservedReference', schema: observedReferenceSchema, doc: 'A reference that the rows confirm.' },
  { name: 'ObservedValues', schema: observedValuesSchema, doc: 'A list of values that the rows confirm.' },
  { name: 'ObservedForm', schema: observedFormSchema, doc: 'The form of the texts of a column.' },
  { name: 'ObservedRange', schema: observedRangeSchema, doc: 'Bounds that the rows confirm.' },
  {
    name: 'TableProfile',
    schema: tableProfileSchema,
    doc: 'Aggregates over the rows of a table. Values are kept only of columns that may be a closed list.',
  },
  { name: 'ProfiledValue', schema: profiledValueSchema, doc: 'A value of a column, with its rows.' },
  {
    name: 'Explanation',
    schema: explanationSchema,
    doc: 'The reasons for all that was decided about a model.',
  },
  { name: 'Decision', schema: decisionSchema, doc: 'A decision, its reasons, and what changes it.' },
  { name: 'Reason', schema: reasonSchema, doc: 'A rule that had a part in a decision.' },
  { name: 'NotedWarning', schema: notedWarningSchema, doc: 'A warning, as an explanation repeats it.' },
  { name: 'ColumnExplanation', schema: columnExplanationSchema, doc: 'The reasons for one column.' },
  { name: 'PatternCounts', schema: patternCountsSchema, doc: 'Rows whose text has a form, by form.' },
  { name: 'DateCounts', schema: dateCountsSchema, doc: 'Rows that hold an existing day, by how it is read.' },
  { name: 'ColumnProfile', schema: columnProfileSchema, doc: 'Aggregates over the values of a column.' },
]

const NAMES = './names.ts'

/** The types that those of the library refer to, and that are written by hand. */
export const TYPE_OPTIONS: PrintOptions = {
  others: {
    BackendName: { from: NAMES, is: BACKEND_NAMES },
    Conversion: { from: NAMES, is: CONVERSIONS },
    DecisionSubject: { from: NAMES, is: DECISION_SUBJECTS },
    DialectName: { from: NAMES, is: DIALECT_NAMES },
    EvidenceKind: { from: NAMES, is: EVIDENCE_KINDS },
    ModelType: { from: NAMES, is: MODEL_TYPES },
    PresetName: { from: NAMES, is: PRESET_NAMES },
    TableKind: { from: NAMES, is: TABLE_KINDS },
  },
}
