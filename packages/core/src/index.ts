export { fillConfig } from './config/fill-config.ts'
export { parseConfig } from './config/parse-config.ts'
export { type Dialect, type Family } from './dialects/dialect.ts'
export { DIALECTS } from './dialects/index.ts'
export {
  type BackendContext,
  createEngine,
  type Engine,
  type EngineAnswer,
  type EngineOptions,
  generateProjectWithBackend,
  type ProjectAnswer,
  type ProjectRunOptions,
  type RunOptions,
  type TablePrompts,
} from './engine/engine.ts'
export { type AnswerMeta } from './engine/answer-meta.ts'
export { chooseDialect } from './engine/choose-dialect.ts'
export { createRun, type EditAnswer, type RunSetup, type RunTable } from './engine/create-run.ts'
export { createRequestId } from './engine/ids.ts'
export { parseItem, printItem } from './engine/item-text.ts'
export { nameModel } from './engine/name-model.ts'
export { type ProjectRequest } from './engine/read-items.ts'
export { type ReadTable, type ReadTables, readTables } from './engine/read-tables.ts'
export {
  type ReadRequest,
  readRequest,
  readRequests,
  type ReadRequestsOptions,
} from './engine/read-requests.ts'
export {
  type EditedItem,
  generate,
  type GenerateContext,
  generateEach,
  type GenerateItem,
  generateInSteps,
  generateProject,
  type ProjectGeneration,
} from './generate.ts'
export { LOADERS } from './loaders/index.ts'
export { type LoaderPack } from './loaders/loader.ts'
export { PRESETS } from './presets/index.ts'
export { loadTemplates, TEMPLATE_NAMES, type TemplateName, type Templates } from './render/templates.ts'
export { parseSelector, parseSourceName } from './source-name/parse.ts'
export { printSourceName } from './source-name/print.ts'
