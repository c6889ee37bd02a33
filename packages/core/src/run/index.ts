export { settingLines, type SettingLines } from '../config/setting-line.ts'
export { fillConfig } from '../config/settings.ts'
export { type AnswerMeta, answerMeta } from '../engine/answer-meta.ts'
export {
  chooseDialect,
  isExcluded,
  lookUp,
  lookUpKey,
  unusedConfig,
  withNewNames,
} from '../config/settings.ts'
export type {
  EachRunOptions,
  ProjectAnswer,
  ProjectRunOptions,
  PromptOptions,
  RunOptions,
  TablePrompts,
} from '../engine/engine.ts'
export { findLoader } from '../loaders/detect.ts'
export { leaveOutFaulty } from './part-items.ts'
export { parseItem, printItem } from './run-item.ts'
export { provenKey } from '../plan/key.ts'
export { toSnakeCase } from '../naming/tokens.ts'
export { plainName } from '../plan/subject.ts'
export { nameModel } from '../engine/read-tables.ts'
export { type ReadTable, type ReadTables, readTables } from '../engine/read-tables.ts'
export {
  type ReadRequest,
  readRequest,
  readRequests,
  type ReadRequestsOptions,
} from '../engine/read-tables.ts'
export { TEMPLATE_NAMES, type TemplateName } from '../render/templates.ts'
export { parseSelector } from '../source-name.ts'
export { printSourceName, type StoredName } from '../source-name.ts'
export type { EditReport } from './ask-backend.ts'
export { checkDescription } from '../edit/check-texts.ts'
export { parseType } from '../sql/types.ts'
export { sortFiles } from './print-run.ts'
export {
  createRun,
  type EditAnswer,
  type Run,
  type RunSetup,
  type RunTable,
  type TablePlace,
} from './create-run.ts'
export { isKeyTest, keysNotTested } from './print-run.ts'
export type { EditedItem, GenerateContext } from './run-item.ts'
export { type NameTrial, type TriedNames, tryNames } from './try-names.ts'
export type { Claims, ColumnClaim, RowClaim } from '../plan/claims.ts'
export type { ConfiguredConversion } from '../plan/configured-conversions.ts'
export type { StagedNames } from '../plan/staged-names.ts'
export { isNamedAsPersonal } from '../inference/personal.ts'
export { isKnownWord, meaningsOf, spellingsOf, wordsOf } from '../naming/word-meanings.ts'
export { addCall, addUsage, NO_USAGE, totalTokens } from '../edit/usage.ts'
export {
  escapeIdentifier,
  foldCase,
  needsQuotes,
  printIdentifier,
  quoteIdentifier,
} from '../sql/identifiers.ts'
export { splitOrdinal } from '../plan/read-columns.ts'
