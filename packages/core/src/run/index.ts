export { fillConfig } from '../config/fill-config.ts'
export { type AnswerMeta } from '../engine/answer-meta.ts'
export { chooseDialect } from '../engine/choose-dialect.ts'
export {
  type EachRunOptions,
  type ProjectAnswer,
  type ProjectRunOptions,
  type PromptOptions,
  type RunOptions,
  type TablePrompts,
} from '../engine/engine.ts'
export { parseItem, printItem } from '../engine/item-text.ts'
export { nameModel } from '../engine/name-model.ts'
export { type ReadTable, type ReadTables, readTables } from '../engine/read-tables.ts'
export {
  type ReadRequest,
  readRequest,
  readRequests,
  type ReadRequestsOptions,
} from '../engine/read-requests.ts'
export { TEMPLATE_NAMES, type TemplateName } from '../render/templates.ts'
export { parseSelector } from '../source-name/parse.ts'
export { printSourceName } from '../source-name/print.ts'
export { type EditReport } from './ask-backend.ts'
export { sortFiles } from './print-run.ts'
export {
  createRun,
  type EditAnswer,
  type Run,
  type RunSetup,
  type RunTable,
  type TablePlace,
} from './create-run.ts'
export { isKeyTest, keysNotTested } from './keys-not-tested.ts'
export { type EditedItem } from './run-item.ts'
